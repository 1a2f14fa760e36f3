// The file that a running Claude Code keeps about itself (sessions/<pid>.json of its config folder, measured on
// 2.1.326). It is Claude Code's own form: only what Baton needs is read, and what does not fit reads as nothing.

import { z } from 'zod';

export const ClaudeSession = z.looseObject({
  pid: z.int().min(2),
  sessionId: z.uuid(),
  kind: z.string().default('interactive'),
  procStart: z.string().optional().describe('On Linux, as procfs gives it: the same pid started anew has another.'),
});
export type ClaudeSession = z.infer<typeof ClaudeSession>;
