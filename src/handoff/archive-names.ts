// HANDOFF-YYYY-MM-DD-HHMM.md, in UTC so that the order of names is the order of time. Two in one minute keep both.
// An agent's own archives begin with its name: those of two branches meet in one folder.

export function archiveName(at: number, taken: readonly string[], begin = 'HANDOFF'): string {
  const [day, clock] = new Date(at).toISOString().split('T') as [string, string];
  const stem = `${begin}-${day}-${clock.slice(0, 2)}${clock.slice(3, 5)}`;
  const used = new Set(taken.map(name => name.toLowerCase())); // some file systems do not tell case apart
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? `${stem}.md` : `${stem}-${n}.md`;
    if (!used.has(name.toLowerCase())) return name;
  }
}

export const isArchiveName = (name: string): boolean => /^HANDOFF-\d{4}-\d\d-\d\d-\d{4}(-\d+)?\.md$/.test(name);

// Oldest first; `-2` comes after the plain name, `-10` after `-9`.
export function compareArchives(a: string, b: string): number {
  const parts = (name: string) => /^(.*-\d{4})(?:-(\d+))?\.md$/.exec(name);
  const [left, right] = [parts(a), parts(b)];
  if (left === null || right === null) return a < b ? -1 : a > b ? 1 : 0;
  if (left[1] !== right[1]) return left[1]! < right[1]! ? -1 : 1;
  return Number(left[2] ?? 1) - Number(right[2] ?? 1);
}
