// Text from agents, made safe to show: no terminal sequences, no control, bidi or invisible characters.
// Pure. Every pattern below is linear: none can match over the start of the next sequence.

// CSI: parameters, intermediates, final byte.
const CSI = /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?/;
// OSC, DCS, SOS, PM, APC with their payload and terminator (BEL or ST)…
const STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/;
// …and the same without a terminator: gone to the end of the line, so that it hides no later one.
const CUT_STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x18\x1a\x1b\x80-\x9f]*/;
const ESCAPE = /\x1b[\x20-\x2f]*[\x30-\x7e]?/;
const SEQUENCES = new RegExp([CSI, STRING, CUT_STRING, ESCAPE].map(part => part.source).join('|'), 'g');

const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
// Bidi marks and overrides, zero-width characters, fillers, variation selectors, interlinear marks, tags.
const INVISIBLE = new RegExp(
  [
    '[\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
    '[\\u034f\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}]',
  ].join('|'),
  'gu',
);

export function plainText(text: string, options: { max?: number; keepNewlines?: boolean } = {}): string {
  const clean = text
    .replace(SEQUENCES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replaceAll('\t', '  ');
  const lines = options.keepNewlines ? clean : clean.replaceAll('\n', ' ');
  return options.max === undefined ? lines : capped(lines, options.max);
}

function capped(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  let points = 0;
  // Where the text is cut if it proves too long: one code point before the limit, for the "…".
  let cut = 0;
  for (const point of text) {
    if (points === max) return max > 0 ? `${text.slice(0, cut)}…` : '';
    if (points === max - 1) cut = end;
    points += 1;
    end += point.length;
  }
  return text;
}
