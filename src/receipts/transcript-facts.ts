// What the lines of a Claude Code transcript say. Pure. The format is internal to Claude Code and was
// measured on 2.1.326: whatever is not understood is passed over, and too little is "unknown".

export type TranscriptRecord = Record<string, unknown>;

export type Usage = { tokens: number; model: string | null; session_id: string | null; time: number | null };
export type Message = { role: 'user' | 'assistant'; text: string; time: number | null };
export type Turn = 'open' | 'ended' | 'unknown';

// The size of the last request. Lines of one message repeat its usage, so nothing is summed. A compaction
// makes every earlier figure old, and errors that Claude Code writes in the model's place carry zeros.
export function lastUsage(records: TranscriptRecord[]): Usage | null {
  for (const record of records.toReversed()) {
    if (isCompaction(record)) return null;
    const message = record.message;
    if (!isReply(record) || isError(record) || !isObject(message) || !isObject(message.usage)) continue;
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = message.usage;
    if (!isCount(input_tokens)) continue;
    const cached = [cache_creation_input_tokens, cache_read_input_tokens].filter(isCount);
    return {
      tokens: cached.reduce((sum, part) => sum + part, input_tokens),
      model: asText(message.model),
      session_id: asText(record.sessionId),
      time: timeOf(record),
    };
  }
  return null;
}

// A prompt stands as a user line when it opened a turn, and as a queued_command when it was typed while the
// agent was busy and handed in between two steps. Waiting in the queue is neither.
export function findPrompt(records: TranscriptRecord[], text: string): 'turn' | 'queued' | null {
  for (const record of records) {
    if (isPrompt(record) && textOf(record) === text) return 'turn';
    const attachment = record.attachment;
    if (isObject(attachment) && attachment.type === 'queued_command' && attachment.prompt === text) return 'queued';
  }
  return null;
}

export function lastMessages(records: TranscriptRecord[], count: number): Message[] {
  const messages = records.flatMap(record => {
    if (!isPrompt(record) && !isReply(record)) return [];
    const text = textOf(record);
    return text === '' ? [] : [{ role: record.type as Message['role'], text, time: timeOf(record) }];
  });
  return count > 0 ? messages.slice(-count) : [];
}

export function turnOf(records: TranscriptRecord[]): Turn {
  for (const record of records.toReversed()) {
    if (record.isSidechain === true) continue;
    if (record.type === 'system' && ['stop_hook_summary', 'turn_duration'].includes(String(record.subtype)))
      return 'ended';
    if (isInterruption(record) || isError(record)) return 'ended';
    if (isReply(record)) return endsTurn(record) ? 'ended' : 'open';
    if (isPrompt(record) || holdsToolResult(record)) return 'open';
  }
  return 'unknown';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function timeOf(record: TranscriptRecord): number | null {
  const time = Date.parse(String(record.timestamp));
  return Number.isNaN(time) ? null : time;
}

const isReply = (record: TranscriptRecord): boolean => record.type === 'assistant' && record.isSidechain !== true;

const isError = (record: TranscriptRecord): boolean =>
  isReply(record) &&
  (record.isApiErrorMessage === true || (isObject(record.message) && record.message.model === '<synthetic>'));

const isCompaction = (record: TranscriptRecord): boolean =>
  record.isCompactSummary === true || (record.type === 'system' && record.subtype === 'compact_boundary');

function endsTurn(record: TranscriptRecord): boolean {
  const reason = isObject(record.message) ? record.message.stop_reason : null;
  return typeof reason === 'string' && reason !== 'tool_use' && reason !== 'pause_turn';
}

function blocksOf(record: TranscriptRecord): Record<string, unknown>[] {
  const content = isObject(record.message) ? record.message.content : null;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

const textOf = (record: TranscriptRecord): string =>
  blocksOf(record)
    .flatMap(block => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');

const holdsToolResult = (record: TranscriptRecord): boolean =>
  record.type === 'user' && blocksOf(record).some(block => block.type === 'tool_result');

const isInterruption = (record: TranscriptRecord): boolean =>
  record.type === 'user' && textOf(record).startsWith('[Request interrupted by user');

// What a person or Baton said: not the results of tools, and not the lines Claude Code writes for its
// own slash commands.
const isPrompt = (record: TranscriptRecord): boolean =>
  record.type === 'user' &&
  record.isSidechain !== true &&
  record.isMeta !== true &&
  !isCompaction(record) &&
  !holdsToolResult(record) &&
  !isInterruption(record) &&
  !/^<(?:command-name|local-command-\w+)>/.test(textOf(record));
