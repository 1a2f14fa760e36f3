// A small world in which a handoff is run: pane, agent, engine, person, git, disk and clock, all from one seed. The
// watchdog's runner is the real one; nothing here decides. Faults come by plan or by chance, until they are off.

import type { Effect, HandoffState, Limits, Outcome, Rules, Seen } from '../../src/handoff/handoff-types.ts';
import type { JournalEntry } from '../../src/protocol/handoff.ts';
import type { HandoffWorld } from '../../watchdog/run-handoff.ts';
import type { Happening } from './sim-checks.ts';

export const faultNames = [
  'refuses', 'nonsense', 'secret', 'long', 'slow', 'commits', 'fills', 'dialog', 'draft', 'person_prompts', 'copy_mode', 'no_hooks',
  'lost_enter', 'plain_clear',
  'swallowed_clear', 'blind', 'clock_on', 'clock_back', 'git_reset', 'git_refuses', 'edits_document', 'conflict', 'engine_dies',
  'engine_back', 'claude_dies', 'tmux_dies', 'api_fails', 'background', 'disk_refuses', 'watchdog_dies', 'contract_met', 'heavy_start', 'person_clears', 'lease_taken', 'half_typed',
] as const; // biome-ignore format: one glance
export type FaultName = (typeof faultNames)[number];

export type Bug =
  | 'commit_lies'
  | 'clear_unseen'
  | 'dialogs_unseen'
  | 'drafts_unseen'
  | 'drafts_ours'
  | 'lease_lies'
  | 'all_saved'
  | 'marks_believed'
  | 'secrets_unseen'
  | 'prompts_unseen'
  | 'forgets'
  | 'never_calm'
  | 'dice';

export type CrashPoint = {
  step: string;
  point: 'before_intent' | 'after_intent' | 'mid_effect' | 'after_effect' | 'after_proof';
  victim: Victim;
};
export type Victim = 'watchdog' | 'engine' | 'claude' | 'tmux';
export class Crash extends Error {}

export type SimPlan = {
  seed: number;
  crashes: CrashPoint[];
  chance: number;
  script: { look: number; fault: FaultName }[];
  bug?: Bug;
  autoCommit: boolean;
};

const MIN = 60_000;
export const limits: Limits = {
  pollMs: 2000, maxGapMs: 4000, settleMs: 10_000, saidMs: 30_000, writeMs: 10 * MIN, alertMs: 5 * MIN, orderMs: MIN,
  commitRetryMs: 10_000, userCommitMs: 30 * MIN, clearWaitMs: 30 * MIN, clearMs: 30_000, resumeMs: 30 * MIN, blindMs: 10 * MIN, troubleMs: 30_000,
}; // biome-ignore format: a table

export const simRules = (autoCommit: boolean): Rules => ({
  threshold: 100_000, hardThreshold: 150_000, lastTokens: 190_000, interruptTurns: false, autoCommit, sizeThreshold: 500,
  root: '/p', folder: '/p', documentPath: '/p/docs/HANDOFF.md', templatePath: '/p/docs/HANDOFF-template.md', archiveDir: '/p/docs/HANDOFF-archive', archiveStem: 'HANDOFF', task: 'go on', limits,
}); // biome-ignore format: a table

type Doc = {
  hash: string;
  hasSecret: boolean;
  isTorn?: boolean; // a merge conflict is in it
  hasMark: boolean; // the watchdog's, as it wrote it or as others left it when they changed the text
  hasId: boolean;
  isGood: boolean;
  lines: number;
  isWatchdogs: boolean;
  isTemplate: boolean;
  at: number;
};
type Prompt = { mark: string | null; session: string; status: 'open' | 'ended'; at: number; shownAt: number };

const FAULTS_END_MS = 40 * MIN;
const TEMPLATE: Doc = {
  hash: 'template',
  hasSecret: false,
  hasMark: false,
  hasId: false,
  isGood: false,
  lines: 40,
  isWatchdogs: false,
  isTemplate: true,
  at: 0,
};

