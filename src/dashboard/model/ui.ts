// What the person at the dashboard has chosen: where they look, what is selected, what they are typing. No facts
// of agents are kept here.

import type { Sort } from './choose-rows.ts';
import type { HoldTold } from './hold-told.ts';

export type Zoom = 'overview' | 'agent' | 'graph';
export type PagerKind = 'logs' | 'diff' | 'conflicts' | 'report' | 'help';

export type Pager = {
  kind: PagerKind;
  title: string;
  argv: readonly string[]; // the command whose words are shown; empty for help
  top: number; // first line shown, as lines are seen; ignored while following
  isFollowing: boolean;
  search: string;
  conflict: string | null; // the one that is looked at, of a page of conflicts; null: the first
};

export const newPager = (kind: PagerKind, title: string, argv: readonly string[]): Pager => ({
  kind,
  title,
  argv,
  top: 0,
  isFollowing: kind === 'logs',
  search: '',
  conflict: null,
});

export type Entry = {
  kind: 'filter' | 'send' | 'search';
  text: string;
  cursor: number; // in code points
  back: number; // how far back in the history; 0: what is being written
  to: { key: string; name: string } | null; // whom a prompt is for, whatever is selected meanwhile
};

// A wish to be confirmed with "y".
export type Confirm = { question: string; wish: Wish };
export type Message = { text: string; kind: 'info' | 'good' | 'bad' };

export type Ui = {
  zoom: Zoom;
  selected: string | null; // key of a row
  choice: { filter: string; onlyNeeds: boolean; sort: Sort };
  pager: Pager | null;
  entry: Entry | null;
  confirm: Confirm | null;
  message: Message | null;
  scroll: number; // of the agent's page or the graph
  sent: readonly string[]; // prompts of before, newest last
  still: Still;
  told: HoldTold | null;
};

// The row and the question that stood there last, and when somebody else than this person changed them (0: nobody).
export type Still = { key: string | null; digest: string | null; questionAt: number; cursorAt: number };

// What the outside has to do. Everything that changes something is a command of the command line.
export type Wish =
  | { do: 'run'; argv: readonly string[]; label: string }
  | { do: 'attach'; argv: readonly string[] }
  | { do: 'open'; argv: readonly string[] } // fills the pager with what this command says
  | { do: 'suspend' }
  | { do: 'redraw' }
  | { do: 'quit' };

export const firstUi: Ui = {
  zoom: 'overview',
  selected: null,
  choice: { filter: '', onlyNeeds: false, sort: 'time' },
  pager: null,
  entry: null,
  confirm: null,
  message: null,
  scroll: 0,
  sent: [],
  still: { key: null, digest: null, questionAt: 0, cursorAt: 0 },
  told: null,
};
