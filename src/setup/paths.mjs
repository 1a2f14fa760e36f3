// Where things stand in a clone. Plain JavaScript for Node 20 and built-in modules only, as everything
// in this folder: it runs before a single package is installed.

import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const inRoot = (...parts) => path.join(root, ...parts);

export const modules = inRoot('node_modules');
export const bundledNode = inRoot('node_modules', 'node', 'bin', 'node');
export const packagesStamp = inRoot('node_modules', '.baton-setup.json');
export const buildStamp = inRoot('dist', '.baton-build.json');
export const bin = inRoot('dist', 'cli', 'bin.js');

// As in the first line of bin.js: Node lets short-lived objects pile up to 32 MB before it looks, and an engine
// that lives for hours need not.
export const nodeFlags = ['--max-semi-space-size=4'];

export const isFile = file => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
