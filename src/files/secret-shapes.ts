// Secrets known by their form, whoever holds them. Pure data. Every repeat is bounded, so that a
// streaming reader knows how much to hold back, and none rescans what another start already scanned.

const word = '(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))';

export const secretShapes: readonly string[] = [
  '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,16384}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
  `${word}eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{4,4096}\\.[A-Za-z0-9_-]{8,4096}`,
  'sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,4096}',
  `${word}sk-[A-Za-z0-9]{32,256}`,
  '[sr]k_(?:live|test)_[A-Za-z0-9]{16,256}',
  'gh[pousr]_[A-Za-z0-9]{30,255}',
  'github_pat_[A-Za-z0-9_]{22,255}',
  'glpat-[A-Za-z0-9_-]{20,255}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
  'xapp-[0-9]-[A-Za-z0-9-]{10,255}',
  '(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])',
  'AIza[A-Za-z0-9_-]{35}',
  `${word}npm_[A-Za-z0-9]{36}`,
  `${word}hf_[A-Za-z0-9]{30,255}`,
  '(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,4096}={0,2}',
  // The password in scheme://user:password@host.
  '(?<=[a-z0-9+.-]:\\/\\/[^\\s:/@"\']{0,128}:)[^\\s:/@"\']{3,256}(?=@[A-Za-z0-9[])',
];

// Above the longest text any shape can match, its look-around included.
export const LONGEST_SHAPE = 17_000;
