import type { LanguageCode } from './languages.ts';

/** Texts by key, with `{name}` where a value goes; `{{` is a brace. */
export type Catalog = Readonly<Record<string, string>>;

/**
 * Stand before each key in the file of the keys: the place of the sign here is the number of
 * letters that the key shares with the one before it.
 */
export const SHARED_LETTERS = "#$%&'()*+,-./:;<=>?@";

/** Stands between the texts of a language, and in none of them. */
export const TEXT_END = '~';

/**
 * Reads the texts of a language. The build writes the keys once for all languages, and each
 * language as its texts in the order of the keys, an empty one where it has none: a third of the
 * size of the catalogs that translators edit is keys.
 * @param getURL - Address of a file of the extension.
 */
export async function readCatalog(getURL: (path: string) => string, code: LanguageCode): Promise<Catalog> {
  const files = ['keys', code].map(async (name) => (await fetch(getURL(`texts/${name}.json`))).json());
  const [keys, joined] = (await Promise.all(files)) as [string, string];
  const texts = joined.split(TEXT_END);
  const catalog: Record<string, string> = {};
  let key = '';
  for (const [index, rest] of (keys.match(/\W\w*/g) ?? []).entries()) {
    key = key.slice(0, SHARED_LETTERS.indexOf(rest.charAt(0))) + rest.slice(1);
    const text = texts[index];
    if (text) catalog[key] = text;
  }
  return catalog;
}
