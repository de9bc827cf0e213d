/**
 * Characters that can change how their neighbours are drawn, or are drawn as nothing: controls,
 * format characters (bidirectional marks, zero-width joiners, soft hyphen, tags), line and
 * paragraph separators, unassigned and private characters, lone surrogates, every space but the
 * plain one, the blank of Braille, and whatever Unicode lets be drawn as nothing, such as fillers
 * and variation selectors.
 */
const hidden = /[\p{C}\p{DI}\u2800]|(?! )\p{Z}/u;
const mark = /\p{M}/u;
/** More marks on one letter than any living script needs paint over the lines above and below. */
const marksOnOneLetter = 3;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/**
 * Text from outside (site names, symbols, memos, ids) in a form that shows all that it contains and
 * cannot reach beyond itself: hidden and direction-changing characters become `[U+202E]`, and it
 * ends after `limit` characters with an ellipsis.
 * @param limit - characters of the input that are shown, at least 1.
 */
export function visibleText(text: string, limit = 120): string {
  // Of a long document the loop would take tens of milliseconds.
  if (text.length <= limit && /^[ -~]*$/.test(text)) return text;
  let result = '';
  let count = 0;
  let marks = 0;
  for (const character of text) {
    if (count === limit) return `${result}…`;
    count += 1;
    marks = mark.test(character) ? marks + 1 : 0;
    result +=
      hidden.test(character) || marks > marksOnOneLetter || (marks > 0 && count === 1) ? escaped(character) : character;
  }
  return result;
}

/**
 * True for a symbol that has more than plain Latin letters, digits, signs and signs of currencies,
 * so that its look may deceive: every alphabet has letters that are drawn like Latin ones, and of
 * several spaces one is drawn.
 */
export const looksUnusual = (symbol: string): boolean => /[^\x20-\x7e\p{Sc}]|^ | {2}| $/u.test(symbol);
