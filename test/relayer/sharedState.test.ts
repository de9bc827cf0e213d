import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startEmbedded, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

let relayer: TestRelayer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  relayer = await startEmbedded();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await relayer.close();
  vi.useRealTimers();
});

it('what other processes changed is read by one reading at a time, so that readings do not pile up', async () => {
  const query = vi.spyOn(relayer.relayer.db, 'query');
  const readings = () => query.mock.calls.filter(([text]) => text.includes('clock_offset_ms')).length;
  // No answer of the database comes before the timer has fired many times.
  vi.advanceTimersByTime(10_000);
  expect(readings()).toBe(1);
  await expect.poll(() => query.mock.calls.length).toBeGreaterThan(1);
  await relayer.relayer.db.query('SELECT 1');
  await relayer.relayer.db.query('SELECT 1');
  vi.advanceTimersByTime(1_000);
  expect(readings()).toBe(2);
});

it(
  'an engine whose timer has not read the catalog yet matches the orders of a market that was just listed',
  async () => {
    const { url: databaseUrl, drop } = await createDatabase();
    const listed = { ...developmentMarket, pools: [] };
    const market = { ...listed, markets: listed.markets.filter(({ base, quote }) => `${base}-${quote}` !== 'LRC-ETH') };
    const working = await startRelayer({ databaseUrl, market });
    const { db, engine } = working.relayer;
    await engine.run({ seal: true });
    await applySettings(db, readConfig({ dev: true, market: listed }), 0);
    const accepting = await startRelayer({ databaseUrl, market: listed });
    try {
      const [maker, taker] = [await accepting.account(), await accepting.account()];
      const offer = await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether]));
      expect(offer.status, JSON.stringify(offer.body)).toBe(200);
      const taking = { orderType: 'TAKER_ONLY' };
      const { body } = await taker.submit(await taker.order([ETH, ether], [LRC, 100n * ether], taking));
      await engine.run({ seal: true });
      const [order] = await db.query('SELECT status FROM orders WHERE hash = $1', [body.hash]);
      expect(order).toEqual({ status: 'processed' });
    } finally {
      await accepting.close();
      await working.close();
      await drop();
    }
  },
  START_TIMEOUT_MS,
);
