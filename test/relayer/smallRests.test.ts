import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentMarket } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, USDT } from './support/tokens.ts';

const milli = ether / 1000n;

describe('a rest of an order', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    const tokens = developmentMarket.tokens.map((token) => ({ ...token, dust: '0' }));
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
});
