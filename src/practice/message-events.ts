// A reply in the words of the Messages API: one message, or the events of a stream in their order. Pure.

import type { Reply, Usage } from './choose-reply.ts';

export type StreamEvent = { type: string; afterMs: number; data: Record<string, unknown> };

const PIECES_PER_SECOND = 20;

export function toMessage(reply: Reply, id: string, model: string): Record<string, unknown> {
  const text = reply.text === '' ? [] : [{ type: 'text', text: reply.text }];
  const tools = reply.tools.map(tool => ({ type: 'tool_use', ...tool }));
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [...text, ...tools],
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: reply.usage,
  };
}

export function toEvents(reply: Reply, id: string, model: string): StreamEvent[] {
  const started: Usage = { ...reply.usage, output_tokens: 1 };
  const message = { ...toMessage(reply, id, model), content: [], stop_reason: null, usage: started };
  const blocks = [
    ...(reply.text === '' ? [] : [textBlock(reply)]),
    ...reply.tools.map(({ input, ...tool }) => ({
      start: { type: 'tool_use', ...tool, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
      everyMs: 0,
    })),
  ];
  return [
    event('message_start', { message }),
    event('ping', {}),
    ...blocks.flatMap(({ start, deltas, everyMs }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map(delta => event('content_block_delta', { index, delta }, everyMs)),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage: reply.usage }),
    event('message_stop', {}),
  ];
}

function textBlock({ text, streamMs }: Reply) {
  const pieces = cutEvenly(text, Math.max(1, Math.round((streamMs / 1000) * PIECES_PER_SECOND)));
  return {
    start: { type: 'text', text: '' },
    deltas: pieces.map(piece => ({ type: 'text_delta', text: piece })),
    everyMs: streamMs / pieces.length,
  };
}

// By code points, so that no emoji is cut in two. A short text gives fewer pieces than asked for.
function cutEvenly(text: string, count: number): string[] {
  const points = [...text];
  const size = Math.ceil(points.length / count);
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(''));
  return pieces;
}

const stopReason = (reply: Reply): string => (reply.tools.length > 0 ? 'tool_use' : 'end_turn');

const event = (type: string, data: Record<string, unknown>, afterMs = 0): StreamEvent => ({
  type,
  afterMs,
  data: { type, ...data },
});
