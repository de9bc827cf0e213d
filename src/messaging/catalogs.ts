import type { LanguageCode } from './languages.ts';

/** Texts by key, with `{name}` where a value goes; `{{` is a brace. */
export type Catalog = Readonly<Record<string, string>>;

/**
 * Reads the texts of a language. The build writes the keys once for all languages, and each
 * language as its texts in the order of the keys, an empty one where it has none: a third of the
 * size of the catalogs that translators edit is keys.
 * @param getURL - Address of a file of the extension.
 */
export async function readCatalog(getURL: (path: string) => string, code: LanguageCode): Promise<Catalog> {
  const files = ['keys', code].map(async (name) => (await fetch(getURL(`texts/${name}.json`))).json());
  const [keys, texts] = (await Promise.all(files)) as [string[], string[]];
  const catalog: Record<string, string> = {};
  for (const [index, key] of keys.entries()) {
    const text = texts[index];
    if (text) catalog[key] = text;
  }
  return catalog;
}
