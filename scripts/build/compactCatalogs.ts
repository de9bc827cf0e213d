import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { type Catalog, SHARED_LETTERS, TEXT_END } from '../../src/messaging/catalogs.ts';

const textsFolder = resolve(import.meta.dirname, '../../public/texts');

const readCatalog = (file: string): Catalog => JSON.parse(readFileSync(join(textsFolder, file), 'utf8'));

/** The keys of every language, sorted: neighbours share their beginnings. */
export function catalogKeys(): string[] {
  const keys = readdirSync(textsFolder).flatMap((file) => Object.keys(readCatalog(file)));
  return [...new Set(keys)].sort();
}

/** The file of the keys, each without the letters that it shares with the one before it. */
function keysFile(keys: readonly string[]): string {
  const rests = keys.map((key, index) => {
    const before = keys[index - 1] ?? '';
    let shared = 0;
    while (shared < SHARED_LETTERS.length - 1 && key[shared] !== undefined && key[shared] === before[shared]) shared++;
    return SHARED_LETTERS[shared] + key.slice(shared);
  });
  return JSON.stringify(rests.join(''));
}

/**
 * The file of one language: its texts in the order of the keys.
 * @throws {Error} A text has the sign that stands between texts.
 */
export function languageFile(keys: readonly string[], catalog: Catalog): string {
  const texts = keys.map((key) => catalog[key] ?? '');
  const wrong = keys.find((key) => catalog[key]?.includes(TEXT_END));
  if (wrong !== undefined) throw new Error(`${wrong}: no text may hold ${TEXT_END}`);
  return JSON.stringify(texts.join(TEXT_END));
}

/** The files of `texts/` in the extension by name, in the form that `readCatalog` reads. */
export function compactFiles(): ReadonlyMap<string, string> {
  const keys = catalogKeys();
  const languages = readdirSync(textsFolder).map((file) => [file, languageFile(keys, readCatalog(file))] as const);
  return new Map([['keys.json', keysFile(keys)], ...languages]);
}

/** Documents without the space that people read them by: 0.2 kB in a zip. */
const compactDocument = (path: string, text: string): string =>
  path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text.replaceAll(/\n\s*/g, '');

/**
 * Replaces the catalogs that people edit, which the bundler copies, by the form that pages and
 * worker read; writes pages and manifest without space.
 */
export function compactCatalogs(): Plugin {
  let folder: string;
  return {
    name: 'compact-catalogs',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    buildStart() {
      for (const file of readdirSync(textsFolder)) this.addWatchFile(join(textsFolder, file));
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        // A build that failed has written nothing, and says itself why.
        if (error) return;
        for (const [file, content] of compactFiles()) writeFileSync(join(folder, 'texts', file), content);
        for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (!path.endsWith('.html') && path !== 'manifest.json') continue;
          const file = join(folder, path);
          writeFileSync(file, compactDocument(path, readFileSync(file, 'utf8')));
        }
      },
    },
  };
}
