import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { developmentMarket, type MarketConfigInput, marketConfig } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const VIP_BIPS = { makerBips: 5, takerBips: 10 };
const COLLECTION_BIPS = 30;

const vipOwner = privateKeyToAccount(generatePrivateKey());
const freeOwner = privateKeyToAccount(generatePrivateKey());
/** Above the 0.6 % of small orders. */
const dearOwner = privateKeyToAccount(generatePrivateKey());
const dearSwapper = privateKeyToAccount(generatePrivateKey());
const market = (collections: Record<string, number> = {}): MarketConfigInput => ({
  ...developmentMarket,
  fees: {
    tiers: {
      vip_1: { ...VIP_BIPS, requestDiscount: 20 },
      free: { makerBips: 0, takerBips: 0 },
      dear: { makerBips: 0, takerBips: 63 },
    },
    accounts: {
      ...{ [vipOwner.address]: 'vip_1', [freeOwner.address]: 'free' },
      ...{ [dearOwner.address]: 'dear', [dearSwapper.address]: 'dear' },
    },
    collections,
  },
});

describe('the fees of a market file', () => {
  const problems = (fees: object) =>
    (marketConfig.safeParse({ ...developmentMarket, fees }).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
  const somebody = `0x${'ab'.repeat(20)}`;

  it.each([
    [
      'a tier that is not there',
      { accounts: { [somebody]: 'vip_9' } },
      `fees.accounts.${somebody}: there is no tier vip_9`,
    ],
    [
      'the tier of everybody else',
      { tiers: { default: VIP_BIPS } },
      'fees.tiers.default: is what the settings say, and has no entry here',
    ],
    [
      'makers that pay more',
      { tiers: { a: { makerBips: 9, takerBips: 8 } } },
      'fees.tiers.a.makerBips: 9 is above takerBips 8',
    ],
    [
      'one contract twice',
      { collections: { [somebody]: 10, [somebody.toUpperCase().replace('0X', '0x')]: 20 } },
      `fees.collections.${somebody.toUpperCase().replace('0X', '0x')}: is listed twice`,
    ],
  ])('refuse %s', (_what, fees, problem) => {
    expect(problems(fees)).toEqual([problem]);
  });
});

describe.each(databases)('fee tiers on $name', ({ start }) => {
  let test: TestRelayer;
  let vip: TestAccount;
  let other: TestAccount;
  let contract: string;
  beforeAll(async () => {
    const creator = privateKeyToAccount(generatePrivateKey());
    // The contract of an owner is known before it mints, so that it can stand in the market file.
    const first = await start();
    contract = await new TestAccount(first.place, creator).nftContract();
    await first.close();
    test = await start({ market: market({ [contract]: COLLECTION_BIPS }) });
    vip = await (await new TestAccount(test.place, vipOwner).faucet()).activate();
    other = await (await new TestAccount(test.place, creator).faucet()).activate();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const rateOf = async (account: TestAccount) =>
    (await account.get('/api/v3/user/orderUserRateAmount', { market: 'LRC-ETH' })).body.amounts[0];

  it('are shown to their accounts', async () => {
    const [own, usual] = [await rateOf(vip), await rateOf(other)];
    const { makerRate, takerRate } = usual.userOrderInfo;
    expect(own.userOrderInfo).toMatchObject({ makerRate: 5, takerRate: 10 });
    expect(own.discount).toBe(10 / takerRate);
    expect(usual.discount).toBe(1);
    expect(BigInt(own.userOrderInfo.minAmount)).toBeGreaterThan(BigInt(usual.userOrderInfo.minAmount));
    const rates = async (account: TestAccount) =>
      (await account.get('/api/v3/user/feeRates', { markets: 'LRC-ETH' })).body;
    expect(await rates(vip)).toEqual([{ symbol: 'LRC-ETH', makerRate: 5, takerRate: 10 }]);
    expect(await rates(other)).toEqual([{ symbol: 'LRC-ETH', makerRate, takerRate }]);
    const { body: info } = await test.call('GET', '/api/v3/exchange/feeInfo');
    expect(info.ORDERBOOK_TRADING_FEES).toEqual({
      default: { symbol: 'default', makerRate, takerRate },
      vip_1: { symbol: 'vip_1', makerRate: 5, takerRate: 10 },
      free: { symbol: 'free', makerRate: 0, takerRate: 0 },
      dear: { symbol: 'dear', makerRate: 0, takerRate: 63 },
    });
  });

  it('are what orders pay', async () => {
    const amount = 15_000n * ether;
    const sell = await other.submit(await other.order([LRC, amount], [ETH, ether]));
    const buy = await vip.submit(
      await vip.order([ETH, ether], [LRC, amount], { tradeChannel: 'ORDER_BOOK', maxFeeBips: 10 }),
    );
    expect([sell.status, buy.status]).toEqual([200, 200]);
    await test.block();
    expect(await vip.orderOf(buy.body.hash)).toMatchObject({
      status: 'processed',
      volumes: { baseFilled: String(amount), fee: String((amount * 10n) / 10_000n) },
    });
    const refused = await other.submit(await other.order([ETH, ether], [LRC, amount], { maxFeeBips: 10 }));
    expect(refused.body.resultInfo.code).toBe(102006);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('below the fee of a pool do not fill orders of the pool', async () => {
    const swap = async (maxFeeBips: number) =>
      vip.submit(
        await vip.order([ETH, ether / 10n], [LRC, 1_000n * ether], {
          orderType: 'AMM',
          poolAddress: LRC_ETH_POOL.address,
          maxFeeBips,
        }),
      );
    for (const maxFeeBips of [10, 19]) {
      const { body } = await swap(maxFeeBips);
      expect(body.resultInfo).toMatchObject({ code: 102006, message: 'maxFeeBips: the pool takes 20' });
    }
    const { body } = await swap(20);
    await test.block();
    expect((await vip.orderOf(body.hash)).status).toBe('processed');
  });

  it('are not asked of an order for a pool alone, which pays none', async () => {
    const account = await (await new TestAccount(test.place, dearSwapper).faucet()).activate();
    const swap = { tradeChannel: 'AMM_POOL', maxFeeBips: 20 };
    const { body } = await account.submit(await account.order([ETH, ether / 10n], [LRC, 1_000n * ether], swap));
    await test.block();
    expect(await account.orderOf(body.hash)).toMatchObject({ status: 'processed', volumes: { fee: '0' } });
    const tiny = await account.submit(await account.order([ETH, ether / 10n], [LRC, 1n], swap));
    expect(tiny.body.resultInfo.code).toBe(102012);
    const mixed = await account.submit(
      await account.order([ETH, ether / 10n], [LRC, 1_000n * ether], { ...swap, tradeChannel: 'MIXED' }),
    );
    expect(mixed.body.resultInfo.code).toBe(102006);
  });

  it.each([
    ['of no fee', freeOwner, 0],
    ['above the rate of small orders', dearOwner, 63],
  ])(
    '%s are charged from the quoted least amount on, and nothing below it is taken',
    async (_what, owner, takerBips) => {
      const account = await (await new TestAccount(test.place, owner).faucet()).activate();
      const { body } = await account.get('/api/v3/user/orderUserRateAmount', { market: 'LRC-ETH' });
      const { userOrderInfo, baseOrderInfo } = body.amounts[1];
      expect(userOrderInfo).toMatchObject({ makerRate: 0, takerRate: takerBips });
      expect(baseOrderInfo.minAmount).toBe(userOrderInfo.minAmount);
      const least = BigInt(userOrderInfo.minAmount);
      const fee = (amountB: bigint) =>
        account.get('/api/v3/user/orderFee', { market: 'LRC-ETH', tokenB: ETH, amountB: String(amountB) });
      expect((await fee(least)).body.feeRate).toMatchObject({ makerRate: 0, takerRate: takerBips });
      const order = (amountB: bigint) => account.order([LRC, 100n * ether], [ETH, amountB], { maxFeeBips: 63 });
      expect((await account.submit(await order(least - 1n))).body.resultInfo).toEqual({
        code: 102012,
        message: `buyToken: at least ${least} base units of ETH cover the cost of a trade`,
      });
      expect((await account.submit(await order(least))).body.status).toBe('processing');
    },
  );

  it('take nothing off a deployment, which the operator pays in ether', async () => {
    const quotes = async (account: TestAccount) =>
      (await account.get('/api/v3/user/nft/offchainFee', { requestType: 13 })).body.fees;
    expect(await quotes(vip)).toEqual(await quotes(other));
    expect((await quotes(vip))[0].discount).toBe(1);
  });

  it('take their part off the fees of requests, in the quote and in the charge', async () => {
    const quote = async (account: TestAccount) =>
      (await account.get('/api/v3/user/offchainFee', { requestType: 3 })).body.fees.find(
        ({ token }: { token: string }) => token === 'LRC',
      );
    const [own, usual] = [await quote(vip), await quote(other)];
    expect([own.discount, usual.discount]).toEqual([0.8, 1]);
    const fourFifths = (BigInt(usual.fee) * 4n) / 5n;
    expect(BigInt(own.fee)).toBeGreaterThanOrEqual(fourFifths - fourFifths / 100n);
    expect(BigInt(own.fee)).toBeLessThanOrEqual(fourFifths + fourFifths / 100n);
    const send = async (account: TestAccount) =>
      account.post(
        '/api/v3/transfer',
        await account.transfer(test.place.exchange, [ETH, ether], { maxFee: { tokenId: LRC, volume: own.fee } }),
      );
    expect((await send(vip)).body.status).toBe('received');
    expect((await send(other)).body.resultInfo.code).toBe(114002);
    await test.block();
    const { body } = await vip.get('/api/v3/user/transfers');
    expect(body.transactions[0].feeAmount).toBe(own.fee);
  });

  it('of a collection are the rate of orders for its NFTs', async () => {
    const { body: limits } = await other.get('/api/v3/nft/info/orderUserRateAmount', { nftTokenAddress: contract });
    expect(limits.feeRate).toBe(COLLECTION_BIPS);
    const { body: usual } = await other.get('/api/v3/nft/info/orderUserRateAmount', {
      nftTokenAddress: test.place.exchange,
    });
    expect(usual.feeRate).not.toBe(COLLECTION_BIPS);
    const fee = { nftTokenAddress: contract, quoteToken: ETH, quoteAmount: String(ether) };
    expect((await other.get('/api/v3/user/nft/orderFee', fee)).body.feeRate.rate).toBe(COLLECTION_BIPS);
    const mint = await other.post('/api/v3/nft/mint', await other.mint(`0x${'aa'.repeat(32)}`, 2n));
    await test.block();
    const sell = async (maxFeeBips: number) =>
      other.post(
        '/api/v3/nft/validateOrder',
        await other.nftOrder(
          { tokenId: mint.body.nftTokenId, amount: '1' },
          { tokenId: ETH, amount: String(ether) },
          { maxFeeBips },
        ),
      );
    expect((await sell(COLLECTION_BIPS - 1)).body.resultInfo.code).toBe(102006);
    expect((await sell(COLLECTION_BIPS)).body.status).toBe('processing');
  });

  it('of a collection are not changed for the orders that were accepted before', async () => {
    const mint = await other.post('/api/v3/nft/mint', await other.mint(`0x${'ab'.repeat(32)}`, 2n));
    await test.block();
    const nft = { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData, amount: '1' };
    const price = { tokenId: ETH, amount: String(ether) };
    const maxFeeBips = COLLECTION_BIPS;
    const maker = await other.nftOrder(nft, price, { maxFeeBips });
    const taker = await vip.nftOrder(price, nft, { maxFeeBips, fillAmountBOrS: true });
    for (const [account, order] of [
      [other, maker],
      [vip, taker],
    ] as const)
      expect((await account.post('/api/v3/nft/validateOrder', order)).body.status).toBe('processing');
    const dearer = market({ [contract]: COLLECTION_BIPS + 10 });
    await applySettings(test.relayer.db, readConfig({ dev: true, market: dearer }), 0);
    const rate = async () =>
      (await other.get('/api/v3/nft/info/orderUserRateAmount', { nftTokenAddress: contract })).body.feeRate;
    await expect.poll(rate).toBe(COLLECTION_BIPS + 10);
    const fees = { makerFeeBips: maxFeeBips, takerFeeBips: maxFeeBips };
    const trade = await vip.signed('POST', '/api/v3/nft/trade', { body: { maker, taker, ...fees } });
    expect([trade.status, trade.body.resultInfo?.message]).toEqual([200, undefined]);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });
});
