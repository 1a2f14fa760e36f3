// Which of the user's executions are shown: all that run or left something to decide, however old, and the newest of
// those that are simply over. Pure.

const MOST_ENDED = 12; // executions that ended long ago are for `baton list`

export type Glance = { workspace: string; isOver: boolean; hasConflicts: boolean };

export function chooseShown(newestFirst: readonly Glance[]): string[] {
  let ended = 0;
  const isShown = ({ isOver, hasConflicts }: Glance): boolean => {
    if (!isOver || hasConflicts) return true;
    ended += 1;
    return ended <= MOST_ENDED;
  };
  return newestFirst.filter(isShown).map(({ workspace }) => workspace);
}
