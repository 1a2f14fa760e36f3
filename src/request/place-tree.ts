// Places on the disk as a tree of path segments, so that "the same", "inside" and "around" are found without
// comparing every place with every other. Paths are absolute and real (links resolved).

export type PathFact = {
  real: string; // links resolved; for what does not exist: the deepest existing ancestor and the rest
  kind: 'file' | 'folder' | 'other' | null; // null: does not exist, or could not be looked at
  readable: boolean;
  trouble?: string; // why it could not be looked at, in words
};
export type PathFacts = Map<string, PathFact>; // by absolute path, as resolved lexically

// One input or output of one agent.
export type Place = { agent: number; name: string; slot: string; path: string; fact: PathFact };

// `here` and `below` hold one place of each agent, in the order of the request.
type Node = { id: number; here: Place[]; below: Place[] };

const segmentsOf = (path: string) => path.split('/').filter(segment => segment !== '');

// Places are added in the order of their agents.
export class PlaceTree {
  private readonly root: Node = { id: 0, here: [], below: [] };
  // One map for all nodes, by parent and segment: a map in each node ran out of memory on 5 MB of deep paths.
  private readonly nodes = new Map<string, Node>();

  add(place: Place): void {
    let node = this.root;
    for (const segment of segmentsOf(place.fact.real)) {
      if (node.below.at(-1)?.agent !== place.agent) node.below.push(place);
      const key = `${node.id}/${segment}`;
      const child = this.nodes.get(key) ?? { id: this.nodes.size + 1, here: [], below: [] };
      this.nodes.set(key, child);
      node = child;
    }
    if (node.here.at(-1)?.agent !== place.agent) node.here.push(place);
  }

  // The places that are this path or contain it, outermost first; of one path at most one of each agent.
  around(real: string): Place[] {
    return this.walk(real).flatMap(node => node.here);
  }

  // The places strictly inside this path, at most one of each agent.
  inside(real: string): Place[] {
    const trail = this.walk(real);
    return trail.length === segmentsOf(real).length + 1 ? trail.at(-1)!.below : [];
  }

  // The nodes from the root towards this path, as far as there are any.
  private walk(real: string): Node[] {
    const trail = [this.root];
    for (const segment of segmentsOf(real)) {
      const child = this.nodes.get(`${trail.at(-1)!.id}/${segment}`);
      if (child === undefined) break;
      trail.push(child);
    }
    return trail;
  }
}
