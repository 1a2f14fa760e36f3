// What a request to the Messages API asks: who, in which conversation, which prompt, which tool results.
// Knows how Claude Code 2.1.326 wraps what people type; pure.

export type Prompt = { text: string; isMidTurn: boolean };

export type Asked = {
  session: string;
  agent: string;
  model: string;
  isStreamed: boolean;
  system: string;
  prompts: Prompt[]; // of the whole conversation, oldest first
  rounds: number; // tool rounds of the whole conversation
  kind: 'prompt' | 'tool_result' | 'compact' | 'side';
  toolResults: { id: string; text: string }[]; // those that have just come
  pastResults: string[]; // all of the conversation, oldest first
};

type Block = { type?: unknown; text?: unknown; tool_use_id?: unknown; content?: unknown };
type Message = { role?: unknown; content?: unknown };

// Claude Code puts these beside the prompt; nobody typed them.
const WRAPPED = /^\s*<(system-reminder|local-command-caveat|command-name|local-command-std(out|err)|bash-)/;
const INTERRUPTED = /^\[Request interrupted by user/;
const MID_TURN =
  /^The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how Claude Code surfaces /;
// What a hook handed over after a tool call; it comes in a message of its own.
const HOOKED = /^PostToolUse(?::\S+)? hook additional context: ([\s\S]+)$/;
const COMPACT = /^CRITICAL: Respond with TEXT ONLY/;
const CONTINUED = /^This session is being continued from a previous conversation/;

export function readAsked(body: unknown, headers: Readonly<Record<string, unknown>>): Asked {
  const request = asObject(body);
  const messages = Array.isArray(request.messages) ? (request.messages as Message[]) : [];
  const asides = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content));
  const system = [textOf(request.system), ...asides].join('\n\n');
  const users = messages.filter(({ role }) => role === 'user').map(({ content }) => blocksOf(content));
  const last = users.at(-1) ?? [];
  const toolResults = last.filter(isToolResult).map(block => ({
    id: String(block.tool_use_id ?? ''),
    text: textOf(block.content),
  }));
  return {
    session: sessionOf(request, headers),
    agent: /BATON_AGENT:[ \t]*(\S+)/.exec(system)?.[1] ?? '',
    model: typeof request.model === 'string' ? request.model : 'practice',
    isStreamed: request.stream === true,
    system,
    prompts: messages.flatMap(promptsOf),
    rounds: users.filter(blocks => blocks.some(isToolResult)).length,
    kind: isSide(request, headers) ? 'side' : kindOf(last, toolResults.length, messages.at(-1)),
    toolResults,
    pastResults: users.flatMap(blocks => blocks.filter(isToolResult).map(({ content }) => textOf(content))),
  };
}

function kindOf(last: Block[], results: number, end: Message | undefined): Asked['kind'] {
  if (last.some(block => typeof block.text === 'string' && COMPACT.test(block.text))) return 'compact';
  if (promptsIn(last).length > 0 || (end?.role === 'system' && promptsOf(end).length > 0)) return 'prompt';
  return results > 0 ? 'tool_result' : 'side';
}

// What Claude Code asks for itself (a title, say) comes without tools; nobody typed it.
function isSide(request: Record<string, unknown>, headers: Readonly<Record<string, unknown>>): boolean {
  const hasTools = Array.isArray(request.tools) && request.tools.length > 0;
  return !hasTools && headers['x-claude-code-session-id'] !== undefined;
}

function promptsOf({ role, content }: Message): Prompt[] {
  if (role === 'user') return promptsIn(blocksOf(content));
  if (role !== 'system') return [];
  const hooked = blocksOf(content).flatMap(({ text }) => HOOKED.exec(String(text ?? ''))?.[1] ?? []);
  return hooked.map(text => ({ text, isMidTurn: true }));
}

// At most one: what stands last in a message is what was typed, the rest is around it.
function promptsIn(blocks: Block[]): Prompt[] {
  const text = blocks.flatMap(block => (block.type === 'text' && typeof block.text === 'string' ? block.text : []));
  const notTyped = [WRAPPED, INTERRUPTED, COMPACT, CONTINUED];
  const typed = text.filter(part => !notTyped.some(pattern => pattern.test(part))).at(-1);
  if (typed === undefined) return [];
  const midTurn = MID_TURN.exec(typed)?.[1];
  return [{ text: midTurn ?? typed, isMidTurn: midTurn !== undefined }];
}

function sessionOf(request: Record<string, unknown>, headers: Readonly<Record<string, unknown>>): string {
  const header = headers['x-claude-code-session-id'];
  if (typeof header === 'string' && header !== '') return header;
  const user = asObject(request.metadata).user_id;
  if (typeof user !== 'string') return 'unnamed';
  try {
    return String(asObject(JSON.parse(user)).session_id ?? user);
  } catch {
    return user; // older programs send plain text here
  }
}

const isToolResult = (block: Block): boolean => block.type === 'tool_result';

function blocksOf(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(asObject) : [];
}

function textOf(content: unknown): string {
  const texts = blocksOf(content).map(({ text }) => text);
  return texts.filter(text => typeof text === 'string').join('\n');
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
