import type { LanguageCode } from './languages.ts';

/** Texts by key, with `{name}` where a value goes; `{{` is a brace. */
export type Catalog = Readonly<Record<string, string>>;

/**
 * Reads the texts of languages. The build writes their keys once, and each language as a list in the order of the keys, with `null`
 * where it has no text: a third of the size of the catalogs that translators edit is keys.
 * @param getURL - Address of a file of the extension.
 * @returns The catalogs in the order of `codes`.
 */
export async function readCatalogs(
  getURL: (path: string) => string,
  codes: readonly LanguageCode[],
): Promise<Catalog[]> {
  const files = ['keys', ...codes].map(async (name) => (await fetch(getURL(`texts/${name}.json`))).json());
  const [keys, ...languages] = (await Promise.all(files)) as [readonly string[], ...(readonly (string | null)[])[]];
  return languages.map((texts) => {
    const catalog: Record<string, string> = {};
    for (const [index, key] of keys.entries()) {
      const text = texts[index] ?? null;
      if (text !== null) catalog[key] = text;
    }
    return catalog;
  });
}
