// The invariants of a handoff, each a pure question to what happened. They know nothing of how it was decided.

export type Happening = {
  t: number;
  epoch: number; // which process of the watchdog
  what:
    | 'act'
    | 'wanted'
    | 'keys'
    | 'said'
    | 'ordered'
    | 'clear'
    | 'session'
    | 'commit'
    | 'alert'
    | 'record'
    | 'nudge'
    | 'bytes_lost'
    | 'secret_committed'
    | 'draft_touched'
    | 'journal'
    | 'crash'
    | 'dead';
  effect?: string;
  mark?: string;
  text?: string;
  isCalm?: boolean;
  hasCommit?: boolean;
  isRun?: boolean;
  isMissing?: boolean; // somebody's work of this session is in no document
  isSearched?: boolean; // the session was searched for this prompt, and does not have it
  holder?: number | null;
};

export type Ending = { how: string | null; tookMs: number };
type Check = (happened: readonly Happening[], ending: Ending) => string[];

const DEADLINE_MS = 6 * 60 * 60_000;
const MOST_PROMPTS = 40;
const MOST_ALERTS = 60;

const of = (happened: readonly Happening[], what: Happening['what']) => happened.filter(one => one.what === what);

export const invariants: Record<string, Check> = {
  'I1 no clear without a reachable commit': happened =>
    of(happened, 'clear').filter(one => one.hasCommit !== true).map(one => `cleared at ${one.t} without a commit`),
  'I2 at most one clear': happened => {
    const clears = of(happened, 'clear');
    return clears.length > 1 ? [`${clears.length} clears sent`] : [];
  },
  'I3 no key into an unproven pane': happened => [
    ...of(happened, 'wanted').filter(one => one.isCalm !== true).map(one => `${one.effect} wanted at ${one.t} without a calm look`),
    ...of(happened, 'keys').filter(one => one.isCalm !== true).map(one => `${one.effect} typed at ${one.t} into a pane that was not calm`),
  ],
  'I4 only the holder of the lease acts': happened =>
    of(happened, 'keys').filter(one => one.holder !== one.epoch).map(one => `${one.effect} by ${one.epoch} while ${one.holder} held it`),
  'I6 a draft is never touched': happened => of(happened, 'draft_touched').map(one => `typed over "${one.text}" at ${one.t}`),
  'I7 no byte is lost': happened => of(happened, 'bytes_lost').map(one => `${one.text} overwritten at ${one.t}`),
  'I9 no secret is committed': happened => of(happened, 'secret_committed').map(one => `${one.text} is in a commit`),
  'I10 caps hold': (happened, ending) => {
    const said = of(happened, 'said').map(one => one.mark);
    const twice = said.filter((mark, at) => said.indexOf(mark) !== at);
    const alerts = of(happened, 'alert').length;
    return [
      ...of(happened, 'wanted')
        .filter(one => one.isSearched === false)
        .map(one => `${one.effect} of ${one.mark} wanted without a search`),
      ...twice.map(mark => `the prompt ${mark} was taken twice`),
      ...(said.length > MOST_PROMPTS ? [`${said.length} prompts`] : []),
      ...(alerts > MOST_ALERTS ? [`${alerts} alerts`] : []),
      ...(ending.how !== null && of(happened, 'record').length === 0 ? ['it ended without a record'] : []),
    ];
  },
  'I13 no work is cleared away': happened =>
    of(happened, 'clear')
      .filter(one => one.isMissing === true)
      .map(one => `cleared at ${one.t} over work that came after the document`),
  'I11 it ends': (_, ending) =>
    ending.how === null || ending.tookMs > DEADLINE_MS ? [`not ended after ${Math.round(ending.tookMs / 60_000)} min`] : [],
}; // biome-ignore format: a table

export const violationsOf = (happened: readonly Happening[], ending: Ending): string[] =>
  Object.entries(invariants).flatMap(([name, check]) => check(happened, ending).map(found => `${name}: ${found}`));

export const isSameStory = (a: readonly Happening[], b: readonly Happening[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
