/**
 * Parses a JSON text; `undefined` for a text that is none. The parser's own error would quote the
 * text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
