// The program behind the PermissionRequest hook: answers by the rules of agent.json, without any key. Says
// nothing when no rule fits, and never blocks the agent: then Claude Code asks as usual.
//   node permission-hook RULES-FILE   (the event's JSON on stdin)

import { readFileSync } from 'node:fs';
import { ruleOn } from '../conversation/permission-rules.ts';

try {
  const rules = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  const event = JSON.parse(readFileSync(0, 'utf8'));
  const ruling = ruleOn({ tool: String(event.tool_name), input: event.tool_input ?? {} }, rules);
  if (ruling !== null) {
    const decision =
      ruling.answer === 'allow'
        ? { behavior: 'allow' }
        : { behavior: 'deny', message: `The operator's rule ${ruling.rule} forbids this. Find another way.` };
    process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }));
  }
} catch {
  // Unreadable rules or event: a person decides.
}
