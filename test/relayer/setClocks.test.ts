import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OpenBlock } from '../../src/relayer/engine/blocks.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS, startOnPostgres } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const TEN_MINUTES = 600_000;
const HOUR = 3_600_000;

let test: TestRelayer;
beforeAll(async () => {
  test = await startOnPostgres({ blockAgeMs: HOUR, confirmAfterMs: 1 });
}, START_TIMEOUT_MS);
afterAll(() => test.close());
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a machine's clock that is set", () => {
  it('does not move the time of the relayer, and is told of as the distance from the database', async () => {
    const clock = await openClock(test.relayer.db);
    const real = Date.now;
    for (const step of [TEN_MINUTES, -TEN_MINUTES]) {
      const before = clock.now();
      vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
      expect(Math.abs(clock.now() - before)).toBeLessThan(TEN_MINUTES / 2);
      await clock.reload();
      expect(Math.abs(clock.now() - before)).toBeLessThan(TEN_MINUTES / 2);
      expect(Math.abs(clock.skew() - step)).toBeLessThan(TEN_MINUTES / 2);
    }
  });
});

describe('deadlines in a block', () => {
  /** A block with one transfer in it, begun by a process whose clock was ahead. */
  const beginAhead = async (ms: number) => {
    const [payer, payee] = [await test.account(), await test.account()];
    await test.block();
    await payer.post('/api/v3/transfer', await payer.transfer(payee.owner, [LRC, ether]));
    await test.relayer.engine.run();
    const [block] = await test.relayer.db.query<{ block_id: number; created_at: number }>(
      `UPDATE blocks SET created_at = created_at + $1 WHERE status = 'open' AND size > 0 RETURNING block_id, created_at`,
      [ms],
    );
    if (!block) throw new Error('no block is open');
    return block;
  };

  it(
    'are later than its header says, whoever began it, and by the clock of the database',
    async () => {
      const { block_id, created_at } = await beginAhead(TEN_MINUTES);
      const times = await test.relayer.db.transaction(async (tx) => {
        const behind = await OpenBlock.take(tx, created_at - 900);
        const ahead = await OpenBlock.take(tx, created_at + HOUR);
        // As after a sleep of the machine; the block is too far ahead of it, and sealed.
        const asleep = await OpenBlock.take(tx, created_at - 2 * HOUR);
        expect([behind, ahead, asleep].map(({ blockId }) => blockId)).toEqual([block_id, block_id, block_id + 1]);
        return { behind: behind.time, ahead: ahead.time, asleep: asleep.time * 1000 };
      });
      const seconds = Math.floor(created_at / 1000);
      expect(times).toMatchObject({ behind: seconds, ahead: seconds + HOUR / 1000 });
      expect(times.asleep).toBeGreaterThan(created_at - HOUR);
      await test.block();
    },
    START_TIMEOUT_MS,
  );

  it(
    'before the time of a block that was begun ahead go into the next one, and end nobody’s order',
    async () => {
      const [maker, taker] = [await test.account(), await test.account()];
      const { block_id } = await beginAhead(TEN_MINUTES);
      const soon = { validUntil: await maker.inSeconds(300) };
      const sale = await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether / 10n], soon));
      const purchase = await taker.submit(await taker.order([ETH, ether / 10n], [LRC, 100n * ether], soon));
      await maker.post('/api/v3/transfer', await maker.transfer(taker.owner, [LRC, ether], soon));
      await test.relayer.engine.run();
      expect(await maker.orderOf(sale.body.hash)).toMatchObject({ status: 'processed' });
      expect(await taker.orderOf(purchase.body.hash)).toMatchObject({ status: 'processed' });
      const blocks = await test.relayer.db.query('SELECT DISTINCT block_id FROM fills');
      expect(blocks).toEqual([{ block_id: block_id + 1 }]);
      await test.block();
      // No block holds what ended before its timestamp.
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );
});
