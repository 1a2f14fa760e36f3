// Says whether symbolic links stay inside the tree they stand in. Pure: it walks the names, not the disk,
// because a link can lead through other links ("a/../x" is not "x" when "a" is one).

const MAX_HOPS = 40; // what Linux itself allows

export type LinkProblem = { path: string; problem: string };

// links: path below the tree → target text.
export function checkLinks(links: Map<string, string>): LinkProblem[] {
  const problems: LinkProblem[] = [];
  for (const path of links.keys()) {
    const problem = follow(path, links);
    if (problem) problems.push({ path, problem });
  }
  return problems;
}

function follow(path: string, links: Map<string, string>): string | null {
  const here: string[] = [];
  const ahead = path.split('/');
  let hops = 0;
  while (ahead.length > 0) {
    const part = ahead.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (here.length === 0) return 'leads out of its output';
      here.pop();
      continue;
    }
    here.push(part);
    const target = links.get(here.join('/'));
    if (target === undefined) continue;
    if (target.startsWith('/')) return 'is absolute';
    if (++hops > MAX_HOPS) return 'never ends';
    here.pop();
    ahead.unshift(...target.split('/'));
  }
  return null;
}
