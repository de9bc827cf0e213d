import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { OpenBlock } from '../../src/relayer/engine/blocks.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { sharedRates } from '../../src/relayer/server/sharedRates.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
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

describe("the database's clock that was set back", () => {
  it(
    'leaves no lease of a process that has ended, and that of another one for its time',
    async () => {
      const { db } = test.relayer;
      const lease = (endsInMs: number) =>
        db.query(
          `INSERT INTO settings (key, value)
           SELECT 'l1_lease', floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + $1::bigint || '/another'
           ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
          [endsInMs],
        );
      const account = await test.account();
      await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, 10n * ether]));
      const isPaid = async () => {
        await test.block();
        const [row] = await db.query<{ paid: boolean }>(
          `SELECT bool_and(tx_hash <> '') AS paid FROM requests WHERE kind = 'withdrawal'`,
        );
        return row?.paid;
      };
      await lease(30_000);
      await test.block();
      await test.advance(TEN_MINUTES);
      expect(await isPaid()).toBe(false);
      await lease(HOUR);
      expect(await isPaid()).toBe(true);
    },
    START_TIMEOUT_MS,
  );

  it('keeps no client waiting that had taken its share before', async () => {
    const { db } = test.relayer;
    const rates = sharedRates(db);
    onTestFinished(() => rates.stop());
    /** Seconds for which the client is busy, for all processes. */
    const busy = async () => {
      const [row] = await db.query<{ seconds: number }>(
        `SELECT extract(epoch FROM busy_until - now())::float8 AS seconds FROM client_rates WHERE client = 'active'`,
      );
      return row?.seconds;
    };
    rates.take('active', 190);
    await expect.poll(busy).toEqual(expect.any(Number));
    await db.query(`UPDATE client_rates SET busy_until = busy_until + interval '1 hour' WHERE client = 'active'`);
    rates.take('active', 190);
    await expect.poll(busy).toBeLessThan(30);
    await expect.poll(() => rates.has('active', 190, 950)).toBe(true);
  });
});

describe("the relayer's clock", () => {
  it('keeps a step that was taken while it was read', async () => {
    const { db } = test.relayer;
    let ask = () => {};
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isLate = false;
    const clock = await openClock({
      ...db,
      query: async (text, values) => {
        const rows = await db.query(text, values);
        if (isLate) {
          isLate = false;
          ask();
          await answered;
        }
        return rows as never[];
      },
    });
    isLate = true;
    const reading = clock.reload();
    await asked;
    await clock.advance(HOUR);
    const now = clock.now();
    answer();
    await reading;
    expect(Math.abs(clock.now() - now)).toBeLessThan(HOUR / 2);
  });
});
