// Outputs: each must lie where writing is allowed, apart from every other output, from Baton's own files
// and from the folders of the agents.

import path from 'node:path';
import type { Problem } from '../protocol/request.ts';
import { type Place, PlaceTree } from './place-tree.ts';
import { quote, toPath } from './quote.ts';

type AgentFolder = { name: string; real: string };
type Bounds = {
  realWorkspace: string;
  roots: string[];
  reserved: readonly string[];
  folders: AgentFolder[];
  requestFile: string | null;
};
type Wording = { message: string; cure: string };

export function checkOutputs(outputs: readonly Place[], bounds: Bounds): Problem[] {
  const tree = new PlaceTree();
  const folderTree = new PlaceTree();
  bounds.folders.forEach(({ name, real }, agent) => {
    folderTree.add({ agent, name, slot: '', path: real, fact: { real, kind: 'folder', readable: true } });
  });
  return outputs.flatMap(output => {
    const wrong =
      reachProblem(output) ??
      boundProblem(output, bounds) ??
      folderProblem(output, folderTree) ??
      overlapProblem(output, tree);
    tree.add(output);
    return wrong === null ? [] : [{ path: toPath(['agents', output.agent, 'task', 'outputs', output.slot]), ...wrong }];
  });
}

// Older results are kept beside the new ones under these names.
const NUMBERED = /^(merged\.\d+|(execution_report|conflicts)\.\d+\.json)$/;

// The same path, or somewhere below it. Both are absolute and normal.
export function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function shownAs({ slot, path: written, fact }: Place): string {
  const through = fact.real === written ? '' : `, which leads to ${quote(fact.real)}`;
  return `the output ${quote(slot)} (${quote(written)}${through})`;
}

function reachProblem(output: Place): Wording | null {
  const { trouble, kind } = output.fact;
  if (trouble !== undefined) return { message: `${shownAs(output)} ${trouble}`, cure: 'choose another path' };
  if (kind !== 'other') return null;
  return {
    message: `${shownAs(output)} exists and is neither a file nor a folder`,
    cure: 'choose another path, or remove it',
  };
}

function boundProblem(output: Place, bounds: Bounds): Wording | null {
  const { real } = output.fact;
  const { realWorkspace } = bounds;
  const cure = `choose a path of its own, e.g. "outputs/${output.name}/${output.slot}"`;
  if (real === realWorkspace) return { message: `${shownAs(output)} is the workspace itself`, cure };
  if (isWithin(realWorkspace, real)) return { message: `${shownAs(output)} contains the workspace`, cure };
  const [first = '', ...below] = isWithin(real, realWorkspace) ? real.slice(realWorkspace.length + 1).split('/') : [];
  if (bounds.reserved.includes(first) || NUMBERED.test(first)) {
    return { message: `${shownAs(output)} is at ${quote(first)}, which belongs to Baton`, cure };
  }
  // What an earlier run left there is moved away before each attempt; nobody's floor may go with it.
  const whose = first === 'work' && below.length === 1 ? below[0] : undefined;
  if (real === path.join(realWorkspace, 'work')) {
    return { message: `${shownAs(output)} contains the folders the agents work in`, cure };
  }
  if (whose !== undefined && whose !== output.name && bounds.folders.some(({ name }) => name === whose)) {
    return { message: `${shownAs(output)} is the folder ${quote(whose)} works in`, cure };
  }
  if (bounds.requestFile !== null && isWithin(bounds.requestFile, real)) {
    return { message: `${shownAs(output)} would replace the request itself`, cure };
  }
  if (bounds.roots.some(root => real !== root && isWithin(real, root))) return null;
  return {
    message: `${shownAs(output)} is outside workspace_root ${quote(realWorkspace)} and of every allowed folder`,
    cure: `write it inside workspace_root, or allow its folder with --allow-root ${quote(path.dirname(real))}`,
  };
}

function folderProblem(output: Place, folders: PlaceTree): Wording | null {
  const cure = 'choose a path outside the folders of the agents';
  const [around] = folders.around(output.fact.real);
  if (around !== undefined) {
    return {
      message: `${shownAs(output)} is inside the agent folder of ${quote(around.name)} (${quote(around.path)})`,
      cure,
    };
  }
  const [inside] = folders.inside(output.fact.real);
  if (inside === undefined) return null;
  return {
    message: `${shownAs(output)} contains the agent folder of ${quote(inside.name)} (${quote(inside.path)})`,
    cure,
  };
}

// Told at the later of the two; each output is compared with all earlier ones.
function overlapProblem(output: Place, earlier: PlaceTree): Wording | null {
  const [around] = earlier.around(output.fact.real);
  const other = around ?? earlier.inside(output.fact.real)[0];
  if (other === undefined) return null;
  const isOwn = other.agent === output.agent;
  const whose = isOwn
    ? `the output ${quote(other.slot)} of the same agent`
    : `the output ${quote(other.slot)} of ${quote(other.name)}`;
  const cure = isOwn ? 'give each output a path of its own' : 'give one of the two agents another path';
  if (other.fact.real === output.fact.real)
    return { message: `${shownAs(output)} is the same place as ${whose}`, cure };
  const relation = around === undefined ? 'contains' : 'is inside';
  return { message: `${shownAs(output)} ${relation} ${whose} (${quote(other.path)})`, cure };
}
