import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { priceText } from '../../src/relayer/engine/orders/describeOrder.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe('prices, pools and fees in numbers', () => {
  let test: TestRelayer;
  let trader: TestAccount;
  beforeAll(async () => {
    test = await startRelayer();
    trader = await test.account();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const read = async (path: string, query: Record<string, string | number> = {}) =>
    (await test.call('GET', `/api/v3/${path}`, { query })).body;
  const codeOf = async (path: string, query: Record<string, string | number>) =>
    (await read(path, query)).resultInfo?.code;

  it("are the operator's prices in dollars, and none in another currency", async () => {
    const { prices } = await read('price', { legal: 'usd' });
    expect(prices).toContainEqual({ symbol: 'LRC', price: '0.2', updatedAt: expect.any(Number) });
    expect(prices).toContainEqual({ symbol: 'ETH', price: '3000', updatedAt: expect.any(Number) });
    // A share of a pool has no price of its own.
    expect(prices.map(({ symbol }: { symbol: string }) => symbol)).not.toContain('LP-LRC-ETH');
    expect(await read('price', { legal: 'EUR' })).toEqual({ prices: [] });

    const token = '0x0000000000000000000000000000000000000000';
    expect(await read('datacenter/getLatestTokenPrices', { tokens: token })).toEqual({
      resultInfo: { code: 0, message: 'SUCCESS' },
      data: [{ token, price: '3000' }],
    });
    expect((await read('datacenter/getLatestTokenPrices', { currency: 'EUR' })).data).toEqual([]);
  });

  it('have the digits of their market, and eight that tell something', () => {
    const [base, quote] = [{ decimals: 18 }, { decimals: 18 }];
    const price = (precisionForPrice?: number) =>
      priceText({ base, quote, ...(precisionForPrice && { precisionForPrice }) }, 3n * ether, 7n);
    expect([price(), price(8), price(18)]).toEqual(Array(3).fill('0.0000000000000000023333333'));
  });

  it('have as many digits and levels for a pool as for its market', async () => {
    const { markets } = await read('mix/markets');
    const { pools } = await read('amm/pools');
    expect(pools.length).toBeGreaterThan(1);
    for (const { market, precisions } of pools) {
      const [own, plain] = [market, market.slice('AMM-'.length)].map((name) =>
        markets.find((one: { market: string }) => one.market === name),
      );
      const { precisionForPrice, orderbookAggLevels } = plain;
      expect(own).toMatchObject({ precisionForPrice, orderbookAggLevels });
      expect(precisions.price).toBe(precisionForPrice);
    }
  });

  it('count the volume and the fees of a pool, and what a year of them would be', async () => {
    const [before] = await read('amm/poolsStats', { ammPoolMarkets: 'AMM-LRC-ETH' });
    expect(before).toMatchObject({
      market: 'AMM-LRC-ETH',
      ohlc: [],
      volume: ['0', '0'],
      fees: ['0', '0'],
      apyBips: '0',
    });
    const reply = await trader.submit(
      await trader.order([ETH, ether], [LRC, 14_000n * ether], {
        orderType: 'TAKER_ONLY',
        tradeChannel: 'AMM_POOL',
        poolAddress: LRC_ETH_POOL.address,
      }),
    );
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await test.block();
    const { trades } = await read('amm/trades', { ammPoolAddress: LRC_ETH_POOL.address });
    const [{ size, price, feeAmount }] = trades;
    const [stats] = await read('amm/poolsStats', { ammPoolMarkets: 'AMM-LRC-ETH' });
    expect(stats).toMatchObject({
      ohlc: [price, price, price, price],
      volume: [size, String(ether)],
      fees: [feeAmount, '0'],
      apysBips: ['0', '0', stats.apyBips],
      liquidityUSD: expect.stringMatching(/^60[0-9]{5}/),
    });
    const [base, quote] = stats.liquidity.map(BigInt) as [bigint, bigint];
    expect(quote).toBe(1_001n * ether);
    // 0.2 % of 15,000 LRC in a pool of twice 15,000,000 LRC, 365 times: 0.0365 % in
    // ten-thousandths.
    expect(Number(stats.apyBips)).toBe(Math.floor((Number(feeAmount) * 365 * 10_000) / (2 * Number(base))));
    expect(await read('amm/poolsStats')).toHaveLength(2);
    expect(await codeOf('amm/poolsStats', { ammPoolMarkets: 'LRC-ETH' })).toBe(100001);
    expect(await codeOf('amm/poolsStats', { ammPoolMarkets: 'AMM-NO-SUCH' })).toBe(100001);
  });

  it('tell the same rates and fees as the endpoints that charge by them', async () => {
    const info = await read('exchange/feeInfo');
    const { fees } = await read('user/offchainFee', { accountId: trader.accountId, requestType: 3 });
    const eth = fees.find(({ token }: { token: string }) => token === 'ETH');
    expect(info.OTHER_FEES.TRANSFER).toBe(eth.fee);
    const rates = await trader.get('/api/v3/user/feeRates', { markets: 'LRC-ETH,ETH-USDT' });
    const { makerRate, takerRate } = info.ORDERBOOK_TRADING_FEES.default;
    expect(rates.body).toEqual([
      { symbol: 'LRC-ETH', makerRate, takerRate },
      { symbol: 'ETH-USDT', makerRate, takerRate },
    ]);
    const limits = await trader.get('/api/v3/user/orderUserRateAmount', { market: 'LRC-ETH' });
    const [lrc] = limits.body.amounts;
    const fee = (amountB: string) => trader.get('/api/v3/user/orderFee', { market: 'LRC-ETH', tokenB: LRC, amountB });
    const usual = await fee(lrc.userOrderInfo.minAmount);
    expect(usual.body.feeRate).toEqual({ symbol: 'LRC-ETH', makerRate, takerRate });
    const small = await fee(lrc.baseOrderInfo.minAmount);
    expect(small.body.feeRate).toEqual({ symbol: 'LRC-ETH', makerRate: 60, takerRate: 60 });
    const tooSmall = await fee(String(BigInt(lrc.baseOrderInfo.minAmount) - 1n));
    expect(tooSmall.body.resultInfo.code).toBe(102012);
    expect(
      (await trader.get('/api/v3/user/orderFee', { market: 'LRC-ETH', tokenB: 2, amountB: '1' })).body.resultInfo.code,
    ).toBe(102002);
    expect((await trader.get('/api/v3/user/feeRates', { markets: 'NO-SUCH' })).body.resultInfo.code).toBe(102005);
  });

  it('tell how much can be withdrawn fast', async () => {
    const [agent] = await read('exchange/withdrawalAgents', { tokenId: LRC });
    expect(BigInt(agent.totalAmount)).toBeGreaterThan(0n);
    expect(agent).toMatchObject({ tokenId: LRC, symbol: 'LRC', freezeAmount: '0' });
    const body = await trader.withdrawal([LRC, 100n * ether], {
      fastWithdrawalMode: true,
      maxFee: { tokenId: LRC, volume: String(100n * ether) },
    });
    const reply = await trader.post('/api/v3/user/withdrawals', body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const [after] = await read('exchange/withdrawalAgents', { tokenId: LRC });
    expect(after.freezeAmount).toBe(String(100n * ether));
    expect(await codeOf('exchange/withdrawalAgents', { tokenId: 99 })).toBe(102002);
  });
});
