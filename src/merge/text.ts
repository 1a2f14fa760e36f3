// Is it text? Pure.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// Text is UTF-8 without NUL; null: something else.
export function toText(body: Uint8Array): string | null {
  if (body.includes(0)) return null;
  return toUtf8(body);
}

// The characters of these bytes, if writing them gives the same bytes again.
export function toUtf8(body: Uint8Array): string | null {
  try {
    return strict.decode(body);
  } catch {
    return null; // not UTF-8
  }
}
