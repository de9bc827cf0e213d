import { expect, test } from 'vitest';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { PASSWORD, setUp, until } from './support.ts';

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
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  expect(await flood(wallet, 'https://a.one.example', 7, 6)).toEqual([]);
  expect(await flood(wallet, 'https://a.two.example', 7, 6)).toEqual(Array(2).fill(limit('10 requests of this tab')));
  wallet.restart();
  for (const host of ['b.three', 'c.four', 'd.five', 'e.six'])
    expect(await flood(wallet, `https://${host}.test`, 7, 1)).toEqual([limit('10 requests of this tab')]);
  expect(await countOf(wallet)).toBe(10);
  expect(await flood(wallet, 'https://seven.test', 8, 1)).toEqual([]);
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
