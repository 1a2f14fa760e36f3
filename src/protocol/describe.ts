// The protocol for editors and for people: JSON Schema of each file, and docs/protocol.md. Both come from the
// zod schemas beside this file and from nothing else.

import { z } from 'zod';
import { AgentConfig, AgentResult } from './agent.ts';
import { BatonConfig } from './config.ts';
import { ConflictReport } from './conflicts.ts';
import { CtxPack } from './ctxpack.ts';
import { Event } from './event.ts';
import { ExecutionReport } from './report.ts';
import { ExecutionRequest } from './request.ts';
import { Status } from './status.ts';
import { PATH_PATTERN } from './text.ts';

export type SchemaName =
  | 'request'
  | 'report'
  | 'status'
  | 'ctxpack'
  | 'agent'
  | 'result'
  | 'conflicts'
  | 'event'
  | 'config';

type Page = { schema: z.ZodType; file: string; io: 'input' | 'output'; purpose: string };

// io: what others write is described as they may write it (defaults left out), what Baton writes as it is written.
const pages: Record<SchemaName, Page> = {
  request: {
    schema: ExecutionRequest,
    file: 'execution_request.json',
    io: 'input',
    purpose:
      'What the main orchestrator asks for. Read once, checked whole, and refused with all its problems before anything is touched. Relative paths start at `workspace_root`.',
  },
  agent: {
    schema: AgentConfig,
    file: 'agent.json',
    io: 'input',
    purpose: 'Settings of one agent, in the folder named by `agent_path`. The file and every key of it are optional.',
  },
  result: {
    schema: AgentResult,
    file: 'agent_result.json',
    io: 'input',
    purpose: 'What an agent may write to `BATON_RESULT_FILE` about its own work.',
  },
  ctxpack: {
    schema: CtxPack,
    file: '*.ctxp',
    io: 'input',
    purpose: 'A small graph of what an agent found out; packs are united by `ctxpack_union`.',
  },
  report: {
    schema: ExecutionReport,
    file: 'execution_report.json',
    io: 'output',
    purpose: 'What came of the execution. Written once, last: when it is there, the execution is over.',
  },
  status: {
    schema: Status,
    file: 'status.json',
    io: 'output',
    purpose: 'The execution as it stands, replaced as a whole whenever it changes.',
  },
  conflicts: {
    schema: ConflictReport,
    file: 'conflicts.json',
    io: 'output',
    purpose: 'What the merge could not decide, with the content of every side.',
  },
  event: {
    schema: Event,
    file: 'events.ndjson',
    io: 'output',
    purpose: 'Everything that happened, one JSON object a line, ids increasing. Its shape depends on `type`.',
  },
  config: {
    schema: BatonConfig,
    file: 'baton.json',
    io: 'input',
    purpose:
      'What a project sets about handoffs; every key is optional. Defaults, flags and variables: `docs/configuration.md`.',
  },
};

export const schemaNames = Object.keys(pages) as SchemaName[];

export function jsonSchemaFor(name: SchemaName): Record<string, unknown> {
  const { schema, file, io } = pages[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return { $schema, title: file, ...rest };
}

export function protocolPage(): string {
  const head = [
    '# The files of the protocol',
    '',
    'Generated from `src/protocol` by `node src/protocol/write-docs.ts`; a test fails when it is stale.',
    'The same as JSON Schema, for editors: `baton schema <name>` with the name in brackets.',
    'Keys that are not listed are refused. `[]` stands for each item of a list, `<name>` for each key of a map.',
  ];
  return `${[...head, ...schemaNames.flatMap(section)].join('\n')}\n`;
}

function section(name: SchemaName): string[] {
  const { file, purpose } = pages[name];
  const schema = jsonSchemaFor(name) as Schema;
  const table = schema.oneOf === undefined ? fieldTable(schema) : eventTable(schema.oneOf);
  return ['', `## ${file} (\`${name}\`)`, '', purpose, '', ...table];
}

// The parts of JSON Schema that zod makes of our schemas.
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  required?: string[];
  default?: unknown;
  description?: string;
  format?: string;
  [range: string]: unknown;
};

