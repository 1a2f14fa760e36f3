// One line of Claude Code's stream-json, made a value of ours. Pure, and never throws: the format is somebody
// else's, and a line nobody understands is no reason to end a session.

export type Usage = { input: number; output: number; cacheRead: number; cacheCreation: number };
export type Block = { type: 'text'; text: string } | { type: 'tool'; name: string; input: unknown };
export type EndOfTurn = {
  subtype: string;
  isError: boolean;
  text: string; // the answer, or what went wrong
  apiStatus: number | null;
  terminalReason: string | null;
  turns: number;
  denials: { tool: string; input: unknown }[];
};
export type Spend = { costUsd: number; usage: Usage };

export type StreamEvent =
  | { kind: 'init'; sessionId: string; model: string; version: string }
  | { kind: 'said'; messageId: string; isOwn: boolean; isReal: boolean; blocks: Block[]; usage: Usage }
  | { kind: 'tool_result'; isOwn: boolean; text: string; isError: boolean }
  | { kind: 'compacting' }
  | { kind: 'compacted' }
  | { kind: 'retry'; attempt: number; most: number; status: number | null; error: string }
  | { kind: 'denied'; tool: string; message: string }
  | { kind: 'prompt_state'; prompt: string; state: string }
  | { kind: 'answer'; request: string; spend: Spend | null }
  | { kind: 'result'; end: EndOfTurn; spend: Spend | null }
  | { kind: 'other' };

type Loose = Record<string, unknown>;

export function readStreamLine(line: string): StreamEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'other' }; // a stray line of some tool or wrapper
  }
  const event = toObject(value);
  if (event.type === 'system') return readSystem(event);
  if (event.type === 'assistant') return readAssistant(event);
  if (event.type === 'user') return readToolResult(event);
  if (event.type === 'result') return readResult(event);
  if (event.type === 'control_response') return readAnswer(toObject(event.response));
  if (event.type === 'command_lifecycle')
    return { kind: 'prompt_state', prompt: toText(event.command_uuid), state: toText(event.state) };
  return { kind: 'other' };
}

function readSystem(event: Loose): StreamEvent {
  switch (event.subtype) {
    case 'init':
      return {
        kind: 'init',
        sessionId: toText(event.session_id),
        model: toText(event.model),
        version: toText(event.claude_code_version),
      };
    case 'status':
      return event.status === 'compacting' ? { kind: 'compacting' } : { kind: 'other' };
    case 'compact_boundary':
      return { kind: 'compacted' };
    case 'permission_denied':
      return { kind: 'denied', tool: toText(event.tool_name), message: toText(event.message) };
    case 'api_retry':
      return {
        kind: 'retry',
        attempt: toNumber(event.attempt),
        most: toNumber(event.max_retries),
        status: typeof event.error_status === 'number' ? event.error_status : null,
        error: toText(event.error),
      };
    default:
      return { kind: 'other' };
  }
}

function readAssistant(event: Loose): StreamEvent {
  const message = toObject(event.message);
  const blocks = toList(message.content).flatMap((each): Block[] => {
    const block = toObject(each);
    if (block.type === 'text') return [{ type: 'text', text: toText(block.text) }];
    return block.type === 'tool_use' ? [{ type: 'tool', name: toText(block.name), input: block.input }] : [];
  });
  const usage = toObject(message.usage);
  return {
    kind: 'said',
    messageId: toText(message.id),
    isOwn: !event.parent_tool_use_id, // else a subagent's
    // Claude Code words its own errors as if the model had said them.
    isReal: message.model !== '<synthetic>',
    blocks,
    usage: {
      input: toNumber(usage.input_tokens),
      output: toNumber(usage.output_tokens),
      cacheRead: toNumber(usage.cache_read_input_tokens),
      cacheCreation: toNumber(usage.cache_creation_input_tokens),
    },
  };
}

function readToolResult(event: Loose): StreamEvent {
  const blocks = toList(toObject(event.message).content).map(toObject);
  const results = blocks.filter(block => block.type === 'tool_result');
  if (results.length === 0) return { kind: 'other' };
  const text = results.map(result => textOf(result.content)).join('\n');
  const isError = results.some(result => result.is_error === true);
  return { kind: 'tool_result', isOwn: !event.parent_tool_use_id, text, isError };
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toList(content)
        .map(block => toText(toObject(block).text))
        .join('\n');

function readResult(event: Loose): StreamEvent {
  const errors = toList(event.errors).filter(error => typeof error === 'string');
  const end: EndOfTurn = {
    subtype: toText(event.subtype),
    isError: event.is_error === true,
    text: toText(event.result) || errors.join('; '),
    apiStatus: typeof event.api_error_status === 'number' ? event.api_error_status : null,
    terminalReason: toText(event.terminal_reason) || null,
    turns: toNumber(event.num_turns),
    denials: toList(event.permission_denials).map(each => {
      const denial = toObject(each);
      return { tool: toText(denial.tool_name), input: denial.tool_input };
    }),
  };
  return { kind: 'result', end, spend: readSpend(event.total_cost_usd, event.modelUsage) };
}

function readAnswer(response: Loose): StreamEvent {
  const session = toObject(toObject(response.response).session);
  const request = toText(response.request_id);
  return { kind: 'answer', request, spend: readSpend(session.total_cost_usd, session.model_usage) };
}

// Both count from the start of the process; the `usage` of a result counts one turn only (2.1.326).
function readSpend(cost: unknown, models: unknown): Spend | null {
  if (typeof cost !== 'number' || !Number.isFinite(cost) || cost < 0) return null;
  const all = Object.values(toObject(models)).map(toObject);
  const sum = (key: string) => all.reduce((total, model) => total + toNumber(model[key]), 0);
  return {
    costUsd: cost,
    usage: {
      input: sum('inputTokens'),
      output: sum('outputTokens'),
      cacheRead: sum('cacheReadInputTokens'),
      cacheCreation: sum('cacheCreationInputTokens'),
    },
  };
}

const toObject = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
