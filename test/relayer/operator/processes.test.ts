import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/relayer/db/postgres.ts';
import { auditDatabase } from '../support/audit.ts';
import { callerOf, type Reply } from '../support/caller.ts';
import { START_TIMEOUT_MS } from '../support/databases.ts';
import {
  ALICE_KEY,
  DEPOSITOR,
  type Operated,
  SETTLEMENT_KEY,
  someEvent,
  startOperated,
  until,
} from '../support/operated.ts';
import { createDatabase } from '../support/postgresCluster.ts';
import { exited, startProcess } from '../support/relayerProcess.ts';
import { startRelayer } from '../support/startRelayer.ts';
import { TestAccount } from '../support/testAccount.ts';
import { ETH, ether, LRC } from '../support/tokens.ts';

/**
 * Two relayers on one PostgreSQL: whichever is told, each fact counts once, and what one stops the
 * other stops too.
 */

let database: Awaited<ReturnType<typeof createDatabase>>;
let both: readonly [Operated, Operated];
beforeAll(async () => {
  database = await createDatabase();
  const start = () => startOperated(startRelayer, { databaseUrl: database.url });
  both = (await Promise.all([start(), start()])) as [Operated, Operated];
}, START_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(both.map((operated) => operated.close()));
  await database.drop();
});

const audit = () => auditDatabase(both[0].test.relayer.db);

it('a deposit that both are told at once, many times, is booked once', async () => {
  for (let round = 0; round < 5; round++) {
    const { owner } = new TestAccount(both[0].test.place);
    const told = { owner, symbol: 'LRC', amount: String(ether), from: DEPOSITOR, ...someEvent() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (both[n % 2] as Operated).tell('deposit-confirmed', told)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1);
  }
  const [booked] = await both[0].test.relayer.db.query<{ n: number; sum: bigint }>(
    `SELECT count(*) AS n, sum(amount) AS sum FROM requests WHERE kind = 'deposit'`,
  );
  expect(booked).toEqual({ n: 5, sum: 5n * ether });
  expect(await audit()).toEqual([]);
});

it('a payout that one is told paid and the other failed is one of the two', async () => {
  const account = await both[0].funded();
  for (let round = 0; round < 5; round++) {
    const { body } = await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether]));
    await until('it waits for its payout', async () =>
      (await both[1].list('withdrawals')).some(({ hash }) => hash === body.hash),
    );
    const told = [
      both[0].tell('withdrawal-paid', { hash: body.hash, txHash: someEvent().txHash }),
      both[1].tell('withdrawal-failed', { hash: body.hash, reason: 'x' }, ALICE_KEY),
      both[0].tell('withdrawal-failed', { hash: body.hash, reason: 'x' }),
      both[1].tell('withdrawal-paid', { hash: body.hash, txHash: someEvent().txHash }),
    ];
    const replies = await Promise.all(told);
    expect(replies.filter((reply) => reply.status === 200 && !reply.body.repeated)).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await audit()).toEqual([]);
  }
});

