// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compactFiles } from '../../scripts/build/compactCatalogs.ts';
import { UiCallError } from '../../src/ui/background.ts';
import { boot } from '../../src/ui/boot.tsx';
import { isTopDocument } from '../../src/ui/early.ts';
import { installBackground } from './support/fakeBackground.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function preparePage(): { root: HTMLElement; fetched: ReturnType<typeof vi.fn>; calls: readonly unknown[] } {
  // Half a second later a page begins to call the background, and goes on as long as it is open.
  vi.useFakeTimers();
  localStorage.clear();
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  const files = compactFiles();
  const fetched = vi.fn(async (url: string) => new Response(files.get(url.split('/').at(-1) ?? '')));
  vi.stubGlobal('fetch', fetched);
  const { calls } = installBackground({});
  return { root, fetched, calls };
}

describe('a page of the wallet inside a frame', () => {
  it('draws nothing, reads nothing and calls nothing', async () => {
    const { root, fetched, calls } = preparePage();
    vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window & typeof globalThis);
    await boot(() => <p>secret</p>);
    expect(root.innerHTML).toBe('');
    expect(fetched).not.toHaveBeenCalled();
    expect(calls).toEqual([]);
  });

  it('is recognised by its top window', () => {
    const view = {} as Window;
    expect(isTopDocument({ top: view, self: view as never })).toBe(true);
    expect(isTopDocument({ top: {} as Window, self: view as never })).toBe(false);
    expect(isTopDocument({ top: null, self: view as never })).toBe(false);
  });
});

describe('a page of the wallet on its own', () => {
  it('loads the texts and draws', async () => {
    const { root } = preparePage();
    await boot(() => <p>here</p>);
    expect(root.textContent).toBe('here');
    expect(document.documentElement.lang).toBe('en');
  });
});

describe('an error that nothing in a page catches', () => {
  const traces = (calls: readonly unknown[]) =>
    (calls as { method: string; params: unknown }[]).filter(({ method }) => method === 'addFailure');

  it('leaves a trace in the wallet, thrown or rejected', async () => {
    const { calls } = preparePage();
    await boot(() => <p>drawn</p>);
    const error = new TypeError('no such field');
    window.dispatchEvent(Object.assign(new Event('error'), { error }));
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'a text' }));
    expect(traces(calls).map(({ params }) => params)).toEqual([
      { where: 'not caught', name: 'TypeError', message: 'no such field', stack: error.stack },
      { where: 'not caught', name: 'TypeError', message: 'string', stack: expect.any(String) },
    ]);
  });

  it('leaves none when the wallet refused a call, which it has noted itself', async () => {
    const { calls } = preparePage();
    await boot(() => <p>drawn</p>);
    const reason = new UiCallError('locked', 'error_locked');
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    expect(traces(calls)).toEqual([]);
  });

  it('leaves none of a notice of the browser, which has no error', async () => {
    const { calls } = preparePage();
    await boot(() => <p>drawn</p>);
    const message = 'ResizeObserver loop completed with undelivered notifications.';
    window.dispatchEvent(Object.assign(new Event('error'), { message, error: null }));
    expect(traces(calls)).toEqual([]);
  });
});
