import { expect, test } from 'vitest';
import { dev } from '../support/dev.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, balanceOf, finalStatus, movableClock, question, resultOf, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();

const ETHER = 10n ** 18n;

test.each([
  ['normal', {}],
  ['fast', { fastWithdrawalMode: true }],
])('a %s withdrawal leaves the account and ends processed', async (_kind, changes) => {
  const clock = movableClock();
  const { wallet, client, account } = await setUp(relayer, { now: clock.now }, ['withdrawals']);
  const before = await balanceOf(client, account, 0);
  const intent = { token: { tokenId: 0, volume: String(ETHER) }, ...changes };
  const { hash } = resultOf(await approveRequest(wallet, 'relayer_withdraw', intent));
  expect(await finalStatus(wallet, clock)).toBe('processed');
  // Settled at the exchange, and not paid on layer 1 yet.
  expect(await wallet.ui('getActivity', { limit: 1 })).toMatchObject([{ status: 'processed', leavesExchange: true }]);
  const query = { accountId: account.accountId, hashes: hash };
  const { transactions } = await client.getWithdrawals({ query, apiKey: account.apiKey });
  expect(transactions).toMatchObject([
    { status: 'processed', withdrawalInfo: { recipient: account.owner.toLowerCase() } },
  ]);
  const paid = BigInt(transactions[0]?.feeAmount ?? 0);
  expect(paid).toBeGreaterThan(0n);
  expect(await balanceOf(client, account, 0)).toBe(before - ETHER - paid);
});

test('a withdrawal to a contract is called dangerous before it is signed', async () => {
  const address = `0x${'c'.repeat(40)}`;
  await dev(relayer, 'l1', { code: { address, code: '0x6001' } });
  const { wallet } = await setUp(relayer, {}, ['withdrawals']);
  wallet.page(SITE, 'relayer_withdraw', [{ token: { tokenId: 0, volume: '100000000000000000' }, to: address }]);
  const { review } = await question(wallet);
  expect(review?.warnings.filter(({ severity }) => severity === 'danger').map(({ rule }) => rule)).toEqual([
    'withdraw-elsewhere',
    'withdraw-to-contract',
  ]);
});
