// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { compactFiles } from '../../../scripts/build/compactCatalogs.ts';
import { loadLanguage } from '../../../src/ui/i18n.ts';
import { rememberDisplay } from '../../../src/ui/theme.ts';
import * as f from '../support/fixtures.ts';
import { background, emptyPages, openPopup, settled } from '../support/page.tsx';

emptyPages();

/**
 * Answers for the files of the texts.
 * @param held - Language whose texts are kept back.
 * @returns Lets them go.
 */
function serveTexts(held?: string): () => void {
  const files = compactFiles();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    const name = String(url).split('/').at(-1) ?? '';
    if (name === `${held}.json`) await released;
    return new Response(files.get(name));
  });
  return release;
}

it('takes a new language that another page of the wallet has taken before', async () => {
  serveTexts();
  let settings = f.wallet.settings;
  await openPopup('', { getState: () => ({ ...f.wallet, settings }), getActivity: () => [] });
  settings = { ...settings, language: 'de' };
  rememberDisplay(settings);
  background.changed();
  await settled();
  expect(document.documentElement.lang).toBe('de');
});

it('keeps the language that was asked for last, whichever is read first', async () => {
  const release = serveTexts('de');
  const slow = loadLanguage('de');
  await loadLanguage('fr');
  release();
  await slow;
  expect(document.documentElement.lang).toBe('fr');
});
