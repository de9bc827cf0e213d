import type { LanguageCode } from './languages.ts';
import { restoreText, type SortedText } from './sortedText.ts';

/** Texts by key, with `{name}` where a value goes; `{{` is a brace. */
export type Catalog = Readonly<Record<string, string>>;

/** Stands between the texts of a file of the extension. */
export const TEXT_SEPARATOR = '|';
/** Code of the letter for no shared beginning; the next ones count on. */
export const NONE_SHARED = 'A'.charCodeAt(0);

/**
 * The keys of a file of the extension: each stands there as a letter that counts what it shares
 * with the beginning of the one before, and the rest.
 */
function unfoldKeys(text: string): string[] {
  let before = '';
  return text.split(TEXT_SEPARATOR).map((folded) => {
    before = before.slice(0, folded.charCodeAt(0) - NONE_SHARED) + folded.slice(1);
    return before;
  });
}

/**
 * Reads the texts of a language. The build writes the keys once for all languages, folded, and each
 * language as its texts in the order of the keys, an empty one where it has none, by the transform
 * of `sortedText.ts`: a third of the size of the catalogs that translators edit is keys.
 * @param getURL - Address of a file of the extension.
 */
export async function readCatalog(getURL: (path: string) => string, code: LanguageCode): Promise<Catalog> {
  const files = ['keys', code].map(async (name) => (await fetch(getURL(`texts/${name}.json`))).json());
  const [keys, texts] = (await Promise.all(files)) as [SortedText, SortedText];
  const names = unfoldKeys(restoreText(keys));
  const catalog: Record<string, string> = {};
  for (const [index, text] of restoreText(texts).split(TEXT_SEPARATOR).entries())
    if (text !== '') catalog[names[index] ?? ''] = text;
  return catalog;
}
