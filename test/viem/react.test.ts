import { Window } from 'happy-dom';
import { announceProvider, type EIP1193Provider } from 'mipd';
import type { FunctionComponent } from 'react';
import { createElement, StrictMode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useBalances, useOpenOrders, useRelayerWallet, useSubmission } from '../../src/viem/react/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { openOther, SITE, until } from '../background/support.ts';
import { approve, stageOf } from './support.ts';

const relayer = await relayerOfFile();

let container: HTMLElement;
let render: (component: FunctionComponent) => void;
let unmount: () => void;

/**
 * React draws into a page of its own; everything else is Node's, so that relayer and wallet run as
 * they are.
 */
const page = new Window();
for (const name of ['document', 'navigator', 'Event', 'CustomEvent'] as const) vi.stubGlobal(name, page[name]);
vi.stubGlobal('window', page);

beforeEach(async () => {
  const { createRoot } = await import('react-dom/client');
  container = document.createElement('div');
  const root = createRoot(container);
  render = (component) => root.render(createElement(StrictMode, null, createElement(component)));
  unmount = () => root.unmount();
});
afterEach(() => unmount());

const shows = (text: string | RegExp) =>
  until(async () =>
    typeof text === 'string' ? container.textContent === text : text.test(container.textContent ?? ''),
  );

const ORDER = { market: 'LRC-ETH', side: 'SELL', price: '0.0005', size: '100' } as const;
/** No read by time happens within a test. */
const NEVER = 1e7;

test('balances, open orders and a submission follow what happens, and leave nothing when they are unmounted', async () => {
  const { client, wallet, clock, provider, listenersOf } = await stageOf(relayer);
  const asked = client.relayer.limitOrder(ORDER);
  await approve(wallet);
  const order = await asked;
  const watching = { provider, pollingInterval: NEVER };
  render(() => {
    const { data: balances } = useBalances(client, { tokens: [1], ...watching });
    const { data: orders } = useOpenOrders(client, { market: 'LRC-ETH', ...watching });
    const { data: status } = useSubmission(client, order, watching);
    const [lrc] = balances ?? [];
    return createElement(
      'p',
      null,
      `${lrc ? BigInt(lrc.locked) / 10n ** 18n : '-'} ${orders?.length ?? '-'} ${status ?? '-'}`,
    );
  });
  await shows('100 1 acknowledged');
  const cancelling = client.relayer.cancelOrder({ orderHash: order.hash });
  await approve(wallet);
  await cancelling;
  await until(async () => {
    await wallet.ui('touch', {});
    clock.advance(20_000);
    await wallet.background().onWake();
    return container.textContent === '0 0 cancelled';
  });
  unmount();
  await until(async () => listenersOf('message') === 0);
});

test('another account shows nothing of the one before', async () => {
  const { client, account } = await stageOf(relayer);
  const other = await openOther(relayer);
  const drawn: string[] = [];
  let show: `0x${string}` = account.owner as `0x${string}`;
  const Balance = () => {
    const { data, error } = useBalances(client, { tokens: [1], account: show, pollingInterval: NEVER });
    const text = `${show === account.owner ? 'own' : 'other'} ${data?.length ?? '-'} ${error?.name ?? '-'}`;
    drawn.push(text);
    return createElement('p', null, text);
  };
  render(Balance);
  await shows('own 1 -');
  show = other.owner as `0x${string}`;
  render(Balance);
  await shows('other - UnauthorizedError');
  expect(drawn.filter((text) => text.startsWith('other 1'))).toEqual([]);
});

test('what the wallet shows no more is not drawn any more, and leaves nothing when it is unmounted', async () => {
  const { client, wallet, provider, listenersOf } = await stageOf(relayer);
  const watching = { provider, pollingInterval: NEVER };
  render(() => {
    const balances = useBalances(client, { tokens: [1], ...watching });
    const orders = useOpenOrders(client, watching);
    const text = [balances, orders].map(({ data, error }) => `${data?.length ?? '-'} ${error?.name ?? '-'}`);
    return createElement('p', null, text.join());
  });
  await shows('1 -,0 -');
  await wallet.ui('revokeSite', { origin: SITE });
  await shows('- UnauthorizedError,- UnauthorizedError');
  const asked = client.requestAddresses();
  await approve(wallet);
  await asked;
  await shows('1 -,0 -');
  unmount();
  await until(async () => ['message', 'accountsChanged', 'chainChanged'].every((name) => listenersOf(name) === 0));
});

test('without a client nothing is read, and a failed read keeps what was known', async () => {
  const { client, wallet, provider } = await stageOf(relayer);
  let given: typeof client | null = null;
  const Balance = () => {
    const { data, error } = useBalances(given, { tokens: [1], provider, pollingInterval: NEVER });
    return createElement('p', null, `${data?.length ?? '-'} ${error?.name ?? '-'}`);
  };
  render(Balance);
  await shows('- -');
  given = client;
  render(Balance);
  await shows('1 -');
  await wallet.ui('lock', {});
  await shows('1 UnauthorizedError');
});

test('the wallet is undefined, then found, or null after the timeout', async () => {
  const drawn: string[] = [];
  const Wallet = ({ rdns }: { rdns: string }) => {
    const wallet = useRelayerWallet({ rdns: [rdns], timeout: 300 });
    const text = wallet ? wallet.info.name : String(wallet);
    drawn.push(text);
    return createElement('p', null, text);
  };
  const provider = { request: async () => ({}) } as unknown as EIP1193Provider;
  announceProvider({ info: { uuid: 'a', name: 'Here', icon: 'data:image/svg+xml,', rdns: 'dev.here' }, provider });
  render(() =>
    createElement(
      'div',
      null,
      createElement(Wallet, { rdns: 'dev.here' }),
      createElement(Wallet, { rdns: 'dev.gone' }),
    ),
  );
  await shows('Herenull');
  expect(drawn).toContain('undefined');
});
