import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../../public/texts/de.json' with { type: 'json' };
import english from '../../public/texts/en.json' with { type: 'json' };
import { catalogKeys, compactCatalogs, compactFiles, languageFile } from '../../scripts/build/compactCatalogs.ts';
import { readCatalog } from '../../src/messaging/catalogs.ts';

afterEach(() => vi.unstubAllGlobals());

const serve = (files: ReadonlyMap<string, string>) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return new Response(files.get(url.slice(url.lastIndexOf('/') + 1)));
  });
  return asked;
};
const getURL = (path: string) => `own:${path}`;

test('the catalogs that the build writes are read as the ones that people edit, and no language but the one asked for', async () => {
  const asked = serve(compactFiles());
  expect(await readCatalog(getURL, 'en')).toEqual(english);
  expect(await readCatalog(getURL, 'de')).toEqual(german);
  expect(asked).toEqual(['own:texts/keys.json', 'own:texts/en.json', 'own:texts/keys.json', 'own:texts/de.json']);
});

test('the build watches the files that people edit', () => {
  const watched: string[] = [];
  const { buildStart } = compactCatalogs() as unknown as { buildStart?: (this: object) => void };
  buildStart?.call({ addWatchFile: (path: string) => watched.push(path) });
  expect(watched).toContain(join(import.meta.dirname, '../../public/texts/de.json'));
});

test('a language without a text has no key for it', async () => {
  const { languageDirection: _, ...rest } = german;
  const keys = catalogKeys();
  const files = new Map(compactFiles()).set('de.json', languageFile(keys, rest));
  serve(files);
  expect(await readCatalog(getURL, 'de')).toEqual(rest);
});

test('the sign between two texts is in none of them', () => {
  expect(() => languageFile(catalogKeys(), { ...german, aboutTitle: 'a~b' })).toThrow('aboutTitle: no text may hold ~');
});

test('keys and texts are asked for side by side', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const files = compactFiles();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    await held;
    return new Response(files.get(url.replace('own:texts/', '')));
  });
  const reading = readCatalog(getURL, 'en');
  expect(asked).toHaveLength(2);
  answer();
  await reading;
});

const pages = join(import.meta.dirname, '../../src/ui');
test.each(readdirSync(pages).filter((file) => file.endsWith('.html')))(
  '%s asks for the keys of the texts before its script runs, and leaves the language to the first script',
  (file) => {
    const preloaded = readFileSync(join(pages, file), 'utf8').matchAll(/<link rel="preload"[^>]* href="([^"]+)"/g);
    expect([...preloaded].map(([, path]) => path)).toEqual(['/texts/keys.json']);
  },
);
