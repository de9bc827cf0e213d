import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { Float24, roundToFloat } from '../../src/protocol/floats.ts';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { developmentMarket, type MarketConfigInput } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, randomSecretKey, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

type PoolInput = MarketConfigInput['pools'][0];
const [first, ...others] = developmentMarket.pools as [PoolInput, ...PoolInput[]];
const marketWith = (...pools: PoolInput[]): MarketConfigInput => ({ ...developmentMarket, pools });

async function open(market: MarketConfigInput) {
  const own = await createDatabase();
  onTestFinished(own.drop);
  const test = await startRelayer({ databaseUrl: own.url, market });
  onTestFinished(() => test.close());
  return test;
}

it(
  'the account of a pool gets no account key, whoever can sign for its address',
  async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const test = await open(marketWith({ ...first, address: owner.address }, ...others));
    const { accountId, nonce } = (await test.call('GET', '/api/v3/account', { query: { owner: owner.address } })).body;
    const account = Object.assign(new TestAccount(test.place, owner), { accountId, nonce });
    const reply = await test.call('POST', '/api/v3/account', await account.keyUpdate(randomSecretKey()));
    expect(reply.body.resultInfo).toMatchObject({
      code: 102022,
      message: `accountId ${accountId} holds the reserves of a pool, which has no key`,
    });
  },
  START_TIMEOUT_MS,
);

it(
  'an order is not filled by a pool that takes more than its maxFeeBips since it was placed',
  async () => {
    const test = await open(developmentMarket);
    const account = await test.account();
    // A little more than the pool gives now: it waits.
    const price = (1_000n * ether * 101n) / 1_500_000n;
    const placed = (maxFeeBips: number) =>
      account.placed([LRC, 1_000n * ether], [ETH, price], { tradeChannel: 'MIXED', maxFeeBips });
    const [cheap, dear] = [await placed(first.feeBips), await placed(63)];
    // Both wait in the book, the cheap one in front.
    await test.block();
    const raised = marketWith({ ...first, feeBips: first.feeBips + 1 }, ...others);
    await applySettings(test.relayer.db, readConfig({ dev: true, market: raised }), 0);
    const mover = await test.account([{ symbol: 'ETH', amount: String(1_000n * ether) }]);
    await mover.placed([ETH, 500n * ether], [LRC, 5_000n * ether], {
      ...{ tradeChannel: 'AMM_POOL', orderType: 'TAKER_ONLY', maxFeeBips: 63 },
    });
    await test.block();
    expect((await account.orderOf(dear)).status).toBe('processed');
    expect(await account.orderOf(cheap)).toMatchObject({ status: 'processing', volumes: { baseFilled: '0' } });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  },
  START_TIMEOUT_MS,
);

it(
  'a join or an exit that would give less than its signed least amounts fails, and what it held is free again',
  async () => {
    const test = await open(developmentMarket);
    const account = await test.account();
    const { lp, address: poolAddress } = LRC_ETH_POOL;
    const given: readonly [bigint, bigint] = [1_500n * ether, ether / 5n];
    const outcomes = async () => {
      await test.block();
      const { body } = await account.get('/api/v3/amm/user/transactions');
      return body.transactions.map((row: { txStatus: string }) => row.txStatus);
    };
    const holdings = () => Promise.all([LRC, ETH, lp].map((tokenId) => account.balance(tokenId)));
    const join = async (volume: bigint) => {
      const pooled = given.map((amount, index) => ({ tokenId: [LRC, ETH][index], volume: String(amount) }));
      const joinTokens = { pooled, minimumLp: { tokenId: lp, volume: String(volume) } };
      const reply = await account.post('/api/v3/amm/join', await account.join(LRC_ETH_POOL, given, { joinTokens }));
      expect(reply.body).toMatchObject({ status: 'received' });
    };
    const exit = async (burned: bigint, least: readonly [bigint, bigint]) => {
      const unPooled = least.map((amount, index) => ({ tokenId: [LRC, ETH][index], volume: String(amount) }));
      const exitTokens = { unPooled, burned: String(burned) };
      const reply = await account.post('/api/v3/amm/exit', await account.exit(LRC_ETH_POOL, burned, { exitTokens }));
      expect(reply.body).toMatchObject({ status: 'received' });
    };
    // The first one says what the next, of the same amounts, gets.
    await join(0n);
    expect(await outcomes()).toEqual(['processed']);
    const before = await holdings();
    const shares = before[2]?.total ?? 0n;
    await join(shares + 1n);
    expect((await outcomes())[0]).toBe('cancelled');
    expect(await holdings()).toEqual(before);
    await join(shares);
    expect((await outcomes())[0]).toBe('processed');

    const { pooled, lp: supply } = (await test.call('GET', '/api/v3/amm/balance', { query: { poolAddress } })).body;
    const [lrc, eth] = pooled.map(({ volume }: { volume: string }) =>
      roundToFloat((BigInt(volume) * shares) / BigInt(supply.volume), Float24),
    );
    const held = await holdings();
    for (const least of [
      [lrc + 1n, eth],
      [lrc, eth + 1n],
    ] as const) {
      await exit(shares, least);
      expect((await outcomes())[0]).toBe('cancelled');
      expect(await holdings()).toEqual(held);
    }
    await exit(shares, [lrc, eth]);
    expect((await outcomes())[0]).toBe('processed');
    const rest = await holdings();
    // The pool pays less than the fee for it.
    await exit(1_000n, [0n, 0n]);
    expect((await outcomes())[0]).toBe('cancelled');
    expect(await holdings()).toEqual(rest);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  },
  START_TIMEOUT_MS,
);
