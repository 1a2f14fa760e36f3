// Puts a reply on the wire: streamed or whole, after its delay, or as the failure the script asked for.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './choose-reply.ts';
import { type ErrorAnswer, errorAnswers, errorBody } from './error-answers.ts';
import { type StreamEvent, toEvents, toMessage } from './message-events.ts';
import type { Asked } from './read-asked.ts';

// Nobody waits longer than this; Claude Code itself gives up after ten minutes.
const HANG_LIMIT_MS = 15 * 60_000;

export type Sending = { id: string; asked: Asked; signal: AbortSignal };

export async function sendReply(response: ServerResponse, reply: Reply, sending: Sending): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, sending.signal]);
  const wait = (ms: number) => (ms > 0 ? sleep(ms, undefined, { signal }) : Promise.resolve());
  try {
    await wait(reply.delayMs);
    if (reply.error === 'hang') await wait(HANG_LIMIT_MS);
    if (reply.error === 'hang' || reply.error === 'reset') response.socket?.resetAndDestroy();
    else if (reply.error !== null && reply.error !== 'cut')
      sendError(response, errorAnswers[reply.error], reply.retryAfterS);
    else if (sending.asked.isStreamed) await stream(response, reply, sending, wait);
    else if (reply.error === 'cut') response.socket?.resetAndDestroy();
    else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(toMessage(reply, sending.id, sending.asked.model)));
    }
  } catch (error) {
    if (!signal.aborted) throw error; // whoever asked has gone, or the server is ending: nobody is left to tell
  }
}

export function sendError(response: ServerResponse, answer: ErrorAnswer, retryAfterS: number | null = null): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (retryAfterS !== null) response.setHeader('retry-after', String(retryAfterS));
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(errorBody(answer)));
}

async function stream(
  response: ServerResponse,
  reply: Reply,
  { id, asked }: Sending,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'request-id': `req_${id}`,
  });
  const events = toEvents(reply, id, asked.model);
  // Cut: half of the answer has been seen, and its end never comes.
  const sent = reply.error === 'cut' ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const event of sent) {
    await wait(event.afterMs);
    response.write(eventText(event));
  }
  if (reply.error === 'cut') response.socket?.destroySoon();
  else response.end();
}

const eventText = ({ type, data }: StreamEvent): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
