// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PopupApp } from '../../../src/ui/popup/PopupApp.tsx';
import { installBackground, useLanguage } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { settled as drawn } from '../support/settled.ts';

let root: HTMLElement;
const settled = () => drawn(root);
const says = () => root.textContent?.includes("You're offline") === true;

async function open(baseUrl: string, isOnline: boolean): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  installBackground({
    getState: () => ({ ...f.wallet, networks: f.wallet.networks.map((network) => ({ ...network, baseUrl })) }),
    touch: () => null,
    getHome: () => f.home,
    getActivity: () => [],
    getAttention: () => [],
    getPrices: () => f.fresh(f.prices),
  });
  render(<PopupApp />, root);
  await settled();
}

async function turn(isOnline: boolean): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  await settled();
}

beforeEach(() => {
  useLanguage('en');
  localStorage.clear();
  location.hash = '';
  root = document.createElement('div');
  document.body.append(root);
});

afterEach(async () => {
  render(null, root);
  await settled();
  root.remove();
  vi.restoreAllMocks();
});

it('says that there is no network and what works without one, as long as that is so', async () => {
  await open('https://relayer.example.org', true);
  expect(says()).toBe(false);
  await turn(false);
  expect(says()).toBe(true);
  expect(root.textContent).toContain('Nothing can be sent or signed');
  await turn(true);
  expect(says()).toBe(false);
});

it.each(['http://127.0.0.1:4510', 'http://localhost:4510'])(
  'does not say so of %s, which needs none',
  async (baseUrl) => {
    await open(baseUrl, false);
    expect(says()).toBe(false);
  },
);
