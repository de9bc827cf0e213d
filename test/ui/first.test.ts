// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compactFiles } from '../../scripts/build/compactCatalogs.ts';
import { loadLanguage } from '../../src/ui/i18n.ts';
import { rememberDisplay } from '../../src/ui/theme.ts';
import { installBackground } from './support/fakeBackground.ts';

/**
 * What the page asks for before its own code is there; the test's document would fetch a link that
 * is put into it.
 */
let preloaded: (string | null)[];
let background: ReturnType<typeof installBackground>;

/** Runs the script that each page runs first. */
async function runFirst() {
  vi.resetModules();
  await import('../../src/ui/first.ts');
}

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
  preloaded = [];
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes as HTMLLinkElement[])
      preloaded.push(node.rel === 'preload' ? node.getAttribute('href') : null);
  });
  background = installBackground({});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('asks for English when no page has read texts yet', async () => {
  await runFirst();
  expect(preloaded).toEqual(['/texts/en.json']);
});

test('asks for the language of the page before, which reads that one and no other', async () => {
  const files = compactFiles();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url).pathname);
    return new Response(files.get(url.split('/').at(-1) ?? ''));
  });
  await loadLanguage('de');
  expect(asked).toEqual(['/texts/keys.json', '/texts/de.json']);
  await runFirst();
  expect(preloaded).toEqual(['/texts/de.json']);
});

test('sets the look that the page before had, so that nothing is painted in another one', async () => {
  rememberDisplay({ theme: 'dark', contrast: 'more', language: 'en' });
  await runFirst();
  expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', contrast: 'more' });
});

test.each([
  ['/src/ui/popup.html', ['getHome', 'getState']],
  ['/src/ui/popup.html?view=tab', ['getHome', 'getState']],
  ['/src/ui/panel.html', ['getHome', 'getState']],
  ['/src/ui/popup.html#/orders', ['getState']],
  ['/src/ui/onboarding.html', ['getState']],
  ['/src/ui/approval.html?id=q', ['getState', 'getApproval']],
])('asks what %s draws first', async (address, methods) => {
  history.replaceState(null, '', address);
  await runFirst();
  expect(background.calls.map(({ method }) => method)).toEqual(methods);
});

test('asks for nothing and shows nothing inside a frame', async () => {
  vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window & typeof globalThis);
  await runFirst();
  expect(preloaded).toEqual([]);
  // What the document holds is invisible without a theme.
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
