import { expect, test } from 'vitest';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import type { DescribedToken } from '../../src/messaging/views.ts';
import type { Pool } from '../../src/operations/pool.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, movableClock, PASSWORD, question, resultOf, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();
const ETHER = 10n ** 18n;

/** A wallet behind a wire that changes the list of pools. */
async function behind(initial?: (pools: readonly Pool[]) => readonly Pool[]) {
  const wire = { lie: initial };
  const clock = movableClock();
  const send: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const answer = await fetch(input, init);
    if (!wire.lie) return answer;
    if (pathname === '/api/v3/amm/pools')
      return Response.json({ pools: wire.lie(((await answer.json()) as { pools: Pool[] }).pools) });
    // Of the pool that is asked for, whichever that is, the amounts that fit the lie.
    if (pathname !== '/api/v3/amm/balance') return answer;
    const pooled = [1, 0].map((tokenId) => ({ tokenId, volume: String(1_000n * ETHER) }));
    return Response.json({
      ...((await answer.json()) as object),
      pooled,
      lp: { tokenId: 100, volume: String(10n ** 12n) },
    });
  };
  const stage = await setUp(relayer, { now: clock.now, fetch: send }, ['pools']);
  const { wallet, client, accountView } = stage;
  const { pools } = await client.getAmmPools({});
  const [lrcEth, ethUsdt] = [100, 101].map((lp) => pools.find(({ tokens }) => tokens.lp === lp)) as [Pool, Pool];
  await wallet.ui('getHome', { refresh: true });
  const join = (pool: Pool) => ({
    poolAddress: pool.address,
    joinTokens: {
      pooled: [
        { tokenId: 1, volume: String((15n * ETHER) / 10n) },
        { tokenId: 0, volume: String(ETHER / 10_000n) },
      ],
      minimumLp: { tokenId: 100, volume: '1' },
    },
  });
  const preview = (pool: Pool) =>
    wallet.uiAnswer('previewOperation', { operation: 'joinAmmPool', account: accountView, intent: join(pool) });
  const changes = () => wallet.ui('getTokenChanges', { networkId: stage.network.id });
  return { ...stage, wire, lrcEth, ethUsdt, join, preview, changes };
}

/** Without the relayer's own word on the domain, which has to fit. */
const named = ({ domainSeparator: _, ...pool }: Pool, name: string): Pool => ({ ...pool, name });
const poolOf = ({ name, address, tokens }: Pool) => ({ name, address, pooled: tokens.pooled });
/** Address and name of one pool, which are signed, over the tokens of another. */
const under = (signed: Pool, shown: Pool): Pool => ({ ...signed, market: shown.market, tokens: shown.tokens });

test('a pool under the tokens of another one is not signed for, and stands among the changed tokens', async () => {
  const { wallet, wire, lrcEth, ethUsdt, join, changes } = await behind();
  wire.lie = () => [under(ethUsdt, lrcEth)];
  wallet.page(SITE, 'relayer_joinAmmPool', [join(ethUsdt)]);
  const { id, problem } = await question(wallet, 'unavailable');
  expect(problem).toMatchObject({ key: 'error_tokenChanged', values: { token: { text: '#100 LP-LRC-ETH' } } });
  expect(problem?.values?.now).toMatchObject({
    text: expect.stringContaining(`AMM-ETH-USDT · #1 #0 · ${ethUsdt.address}`),
  });
  expect(await changes()).toMatchObject([
    { before: { tokenId: 100, pool: poolOf(lrcEth) }, now: { tokenId: 100, pool: poolOf(under(ethUsdt, lrcEth)) } },
  ]);
  // At once, though the list is not old.
  wire.lie = undefined;
  await wallet.ui('reject', { id, block: false });
  expect(await changes()).toEqual([]);
  resultOf(await approveRequest(wallet, 'relayer_joinAmmPool', join(lrcEth)));
  const signed = (await wallet.background().wallet.journal.list()).map(({ draft }) => draft);
  expect(signed).toMatchObject([{ poolAddress: lrcEth.address }]);
});

