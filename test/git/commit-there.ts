// Commits one handoff in a process of its own, which may be killed or run as somebody else, and prints the result.

import { commitHandoff } from '../../src/git/commit-handoff.ts';

const [order, uid] = process.argv.slice(2);
if (uid !== undefined) {
  process.setgid!(Number(uid));
  process.setuid!(Number(uid));
}
process.stdout.write(JSON.stringify(await commitHandoff(JSON.parse(order!))));
