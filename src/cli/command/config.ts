// `baton config`: every setting of handoffs, its value, and where it came from. Changes nothing.

import { plainText } from '../../files/plain-text.ts';
import type { SettingsView, ValueSource } from '../../handoff/settings.ts';
import { thresholdsFor, windowNote } from '../../handoff/thresholds.ts';
import { findNotify } from '../../project/find-notify.ts';
import { loadSettings } from '../../project/load-settings.ts';
import { type SettingName, settingDefaults, settingNames } from '../../protocol/config.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Colour } from '../../text/paint.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { readSettingFlags } from '../setting-options.ts';
import { shellText } from '../shell-text.ts';
import { wrapText } from '../wrap-text.ts';

type Row = readonly [name: string, value: string, from: string];

export async function run(input: CommandInput): Promise<number> {
  const agent = input.text('agent') ?? null;
  const window = windowOf(input);
  const loaded = await loadSettings(input.args[0] ?? '.', { env: process.env, flags: readSettingFlags(input) });
  const { project, agents } = loaded;
  const view = loaded.forAgent(agent);
  const thresholds = thresholdsFor(view, window);
  const notify = await findNotify(project, process.env);
  if (input.flag('json')) {
    input.say(
      jsonText({
        project: project.folder,
        repository: project.repository,
        file: project.file?.path ?? null,
        agent,
        settings: view,
        agents: Object.fromEntries(Object.entries(agents).map(([name, own]) => [name, ownPart(own, name)])),
        context_window: window,
        safe_maximum: thresholds.safeMaximum,
        warnings: thresholds.warnings,
        notify,
      }),
    );
    return exitCodes.success;
  }
  input.say(`project: ${plainText(project.folder)}`);
  input.say(`file: ${plainText(project.file?.path ?? 'no baton.json; all of it is optional')}`);
  input.say('');
  showRows(input, rowsOf(view, settingNames));
  for (const [name, own] of agent === null ? Object.entries(agents) : []) {
    const names = Object.keys(ownPart(own, name)) as SettingName[];
    if (names.length === 0) continue;
    input.say('');
    input.say(`agent ${name}:`);
    showRows(input, rowsOf(own, names));
  }
  input.say('');
  sayWrapped(
    input,
    `notify: ${notify === null ? 'none' : `${plainText(shellText(notify.argv))} (${plainText(notify.from)})`}`,
  );
  sayWrapped(input, windowNote(window));
  const all = [['', thresholds.warnings] as const, ...(agent === null ? agentWarnings(agents, window) : [])];
  const told = new Set<string>();
  for (const [name, warnings] of all) {
    for (const warning of warnings.filter(text => !told.has(text))) {
      told.add(warning);
      sayWrapped(input, `! ${name === '' ? '' : `${name}: `}${warning}`, 'yellow');
    }
  }
  return exitCodes.success;
}

function sayWrapped(input: CommandInput, text: string, colour: Colour | null = null): void {
  const lines = input.out.isTerminal ? wrapText(text, input.out.width()) : [text];
  for (const line of lines) input.say(colour === null ? line : input.out.paint(colour, line));
}

const agentWarnings = (agents: Record<string, SettingsView>, window: number | null) =>
  Object.entries(agents).map(([name, view]) => [name, thresholdsFor(view, window).warnings] as const);

const ownPart = (view: SettingsView, agent: string) =>
  Object.fromEntries(
    settingNames.filter(name => isOfAgent(view[name].from, agent)).map(name => [name, view[name]] as const),
  );

const isOfAgent = (from: ValueSource, agent: string) => from.kind === 'file' && from.agent === agent;

const rowsOf = (view: SettingsView, names: readonly SettingName[]): Row[] =>
  names.map(name => {
    const { value } = view[name];
    return [name, plainText(String(value ?? 'none')), plainText(sourceText(name, view))];
  });

function sourceText(name: SettingName, view: SettingsView): string {
  const { value, from } = view[name];
  if (from.kind === 'default') return value === settingDefaults[name] ? 'default' : 'default, raised';
  if (from.kind === 'flag') return `flag ${from.flag}`;
  if (from.kind === 'environment') return `environment ${from.variable}`;
  return from.agent === null ? 'baton.json' : `baton.json, agents.${from.agent}`;
}

// Where three columns do not fit, the source goes below its value.
function showRows(input: CommandInput, rows: readonly Row[]): void {
  const widest = (column: 0 | 1) => Math.max(...rows.map(row => row[column].length));
  const lines = rows.map(([name, value, from]) => `${name.padEnd(widest(0))}  ${value.padEnd(widest(1))}  ${from}`);
  const fits = !input.out.isTerminal || lines.every(line => line.length <= input.out.width());
  for (const [index, [name, value, from]] of rows.entries()) {
    if (fits) input.say(lines[index]!);
    else {
      input.say(`${name}: ${value}`);
      if (from !== 'default') input.say(`  from ${from}`);
    }
  }
}

// What Claude Code itself would be told by this environment; its sessions may be started by another one.
function windowOf(input: CommandInput): number | null {
  const asked = input.text('window');
  const text = asked ?? process.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW ?? '';
  const size = /^\d[\d_]*$/.test(text)
    ? Number(text.replaceAll('_', ''))
    : /^\d+k$/i.test(text)
      ? Number.parseInt(text, 10) * 1000
      : null;
  if (size !== null && size > 0) return size;
  if (asked !== undefined)
    throw new Fault('invalid', `--window is "${asked}", not a number of tokens`, 'write for example: --window 200000');
  return process.env.CLAUDE_CODE_DISABLE_1M_CONTEXT === '1' ? 200_000 : null;
}
