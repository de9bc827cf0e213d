import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { developmentMarket, type MarketConfigInput } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { DAI, ETH, ether, LRC } from './support/tokens.ts';

const OTHER_LP = 199;
const [first, ...others] = developmentMarket.pools as [MarketConfigInput['pools'][0], ...MarketConfigInput['pools']];
const lp = developmentMarket.tokens.find(({ symbol }) => symbol === first.lp) as MarketConfigInput['tokens'][0];
const second = { ...first, address: `0x${'5ec0'.repeat(10)}`, lp: 'LP-OTHER' };
const tokens = [
  ...developmentMarket.tokens,
  { ...lp, tokenId: OTHER_LP, symbol: second.lp, address: `0x${'5ec1'.repeat(10)}` },
];

describe('a market whose pair is turned around', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startRelayer();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('takes orders, though the name before sorts behind it', async () => {
    const markets = developmentMarket.markets.map((entry) =>
      entry.base === 'ETH' && entry.quote === 'DAI' ? { ...entry, base: 'DAI', quote: 'ETH' } : entry,
    );
    await applySettings(test.relayer.db, readConfig({ dev: true, market: { ...developmentMarket, markets } }), 0);
    const open = async () =>
      (await test.call('GET', '/api/v3/exchange/markets')).body.markets
        .filter(({ enabled }: { enabled: boolean }) => enabled)
        .map(({ market }: { market: string }) => market);
    await expect.poll(open).toContain('DAI-ETH');
    const account = await test.account();
    const reply = await account.submit(await account.order([ETH, ether / 10n], [DAI, 200n * ether]));
    expect([reply.status, reply.body]).toMatchObject([200, { status: 'processing' }]);
    const { body } = await account.get('/api/v3/order', { orderHash: reply.body.hash });
    expect(body.market).toBe('DAI-ETH');
  });
});

describe('a pool that is closed', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startRelayer();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('takes no join that was accepted before, which gets back what it holds', async () => {
    const account = await test.account();
    const before = [await account.balance(LRC), await account.balance(ETH)];
    const join = await account.post('/api/v3/amm/join', await account.join(LRC_ETH_POOL, [1_500n * ether, ether / 5n]));
    expect(join.body).toMatchObject({ status: 'received' });
    const market = { ...developmentMarket, pools: [{ ...first, enabled: false }, ...others] };
    await applySettings(test.relayer.db, readConfig({ dev: true, market }), 0);
    await test.block();
    const { body } = await account.get('/api/v3/amm/user/transactions');
    expect(body.transactions).toMatchObject([{ txType: 'join', txStatus: 'cancelled' }]);
    expect([await account.balance(LRC), await account.balance(ETH)]).toEqual(before);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });
});

describe('a pool that is replaced, and listed again in the place of the other one', () => {
  let test: TestRelayer;
  let taker: TestAccount;
  beforeAll(async () => {
    test = await startRelayer();
    taker = await test.account();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const read = async (path: string, query: Record<string, string | number> = {}) => {
    const { status, body } = await test.call('GET', `/api/v3/${path}`, { query });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const list = async (pool: MarketConfigInput['pools'][0]) => {
    const market = { ...developmentMarket, tokens, pools: [pool, ...others] };
    await applySettings(test.relayer.db, readConfig({ dev: true, market }), 0);
    const open = async () =>
      (await read('amm/pools')).pools
        .filter(({ market: name, status }: { market: string; status: number }) => name === 'AMM-LRC-ETH' && status & 4)
        .map(({ address }: { address: string }) => address);
    await expect.poll(open).toEqual([pool.address]);
  };
  const swap = async ({ address: poolAddress }: { address: string }) => {
    const order = await taker.order([ETH, ether / 10n], [LRC, 500n * ether], {
      ...{ orderType: 'AMM', tradeChannel: 'AMM_POOL', poolAddress },
    });
    const reply = await taker.submit(order);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await test.block();
    return reply.body.hash;
  };
  const tradesOf = async ({ address: ammPoolAddress }: { address: string }) => {
    const { totalNum, trades } = await read('amm/trades', { ammPoolAddress });
    return [totalNum, trades.map(({ orderHash }: { orderHash: string }) => orderHash)];
  };
  const versionOf = async () => (await read('mix/depth', { market: 'LRC-ETH' })).version;

  it('stands for its market while it is open: in book, orders and statistics', async () => {
    const before = await swap(first);
    await list(second);
    expect(await tradesOf(second)).toEqual([0, []]);
    const between = await swap(second);
    const stands = await read('amm/poolsStats');
    const marketOf = ({ market }: { market: string }) => market;
    expect(stands.map(marketOf).sort()).toEqual(['AMM-ETH-USDT', 'AMM-LRC-ETH']);
    const ofPair = stands.find((row: { market: string }) => marketOf(row) === 'AMM-LRC-ETH');
    const { pooled } = await read('amm/balance', { poolAddress: second.address });
    expect(ofPair.liquidity).toEqual(pooled.map(({ volume }: { volume: string }) => volume));

    await list(first);
    const { bids, asks } = await read('mix/depth', { market: 'LRC-ETH' });
    expect([bids.length, asks.length]).toEqual([50, 50]);
    const after = await swap(first);
    expect(await tradesOf(first)).toEqual([2, [after, before]]);
    expect(await tradesOf(second)).toEqual([1, [between]]);
    const { markets } = await read('mix/markets');
    const named = markets.filter(({ market }: { market: string }) => market === 'AMM-LRC-ETH');
    expect(named).toMatchObject([{ enabled: true }]);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('changes the version of its market with what it offers, and not with what others do', async () => {
    const before = await versionOf();
    const someone = await test.account();
    for (let round = 0; round < 3; round++) {
      await someone.submit(await someone.order([ETH, ether / 10n], [2, 900_000_000n + BigInt(round)]));
      await test.block();
    }
    expect(await versionOf()).toBe(before);
    await swap(first);
    expect(await versionOf()).toBeGreaterThan(before);
  });
});
