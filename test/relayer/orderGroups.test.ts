import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { grouped } from '../../src/relayer/engine/grouped.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { Reply, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe('grouped calls', () => {
  it('that come while work is in progress are done together, each with its own outcome', async () => {
    const groups: number[][] = [];
    let release = () => {};
    const call = grouped(async (items: readonly number[]) => {
      groups.push([...items]);
      if (groups.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return items.map((item) => (item === 3 ? new RangeError('three') : item === 4 ? Promise.resolve(-4) : item * 10));
    }, 3);
    const first = call(1);
    while (groups.length === 0) await sleep(0);
    const rest = [2, 3, 4, 5].map(call);
    release();
    expect(await first).toBe(10);
    expect(
      (await Promise.allSettled(rest)).map((outcome) => ('value' in outcome ? outcome.value : outcome.reason)),
    ).toEqual([20, new RangeError('three'), -4, 50]);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('fail together when the work fails, and go on with the next group', async () => {
    let times = 0;
    const call = grouped(async (items: readonly string[]) => {
      if (times++ === 0) throw new Error('no');
      return items;
    }, 10);
    expect((await Promise.allSettled([call('a'), call('b')])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(await call('c')).toBe('c');
  });
});

describe.each(databases)('orders that arrive together on $name', ({ name, start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  /** How many signatures were checked, which is what a request needs before it is recorded. */
  const checked = () => test.metric('signature_check_seconds_count{kind="eddsa"}');

  /** Sends while the slots are locked, so that all but the first wait for the same commit. */
  const sendTogether = async (sends: readonly (() => Promise<Reply>)[]): Promise<Promise<Reply>[]> => {
    let replies: Promise<Reply>[] = [];
    let answered = 0;
    const before = await checked();
    await holding(test.relayer.db, 'LOCK TABLE storage_slots IN ACCESS EXCLUSIVE MODE', async () => {
      replies = sends.map((send) => send().finally(() => answered++));
      // The embedded database has one connection: there, no request gets so far before this
      // transaction ends.
      const haveArrived = async () => name === 'PGlite' || (await checked()) - before + answered >= sends.length;
      await expect.poll(haveArrived).toBe(true);
    });
    return replies;
  };
  const together = async (sends: readonly (() => Promise<Reply>)[]) => Promise.all(await sendTogether(sends));

  const order = (account: TestAccount, storageId: number, lrc: bigint, changes: Record<string, unknown> = {}) =>
    account.order([LRC, lrc * ether], [ETH, ether], { storageId, ...changes });

  it('share commits, and each is answered for itself', async () => {
    const people = await Promise.all(
      Array.from({ length: 6 }, () =>
        test.account([
          { symbol: 'LRC', amount: (1_000n * ether).toString() },
          { symbol: 'ETH', amount: ether.toString() },
        ]),
      ),
    );
    const [poor, doubler, repeater, namer, poisoner, replacer] = people as [TestAccount, ...TestAccount[]];
    const bodies = await Promise.all([
      ...[0, 2, 4].map((id) => order(poor, id, 400n)),
      ...[300n, 301n].map((lrc) => order(doubler as TestAccount, 0, lrc)),
      ...[0, 2].map((id) => order(namer as TestAccount, id, 10n, { clientOrderId: 'mine' })),
      order(poisoner as TestAccount, 0, 10n, { clientOrderId: 'no\u0000text' }),
      order(replacer as TestAccount, 0, 700n),
      // Named as what has no name.
      order(replacer as TestAccount, 2, 10n, { clientOrderId: 'undefined' }),
    ]);
    const repeated = await order(repeater as TestAccount, 0, 600n);
    const commits = () => test.metric('order_commits_total');
    const before = await commits();
    const owners = [poor, poor, poor, doubler, doubler, namer, namer, poisoner, replacer, replacer] as TestAccount[];
    const replies = await together([
      ...bodies.map((body, index) => () => (owners[index] as TestAccount).submit(body)),
      ...[0, 1, 2].map(() => () => (repeater as TestAccount).submit(repeated)),
    ]);
    const codes = replies.map(({ body }) => body.resultInfo?.code ?? body.status);
    expect(codes.slice(0, 3).sort()).toEqual([102011, 'processing', 'processing']);
    expect(codes.slice(3, 5).sort()).toEqual([102007, 'processing']);
    expect(codes.slice(5, 7).sort()).toEqual([102007, 'processing']);
    expect(codes.slice(7, 10)).toEqual([100001, 'processing', 'processing']);
    expect(codes.slice(10)).toEqual(['processing', 'processing', 'processing']);
    expect(replies.slice(10).filter(({ body }) => !body.isIdempotent)).toHaveLength(1);
    expect((await commits()) - before).toBeLessThan(bodies.length);

    // A larger id takes the slot, and with it the money that the smaller one held.
    const larger = await order(replacer as TestAccount, 16_384, 900n);
    const [taken, other] = await together([
      () => (replacer as TestAccount).submit(larger),
      () => (repeater as TestAccount).submit(repeated),
    ]);
    expect([taken?.body.status, other?.body.isIdempotent]).toEqual(['processing', true]);
    expect((await (replacer as TestAccount).balance(LRC)).locked).toBe(910n * ether);
    // An order that is stored by itself is one commit, and one that is known already none.
    const already = await commits();
    await (repeater as TestAccount).submit(repeated);
    expect((await commits()) - already).toBe(0);
    await (replacer as TestAccount).submit(await order(replacer as TestAccount, 32_768, 900n));
    expect((await commits()) - already).toBe(1);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  // PGlite has one connection: no request arrives there while a transaction of the test is open.
  it.runIf(name === 'PostgreSQL')(
    'are each answered when one is refused by itself while the other half of its group is still recorded',
    async () => {
      const { db } = test.relayer;
      const people = await Promise.all(
        Array.from({ length: 5 }, () =>
          test.account([
            { symbol: 'LRC', amount: (1_000n * ether).toString() },
            { symbol: 'ETH', amount: ether.toString() },
          ]),
        ),
      );
      const [, taker] = people as [TestAccount, TestAccount];
      expect((await taker.submit(await order(taker, 0, 100n))).body.status).toBe('processing');
      const wanted = [
        { storageId: 0, lrc: 10n, clientOrderId: 'first' },
        // Takes the slot of the smaller id, and sells more than there is.
        { storageId: 16_384, lrc: 1_001n, clientOrderId: 'taker' },
        { storageId: 0, lrc: 10n, clientOrderId: 'other' },
        { storageId: 0, lrc: 10n, clientOrderId: 'slow' },
        { storageId: 0, lrc: 10n, clientOrderId: 'poison' },
      ];
      const bodies = await Promise.all(
        wanted.map(({ storageId, lrc, clientOrderId }, index) =>
          order(people[index] as TestAccount, storageId, lrc, { clientOrderId }),
        ),
      );
      await db.script(`
        CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.client_order_id = 'slow' THEN PERFORM pg_sleep(0.3); END IF;
          IF NEW.client_order_id = 'poison' THEN RAISE EXCEPTION 'poison' USING ERRCODE = 'P0001'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER hinder BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION hinder();`);
      const unhandled: unknown[] = [];
      const listen = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', listen);
      try {
        const replies: Promise<Reply>[] = [];
        // The first waits for its slot, and the others wait for the first, in the order of sending.
        await holding(db, 'LOCK TABLE storage_slots IN ACCESS EXCLUSIVE MODE', async () => {
          for (const [index, body] of bodies.entries()) {
            const before = await checked();
            replies.push((people[index] as TestAccount).submit(body));
            await expect.poll(checked).not.toBe(before);
            await sleep(50);
          }
        });
        const codes = (await Promise.all(replies)).map(({ body }) => body.resultInfo?.code ?? body.status);
        expect(codes).toEqual(['processing', 102011, 'processing', 'processing', 100000]);
        expect(unhandled).toEqual([]);
      } finally {
        process.off('unhandledRejection', listen);
        await db.script('DROP TRIGGER hinder ON orders; DROP FUNCTION hinder()');
      }
      expect(await auditDatabase(db)).toEqual([]);
    },
  );

  // PGlite has one connection: its transactions never meet.
  it.runIf(name === 'PostgreSQL')(
    'do not wait for an account that another transaction holds, and that one is answered when it is free',
    async () => {
      const [held, free] = [await test.account(), await test.account()];
      const [first, second] = [await order(held, 0, 10n), await order(free, 0, 10n)];
      let waiting: Promise<Reply> | undefined;
      const before = await checked();
      const lock = `SELECT 1 FROM accounts WHERE account_id = ${held.accountId} FOR UPDATE`;
      await holding(test.relayer.db, lock, async () => {
        waiting = held.submit(first);
        await expect.poll(checked).toBe(before + 1);
        expect((await free.submit(second)).body.status).toBe('processing');
      });
      expect((await waiting)?.body.status).toBe('processing');
    },
  );

  it.runIf(name === 'PostgreSQL')(
    'do not wait for that of the operator, whose balances the engine changes without its lock',
    async () => {
      const { db } = test.relayer;
      const [first, operator, other] = [await test.account(), await test.account(), await test.account()];
      await applySettings(db, readConfig({ dev: true, operatorAddress: operator.owner }), 0);
      await test.block();
      const accounts = [first, operator, other];
      const bodies = await Promise.all(accounts.map((account) => order(account, 0, 10n)));
      let replies: Promise<Reply>[] = [];
      const change = `UPDATE balances SET total = total WHERE account_id = ${operator.accountId}`;
      await holding(db, change, async () => {
        replies = await sendTogether(accounts.map((account, index) => () => account.submit(bodies[index] as object)));
        expect((await replies[2])?.body.status).toBe('processing');
      });
      expect((await replies[1])?.body.status).toBe('processing');
    },
  );
});