export function simWorld(plan: SimPlan, id: string) {
  let seed = (plan.seed * 2654435761 + 12345) >>> 0;
  const chance = () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (n: number) => Math.floor(chance() * n);
  const happened: Happening[] = [];
  const tell = (what: Happening['what'], more: Partial<Happening> = {}) =>
    happened.push({ t: mono, what, epoch, ...more });
  const journal: string[] = [];
  const crashes = [...plan.crashes];

  let [mono, wallOffset, epoch, looks, docs, sessions] = [0, 1_800_000_000_000, 1, 0, 0, 1];
  let lease: number | null = null; // an epoch of the watchdog
  let isWatchdogAlive = true;
  let isEngineAlive = true;
  let isPaneAlive = true;
  let session = 's1';
  const prompts: Prompt[] = [];
  let box: { text: string; mark: string | null } | null = null;
  let turn: { endsAt: number; mark: string | null; shownAt: number } | null =
    chance() < 0.5 ? { endsAt: 20_000, mark: null, shownAt: 0 } : null;
  let clearAt: number | null = null;
  let tokens: number | null = 110_000 + upTo(60_000);
  let order: string | null = null;
  let lastSeen: Seen | null = null;
  let trouble: { why: string; until: number | null } | null = null;
  const until = { dialog: 0, copy: 0, blind: 0, human: 0, background: 0, draft: 0, git: 0, disk: 0, full: 0 };
  const flags = {
    hooks: true,
    heavy: chance() < 0.03,
    contract: 'unmet' as Seen['contract'],
    lostEnter: 0,
    plainClear: false,
    swallowedClear: false,
  };
  const moods: string[] = [];
  const commits: { id: string; hashes: string[]; isReachable: boolean }[] = [];
  const archives = new Map<string, string>();
  const secrets = new Set<string>();
  const newDoc = (o: Partial<Doc>): Doc => {
    docs += 1;
    if (o.hasSecret === true) secrets.add(`d${docs}`);
    return {
      hash: `d${docs}`,
      hasSecret: false,
      hasMark: false,
      hasId: false,
      isGood: false,
      lines: 60,
      isWatchdogs: false,
      isTemplate: false,
      at: mono,
      ...o,
    };
  };
  let doc: Doc | null = chance() < 0.8 ? newDoc({ lines: chance() < 0.3 ? 700 : 60 }) : null;
  // One that the watchdog wrote in an earlier handoff.
  if (doc !== null && chance() < 0.2) Object.assign(doc, { isWatchdogs: true, hasMark: true });
  if (doc !== null && chance() < 0.5) commits.push({ id: 'old', hashes: [doc.hash], isReachable: true });

  const flagged = (hash: string) => `${hash} flagged`; // what the archive has of a torn one
  const isSaved = (hash: string) =>
    hash === 'template' ||
    [...archives.values()].some(kept => kept === hash || kept === flagged(hash)) ||
    commits.some(one => one.hashes.includes(hash));
  const isInCommit = (hash: string) => commits.some(one => one.isReachable && one.hashes.includes(hash));
  const proofNow = () =>
    commits.find(one => one.isReachable && one.id === id && doc !== null && one.hashes.includes(doc.hash)) ?? null;

  // What the disk loses by a write of ours. A person's or the agent's own writes are theirs.
  function replaceDoc(next: Doc) {
    if (doc !== null && !isSaved(doc.hash) && !(doc.isWatchdogs && doc.hasId)) tell('bytes_lost', { text: doc.hash });
    doc = next;
  }

  function fault(name: FaultName) {
    const soon = mono + 10_000 + upTo(120_000);
    switch (name) {
      case 'refuses': case 'nonsense': case 'secret': case 'long': case 'slow': case 'commits': moods.push(name); break;
      case 'fills': until.full = soon; if (turn === null) tokens = 195_000; break;
      case 'dialog': until.dialog = soon; break;
      case 'draft': if (box === null && isPaneAlive) { box = { text: `draft ${mono}`, mark: null }; until.draft = soon; until.human = mono + 3000; } break;
      case 'person_prompts': if (box === null && turn === null && isPaneAlive && until.dialog < mono) submitPrompt(null, 30_000); break;
      case 'copy_mode': until.copy = soon; break;
      case 'no_hooks': flags.hooks = false; break;
      case 'lost_enter': flags.lostEnter += 1; break;
      case 'plain_clear': flags.plainClear = true; break;
      case 'swallowed_clear': flags.swallowedClear = true; break;
      case 'blind': until.blind = soon; break;
      case 'clock_on': wallOffset += 72 * 60 * MIN; break;
      case 'clock_back': wallOffset -= 60 * MIN; break;
      case 'git_reset': for (const one of commits) if (one.id === id) one.isReachable = false; break;
      case 'git_refuses': until.git = soon; break;
      case 'edits_document': doc = newDoc({ hasId: doc?.hasId ?? false, hasMark: doc?.hasMark ?? false, isGood: false }); break;
      case 'conflict': doc = newDoc({ hasId: doc?.hasId ?? false, isTorn: true }); break;
      case 'engine_dies': isEngineAlive = false; break;
      case 'engine_back': isEngineAlive = true; break;
      case 'claude_dies': case 'tmux_dies': isPaneAlive = false; turn = null; clearAt = null; box = null; if (name === 'tmux_dies') lease = null; break;
      case 'api_fails': trouble = { why: '529', until: null }; break;
      case 'background': until.background = soon; break;
      case 'disk_refuses': until.disk = soon; break;
      case 'watchdog_dies': throw new Crash();
      case 'contract_met': flags.contract = 'met'; break;
      case 'heavy_start': flags.heavy = true; break;
      case 'person_clears': if (box === null && turn === null && isPaneAlive && clearAt === null) clearAt = mono + 100; break;
      case 'lease_taken': lease = -1; break;
      // The engine dies between its paste and its Enter.
      case 'half_typed': if (box === null && turn === null && isPaneAlive) { box = { text: 'a nudge', mark: 'engine' }; isEngineAlive = false; } break;
      default: { const missed: never = name; return missed; }
    }
  } // biome-ignore format: a table

  function submitPrompt(mark: string | null, ms: number) {
    // What we sent may take its time to show, in the transcript and on the screen alike.
    const shownAt = mark !== null && chance() < 0.3 ? mono + upTo(5000) : mono;
    prompts.push({ mark, session, status: 'open', at: mono, shownAt });
    turn = { endsAt: shownAt + 2000 + upTo(ms), mark, shownAt };
  }

  function endTurn(mark: string | null) {
    for (const one of prompts) if (one.status === 'open') one.status = 'ended';
    turn = null;
    if (trouble !== null && chance() < 0.5) return;
    trouble = null;
    if (tokens !== null) tokens += upTo(8000);
    else tokens = flags.heavy ? 120_000 : 9000 + upTo(9000);
    const isOurs = mark?.startsWith(`${id}/`) === true && !mark.endsWith('/clear') && session === 's1';
    if (!isOurs) return;
    const mood = moods.shift() ?? 'good';
    if (mood === 'refuses') return;
    // It may edit what lies there, and leave the watchdog's mark in it.
    const hasMark = doc?.hasMark === true && chance() < 0.5;
    if (mood === 'nonsense' || mood === 'secret')
      doc = newDoc({ hasId: chance() < 0.5, hasMark, hasSecret: mood === 'secret' });
    else doc = newDoc({ hasId: true, isGood: true, hasMark, lines: mood === 'long' ? 800 : 80 });
    if (mood === 'commits') commits.push({ id, hashes: [doc.hash], isReachable: true });
  }

  // Time passes for everybody else.
  function pass(ms: number) {
    mono += ms;
    if (clearAt !== null && mono >= clearAt) {
      clearAt = null;
      sessions += 1;
      session = `s${sessions}`;
      tokens = null;
      turn = null;
      until.full = 0;
      tell('session', { text: session });
    }
    if (order !== null && turn !== null && flags.hooks && chance() < 0.3) {
      if (!prompts.some(one => one.mark === order)) {
        prompts.push({ mark: order, session, status: 'open', at: mono, shownAt: mono });
        turn.mark = order;
        tell('ordered', { text: order });
      }
      order = null;
    }
    if (turn !== null && mono >= turn.endsAt && until.dialog < mono) endTurn(turn.mark);
    if (box !== null && box.mark === null && mono >= until.draft) {
      box = null;
      if (chance() < 0.5 && turn === null && isPaneAlive && until.dialog < mono) submitPrompt(null, 20_000);
    }
    // The engine takes back only a lease whose holder is gone, and then may nudge.
    const isHeld = lease !== null && lease === epoch && isWatchdogAlive;
    if (isEngineAlive && isPaneAlive && !isHeld) {
      lease = null;
      if (turn === null && box === null && until.dialog < mono && chance() < 0.05) {
        tell('nudge');
        submitPrompt(null, 20_000);
      }
    }
    if (doc?.hasId === true && doc.isGood && !plan.autoCommit && chance() < 0.02)
      commits.push({ id, hashes: [doc.hash, ...archives.values()], isReachable: true });
    if (mono < FAULTS_END_MS) {
      if (chance() < plan.chance) fault(faultNames[upTo(faultNames.length)]!);
    } else {
      for (const key of Object.keys(until) as (keyof typeof until)[]) until[key] = Math.min(until[key], mono);
      trouble = null;
      flags.lostEnter = 0;
      flags.plainClear = false;
    }
  }

  function blockers(): Seen['blockers'] {
    const all: [boolean, Seen['blockers'][number]][] = [
      [(turn !== null && turn.shownAt <= mono) || plan.bug === 'never_calm', 'turn_open'], [until.dialog > mono, 'dialog'], [box !== null && box.mark === null, 'draft'],
      [until.copy > mono, 'copy_mode'], [until.human > mono, 'human'], [until.background > mono, 'background'],
    ]; // biome-ignore format: a table
    return all.filter(([is]) => is).map(([, name]) => name);
  }
  const isSeenCalm = () => blockers().every(one => one === 'background') && isPaneAlive;
  const isTrulyCalm = () => turn === null && blockers().every(one => one === 'background') && isPaneAlive;

  function seenNow(state: HandoffState): Seen {
    const mark = 'mark' in state ? state.mark : state.name === 'clearing' ? `${id}/clear` : null;
    const found = prompts.find(one => one.mark === mark && one.session === session && one.shownAt <= mono);
    const proof = proofNow();
    const hidden =
      plan.bug === 'dialogs_unseen'
        ? ['dialog', 'copy_mode', 'turn_open']
        : plan.bug === 'drafts_unseen' || plan.bug === 'drafts_ours'
          ? ['draft']
          : [];
    const sha = plan.bug === 'commit_lies' ? 'f'.repeat(40) : proof === null ? null : 'c'.repeat(40);
    return {
      at: mono + wallOffset,
      pane: isPaneAlive ? 'here' : 'gone',
      lease: plan.bug === 'lease_lies' || lease === epoch ? 'ours' : lease === null ? 'free' : 'other',
      sessionId: plan.bug === 'clear_unseen' ? 's1' : session,
      isCleared: true,
      tokens,
      blockers: blockers().filter(one => !hidden.includes(one)),
      box: plan.bug === 'clear_unseen' && state.name === 'clearing' && state.submits > 0 ? 'ours' : box === null || (box.mark === null && plan.bug === 'drafts_unseen') ? 'empty' : box.mark === mark ? 'ours' : box.mark === null && plan.bug !== 'drafts_ours' ? 'other' : 'leftover',
      isFull: until.full > mono && turn === null,
      contract: flags.contract,
      canOrder: flags.hooks,
      said: mark === null || plan.bug === 'forgets' ? 'no' : (found?.status ?? 'no'),
      trouble: turn === null ? trouble : null,
      otherPrompts: plan.bug === 'prompts_unseen' ? 0 : prompts.filter(one => one.session === session && one.mark === null).length,
      compactions: 0,
      document: doc === null ? null : {
        hash: doc.hash, lines: doc.lines, hasId: doc.hasId, isWatchdogs: plan.bug === 'marks_believed' ? doc.hasMark : doc.isWatchdogs, isTemplate: doc.isTemplate,
        problems: doc.isGood ? [] : [{ section: null, problem: 'bad' }], isSaved: plan.bug === 'all_saved' || isInCommit(doc.hash),
        ...(doc.isTorn ? { flagged: flagged(doc.hash) } : {}),
        unfit: doc.hasSecret && plan.bug !== 'secrets_unseen' ? 'a secret' : null,
      },
      archiveNames: [...archives.keys()],
      archiveHash: state.name === 'archiving' ? (archives.get(state.archive.to) ?? null) : null,
      commit: sha === null ? null : { sha, place: 'branch', repository: '/p', why: null },
    }; // biome-ignore format: a table
  }

  const nothing = (why: string): Outcome => ({ did: 'nothing', why });
  const done: Outcome = { did: 'done' };

  // The pane's hand: proves everything once more before a key, as the real one does.
  function keys(effect: Extract<Effect, { do: 'say' | 'submit' | 'clear' }>): Outcome {
    const mark = effect.do === 'clear' ? `${id}/clear` : effect.mark;
    const asked = lastSeen;
    const wasCalm =
      asked !== null &&
      asked.pane === 'here' &&
      asked.lease === 'ours' &&
      asked.blockers.every(one => one === 'background');
    const wasFit = asked?.box === (effect.do === 'submit' ? 'ours' : 'empty');
    tell('wanted', {
      effect: effect.do,
      isCalm: wasCalm && wasFit,
      isSearched: effect.do === 'clear' || mark.endsWith('/clear') || asked?.said === 'no',
      mark,
    });
    const trusting: (Bug | undefined)[] = ['dialogs_unseen', 'drafts_unseen', 'lease_lies', 'clear_unseen'];
    const trustsSight = trusting.includes(plan.bug);
    if (!trustsSight && (lease !== epoch || !isSeenCalm() || session !== effect.sessionId)) return nothing('not calm');
    if (effect.do === 'submit' ? box?.mark !== mark && plan.bug !== 'clear_unseen' : box !== null && !trustsSight)
      return nothing('box');
    if (effect.do !== 'say' && effect.commit !== null && proofNow() === null && plan.bug !== 'commit_lies')
      return nothing('no commit');
    if (effect.do === 'say') {
      order = null;
      if (
        plan.bug !== 'forgets' &&
        prompts.some(one => one.mark === mark && one.session === session && one.shownAt <= mono)
      )
        return done;
    }
    if (box !== null && box.mark === null) tell('draft_touched', { text: box.text });
    tell('keys', { effect: effect.do, isCalm: isTrulyCalm(), holder: lease, mark });
    box = { text: effect.do, mark };
    crashAt('mid_effect');
    if (effect.do === 'clear') return done; // Enter is a deed of its own
    if (flags.lostEnter > 0) {
      flags.lostEnter -= 1;
      return { did: 'unsure', why: 'Enter lost' };
    }
    box = null;
    if (!isPaneAlive) return { did: 'unsure', why: 'gone' };
    if (mark.endsWith('/clear')) return runClear();
    if (until.full > mono) return { did: 'full', why: 'Context limit reached' };
    submitPrompt(mark, moods[0] === 'slow' ? 15 * MIN : 60_000);
    tell('said', { mark });
    return done;
  }

  function runClear(): Outcome {
    const isMissing = prompts.some(one => one.mark === null && one.session === session && one.at > (doc?.at ?? 0));
    const isRun = !flags.plainClear && !flags.swallowedClear;
    tell('clear', { hasCommit: proofNow() !== null, isMissing, isRun });
    if (flags.plainClear) submitPrompt(`${id}/clear`, 10_000);
    if (isRun) clearAt = mono + 100 + upTo(chance() < 0.4 ? 8000 : 700);
    flags.plainClear = false;
    flags.swallowedClear = false;
    if (plan.bug === 'clear_unseen') return nothing('lie');
    return isRun ? done : { did: 'unsure', why: 'no new session' };
  }

  function perform(effect: Effect): Outcome {
    switch (effect.do) {
      case 'say': case 'submit': case 'clear': return keys(effect);
      case 'hold': if (lease === null) lease = epoch; return lease === epoch ? done : nothing('held');
      case 'release': if (lease === epoch) lease = null; order = null; return done;
      case 'order': if (!prompts.some(one => one.mark === effect.mark)) order = effect.mark; return done;
      case 'wipe': {
        tell('wanted', { effect: 'wipe', isCalm: lastSeen?.lease === 'ours' && lastSeen.blockers.every(one => one === 'background'), isSearched: true });
        if (box === null || lease !== epoch || (plan.bug !== 'drafts_ours' && (!isSeenCalm() || box.mark === null))) return nothing('not calm');
        if (box.mark === null) tell('draft_touched', { text: box.text });
        tell('keys', { effect: 'wipe', isCalm: isTrulyCalm(), holder: lease });
        box = null;
        return done;
      }
      case 'interrupt': if (turn !== null && until.dialog < mono) endTurn(null); return done;
      case 'archive': {
        if (until.disk > mono) return nothing('ENOSPC');
        if (archives.get(effect.archive.to) === undefined) {
          if (doc?.hash !== (effect.archive.of ?? effect.archive.hash)) return nothing('changed');
          archives.set(effect.archive.to, effect.archive.hash);
        }
        if (doc?.hash === (effect.archive.of ?? effect.archive.hash)) replaceDoc(TEMPLATE);
        return done;
      }
      case 'write_fallback':
        if (until.disk > mono) return nothing('ENOSPC');
        if ((doc?.hash ?? null) !== effect.over) return nothing('changed');
        replaceDoc(newDoc({ hasId: true, isGood: true, isWatchdogs: true, hasMark: true }));
        return done;
      case 'commit':
        if (until.git > mono) return nothing('index.lock');
        if (proofNow() === null && doc !== null) {
          const archived = [...archives].filter(([name]) => effect.files.some(file => file.endsWith(`/${name}`))).map(([, hash]) => hash);
          commits.push({ id, hashes: [doc.hash, ...archived], isReachable: true });
          tell('commit', { text: doc.hash });
          for (const hash of [doc.hash, ...archived]) if (secrets.has(hash)) tell('secret_committed', { text: hash });
        }
        return done;
      case 'alert': tell('alert', { text: effect.text }); return done;
      case 'record': tell('record', { text: JSON.stringify(effect.record) }); return done;
      default: { const missed: never = effect; return missed; }
    }
  } // biome-ignore format: a table

  let stateName = '';
  function crashAt(point: CrashPoint['point']) {
    const at = crashes.findIndex(one => one.step === stateName && one.point === point);
    if (at === -1) return;
    const [{ victim }] = crashes.splice(at, 1) as [CrashPoint];
    tell('crash', { text: `${stateName} ${point} ${victim}` });
    if (victim === 'watchdog') throw new Crash();
    fault(victim === 'engine' ? 'engine_dies' : victim === 'claude' ? 'claude_dies' : 'tmux_dies');
  }

  const world: HandoffWorld = {
    now: () => mono + wallOffset,
    async sleep(ms) {
      pass(ms);
    },
    async look(state) {
      looks += 1;
      for (const one of plan.script) if (one.look === looks) fault(one.fault);
      pass(20);
      if (until.blind > mono) return null;
      lastSeen = seenNow(state);
      return lastSeen;
    },
    async act(effect) {
      pass(30);
      tell('act', { effect: effect.do });
      if (plan.bug === 'dice') tell('act', { text: String(Math.random()) });
      const outcome = perform(effect);
      crashAt('after_effect');
      return outcome;
    },
    room: { take: () => true, give() {} },
    journal: {
      read: async () => journal.map(line => JSON.parse(line) as JournalEntry),
      async append(entry) {
        stateName = entry.state.name;
        if (entry.kind !== 'proof') crashAt('before_intent');
        journal.push(JSON.stringify(entry));
        tell('journal', { text: `${entry.kind} ${entry.state.name}` });
        crashAt(entry.kind === 'intent' ? 'after_intent' : 'after_proof');
      },
    },
  };

  return {
    world,
    happened,
    end: () => ({ mono, session, isPaneAlive, box, doc, commits, prompts, lease, epoch }),
    // Dead for a while, then another process with the same journal.
    restart() {
      isWatchdogAlive = false;
      tell('dead');
      for (let left = chance() < 0.4 ? 0 : upTo(20); left > 0; left -= 1) {
        try {
          pass(1000 + upTo(5000));
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
        }
      }
      epoch += 1;
      if (lease !== null) lease = null; // the lease of a dead process is nobody's
      isWatchdogAlive = true;
    },
  };
}