/** Holds the commit of each transaction that writes such a row back, until it is told to go on. */
async function holdCommits(table: string, when: string) {
  const { db } = both[0].test.relayer;
  await db.script(
    `CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$`,
  );
  await db.script(
    `CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION hold()`,
  );
  const holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  return {
    /** How many transactions wait for a lock that they name. */
    waiting: async () => {
      const [row] = await db.query<{ n: number }>(
        `SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return row?.n ?? 0;
    },
    end: async () => {
      await holder.end();
      await db.script(`DROP TRIGGER hold ON ${table}`);
    },
  };
}

it('a withdrawal that was accepted first and settled last is listed after those settled before it', async () => {
  const [early, late] = [await both[0].funded(), await both[1].funded()];
  const body = await early.withdrawal([LRC, ether]);
  const held = await holdCommits('requests', `NEW.account_id = ${early.accountId}`);
  const first = early.post('/api/v3/user/withdrawals', body);
  await until('its acceptance is held back', async () => (await held.waiting()) === 1);
  const second = await late.post('/api/v3/user/withdrawals', await late.withdrawal([LRC, ether]));
  const settledLate = async () => (await both[0].list('withdrawals')).find(({ hash }) => hash === second.body.hash);
  const after = Number((await until('the later one is settled', settledLate)).number);
  await held.end();
  const { hash } = (await first).body;
  const next = () => both[1].list('withdrawals', { after });
  await until('the earlier one is settled', async () =>
    (await both[1].list('withdrawals')).some((row) => row.hash === hash),
  );
  expect((await next()).map((row) => row.hash)).toEqual([hash]);
});

it('no line of the audit log becomes visible behind a later one, that of a refusal neither', async () => {
  const [here, there] = both;
  const accounts = [await here.funded(), await here.funded()];
  const numbers = async (after: number) =>
    (await here.list('log', { after, limit: 1_000 })).map(({ number }) => Number(number));
  const before = (await numbers(0)).at(-1) ?? 0;
  const suspends = ({ accountId }: TestAccount) => ({ accountId, reason: 'x' });
  const held = await holdCommits('operator_log', `NEW.operator = 'settlement'`);
  const first = here.tell('suspend-account', suspends(accounts[0] as TestAccount));
  await until('the first line is held back', async () => (await held.waiting()) === 1);
  const others = [
    there.tell('suspend-account', suspends(accounts[1] as TestAccount), ALICE_KEY),
    there.tell('suspend-account', { accountId: 999_999, reason: 'x' }, ALICE_KEY),
  ];
  const seen = await until('the others wait, or are visible', async () => {
    const visible = await numbers(before);
    return (visible.length > 0 || (await held.waiting()) === 3) && visible;
  });
  await held.end();
  await Promise.all([first, ...others]);
  expect([...seen, ...(await numbers(seen.at(-1) ?? before))]).toHaveLength(3);
});

it('what one halts and suspends, the other takes no more; both logs are one', async () => {
  const [here, there] = both;
  const account = await there.funded();
  await here.tell('halt-market', { market: 'LRC-ETH', reason: 'x' });
  await until('the other process refuses orders', async () => {
    const reply = await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
    return reply.body.resultInfo?.code === 102005;
  });
  await here.tell('resume-market', { market: 'LRC-ETH', reason: 'x' });
  await here.tell('suspend-account', { accountId: account.accountId, reason: 'x' });
  // At once: the account's row is read under its lock.
  const refused = await account.post('/api/v3/transfer', await account.transfer(DEPOSITOR, [LRC, ether]));
  expect(refused.body.resultInfo.code).toBe(102003);
  expect(await here.list('log', { limit: 1_000 })).toEqual(await there.list('log', { limit: 1_000 }));
  expect(await audit()).toEqual([]);
});

it(
  'reports that a process was killed over are booked once when they are told again',
  async () => {
    const own = await createDatabase();
    const environment = {
      DATABASE_URL: own.url,
      RELAYER_OPERATOR_KEYS: `settlement:${SETTLEMENT_KEY}`,
      RELAYER_OPERATIONS_PORT: '0',
    };
    const begin = async () => {
      const started = await startProcess(environment, ['--dev']);
      const port = started.lines.find(({ msg }) => msg === 'listening')?.operationsPort;
      return { ...started, call: callerOf(`http://127.0.0.1:${port}`) };
    };
    const reports = Array.from({ length: 200 }, () => {
      const { owner } = new TestAccount({ url: '', exchange: '0x', chainId: 1 });
      return { owner, symbol: 'LRC', amount: '7', from: DEPOSITOR, ...someEvent() };
    });
    const headers = { authorization: `Bearer ${SETTLEMENT_KEY}` };
    const first = await begin();
    try {
      let answered = 0;
      const left = [...reports];
      /** Sends one report after another until the process is gone. */
      const send = async () => {
        for (let body = left.pop(); body; body = left.pop()) {
          await first.call('POST', '/operator/deposit-confirmed', { body, headers });
          answered += 1;
          // While some are answered, some are in progress, and some are not sent yet.
          if (answered === 10) first.process.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: 50 }, send));
      await exited(first.process);
      // At most those that were in progress at the tenth answer were answered after it.
      expect(answered).toBeLessThan(10 + 50);
      const second = await begin();
      // So many at once wait for a connection, and a busy machine tells some to come again.
      const tell = async (body: object): Promise<Reply> => {
        const reply = await second.call('POST', '/operator/deposit-confirmed', { body, headers });
        return reply.status === 503 ? tell(body) : reply;
      };
      const replies = await Promise.all(reports.map(tell));
      await second.kill();
      expect(replies.map(({ status }) => status)).toEqual(reports.map(() => 200));
      expect(replies.filter(({ body }) => body.repeated).length).toBeGreaterThanOrEqual(10);
      const db = await openPostgres(own.url, 2);
      const [booked] = await db.query<{ n: number; logged: number }>(
        `SELECT (SELECT count(*) FROM requests WHERE kind = 'deposit') AS n,
              (SELECT count(*) FROM operator_log WHERE outcome = 'done') AS logged`,
      );
      expect(booked).toEqual({ n: reports.length, logged: reports.length });
      expect(await auditDatabase(db)).toEqual([]);
      await db.close();
    } finally {
      await first.kill();
      await own.drop();
    }
  },
  START_TIMEOUT_MS,
);
