import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { developmentMarket, type MarketConfigInput } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer } from './support/startRelayer.ts';
import { randomSecretKey, TestAccount } from './support/testAccount.ts';
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
