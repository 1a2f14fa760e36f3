// The small shapes every protocol file is made of: names, paths, times.

import { z } from 'zod';

export const AgentName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'must start with a letter or digit and hold only letters, digits, "_" and "-" (64 at most)',
  );

export const ExecutionId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    'must start with a letter or digit and hold only letters, digits, ".", "_" and "-" (128 at most)',
  );

// The key of an input or output: it becomes part of a variable's name.
export const SlotName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    'must start with a letter and hold only letters, digits, "_", "." and "-" (64 at most)',
  );

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

// The same for editors, which see only the JSON Schema; a test holds the two together.
export const PATH_PATTERN = '^(?!~)(?!(?:.*/)?\\.\\.(?:/|$))[^\\u0000-\\u001f\\u007f-\\u009f]+$';

// What a path must not hold, wherever it points. Where it points is checked on the disk, not here.
const path = z.string().superRefine((path, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (path === '') return refuse('is empty; write a path');
  if (path.length > 4096) return refuse('is longer than 4096 characters');
  if (path.includes('\0')) return refuse('holds a NUL character; remove it');
  if (CONTROL.test(path)) return refuse('holds a control character; remove it');
  if (path.startsWith('~')) return refuse('starts with "~", which is not expanded here; write the full path');
  const segments = path.split('/');
  if (segments.includes('..')) return refuse('holds ".."; write the path without going up');
  if (segments.some(segment => Buffer.byteLength(segment) > 255)) return refuse('has a part longer than 255 bytes');
});
export const PathText = path.meta({ minLength: 1, maxLength: 4096, pattern: PATH_PATTERN });

export const Instant = z.iso.datetime({ offset: true });

// Seconds in the protocol files may have a fraction.
export const WEEK_SECONDS = 7 * 24 * 3600;