function fieldTable(schema: Schema): string[] {
  return [
    '| Field | Type | Required | Range | Meaning |',
    '|---|---|---|---|---|',
    ...rowsOf(schema, '').map(cells => `| ${cells.map(cell).join(' | ')} |`),
  ];
}

function rowsOf(schema: Schema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${key}`;
    const need = schema.required?.includes(key) === true && field.default === undefined ? 'yes' : needOf(field);
    return [[`\`${name}\``, typeOf(field), need, rangeOf(field), field.description ?? ''], ...inner(field, name)];
  });
}

function needOf(field: Schema): string {
  return field.default === undefined ? 'no' : `default \`${JSON.stringify(field.default)}\``;
}

// Rows of what lies inside a field: an object, the items of a list, the values of a map.
function inner(field: Schema, name: string): string[][] {
  if (field.properties !== undefined) return rowsOf(field, `${name}.`);
  if (field.items !== undefined) return inner(field.items, `${name}[]`);
  if (typeof field.additionalProperties === 'object') return inner(field.additionalProperties, `${name}.<name>`);
  return (field.anyOf ?? []).flatMap(branch => inner(branch, name));
}

function typeOf(field: Schema): string {
  if (field.$ref !== undefined) return 'any JSON value';
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map(value => `\`${JSON.stringify(value)}\``).join(', ');
  const branches = field.anyOf ?? field.oneOf;
  if (branches !== undefined) return [...new Set(branches.map(typeOf))].join(' or ');
  if (field.format === 'date-time') return 'time (ISO 8601)';
  if (field.items !== undefined) return `list of ${typeOf(field.items)}`;
  if (typeof field.additionalProperties === 'object') return `map of ${typeOf(field.additionalProperties)}`;
  return [field.type ?? 'any JSON value'].flat().join(' or ');
}

function rangeOf(field: Schema): string {
  const words: [string, string][] = [
    ['minimum', 'at least'],
    ['exclusiveMinimum', 'more than'],
    ['maximum', 'at most'],
    ['minLength', 'length at least'],
    ['maxLength', 'length at most'],
    ['minItems', 'items at least'],
    ['maxItems', 'items at most'],
  ];
  // z.int() is bounded by what a double holds exactly, which tells a reader nothing.
  const told = words.filter(
    ([key]) => field[key] !== undefined && Math.abs(Number(field[key])) !== Number.MAX_SAFE_INTEGER,
  );
  const bounds = told.map(([key, word]) => `${word} ${Number(field[key])}`);
  const pattern = field.format === undefined && field.pattern !== undefined ? [patternOf(String(field.pattern))] : [];
  const inside = [
    ...(field.anyOf ?? []).map(rangeOf),
    field.items === undefined ? '' : within('each', rangeOf(field.items)),
    field.propertyNames === undefined ? '' : within('keys', rangeOf(field.propertyNames)),
  ];
  return [...bounds, ...pattern, ...inside].filter(part => part !== '').join(', ');
}

const patternOf = (pattern: string) =>
  pattern === PATH_PATTERN ? 'no `..`, no `~` in front, no control characters' : `\`${pattern}\``;

const within = (whose: string, range: string) => (range === '' ? '' : `${whose}: ${range}`);

function eventTable(variants: Schema[]): string[] {
  const rows = variants.map(variant => {
    const { type, agent, data } = variant.properties ?? {};
    const fields = Object.entries(data?.properties ?? {}).map(([key, field]) => {
      return field.properties === undefined ? `\`${key}\`: ${typeOf(field)}` : `\`${key}\`: object`;
    });
    return [`\`${String(type?.const)}\``, typeOf(agent ?? {}), fields.join('; ')];
  });
  return [
    'Every line has `id` (integer, at least 1), `time` (ISO 8601), `type`, `agent` and `data`.',
    '',
    '| `type` | `agent` | `data` |',
    '|---|---|---|',
    ...rows.map(cells => `| ${cells.map(cell).join(' | ')} |`),
  ];
}

// Outside of code, "<" would begin a tag.
const cell = (text: string) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('`')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
