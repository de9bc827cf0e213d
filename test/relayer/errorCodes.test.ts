import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndpointName, endpoints } from '../../src/protocol/endpointTable.ts';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { documented } from '../support/documentedEndpoints.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { nftRefusals } from './support/refusals/nftRefusals.ts';
import { orderRefusals } from './support/refusals/orderRefusals.ts';
import { marketWithOddPools, poolRefusals } from './support/refusals/poolRefusals.ts';
import { readRefusals } from './support/refusals/readRefusals.ts';
import { failNext, type RefusalCase } from './support/refusals/refusalCase.ts';
import { requestRefusals } from './support/refusals/requestRefusals.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, randomSecretKey } from './support/testAccount.ts';
import { LRC } from './support/tokens.ts';
import { buildWorld, send, validCalls, type World } from './support/validCalls.ts';

const cases: Partial<Record<EndpointName, readonly RefusalCase[]>> = {
  ...orderRefusals,
  ...requestRefusals,
  ...poolRefusals,
  ...nftRefusals,
  ...readRefusals,
};

/** Codes that every endpoint meets in `everyEndpoint.test.ts`. */
const generalCodes = [100000, 100001, 104001, 104002, 104003];

describe.each(databases)('the refusal codes on $name', ({ start }) => {
  let test: TestRelayer;
  let world: World;
  beforeAll(async () => {
    test = await start({ market: marketWithOddPools });
    world = await buildWorld(test);
    await test.call('POST', '/dev/faucet', {
      body: { owner: world.alice.owner, tokens: [{ symbol: 'WBTC', amount: '100000000' }] },
    });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  for (const [name, list] of Object.entries(cases))
    describe(name, () => {
      it.each(list.map(([code, when, make]) => ({ code, when, make })))(
        'answers $code when $when',
        async ({ code, make }) => {
          const reply = await make(world);
          expect(reply.body.resultInfo, JSON.stringify(reply.body)).toMatchObject({ code });
          expect(reply.status).toBe(400);
          expect(endpoints[name as EndpointName].errorCodes.map((listed) => relayerErrors[listed].code)).toContain(
            code,
          );
        },
      );
    });

  it(
    'answers 105001 from the fee queries, 104208 from getCode and no fees in exchange/info when L1 is silent',
    async () => {
      const silent = await start({ l1Url: 'http://127.0.0.1:9' });
      const fee = await silent.call('GET', '/api/v3/user/offchainFee', { query: { accountId: 1, requestType: 1 } });
      expect(fee.body.resultInfo.code).toBe(105001);
      const code = await silent.call('POST', '/api/v3/delegator/getCode', { body: { address: LRC_ETH_POOL.address } });
      expect(code.body.resultInfo.code).toBe(104208);
      const info = await silent.call('GET', '/api/v3/exchange/info');
      const { chainId, exchangeAddress, depositAddress } = silent.relayer.config;
      expect(info).toMatchObject({ status: 200, body: { chainId, exchangeAddress, depositAddress } });
      expect(Object.keys(info.body).filter((name) => name.endsWith('Fees'))).toEqual(['onchainFees']);
      await silent.close();
    },
    START_TIMEOUT_MS,
  );

  it('shows no join of a pool whose second token pays no fees', async () => {
    const { body } = await test.call('GET', '/api/v3/amm/pools');
    const joins = body.pools.map(({ name, status }: { name: string; status: number }) => [name, (status & 2) > 0]);
    expect(joins).toEqual([
      ['AMM-LRC-ETH', true],
      ['AMM-ETH-USDT', true],
      ['AMM-WBTC-ETH', false],
      ['AMM-LRC-WBTC', false],
    ]);
  });

  it('leaves nothing frozen and no slot taken by a refused submission', async () => {
    const carol = await test.account();
    const call = validCalls({ ...world, alice: carol }).submitOrder;
    for (const step of ['freeze', 'record']) {
      const sent = await call();
      await failNext(test, step);
      expect((await send(test, 'submitOrder', sent)).status).toBe(400);
      expect((await carol.balance(LRC)).locked).toBe(0n);
      expect((await send(test, 'submitOrder', sent)).body).toMatchObject({ status: 'processing', isIdempotent: false });
      await carol.cancel({ orderHash: (await carol.get('/api/v3/orders')).body.orders[0].hash });
    }
  });
});

it(
  'refuses with 105001 what pays a fee, and with listed codes alone, when the last gas price is too old',
  async () => {
    const { url, drop } = await createDatabase();
    const first = await startRelayer({ databaseUrl: url });
    const { nft, nftContract, ...accounts } = await buildWorld(first);
    // It deploys a contract, for which an NFT has to be minted first.
    const deployment = await validCalls({ nft, nftContract, ...accounts }).deployTokenAddress();
    await first.close();
    const test = await startRelayer({ databaseUrl: url, l1Url: 'http://127.0.0.1:9' });
    await test.advance(3 * 3_600_000);
    const alice = accounts.alice.at(test.place);
    const calls = validCalls({ test, alice, bob: accounts.bob.at(test.place), nft, nftContract });
    const refused: string[] = [];
    for (const name of Object.keys(calls) as EndpointName[]) {
      // It replaces the key of an account that it opens, which pays a fee.
      if (name === 'resetApiKey') continue;
      const made =
        name === 'deployTokenAddress'
          ? deployment
          : name === 'updateAccount'
            ? await alice.keyUpdate(randomSecretKey())
            : undefined;
      const { body } = await send(test, name, made ?? (await calls[name]()));
      const code: number | undefined = body.resultInfo?.code;
      if (!code) continue;
      expect(
        endpoints[name].errorCodes.map((listed) => relayerErrors[listed].code),
        name,
      ).toContain(code);
      if (code === 105001) refused.push(name);
    }
    expect(refused.sort()).toEqual([
      'exitAmmPool',
      'getFeeInfo',
      'getNftOffchainFee',
      'getNftOrderFee',
      'getNftOrderUserRateAmount',
      'getOffchainFee',
      'getOrderUserRateAmount',
      'getUserOrderFee',
      'joinAmmPool',
      'mintNft',
      'submitOrder',
      'submitTransfer',
      'submitWithdrawal',
      'tradeNft',
      'transferNft',
      'updateAccount',
      'validateOrder',
    ]);
    await test.close();
    await drop();
  },
  START_TIMEOUT_MS,
);

it("reaches every code of the document's tables but two: any pool can be left", () => {
  const missing = Object.entries(documented).flatMap(([name, { codes = [] }]) => {
    const reached = new Set([...generalCodes, ...(cases[name as EndpointName] ?? []).map(([code]) => code)]);
    const numbers = codes.map((code) => relayerErrors[code].code);
    return numbers.filter((code) => !reached.has(code)).map((code) => `${name} ${code}`);
  });
  // A closed pool, and one whose last token pays no fees.
  expect(missing).toEqual(['exitAmmPool 102023', 'exitAmmPool 102024']);
});