test.each<[string, (lrcEth: Pool, ethUsdt: Pool) => Pool]>([
  ['in another order of its tokens', (pool) => ({ ...pool, tokens: { ...pool.tokens, pooled: [0, 1] } })],
  ['under another name', (pool) => named(pool, 'AMM-LRC-ETH-2')],
  ['at another address', (pool) => ({ ...named(pool, pool.name), address: `0x${'2'.repeat(40)}` })],
  ['with the LP token of another one', (pool, other) => ({ ...pool, tokens: { ...pool.tokens, lp: other.tokens.lp } })],
])('a pool %s is refused', async (_what, lie) => {
  const { wire, lrcEth, ethUsdt, changes, wallet, accountView } = await behind();
  const told = lie(lrcEth, ethUsdt);
  wire.lie = () => [told];
  const { pooled, lp } = told.tokens;
  const joinTokens = {
    pooled: pooled.map((tokenId) => ({ tokenId, volume: '1000000000000' })),
    minimumLp: { tokenId: lp, volume: '1' },
  };
  const intent = { poolAddress: told.address, joinTokens };
  const answer = await wallet.uiAnswer('previewOperation', { operation: 'joinAmmPool', account: accountView, intent });
  expect(answer).toMatchObject({ error: { code: 'token-changed' } });
  expect((await changes()).map(({ before }) => before.tokenId)).toEqual([lp]);
});

test('a new LP token cannot take the pool of another one', async () => {
  const { wire, lrcEth, wallet, network, changes } = await behind();
  const key = `pins:${exchangeId(network)}`;
  const pins = { ...((await wallet.ports.local.get(key)) as Record<string, object>) };
  // As if the relayer had listed USDC after the others, and as a share of the pool.
  delete pins[2];
  await wallet.ports.local.set({ [key]: pins });
  wire.lie = (pools) => [...pools, { ...lrcEth, tokens: { ...lrcEth.tokens, lp: 2 } }];
  await wallet.ports.local.remove([`facts:${network.id}`]);
  const [change, ...others] = await changes();
  expect(others).toEqual([]);
  expect(change).toMatchObject({ before: { tokenId: 2 }, now: { tokenId: 2, pool: poolOf(lrcEth) } });
  expect(change?.before.pool).toBeUndefined();
});

test('a changed pool is accepted with the password as it was shown, and the earlier one is the changed one', async () => {
  const { wire, lrcEth, ethUsdt, preview, changes, wallet, network } = await behind();
  wire.lie = () => [under(ethUsdt, lrcEth)];
  const [change] = await changes();
  expect(change).toBeUndefined();
  expect(await preview(ethUsdt)).toMatchObject({ error: { code: 'token-changed' } });
  const [found] = await changes();
  const accept = (shown: DescribedToken) =>
    wallet.uiAnswer('acceptToken', { networkId: network.id, shown, password: PASSWORD });
  const { now } = found as { now: DescribedToken };
  expect(await accept({ ...now, pool: poolOf(lrcEth) })).toMatchObject({ error: { code: 'token-other' } });
  const { pool: _, ...alone } = now;
  expect(await accept(alone)).toMatchObject({ error: { code: 'token-other' } });
  expect(await accept(now)).toMatchObject({ ok: true, result: [] });
  // It is named after other tokens, which its own facts tell.
  const warning = { rule: 'pool-named-otherwise', severity: 'danger', password: true };
  expect(await preview(ethUsdt)).toMatchObject({
    result: { review: { warnings: expect.arrayContaining([expect.objectContaining(warning)]) } },
  });
  wire.lie = undefined;
  expect(await preview(lrcEth)).toMatchObject({ error: { code: 'token-changed' } });
  expect((await changes()).map(({ before }) => before.tokenId)).toEqual([100, 101]);
});

test('a pool that the relayer lists later is pinned when it is first seen, and no list of pools stops nothing', async () => {
  const { wire, lrcEth, preview, changes, wallet, network } = await behind(() => []);
  expect(await preview(lrcEth)).toMatchObject({ result: { review: null } });
  wire.lie = undefined;
  expect(await preview(lrcEth)).toMatchObject({ ok: true, result: { refused: null } });
  wire.lie = () => [];
  await wallet.ports.local.remove([`facts:${network.id}`]);
  expect(await changes()).toEqual([]);
  wire.lie = (pools) => pools.map((pool) => named(pool, `${pool.name}-2`));
  expect(await preview(lrcEth)).toMatchObject({ error: { code: 'token-changed' } });
});
