// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import * as f from '../support/fixtures.ts';
import { emptyPages, openPopup, root, settled } from '../support/page.tsx';

const says = () => root.textContent?.includes('You’re offline') === true;

async function open(baseUrl: string, isOnline: boolean): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  await openPopup('', {
    getState: () => ({ ...f.wallet, networks: f.wallet.networks.map((network) => ({ ...network, baseUrl })) }),
    getActivity: () => [],
    getAttention: () => [],
    getPrices: () => f.fresh(f.prices),
  });
}

async function turn(isOnline: boolean): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  await settled();
}

emptyPages();

it('says that there is no network and what works without one, as long as that is so', async () => {
  await open('https://relayer.example.org', true);
  expect(says()).toBe(false);
  await turn(false);
  expect(says()).toBe(true);
  expect(root.textContent).toContain('Nothing can be sent;');
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
