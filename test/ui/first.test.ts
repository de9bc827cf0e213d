// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compactFiles } from '../../scripts/build/compactCatalogs.ts';
import { startupKeys } from '../../src/messaging/startupFacts.ts';
import type { WalletState } from '../../src/messaging/views.ts';
import { loadLanguage } from '../../src/ui/i18n.ts';
import { rememberDisplay } from '../../src/ui/theme.ts';
import { DEADLINE_KEY, LAST_USE_KEY } from '../../src/vault/lockDeadline.ts';
import { installBackground } from './support/fakeBackground.ts';
import { home as homeView, wallet as state } from './support/fixtures.ts';

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
  ['fails', undefined],
  ['holds a value that is none', 'null'],
])('begins as at first when the store of the page %s', async (_, value) => {
  const broken = vi.fn(() => {
    throw new Error('damaged');
  });
  const stub = { getItem: () => value ?? broken(), setItem: broken };
  vi.stubGlobal(
    'localStorage',
    value === undefined ? stub : { ...stub, getItem: (key: string) => (key.endsWith('texts') ? null : value) },
  );
  await runFirst();
  expect(preloaded).toEqual(['/texts/en.json']);
  expect(document.documentElement.dataset.theme).toBe('light');
  expect(() => rememberDisplay({ theme: 'dark', contrast: 'more', language: 'en' })).not.toThrow();
  const files = compactFiles();
  vi.stubGlobal('fetch', async (url: string) => new Response(files.get(url.split('/').at(-1) ?? '')));
  await loadLanguage('de');
  expect(document.documentElement.lang).toBe('de');
});

test.each([
  ['/src/ui/popup.html', ['getHome', 'getState']],
  ['/src/ui/popup.html?view=tab', ['getHome', 'getState']],
  ['/src/ui/popup.html?view=panel', ['getHome', 'getState']],
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

describe('what the worker kept for its next start', () => {
  const minutes = (n: number) => Date.now() + n * 60_000;
  const unlocked = { unlockId: 'u', deadline: minutes(5), seen: minutes(-1), idleMs: 360_000 };
  const other = { ...state, openApprovals: 3 };
  let stored: Record<string, unknown>;
  let answer: (state: WalletState) => void;

  /** The first script, and how the modules that it loaded see what it asked. */
  async function runOverKept() {
    const answered = new Promise<WalletState>((resolve) => {
      answer = resolve;
    });
    background = installBackground({ getState: () => answered, getHome: () => new Promise(() => {}) });
    const get = async (keys: string[]) => Object.fromEntries(keys.map((key) => [key, stored[key]]));
    Object.assign(chrome, { storage: { session: { get } } });
    await runFirst();
    const [{ seeEarly, takeEarly }, { onChanged }] = [
      await import('../../src/ui/early.ts'),
      await import('../../src/ui/messages.ts'),
    ];
    return {
      state: () => seeEarly('getState', {}),
      home: () => seeEarly('getHome', { refresh: false }),
      take: () => takeEarly('getState', {}),
      onChanged,
    };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  beforeEach(() => {
    history.replaceState(null, '', '/src/ui/popup.html');
    stored = {
      [startupKeys.facts]: { state: { ...state, vault: 'locked' }, sites: [] },
      [startupKeys.home]: homeView,
      [DEADLINE_KEY]: unlocked,
    };
  });

  test('is there before the worker answers, with the vault as it is now', async () => {
    const seen = await runOverKept();
    await expect.poll(() => seen.state()).toEqual({ ...state, vault: 'unlocked' });
    expect(seen.home()).toEqual(homeView);
    expect(background.calls.map(({ method }) => method)).toEqual(['getHome', 'getState']);
  });

  test.each([
    ['has passed', { ...unlocked, deadline: minutes(-1) }],
    ['is before a clock that was set back', { ...unlocked, seen: minutes(1) }],
    ['is not there', undefined],
    ['cannot be read', { ...unlocked, deadline: 'soon' }],
  ])('is that of a locked wallet when the deadline %s', async (_, deadline) => {
    stored[DEADLINE_KEY] = deadline;
    const seen = await runOverKept();
    await expect.poll(() => seen.state()).toEqual({ ...state, vault: 'locked' });
  });

  test('is that of a locked wallet when the clock was set back to before its last use', async () => {
    stored[LAST_USE_KEY] = { unlockId: unlocked.unlockId, at: minutes(1) };
    const seen = await runOverKept();
    await expect.poll(() => seen.state()).toEqual({ ...state, vault: 'locked' });
  });

  test('is read without the key of the unlocked wallet', async () => {
    const asked: string[] = [];
    stored = new Proxy(stored, {
      get: (target, key: string) => {
        asked.push(key);
        return target[key];
      },
    });
    const seen = await runOverKept();
    await expect.poll(() => seen.state()).toEqual({ ...state, vault: 'unlocked' });
    expect(asked).toEqual([startupKeys.facts, startupKeys.home, DEADLINE_KEY, LAST_USE_KEY]);
  });

  test.each([
    ['not there', undefined],
    ['damaged', { state: { ...state, accounts: 'none' }, sites: [] }],
    ['a list in place of an object', { state: { ...state, settings: [] }, sites: [] }],
  ])('is waited for from the worker while it is %s', async (_, facts) => {
    stored[startupKeys.facts] = facts;
    const seen = await runOverKept();
    await settled();
    expect(seen.state()).toBeUndefined();
    answer(other);
    await expect.poll(() => seen.state()).toEqual(other);
  });

  test('gives way to the answer of the worker: the page reads again when that is another', async () => {
    const seen = await runOverKept();
    const heard = vi.fn();
    seen.onChanged(heard);
    expect(await seen.take()).toEqual({ ok: true, result: { ...state, vault: 'unlocked' } });
    await settled();
    expect(heard).not.toHaveBeenCalled();
    answer(other);
    await expect.poll(() => heard).toHaveBeenCalledTimes(1);
  });

  test('stays when the worker says the same', async () => {
    const seen = await runOverKept();
    const heard = vi.fn();
    seen.onChanged(heard);
    await seen.take();
    answer({ ...state, vault: 'unlocked' });
    await settled();
    expect(heard).not.toHaveBeenCalled();
  });
});
