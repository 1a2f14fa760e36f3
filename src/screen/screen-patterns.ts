// Every word and mark by which a screen of Claude Code is told, keyed by the version it was seen on. A new
// version gets an entry of its own when test/screen/capture-screens.mjs shows that something moved.

import type { ScreenErrorKind, ScreenState } from '../protocol/screen.ts';

export type ScreenPatterns = {
  prompt: string; // the input box's mark, followed by a no-break space
  shellPrompt: string;
  spinner: RegExp; // a turn under way, in the first column
  activity: RegExp; // any row of that kind
  finished: RegExp; // the only rows of that kind that stand above an idle box
  retrying: RegExp;
  compacting: RegExp;
  modeRow: RegExp; // the last row below the box while nothing else wants the keyboard
  hintRow: RegExp; // what may stand in its place while somebody types
  vimInsert: RegExp;
  vim: RegExp;
  interruptible: RegExp;
  cutOff: RegExp; // the mode row lost what may have been the hint that a turn is under way
  exitArmed: RegExp;
  menuRow: RegExp; // a command offered above or below the box
  survey: RegExp; // right above the box; it takes a digit that is typed
  loggedOut: RegExp;
  userRow: RegExp;
  errorRow: RegExp;
  noticeRow: RegExp; // an answer of the program itself, right below a prompt
  errorPlaceholder: RegExp;
  errors: readonly (readonly [RegExp, ScreenErrorKind])[];
  // title: first row of the dialog; lead: rows right above the options; tail: everything below them
  dialogs: readonly { state: ScreenState; title?: RegExp; lead?: RegExp; option?: RegExp; tail: RegExp }[];
  tickOption: RegExp; // one of several that may be chosen together: its number only ticks it
  textOption: RegExp; // its number only opens a field to type into
  typingRow: RegExp; // such a field has the keyboard: a digit would be text
  resumeHint: RegExp;
  deadPane: RegExp;
  suspended: RegExp;
  shellRow: RegExp;
};

const CONFIRM = /^Enter to confirm · Esc to cancel$/;
const PLAN_END = /^(?:ctrl\+g to edit in .*)?$/;

const v2_1_326: ScreenPatterns = {
  prompt: '❯',
  shellPrompt: '!',
  spinner: /^[·✢✳✶✻✽*] \S.*…/,
  activity: /^[·✢✳✶✻✽*](?: |$)/,
  finished: /^[·✢✳✶✻✽*] (?:\S+ for \d+[dhms]|Conversation compacted)\b/,
  retrying: /^[·✢✳✶✻✽*] (.+?) · (?:retrying|next try) in .*attempt/,
  compacting: /^[·✢✳✶✻✽*] Compacting\b/,
  modeRow:
    /^ {2}(?:-- [A-Z ]+ -- )?(?:⏸|⏵⏵) (?:manual mode|plan mode|accept edits|auto mode|bypass permissions|don't ask) on(?= |$)/,
  hintRow: /^ {2}(?:paste again to expand|Esc again to clear)\b/,
  vimInsert: /^ {2}-- INSERT --/,
  vim: /^ {2}-- [A-Z ]+ --/,
  interruptible: /\besc to interrupt\b| · e(?:s(?:c.*)?)?…?$/, // cut off, too
  cutOff: /·\s*…?$/,
  exitArmed: /^ {2}Press Ctrl-[CD] again to exit\b/,
  menuRow: /^ {2}(?:❯ | {2})\/[a-z]/,
  survey: /\b0: Dismiss\b|\bHow is Claude doing this session\?/,
  loggedOut: /\bNot logged in · (?:Please run|Run) \/login\b/,
  userRow: /^❯ /,
  errorRow: /^● ((?:Please run \/login · )?API Error: .*)$/,
  noticeRow: /^ {2}⎿ [\s\u00a0](.*)$/,
  errorPlaceholder: /^(?:Resend your message to try again|Once fixed, resend your message)/,
  errors: [
    [/^Context limit reached\b/, 'context_limit'],
    [/\bprompt is too long\b/i, 'context_limit'],
    [/^(?:Claude )?usage limit reached\b/i, 'usage_limit'],
    [/^You've hit your (?!fast limit)[^·.]*limit\b/, 'usage_limit'],
    [/^(?:5-hour|session|weekly|Opus|Sonnet|monthly|spend) limit reached\b/i, 'usage_limit'],
    [/^(?:Invalid API key|Not logged in|OAuth token|Please run \/login|Login expired)\b/, 'auth'],
    [/^(?:API Error: )?40[13]\b|\bauthentication_error\b/, 'auth'],
    [/^(?:API Error: )?Credit balance is too low\b/, 'usage_limit'],
    [/\b529\b|\boverloaded\b/i, 'overloaded'],
    [/\b429\b|\brate.?limit/i, 'rate_limit'],
    [/\bconnecti|\bECONN\w+|\bunable to connect\b|\btimed out\b|\bfetch failed\b|\bENOTFOUND\b/i, 'connection'],
    [/^(?:API Error: )?(?:\D*\b)?5\d\d\b/, 'server'],
    [/^(?:API Error: )?(?:\D*\b)?40[0-9]\b|^(?:API Error: )?(?:\D*\b)?4(?:13|22)\b/, 'invalid_request'],
    [/^API Error: /, 'other'],
  ],
  dialogs: [
    { state: 'trust', option: /^Yes, I trust this folder$/, tail: CONFIRM },
    { state: 'api_key', lead: /Do you want to use this API key\?$/, tail: CONFIRM },
    { state: 'bypass', option: /^Yes, I accept$/, tail: CONFIRM },
    { state: 'mcp', option: /^Continue without using this MCP/, tail: CONFIRM },
    {
      state: 'mcp',
      lead: /MCP servers may execute code/,
      tail: /^Enable selected Space to select · Esc to reject all$/,
    },
    { state: 'onboarding', lead: /To change this later, run \/theme/, tail: /./ },
    { state: 'login', lead: /Select login method:$/, tail: /^Esc to cancel$/ },
    { state: 'login', option: /^Anthropic Console account/, tail: /^Esc to cancel$/ },
    { state: 'rewind', lead: /Restore the code and\/or conversation/, tail: /^Enter to continue · Esc to cancel$/ },
    { state: 'plan', title: /^(?:Exit plan mode\?|Ready to code\?)/, option: /^Yes\b/, tail: PLAN_END },
    { state: 'plan', lead: /ready to execute\. Would you like to proceed\?$/, option: /^Yes\b/, tail: PLAN_END },
    { state: 'question', tail: /Enter to select · .* navigate · .*Esc to cancel$/ },
    {
      state: 'permission',
      lead: /Do you want to [^?]+\?$/,
      option: /^No\b/,
      tail: /^(?:Esc to cancel(?: · Tab to \w+)?)?$/,
    },
  ],
  tickOption: /^\[.\] /,
  textOption: /^Type something\b/,
  typingRow: /Enter to select · .*ctrl\+g to edit in /,
  resumeHint: /^Resume this session with:$/,
  deadPane: /^Pane is dead\b/,
  suspended: /^Claude Code is suspended\b/,
  shellRow: /^(?:\[[^\]]*\]|\S*)(?:[$#]|(?<!\d)%)(?: .*)?$/,
};

const byVersion = { '2.1.326': v2_1_326 };

export const newestPatterns: ScreenPatterns = byVersion['2.1.326'];
export const measuredVersions: readonly string[] = Object.keys(byVersion);
