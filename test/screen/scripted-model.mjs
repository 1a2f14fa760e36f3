// A model for captures: what a prompt asks for in double brackets is what it does. Not the practice model
// of the product, which plays stories; this one only has to bring up every screen there is.

import { createServer } from 'node:http';

const QUOTED = [
  'Here is what an idle screen looks like:',
  '',
  '```',
  '─'.repeat(60),
  '❯\u00a0',
  '─'.repeat(60),
  '  context: 45.2k tokens (23%)',
  '  ⏸ manual mode on',
  '```',
  '',
  'and a dialog: Do you want to proceed? ❯ 1. Yes 2. No Esc to cancel',
  '',
  'context: 99.9k tokens (99%)',
  '✻ 529 Overloaded · retrying in 1s · attempt 2/2',
  'API Error: 500 Internal server error.',
].join('\n');

export function startModel(file) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => answer(request, response, body, file()).catch(() => response.destroy()));
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, stop: () => server.close() }));
  });
}

async function answer(request, response, body, file) {
  if (!request.url.startsWith('/v1/messages')) return json(response, 404, { type: 'error' });
  const ask = JSON.parse(body);
  if (request.url.includes('count_tokens')) return json(response, 200, { input_tokens: 1200 });
  const last = ask.messages.findLast(message => message.role === 'user');
  const blocks = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  const result = blocks.find(block => block.type === 'tool_result');
  const text = blocks.findLast(block => block.type === 'text')?.text ?? '';
  const isCompaction = /summary/i.test(text) && text.length > 500;
  const [, word = '', rest = ''] = /\[\[([A-Z]+) ?([^\]]*)\]\]/.exec(text) ?? [];
  if (word === 'ERR') return json(response, Number(rest), errorBody(Number(rest)));
  const say = stream(response, ask.model, word === 'USAGE' ? Number(rest) : 22000);
  if (isCompaction) {
    await pause(6000);
    return say.text('<summary>short</summary>').end();
  }
  // A refused tool's result comes along with the next prompt: then the prompt counts.
  if (result && word === '') {
    if (result.tool_use_id === 'toolu_read') return say.tool('toolu_edit', 'Edit', edit(file)).end();
    if (result.tool_use_id === 'toolu_plan_file') return say.tool('toolu_plan', 'ExitPlanMode', {}).end();
    return say.text('All done.').end();
  }
  const tools = {
    BASH: ['toolu_bash', 'Bash', { command: rest, description: 'A scripted command' }],
    BACKGROUND: ['toolu_bash', 'Bash', { command: rest, description: 'A long command', run_in_background: true }],
    WRITE: ['toolu_write', 'Write', { file_path: `${file}.new.txt`, content: 'first line\nsecond line\n' }],
    EDIT: ['toolu_read', 'Read', { file_path: file }],
    ASK: ['toolu_ask', 'AskUserQuestion', { questions: [question('Colour', 'Which colour?', false)] }],
    ASKMANY: [
      'toolu_ask',
      'AskUserQuestion',
      { questions: [question('Colour', 'Which colours?', true), question('Size', 'Which size?', false)] },
    ],
    PLAN: [
      'toolu_plan',
      'ExitPlanMode',
      { plan: '# The plan\n\n1. Read the file\n2. Change one line\n3. Run the tests' },
    ],
    FETCH: ['toolu_fetch', 'WebFetch', { url: 'http://127.0.0.1:9/x', prompt: 'read it' }],
    // The path is told to the model in plan mode; a plan that stands there gets the long dialog.
    PLANFILE: [
      'toolu_plan_file',
      'Write',
      {
        file_path: /[^\s"\\`]*\/plans\/[\w-]+\.md/.exec(body)?.[0] ?? '/nowhere',
        content: '# The plan\n\n1. One\n2. Two\n',
      },
    ],
    TODO: [
      'toolu_todo',
      'TodoWrite',
      {
        todos: [
          { content: 'Read the file', status: 'in_progress', activeForm: 'Reading the file' },
          { content: 'Change it', status: 'pending', activeForm: 'Changing it' },
        ],
      },
    ],
  };
  if (tools[word])
    return say
      .text('Working on it.')
      .tool(...tools[word])
      .end();
  if (word === 'QUOTE') return say.text(QUOTED).end();
  if (word === 'LONG') {
    return say
      .text(Array.from({ length: Number(rest) }, (_, line) => `line ${line} of a long answer`).join('\n'))
      .end();
  }
  if (word === 'HANG') {
    await pause(Number(rest) * 1000);
    return say.text('late').end();
  }
  if (word === 'SLOW') {
    say.text('A slow answer begins. ');
    for (let step = 0; step < Number(rest) * 5; step += 1) {
      await pause(200);
      say.more('word ');
    }
    return say.end();
  }
  return say.text(`Answered: ${text.slice(0, 40)}`).end();
}

const question = (header, words, multiSelect) => ({
  header,
  question: words,
  multiSelect,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
});
const edit = file => ({ file_path: file, old_string: 'old line', new_string: 'new line' });
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

function errorBody(status) {
  const words = {
    400: ['invalid_request_error', 'messages: field required'],
    401: ['authentication_error', 'invalid x-api-key'],
    403: ['permission_error', 'not allowed'],
    413: ['request_too_large', 'prompt is too long: 250000 tokens > 200000 maximum'],
    429: ['rate_limit_error', 'This request would exceed your rate limit'],
    500: ['api_error', 'Internal server error'],
    529: ['overloaded_error', 'Overloaded'],
  };
  const [type, message] = words[status] ?? ['api_error', 'unknown'];
  return { type: 'error', error: { type, message } };
}

function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function stream(response, model, tokens) {
  let index = -1;
  let isOpen = false;
  let reason = 'end_turn';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const close = () => {
    if (isOpen) send('content_block_stop', { index });
    isOpen = false;
  };
  const open = block => {
    close();
    index += 1;
    isOpen = true;
    send('content_block_start', { index, content_block: block });
  };
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens - 3,
    output_tokens: 1,
  };
  const message = {
    id: `msg_${Date.now()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
  };
  send('message_start', { message: { ...message, stop_sequence: null, usage } });
  const say = {
    text(words) {
      open({ type: 'text', text: '' });
      return say.more(words);
    },
    more(words) {
      send('content_block_delta', { index, delta: { type: 'text_delta', text: words } });
      return say;
    },
    tool(id, name, input) {
      open({ type: 'tool_use', id, name, input: {} });
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } });
      reason = 'tool_use';
      return say;
    },
    end() {
      close();
      send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } });
      send('message_stop', {});
      response.end();
    },
  };
  return say;
}
