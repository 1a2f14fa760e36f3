// The house rules of docs/architecture.md, kept by a machine.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const hands = ['src/files', 'src/lock', 'src/tmux', 'src/process', 'src/git', 'src/clock', 'src/checkpoint'];
const minds = [
  'src/plan',
  'src/run',
  'src/request',
  'src/merge',
  'src/conversation',
  'src/screen',
  'src/chain',
  'src/handoff',
];

// A folder may import itself and what is listed here; nothing else.
const mayImport: Record<string, string[]> = {
  'src/protocol': [],
  'src/plan': ['src/protocol'],
  'src/run': ['src/protocol', 'src/conversation'],
  'src/conversation': ['src/protocol'],
  'src/screen': ['src/protocol'],
  'src/chain': ['src/protocol'],
  'src/handoff': ['src/protocol', 'src/files'],
  'src/request': ['src/protocol', 'src/plan', 'src/files'],
  'src/merge': ['src/protocol', 'src/plan', 'src/files'],
  'src/files': ['src/protocol'],
  'src/text': ['src/protocol', 'src/files'],
  'src/lock': ['src/protocol', 'src/files'],
  'src/checkpoint': ['src/protocol', 'src/files'],
  'src/tmux': ['src/protocol'],
  'src/process': [],
  'src/git': ['src/protocol', 'src/files', 'src/process'],
  'src/clock': [],
  'src/receipts': ['src/protocol', 'src/files', 'src/clock'],
  'src/watching': ['src/protocol', 'src/files', 'src/lock', 'src/tmux', 'src/receipts', 'src/run'],
  'src/practice': ['src/protocol', 'src/files'],
  'src/claude': [
    'src/protocol',
    'src/screen',
    'src/receipts',
    'src/conversation',
    'src/tmux',
    'src/lock',
    'src/files',
    'src/process',
  ],
  'src/headless': ['src/protocol', 'src/chain', 'src/files', 'src/claude', 'src/process', 'src/clock', 'src/lock'],
  'src/project': ['src/protocol', 'src/handoff', 'src/request', 'src/files', 'src/git'],
  'src/engine': [
    'src/protocol',
    'src/claude',
    'src/receipts',
    'src/headless',
    'src/watching',
    'src/project',
    ...minds,
    ...hands,
  ],
  'src/notices': ['src/protocol', 'src/text', 'src/files', 'src/process'],
  'src/pages': ['src/protocol', 'src/text', 'src/files', 'src/plan', 'src/receipts', 'src/handoff', 'src/run'],
  'src/dashboard': [
    'src/protocol',
    'src/text',
    'src/claude',
    'src/receipts',
    'src/lock',
    'src/files',
    'src/plan',
    'src/run',
    'src/engine',
    'src/watching',
    'src/tmux',
    'src/notices',
    'src/pages',
  ],
  'src/cli': [
    'src/dashboard',
    'src/notices',
    'src/pages',
    'src/text',
    'src/protocol',
    'src/engine',
    'src/files',
    'src/tmux',
    'src/claude',
    'src/receipts',
    'src/practice',
    'src/git',
    'src/project',
    'src/watching',
    ...minds,
  ],
  watchdog: [
    'src/protocol',
    'src/claude',
    'src/receipts',
    'src/project',
    'src/watching',
    'src/notices',
    ...minds,
    ...hands,
  ],
  src: ['src/protocol', 'src/engine', 'src/headless'],
};

// A package lives behind few doors.
const onlyIn: Record<string, string[]> = {
  execa: ['src/tmux', 'src/engine', 'src/merge'],
  'simple-git': ['src/git'],
  chokidar: ['src/engine'],
  zod: ['src/protocol'],
  ink: ['src/dashboard'],
  react: ['src/dashboard'],
  'node-pty': ['src/tmux'],
};

const MAX_LINES = 300;

const files = ['src', 'watchdog'].flatMap(sourcesUnder).map(file => {
  const text = readFileSync(file, 'utf8');
  return { file, room: roomOf(file), text, lines: text.split('\n').length, imports: importsOf(text) };
});

test.each(files)('$file keeps to its storey', ({ file, room, imports }) => {
  expect(Object.keys(mayImport), `add ${room} to the map`).toContain(room);
  for (const name of imports) {
    if (name.startsWith('.')) {
      const target = roomOf(path.join(path.dirname(file), name));
      if (target !== room) expect(mayImport[room], `${file} imports ${name}`).toContain(target);
    } else if (name in onlyIn) {
      expect(onlyIn[name], `${file} imports ${name}`).toContain(room);
    }
  }
});

test.each(files)('$file fits in one head', ({ lines }) => {
  expect(lines).toBeLessThanOrEqual(MAX_LINES);
});

test('decisions have no clock, no disk, no chance and nothing to wait for', () => {
  const pure = files.filter(
    ({ room, file }) => minds.includes(room) && !/merge\/disk|merge-runner|load-request/.test(file),
  );
  for (const { file, text } of pure) {
    expect(text, file).not.toMatch(/\bDate\.now\(|Math\.random\(|\bawait\b|from 'node:(fs|child_process|os|net)/);
  }
});

test('no test replaces a module or is left out', () => {
  for (const file of sourcesUnder('test').filter(file => !file.endsWith('house.test.ts'))) {
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/\bvi\.mock\(|\b(it|test|describe)\.(skip|only|todo)\b/);
  }
});

function sourcesUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter(name => /\.tsx?$/.test(name)).map(name => path.join(folder, name));
}

function roomOf(file: string): string {
  const parts = file.split(path.sep);
  if (parts[0] === 'watchdog') return 'watchdog'; // one program, one room
  return parts.length > 2 ? parts.slice(0, 2).join('/') : 'src';
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\()\s*'([^']+)'/g)].map(match => match[1]!);
}
