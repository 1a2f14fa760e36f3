// The practice model: a Messages API server on 127.0.0.1 that answers by a script. No model, no account, no cost.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../protocol/fault.ts';
import type { PracticeScript } from '../protocol/practice.ts';
import { chooseReply, type Reply } from './choose-reply.ts';
import type { Memory } from './choose-rule.ts';
import { loadScript, type Setting } from './load-script.ts';
import { type Asked, readAsked } from './read-asked.ts';
import { sendError, sendReply } from './send-reply.ts';

export type RecordedRequest = {
  at: string;
  session: string;
  agent: string;
  model: string;
  streamed: boolean;
  kind: Asked['kind'];
  turn: number;
  text: string; // the last prompt, as it was typed
  sha256: string; // of `text`
  toolResults: string[];
  rule: string;
  error: string | null;
  context: number; // tokens this answer reports
};

export type Practice = {
  url: string;
  port: number;
  requests(): RecordedRequest[];
  close(): Promise<void>;
};

export type PracticeOptions = {
  script: string | PracticeScript;
  port?: number;
  set?: Setting;
  onRequest?: (request: RecordedRequest) => void;
};

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_KEPT = 20_000;
const KEEP_ALIVE_MS = 10 * 60_000;

export async function startPractice({ script, port = 0, set = {}, onRequest }: PracticeOptions): Promise<Practice> {
  const rules = await loadScript(script, set);
  const sessions = new Map<string, Memory>();
  const kept: RecordedRequest[] = [];
  const stop = new AbortController();
  let answers = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      const message = error instanceof Fault ? `${error.message}; ${error.cure}` : String(error);
      sendError(response, { status: 500, type: 'api_error', message });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://practice');
    const isMessage = request.method === 'POST' && pathname === '/v1/messages';
    const isCount = request.method === 'POST' && pathname === '/v1/messages/count_tokens';
    if (!isMessage && !isCount) {
      request.resume();
      sendError(response, { status: 404, type: 'not_found_error', message: 'a practice model has only /v1/messages' });
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      sendError(response, { status: 400, type: 'invalid_request_error', message: 'the body is not valid JSON' });
      return;
    }
    if (isCount) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) }));
      return;
    }
    const asked = readAsked(body, request.headers);
    const reply = decide(asked);
    answers += 1;
    await sendReply(response, reply, { id: `msg_practice_${answers}`, asked, signal: stop.signal });
  }

  function decide(asked: Asked): Reply {
    const memory = sessions.get(asked.session) ?? { number: sessions.size + 1, requests: 0, fired: {} };
    const { reply, memory: after } = chooseReply(rules, asked, memory);
    sessions.set(asked.session, after);
    const record = toRecord(asked, reply);
    kept.push(record);
    if (kept.length > MAX_KEPT) kept.shift();
    onRequest?.(record);
    return reply;
  }

  // After Node's usual five seconds a pane that asks at that very moment would see its connection reset.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(cannotListen(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    requests: () => [...kept],
    async close() {
      stop.abort();
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function toRecord(asked: Asked, reply: Reply): RecordedRequest {
  const text = asked.prompts.at(-1)?.text ?? '';
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = reply.usage;
  return {
    at: new Date().toISOString(),
    session: asked.session,
    agent: asked.agent,
    model: asked.model,
    streamed: asked.isStreamed,
    kind: asked.kind,
    turn: asked.prompts.length,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    toolResults: asked.toolResults.map(result => result.text),
    rule: reply.rule,
    error: reply.error,
    context: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

function cannotListen(cause: Error, port: number): Fault {
  return new Fault('refused', `port ${port} cannot be used: ${cause.message}`, 'name another port, or none', { cause });
}
