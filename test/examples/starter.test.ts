import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { expect, test, vi } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { PASSWORD, resultOf, SITE, setUp, until } from '../background/support.ts';
import { approve } from '../viem/support.ts';
import { createPageProvider } from './pageProvider.ts';

vi.mock('countersign-viem', () => import('../../src/viem/index.ts'));

const relayer = await relayerOfFile();

test('an order whose answer was lost is followed, and pressing again places no second one', async () => {
  const lost = new Set<string>();
  const page = createPageProvider(SITE);
  const { account, wallet } = await setUp(relayer, {
    ...page.ports,
    // The relayer takes the order, and cannot be asked about it from then on.
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname;
      const answer = await fetch(input, init);
      if (init?.method === 'POST' && path === '/api/v3/order') lost.add(path);
      if (lost.size > 0 && /\/order/.test(path)) throw new TypeError('the connection was lost');
      return answer;
    },
  });
  const window = new Window({ url: SITE });
  const html = readFileSync(join(root, 'examples/starter/index.html'), 'utf8').replace(/<script.*<\/script>/, '');
  window.document.write(html);
  for (const name of ['document', 'FormData', 'CustomEvent', 'Event'] as const) vi.stubGlobal(name, window[name]);
  vi.stubGlobal('window', window);
  const detail = Object.freeze({
    info: { uuid: crypto.randomUUID(), name: 'Countersign', icon: 'data:,', rdns: 'dev.countersign' },
    provider: page.providerOf(wallet),
  });
  const announce = () => window.dispatchEvent(new window.CustomEvent('eip6963:announceProvider', { detail }) as never);
  window.addEventListener('eip6963:requestProvider', announce);

  await import('../../examples/starter/src/main.ts');
  const message = () => window.document.getElementById('message')?.textContent ?? '';
  const form = window.document.getElementById('order') as unknown as HTMLFormElement & {
    onsubmit: (event: unknown) => void;
  };
  const press = () => form.onsubmit({ preventDefault: () => {}, target: form });
  await until(async () => window.document.getElementById('account')?.textContent?.startsWith('0x'));

  await wallet.ui('lock', {});
  await until(async () => message() !== '');
  expect(message()).toBe('The wallet is locked.');
  await wallet.ui('unlock', { password: PASSWORD });

  press();
  await approve(wallet);
  await until(async () => /^Order unknown. It can still be carried out until /.test(message()));
  const ordersOf = async () =>
    (await relayer.db.query('SELECT hash FROM orders WHERE account_id = $1', [account.accountId])).length;
  expect([lost.size, await ordersOf()]).toEqual([1, 1]);
  // It bars the form no longer than ten minutes.
  const [request] = resultOf<{ validUntil: number }[]>(await wallet.page(SITE, 'relayer_getRequests'));
  expect(request?.validUntil).toBeLessThanOrEqual(Date.now() / 1000 + 600);

  const button = window.document.getElementById('submit') as unknown as HTMLButtonElement;
  for (let n = 0; n < 2; n++) {
    await until(async () => !button.disabled);
    press();
    await until(async () => !button.disabled);
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  }
  expect(message()).toMatch(/^Order unknown/);
  expect(await ordersOf()).toBe(1);
});
