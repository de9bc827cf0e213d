import { expect, test } from 'vitest';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { setUp, until } from './support.ts';

const relayer = await relayerOfFile();

const combinations = [
  ['read'],
  ['orders'],
  ['transfers'],
  ['read', 'orders'],
  ['read', 'transfers'],
  ['orders', 'transfers'],
];

/**
 * Asks for connections that differ, one after another.
 * @returns The errors of those that were refused.
 */
async function flood(wallet: WalletHarness, origin: string, tabId: number, count: number): Promise<unknown[]> {
  const refused: unknown[] = [];
  const waiting = async () => (await wallet.ui('listApprovals', {})).length;
  const kinds = [...combinations, ...combinations.map((combination) => [...combination, 'pools'])];
  for (const combination of kinds.slice(0, count)) {
    const before = await waiting();
    const asked = Object.fromEntries(combination.map((kind) => [`relayer_${kind}`, {}]));
    let error: unknown;
    wallet.page(origin, 'wallet_requestPermissions', [asked], undefined, tabId).then((outcome) => {
      error = 'error' in outcome ? outcome.error : outcome;
    });
    await until(async () => error !== undefined || (await waiting()) > before);
    if (error !== undefined) refused.push(error);
  }
  return refused;
}

const limit = (message: string) => ({ code: -32005, message: `${message} wait for the user already.` });
const countOf = async (wallet: WalletHarness) => (await wallet.ui('listApprovals', {})).length;

test('one tab that walks over six origins leaves ten requests, also after a restart', async () => {
  const { wallet } = await setUp(relayer);
  expect(await flood(wallet, 'https://a.one.example', 7, 6)).toEqual([]);
  expect(await flood(wallet, 'https://a.two.example', 7, 6)).toEqual(Array(2).fill(limit('10 requests of this tab')));
  wallet.restart();
  for (const host of ['b.three', 'c.four', 'd.five', 'e.six'])
    expect(await flood(wallet, `https://${host}.test`, 7, 1)).toEqual([limit('10 requests of this tab')]);
  expect(await countOf(wallet)).toBe(10);
  expect(await flood(wallet, 'https://seven.test', 8, 1)).toEqual([]);
});

test.each([
  ['https://a.owner.test', 'https://b.c.owner.test.:8443', 'owner.test'],
  ['http://localhost:3000', 'http://localhost:4000', 'localhost'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:4000', '127.0.0.1'],
])('%s and %s leave fifteen together', async (first, second, owner) => {
  const { wallet } = await setUp(relayer);
  expect(await flood(wallet, first, 1, 10)).toEqual([]);
  expect(await flood(wallet, first, 3, 1)).toEqual([limit('10 requests of this site')]);
  expect(await flood(wallet, second, 2, 6)).toEqual([limit(`15 requests of sites of ${owner}`)]);
});

test('all sites leave thirty together, and the user still asks', async () => {
  const { wallet, accountView } = await setUp(relayer);
  expect(await flood(wallet, 'http://10.1.0.1', 1, 10)).toEqual([]);
  expect(await flood(wallet, 'http://10.2.0.1', 2, 6)).toEqual([]);
  expect(await flood(wallet, 'https://one.test', 3, 10)).toEqual([]);
  expect(await flood(wallet, 'https://two.test', 4, 5)).toEqual([limit('30 requests of all sites')]);
  const intent = { payeeAddr: `0x${'4a17'.repeat(10)}`, token: { tokenId: 1, volume: '1000' }, feeTokenId: 0 };
  const own = await wallet.ui('startOperation', { operation: 'transfer', account: accountView, intent });
  expect(own.problem).toBeNull();
  expect(await countOf(wallet)).toBe(31);
});

test('rejecting all ends what sites left undecided, each as one rejection, and nothing else', async () => {
  const { wallet, accountView } = await setUp(relayer);
  const intent = { payeeAddr: `0x${'4a17'.repeat(10)}`, token: { tokenId: 1, volume: '1000' }, feeTokenId: 0 };
  const own = await wallet.ui('startOperation', { operation: 'transfer', account: accountView, intent });
  const ask = (origin: string, tabId: number, kind: string) =>
    wallet.page(origin, 'wallet_requestPermissions', [{ [`relayer_${kind}`]: {} }], undefined, tabId);
  const answers = [
    ask('https://one.test', 1, 'read'),
    ask('https://one.test', 2, 'orders'),
    ask('https://one.test', 2, 'transfers'),
    ask('https://two.test', 3, 'read'),
  ];
  await until(async () => (await countOf(wallet)) === 5);
  await wallet.ui('lock', {});
  await wallet.ui('rejectAll', { ids: (await wallet.ui('listApprovals', {})).map(({ id }) => id) });
  const rejected = { error: { code: 4001, message: 'The user rejected the request.' } };
  expect(await Promise.all(answers)).toEqual(answers.map(() => rejected));
  expect((await wallet.ui('listApprovals', {})).map(({ id }) => id)).toEqual([own.id]);
  await until(async () => wallet.badge() === 1);
  expect(await ask('https://one.test', 1, 'pools')).toMatchObject({ error: { code: -32005 } });
});
