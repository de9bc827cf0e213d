import { expect, test } from 'vitest';
import { joinLrcEth, LP } from '../support/dev.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, balanceOf, finalStatus, movableClock, resultOf, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();

const ETHER = 10n ** 18n;

/** An account with a share of the pool LRC-ETH. */
async function stage() {
  const clock = movableClock();
  const made = await setUp(relayer, { now: clock.now }, ['pools']);
  return { ...made, clock, poolAddress: await joinLrcEth(relayer, made.account.owner) };
}

const joinOf = (poolAddress: string, minimumLp: bigint) => ({
  poolAddress,
  joinTokens: {
    pooled: [
      { tokenId: 1, volume: String(15_000n * ETHER) },
      { tokenId: 0, volume: String(ETHER) },
    ],
    minimumLp: { tokenId: LP, volume: String(minimumLp) },
  },
});

test('joining a pool takes what its ratio needs of both tokens for at least the LP tokens that were signed', async () => {
  const { wallet, client, account, clock, poolAddress } = await stage();
  const held = async (token: number) => balanceOf(client, account, token);
  const [lrc, eth, lp] = [await held(1), await held(0), await held(LP)];
  const least = (lp * 99n) / 100n;
  resultOf(await approveRequest(wallet, 'relayer_joinAmmPool', joinOf(poolAddress, least)));
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const [record] = await wallet.background().wallet.journal.list({ limit: 1 });
  const fee = BigInt((record?.draft as { fee: string } | undefined)?.fee ?? 0);
  expect((await held(LP)) - lp).toBeGreaterThanOrEqual(least);
  expect(lrc - (await held(1))).toBeLessThanOrEqual(15_000n * ETHER);
  expect(lrc - (await held(1))).toBeGreaterThan(14_900n * ETHER);
  expect(eth - (await held(0))).toBeLessThanOrEqual(ETHER + fee);
});

test('two joins in a row have storage ids of their own', async () => {
  const { wallet, clock, poolAddress } = await stage();
  for (let time = 0; time < 2; time++) {
    resultOf(await approveRequest(wallet, 'relayer_joinAmmPool', joinOf(poolAddress, 1n)));
    expect(await finalStatus(wallet, clock)).toBe('processed');
  }
  const records = await wallet.background().wallet.journal.list();
  const ids = records.filter(({ operation }) => operation === 'joinAmmPool').map(({ slot }) => slot?.storageId);
  expect(new Set(ids).size).toBe(2);
});

test('a pool that gives less than was signed ends the join as cancelled, and nothing goes in', async () => {
  const { wallet, client, account, clock, poolAddress } = await stage();
  const before = [await balanceOf(client, account, 1), await balanceOf(client, account, LP)] as const;
  const tooMuch = joinOf(poolAddress, before[1] * 2n);
  resultOf(await approveRequest(wallet, 'relayer_joinAmmPool', tooMuch));
  expect(await finalStatus(wallet, clock)).toBe('cancelled');
  expect([await balanceOf(client, account, 1), await balanceOf(client, account, LP)]).toEqual(before);
});

test('leaving a pool burns the LP tokens and pays at least what was signed', async () => {
  const { wallet, client, account, accountView, clock, poolAddress } = await stage();
  const burned = await balanceOf(client, account, LP);
  expect(burned).toBeGreaterThan(0n);
  const before = await balanceOf(client, account, 1);
  const least = 14_000n * ETHER;
  const unPooled = [
    { tokenId: 1, volume: String(least) },
    { tokenId: 0, volume: String((ETHER * 9n) / 10n) },
  ];
  const intent = { poolAddress, exitTokens: { burned: String(burned), unPooled } };
  const { review } = await wallet.ui('previewOperation', { account: accountView, operation: 'exitAmmPool', intent });
  // The window shows what is left of them.
  expect(review?.rows.find(({ leaves }) => leaves)?.value).toMatchObject({
    volume: String(burned),
    token: { tokenId: LP },
  });
  const held = await wallet.ui('getBalances', { account: accountView });
  expect(held?.find(({ token }) => token.tokenId === LP)).toMatchObject({ total: String(burned), locked: '0' });
  resultOf(await approveRequest(wallet, 'relayer_exitAmmPool', intent));
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await balanceOf(client, account, LP)).toBe(0n);
  expect((await balanceOf(client, account, 1)) - before).toBeGreaterThanOrEqual(least);
});

test('a pool that pays less than was signed ends the exit as cancelled, and nothing is burned', async () => {
  const { wallet, client, account, clock, poolAddress } = await stage();
  const burned = await balanceOf(client, account, LP);
  const unPooled = [
    { tokenId: 1, volume: String(16_000n * ETHER) },
    { tokenId: 0, volume: String(2n * ETHER) },
  ];
  const intent = { poolAddress, exitTokens: { burned: String(burned), unPooled } };
  resultOf(await approveRequest(wallet, 'relayer_exitAmmPool', intent));
  expect(await finalStatus(wallet, clock)).toBe('cancelled');
  expect(await balanceOf(client, account, LP)).toBe(burned);
});

test('a pool of nobody is refused before anybody is asked', async () => {
  const { wallet } = await setUp(relayer, {}, ['pools']);
  const exitTokens = { burned: '1', unPooled: [1, 0].map((tokenId) => ({ tokenId, volume: '1' })) };
  const intent = { poolAddress: `0x${'7'.repeat(40)}`, exitTokens };
  expect(await wallet.page(SITE, 'relayer_exitAmmPool', [intent])).toMatchObject({
    error: { code: -32602, message: 'poolAddress: is no pool of this exchange' },
  });
});
