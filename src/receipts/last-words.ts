// What a session said last and still had to do, for a document that is written in its place.

import { readLastMessages, readTodos } from './read-transcript.ts';

const MESSAGES = 10;

// Null, or a file that cannot be read: nothing is known.
export async function readLastWords(transcript: string | null) {
  if (transcript === null) return { messages: [], todos: [] };
  const messages = await readLastMessages(transcript, MESSAGES).catch(() => []);
  return {
    messages: messages.map(({ role, text }) => ({
      who: role === 'user' ? ('user' as const) : ('agent' as const),
      text,
    })),
    todos: await readTodos(transcript).catch(() => []),
  };
}
