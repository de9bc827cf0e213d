import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/relayer/db/port.ts';
import { type DueWork, dueWork, EVERYTHING } from '../../src/relayer/engine/dueWork.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';

const NOW = Date.UTC(2030, 0, 1);
const SOON = NOW + 1;
const NOTHING = Object.fromEntries(Object.keys(EVERYTHING).map((kind) => [kind, false])) as Record<
  keyof DueWork,
  boolean
>;
const config = {
  blockSize: 64,
  blockAgeMs: 3_000,
  confirmBlocks: 'time',
  confirmAfterMs: 5_000,
  finalizeAfterMs: 7_000,
} as const;

/** Changes to an exchange where nothing is due, and what is due then. */
const cases: [what: string, due: keyof DueWork | undefined, change: string][] = [
  ['an order is past its time', 'expired', `UPDATE orders SET valid_until = ${NOW / 1000}`],
  ['an order ends in a second', undefined, `UPDATE orders SET valid_until = ${NOW / 1000 + 1}`],
  ['an order is new', 'orders', 'UPDATE orders SET resting = false'],
  [
    'an order of a halted market is new',
    undefined,
    'WITH halted AS (UPDATE markets SET enabled = false) UPDATE orders SET resting = false',
  ],
  ['an order waits for a pool', 'pooled', `UPDATE orders SET pool_address = '0x01'`],
  ['a maker order names a pool', undefined, `UPDATE orders SET pool_address = '0x01', order_type = 'MAKER_ONLY'`],
  ['an order was closed', 'closed', 'INSERT INTO closed_orders SELECT hash, true FROM orders'],
  [
    'a request was received',
    'requests',
    `UPDATE requests SET status = 'received' WHERE id = (SELECT max(id) FROM requests)`,
  ],
  ['the open block is full', 'blocks', `UPDATE blocks SET size = 64, created_at = ${SOON} WHERE status = 'open'`],
  ['the open block is old', 'blocks', `UPDATE blocks SET size = 1, created_at = ${NOW - 3_000} WHERE status = 'open'`],
  [
    'the open block is neither',
    undefined,
    `UPDATE blocks SET size = 63, created_at = ${NOW - 2_999} WHERE status = 'open'`,
  ],
  ['the open block is empty', undefined, `UPDATE blocks SET size = 0, created_at = 0 WHERE status = 'open'`],
  [
    'a block is to be confirmed',
    'blocks',
    `UPDATE blocks SET status = 'pending', status_at = ${NOW - 5_000} WHERE status = 'finalized'`,
  ],
  [
    'a block is sealed',
    undefined,
    `UPDATE blocks SET status = 'pending', status_at = ${NOW - 4_999} WHERE status = 'finalized'`,
  ],
  [
    'a block is to be finalized',
    'blocks',
    `UPDATE blocks SET status = 'confirmed', status_at = ${NOW - 7_000} WHERE status = 'finalized'`,
  ],
  [
    'a block is confirmed',
    undefined,
    `UPDATE blocks SET status = 'confirmed', status_at = ${NOW - 6_999} WHERE status = 'finalized'`,
  ],
  [
    'a fast withdrawal is in a confirmed block',
    'promises',
    `UPDATE requests SET kind = 'withdrawal', details = '{"fast": "ahead"}', block_id = (SELECT min(block_id) FROM blocks WHERE status = 'finalized')`,
  ],
  [
    'a fast withdrawal is in the open block',
    undefined,
    `UPDATE requests SET kind = 'withdrawal', details = '{"fast": "ahead"}', block_id = (SELECT block_id FROM blocks WHERE status = 'open')`,
  ],
];

describe.each(databases)('work that is due on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('begins no transaction where there is none', async () => {
    const { db, engine } = test.relayer;
    const account = await test.account();
    // The first round also makes the books and forgets what pushes have told.
    await engine.run();
    const { transaction } = db;
    let transactions = 0;
    Object.assign(db, {
      transaction: (...given: Parameters<typeof transaction>) => {
        transactions++;
        return transaction(...given);
      },
    });
    await engine.run();
    expect(transactions).toBe(0);
    await account.submit(await account.order([1, 10n ** 20n], [0, 10n ** 18n]));
    transactions = 0;
    await engine.run();
    expect(transactions).toBeGreaterThan(0);
    Object.assign(db, { transaction });
  });

  describe('in an exchange where nothing is due', () => {
    beforeAll(async () => {
      const account = await test.account();
      await account.submit(await account.order([1, 10n ** 20n], [0, 10n ** 18n]));
      await test.block();
      // Orders and blocks end in their own time, so that nothing is due but what a case changes.
      await test.relayer.db.query('UPDATE orders SET valid_until = 10000000000');
      await test.relayer.db.query(`UPDATE blocks SET status = 'finalized' WHERE status <> 'open'`);
      await test.relayer.db.query(
        `INSERT INTO blocks (block_id, status, size, created_at, status_at)
       SELECT 1000000, 'open', 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE status = 'open')`,
      );
    });

    it('is none by itself', async () => {
      expect(await dueAfter()).toEqual(NOTHING);
    });

    /** What is due after a change, which is taken back. */
    async function dueAfter(change?: string, given: Parameters<typeof dueWork>[1] = config): Promise<DueWork> {
      let due: DueWork | undefined;
      const undone = new Error('undone');
      const look = async (tx: Sql) => {
        if (change !== undefined) expect(await tx.query(`${change} RETURNING 1`)).not.toEqual([]);
        due = await dueWork(tx, given, NOW);
        throw undone;
      };
      await expect(test.relayer.db.transaction(look)).rejects.toBe(undone);
      return due as DueWork;
    }

    it.each(cases)('%s: %s', async (_, kind, change) => {
      expect(await dueAfter(change)).toEqual({ ...NOTHING, ...(kind && { [kind]: true }) });
    });

    it('is no confirmation where the operator reports blocks', async () => {
      const sealed = `UPDATE blocks SET status = 'pending', status_at = 0 WHERE status = 'finalized'`;
      expect((await dueAfter(sealed)).blocks).toBe(true);
      expect((await dueAfter(sealed, { ...config, confirmBlocks: 'report' })).blocks).toBe(false);
    });

    it('is everything when a newer version changed the tables', async () => {
      const migrated = `INSERT INTO migrations (name, applied_at) VALUES ('9999Newer', now())`;
      expect(await dueAfter(migrated)).toEqual(EVERYTHING);
    });
  });

  it('has a case of every kind', () => {
    expect(new Set(cases.flatMap(([, kind]) => kind ?? []))).toEqual(new Set(Object.keys(EVERYTHING)));
  });
});
