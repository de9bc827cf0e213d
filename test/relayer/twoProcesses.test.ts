import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe('two relayers on one PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let relayers: readonly [TestRelayer, TestRelayer];
  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const options = { databaseUrl: database.url, engine: 'timer', engineIntervalMs: 20 } as const;
    // Started together: the migrations and the catalog must not collide either.
    relayers = (await Promise.all([startRelayer(options), startRelayer(options)])) as [TestRelayer, TestRelayer];
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all(relayers.map((relayer) => relayer.close()));
    await database.drop();
  });

  const settled = async () => {
    for (let round = 0; round < 20; round++) {
      await relayers[0].block();
      const [row] = await relayers[0].relayer.db.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM requests WHERE status = 'received')
              + (SELECT count(*) FROM orders WHERE status = 'processing' AND NOT resting) AS n`,
      );
      if (row?.n === 0) return;
    }
    throw new Error('the engines do not come to an end');
  };

  it('take one of two payloads with the same storage id, and the same bytes once', async () => {
    const alice = await relayers[0].account();
    const again = alice.at(relayers[1].place);
    const first = await alice.order([LRC, 10n * ether], [ETH, ether], { storageId: 100 });
    const second = await alice.order([LRC, 11n * ether], [ETH, ether], { storageId: 100 });
    const replies = await Promise.all([
      alice.submit(first),
      again.submit(second),
      again.submit(first),
      alice.submit(second),
    ]);
    const taken = replies.filter((reply) => reply.status === 200);
    const refused = replies.filter((reply) => reply.status !== 200);
    expect(new Set(taken.map((reply) => reply.body.hash)).size).toBe(1);
    expect(taken.filter((reply) => !reply.body.isIdempotent)).toHaveLength(1);
    expect(refused.map((reply) => reply.body.resultInfo.code)).toEqual([102007, 102007]);
  });

  it('never freeze the same money twice', async () => {
    const alice = await relayers[0].account([
      { symbol: 'ETH', amount: String(ether) },
      { symbol: 'LRC', amount: String(100n * ether) },
    ]);
    const again = alice.at(relayers[1].place);
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, n) => alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 2 * n })),
    );
    const replies = await Promise.all(orders.map((order, n) => (n % 2 === 0 ? alice : again).submit(order)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3);
    expect(replies.filter((reply) => reply.body.resultInfo?.code === 102011)).toHaveLength(17);
    expect((await alice.balance(LRC)).locked).toBe(90n * ether);
  });

  it('cancel an order while it is matched without filling what was cancelled', async () => {
    const maker = await relayers[0].account();
    const taker = await relayers[1].account();
    const ends: { hash: string; isCancelled: boolean }[] = [];
    for (let round = 0; round < 10; round++) {
      const sell = await maker.submit(
        await maker.order([LRC, 100n * ether], [ETH, ether / 100n], { storageId: 2 * round }),
      );
      const buy = await taker.order([ETH, ether / 100n], [LRC, 100n * ether], {
        storageId: 2 * round,
        orderType: 'TAKER_ONLY',
      });
      const { hash } = sell.body;
      // Before, while and after the engine matches them.
      const cancel = sleep(8 * round).then(() => maker.cancel({ orderHash: hash }));
      const [, cancelled] = await Promise.all([taker.submit(buy), cancel]);
      ends.push({ hash, isCancelled: cancelled.body.status === 'cancelled' });
    }
    await settled();
    for (const { hash, isCancelled } of ends) {
      const { status, volumes } = await maker.orderOf(hash);
      expect([status, volumes.baseFilled]).toEqual(
        isCancelled ? ['cancelled', '0'] : ['processed', String(100n * ether)],
      );
    }
    expect(await auditDatabase(relayers[0].relayer.db)).toEqual([]);
  });

  it('settle every request once under load from both sides', async () => {
    const people = await Promise.all([0, 1, 0, 1].map((n) => (relayers[n] as TestRelayer).account()));
    const before = await total(people);
    await Promise.all(
      people.flatMap((person, index) =>
        [0, 1].map(async (n) => {
          const account = person.at((relayers[n] as TestRelayer).place);
          const payee = people[(index + 1) % people.length] as TestAccount;
          const validUntil = await account.inSeconds(3600);
          for (let i = 0; i < 15; i++) {
            const storageId = 1 + 2 * (2 * i + n);
            await account.post(
              '/api/v3/transfer',
              await account.transfer(payee.owner, [LRC, ether], { storageId, validUntil }),
            );
            const side = (index + i) % 2 === 0;
            await account.submit(
              await account.order(
                side ? [LRC, 20n * ether] : [ETH, ether / 500n],
                side ? [ETH, ether / 500n] : [LRC, 20n * ether],
                {
                  storageId: 2 * (2 * i + n),
                  validUntil,
                },
              ),
            );
          }
        }),
      ),
    );
    await settled();
    expect(await auditDatabase(relayers[0].relayer.db)).toEqual([]);
    const [failed] = await relayers[0].relayer.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM requests WHERE status = 'failed'`,
    );
    expect(failed?.n).toBe(0);
    const [transfers] = await relayers[0].relayer.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM requests WHERE kind = 'transfer' AND status = 'processed'`,
    );
    expect(transfers?.n).toBe(120);
    expect((await total(people)) <= before).toBe(true);
  });

  const total = async (people: TestAccount[]) => {
    let sum = 0n;
    for (const person of people) sum += (await person.balance(LRC)).total;
    return sum;
  };
});
