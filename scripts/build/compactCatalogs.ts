import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { type Catalog, NONE_SHARED, TEXT_SEPARATOR } from '../../src/messaging/catalogs.ts';
import { sortText } from './sortText.ts';

const textsFolder = resolve(import.meta.dirname, '../../public/texts');

const readCatalog = (file: string): Catalog => JSON.parse(readFileSync(join(textsFolder, file), 'utf8'));

/**
 * The keys of every language, sorted: neighbours share their beginnings, which a zip stores once.
 */
export function catalogKeys(): string[] {
  const keys = readdirSync(textsFolder).flatMap((file) => Object.keys(readCatalog(file)));
  return [...new Set(keys)].sort();
}

/** Keeps the counting letters before the sign that stands between texts. */
const MOST_SHARED = TEXT_SEPARATOR.charCodeAt(0) - NONE_SHARED - 1;

/**
 * Sorted keys as one text: each as a letter that counts what it shares with the beginning of the
 * one before, and the rest.
 */
function foldKeys(keys: readonly string[]): string {
  const folded = keys.map((key, index) => {
    const before = keys[index - 1] ?? '';
    let shared = 0;
    while (shared < MOST_SHARED && shared < key.length && key[shared] === before[shared]) shared += 1;
    return String.fromCharCode(NONE_SHARED + shared) + key.slice(shared);
  });
  return folded.join(TEXT_SEPARATOR);
}

/**
 * The file of one language: its texts in the order of the keys.
 * @throws {Error} a text holds the sign that stands between texts.
 */
export function languageFile(keys: readonly string[], catalog: Catalog): string {
  const texts = keys.map((key) => catalog[key] ?? '');
  const wrong = keys.find((_, index) => texts[index]?.includes(TEXT_SEPARATOR));
  if (wrong !== undefined) throw new Error(`the text ${wrong} holds ${TEXT_SEPARATOR}, which stands between texts`);
  return JSON.stringify(sortText(texts.join(TEXT_SEPARATOR)));
}

/** The files of `texts/` in the extension by name, in the form that `readCatalog` reads. */
export function compactFiles(): ReadonlyMap<string, string> {
  const keys = catalogKeys();
  const languages = readdirSync(textsFolder).map((file) => [file, languageFile(keys, readCatalog(file))] as const);
  return new Map([['keys.json', JSON.stringify(sortText(foldKeys(keys)))], ...languages]);
}

/**
 * Replaces the catalogs that people edit, which the bundler copies, by the form that pages and
 * worker read.
 */
export function compactCatalogs(): Plugin {
  let folder: string;
  return {
    name: 'compact-catalogs',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir, 'texts');
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        // A build that failed has written nothing, and says itself why.
        if (error) return;
        for (const [file, content] of compactFiles()) writeFileSync(join(folder, file), content);
      },
    },
  };
}
