// A record of Claude Code's transcript as a person would want to read it in a log; null for its bookkeeping. Pure.

const LONGEST = 2000;

type Block = Readonly<Record<string, unknown>>;

export function renderRecord(record: Readonly<Record<string, unknown>>): string | null {
  if (record.isMeta === true || record.isSidechain === true) return null;
  const message = record.message as { content?: unknown } | undefined;
  if ((record.type !== 'user' && record.type !== 'assistant') || message === undefined) return null;
  const content = message.content;
  const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const lines = blocks.flatMap(block => renderBlock(block, record.type === 'user') ?? []);
  return lines.length === 0 ? null : lines.join('\n');
}

function renderBlock(block: Block, isUser: boolean): string | null {
  switch (block.type) {
    case 'text':
      return prefixed(isUser ? '> ' : '', String(block.text ?? ''));
    case 'tool_use':
      return `* ${String(block.name)} ${brief(block.input)}`;
    case 'tool_result':
      return prefixed(block.is_error === true ? '  ! ' : '  | ', resultText(block.content));
    default:
      return null; // thinking and the like
  }
}

const listOf = (value: unknown): Block[] =>
  Array.isArray(value) ? value.filter((item): item is Block => typeof item === 'object' && item !== null) : [];

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap(block => (typeof block.text === 'string' ? [block.text] : []))
        .join('\n');

function brief(input: unknown): string {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const known = fields.command ?? fields.file_path ?? fields.pattern ?? fields.url ?? fields.description;
  return cut(typeof known === 'string' ? known : JSON.stringify(input ?? {}));
}

function prefixed(prefix: string, text: string): string | null {
  const body = cut(text.trim());
  return body === ''
    ? null
    : body
        .split('\n')
        .map(line => prefix + line)
        .join('\n');
}

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)} … (${text.length} characters)` : text;
