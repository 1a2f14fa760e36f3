// The errors of the Messages API that a script may ask for, as the real service words them.

import type { PracticeError } from '../protocol/practice.ts';

export type ErrorAnswer = { status: number; type: string; message: string };

// reset, cut and hang are no answers: they happen to the connection.
export const errorAnswers: Record<Exclude<PracticeError, 'reset' | 'cut' | 'hang'>, ErrorAnswer> = {
  prompt_too_long: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 1000001 tokens > 1000000 maximum',
  },
  invalid_request: { status: 400, type: 'invalid_request_error', message: 'a practice script refused this request' },
  unauthorized: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    message: 'This request would exceed your rate limit. Please try again later.',
  },
  server_error: { status: 500, type: 'api_error', message: 'Internal server error' },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
};

export const errorBody = ({ type, message }: Pick<ErrorAnswer, 'type' | 'message'>) => ({
  type: 'error',
  error: { type, message },
});
