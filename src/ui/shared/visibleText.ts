/**
 * Characters that can change how their neighbours are drawn, or are drawn as nothing: controls,
 * format characters (bidirectional marks, zero-width joiners, soft hyphen, tags), line and
 * paragraph separators, unassigned and private characters, lone surrogates, every space but the
 * plain one, fillers that are letters by category and blank by look, variation selectors.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\u115f\u1160\u3164\uffa0\u2800]|\u034f|\p{Variation_Selector}/u;
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

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/**
 * True when one text mixes alphabets that have letters of the same look, as in `USDС` with a
 * Cyrillic С.
 */
export function mixesAlphabets(text: string): boolean {
  return scripts.filter((script) => script.test(text)).length > 1;
}

/**
 * True for a short text from outside that is not plain Latin letters, digits and signs, so that its
 * look may deceive.
 */
export function looksUnusual(text: string): boolean {
  return mixesAlphabets(text) || visibleText(text, 1_000_000) !== text;
}
