import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import {
  approveRequest,
  balanceOf,
  finalStatus,
  movableClock,
  resultOf,
  SITE,
  START_TIMEOUT_MS,
  setUp,
  startRelayer,
} from './support.ts';

let relayer: RunningRelayer;
beforeAll(async () => {
  relayer = await startRelayer();
}, START_TIMEOUT_MS);
afterAll(() => relayer.close());

const ETHER = 10n ** 18n;
const LP = 100;

/** An account with a share of the pool LRC-ETH. */
async function stage() {
  const clock = movableClock();
  const made = await setUp(relayer, { now: clock.now }, ['pools']);
  const { pools } = await made.client.getAmmPools({});
  const poolAddress = pools.find(({ tokens }) => tokens.lp === LP)?.address ?? '';
  const joined = await fetch(`${relayer.url}/dev/ammJoin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      owner: made.account.owner,
      poolAddress,
      amounts: [String(15_000n * ETHER), String(ETHER)],
    }),
  });
  expect(joined.ok).toBe(true);
  return { ...made, clock, poolAddress };
}

test('leaving a pool burns the LP tokens and pays at least what was signed', async () => {
  const { wallet, client, account, clock, poolAddress } = await stage();
  const burned = await balanceOf(client, account, LP);
  expect(burned).toBeGreaterThan(0n);
  const before = await balanceOf(client, account, 1);
  const least = 14_000n * ETHER;
  const unPooled = [
    { tokenId: 1, volume: String(least) },
    { tokenId: 0, volume: String((ETHER * 9n) / 10n) },
  ];
  const intent = { poolAddress, exitTokens: { burned: String(burned), unPooled } };
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
  const { wallet } = await stage();
  const exitTokens = { burned: '1', unPooled: [1, 0].map((tokenId) => ({ tokenId, volume: '1' })) };
  const intent = { poolAddress: `0x${'7'.repeat(40)}`, exitTokens };
  expect(await wallet.page(SITE, 'relayer_exitAmmPool', [intent])).toMatchObject({
    error: { code: -32602, message: 'poolAddress: is no pool of this exchange' },
  });
});
