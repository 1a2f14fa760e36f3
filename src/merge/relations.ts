// What the relations of a ctxpack mean, as far as the merge must know it. docs/ctxpack.md shows these tables.

// a --after--> b says the same as b --before--> a.
export const inverses: Record<string, string> = {
  after: 'before',
  required_by: 'requires',
  dependency_of: 'depends_on',
  has_part: 'part_of',
  contains: 'part_of',
  source_of: 'derived_from',
  superseded_by: 'supersedes',
  supported_by: 'supports',
  caused_by: 'causes',
};

// Both between the same two nodes cannot be true.
export const opposites: [string, string][] = [
  ['supports', 'contradicts'],
  ['confirms', 'refutes'],
  ['requires', 'excludes'],
  ['depends_on', 'excludes'],
  ['part_of', 'excludes'],
  ['enables', 'prevents'],
  ['causes', 'prevents'],
  ['allows', 'forbids'],
  ['accepts', 'rejects'],
  ['satisfies', 'violates'],
  ['implements', 'violates'],
  ['same_as', 'different_from'],
];

// Said of a and b, they hold for b and a too; said of one node and itself, "against" ones are nonsense.
export const symmetric = new Set(['contradicts', 'excludes', 'same_as', 'different_from']);
export const against = new Set(['contradicts', 'refutes', 'excludes', 'prevents', 'rejects', 'different_from']);

export const acyclic = new Set(['depends_on', 'part_of', 'before', 'derived_from', 'supersedes']);
