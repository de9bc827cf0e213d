import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentMarket } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC, USDT } from './support/tokens.ts';

const milli = ether / 1000n;

describe('a rest of an order', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    const dust = (tokenId: number) => (tokenId === USDT ? '1000' : '0');
    const tokens = developmentMarket.tokens.map((token) => ({ ...token, dust: dust(token.tokenId) }));
    test = await startRelayer({ market: { ...developmentMarket, tokens } });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    await test.close();
  });

  it('that buys no unit ends with the order, also after as many fills as a transaction makes', async () => {
    const [maker, taker] = [await test.account(), await test.account()];
    const validUntil = await maker.inSeconds(3600);
    const fills = 200n;
    const bids = Array.from({ length: Number(fills) }, (_, n) =>
      maker.order([USDT, 3_000_000n], [ETH, milli], { storageId: 2 * n, validUntil, fillAmountBOrS: true }),
    );
    const replies = await Promise.all(bids.map(async (bid) => maker.submit(await bid)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await test.block();
    // A unit of USDT costs more than the last hundred million wei.
    const hash = await taker.placed([ETH, fills * milli + 10n ** 8n], [USDT, fills * 3_000_000n]);
    await test.block();
    expect(await taker.orderOf(hash)).toMatchObject({
      status: 'processed',
      volumes: { baseFilled: String(fills * milli), quoteFilled: String(fills * 3_000_000n) },
    });
    expect((await taker.balance(ETH)).locked).toBe(0n);
  });

  // A unit of USDT for each five million million; the last six are worth 1.2 units.
  const lrc = 100n * ether + 6n * 10n ** 12n;
  it.each([
    {
      side: 'sold',
      order: [
        [LRC, lrc],
        [USDT, 20_000_001n],
      ],
      met: [
        [USDT, 20_000_000n],
        [LRC, 100n * ether],
      ],
      better: [
        [USDT, 25_000_000n],
        [LRC, 100n * ether],
      ],
    },
    {
      side: 'bought',
      order: [
        [USDT, 20_000_002n],
        [LRC, lrc],
      ],
      met: [
        [LRC, 100n * ether],
        [USDT, 20_000_000n],
      ],
      better: [
        [LRC, 100n * ether],
        [USDT, 15_000_000n],
      ],
    },
  ] as const)(
    'that is worth a few units where LRC are $side stands in the way of nobody',
    async ({ order, met, better }) => {
      const [maker, taker, quoting] = [await test.account(), await test.account(), await test.account()];
      const [[sold], [bought]] = order;
      const asked = await maker.placed(order[0], order[1], { fillAmountBOrS: bought === LRC });
      await test.block();
      const taken = await taker.placed(met[0], met[1], { fillAmountBOrS: bought !== LRC });
      await test.block();
      expect((await taker.orderOf(taken)).status).toBe('processed');
      expect(await maker.orderOf(asked)).toMatchObject({
        status: 'processed',
        volumes: { baseFilled: String(100n * ether) },
      });
      expect((await maker.balance(sold)).locked).toBe(0n);
      // At a price that the rest would have met.
      const quote = await quoting.placed(better[0], better[1], { orderType: 'MAKER_ONLY' });
      await test.block();
      expect((await quoting.orderOf(quote)).status).toBe('processing');
      await quoting.cancel({ orderHash: quote });
      await test.block();
    },
  );
});
