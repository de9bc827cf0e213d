import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../../scripts/prepare.mjs';
import { readConfig } from '../../../src/relayer/config.ts';
import { runBuilt } from '../support/builtRelayer.ts';
import { callerOf } from '../support/caller.ts';
import { databases, START_TIMEOUT_MS } from '../support/databases.ts';
import { ALICE_KEY, DEPOSITOR, type Operated, SETTLEMENT_KEY, someEvent, startOperated } from '../support/operated.ts';
import { startRelayer } from '../support/startRelayer.ts';

const OWNER = '0x00000000000000000000000000000000000000a1';
const report = (changes: object = {}) => ({
  ...{ owner: OWNER, symbol: 'LRC', amount: '7', from: DEPOSITOR },
  ...someEvent(),
  ...changes,
});

describe.each(databases)('the operator interface on $name', ({ start }) => {
  let operated: Operated;
  beforeAll(async () => {
    operated = await startOperated(start);
  }, START_TIMEOUT_MS);
  afterAll(() => operated.close());

  const deposits = async () =>
    (await operated.test.relayer.db.query<{ n: number }>('SELECT count(*) AS n FROM requests'))[0]?.n;

  it('does nothing without a key, or with a wrong one', async () => {
    const before = await deposits();
    const call = callerOf(operated.url);
    const short = SETTLEMENT_KEY.slice(0, -1);
    for (const authorization of [
      '',
      SETTLEMENT_KEY,
      `Basic ${SETTLEMENT_KEY}`,
      `Bearer ${short}`,
      `Bearer ${short}x`,
    ]) {
      const headers = authorization === '' ? {} : { authorization };
      for (const reply of [
        await call('POST', '/operator/deposit-confirmed', { body: report(), headers }),
        await call('GET', '/operator/log', { headers }),
      ]) {
        expect(reply, authorization).toMatchObject({ status: 401, body: { error: { reason: 'unauthorized' } } });
        expect(JSON.stringify(reply.body)).not.toContain(short);
      }
    }
    expect(await deposits()).toBe(before);
  });

  it('is not on the public port, with the right key neither', async () => {
    const headers = { authorization: `Bearer ${SETTLEMENT_KEY}` };
    for (const [method, path] of [
      ['POST', '/operator/deposit-confirmed'],
      ['GET', '/operator/log'],
    ] as const)
      expect((await operated.test.call(method, path, { headers })).status).toBe(404);
    expect(await callerOf(operated.url)('GET', '/metrics')).toMatchObject({ status: 200 });
  });

  it('writes every action into a log that says who, what and when, and refuses every change', async () => {
    const [{ number: last } = { number: 0 }] = (await operated.list('log', { limit: 1_000 })).slice(-1);
    const told = report();
    await operated.tell('deposit-confirmed', told);
    await operated.tell('deposit-confirmed', told, ALICE_KEY);
    await operated.tell('deposit-confirmed', { ...told, amount: '8' });
    const rows = await operated.list('log', { after: last as number });
    expect(rows.map(({ operator, action, outcome }) => [operator, action, outcome])).toEqual([
      ['settlement', 'depositConfirmed', 'done'],
      ['alice', 'depositConfirmed', 'repeated'],
      ['settlement', 'depositConfirmed', 'refused'],
    ]);
    for (const row of rows) {
      expect(row.subject).toBe(`log 0 of transaction ${told.txHash} in block ${told.blockHash}`);
      expect(Date.now() - Date.parse(row.at as string)).toBeLessThan(3_600_000);
    }
    expect(rows[0]).toMatchObject({ request: told, message: '' });
    expect(rows[2]?.message).toContain('is booked with other facts');
    const { metric } = operated.test;
    for (const outcome of ['done', 'repeated', 'refused'])
      expect(await metric(`operator_actions_total{action="depositConfirmed",outcome="${outcome}"}`)).toBeGreaterThan(0);
    expect(await metric('operator_actions_total{action="none",outcome="unauthorized"}')).toBeGreaterThan(0);
    const { db } = operated.test.relayer;
    for (const change of [
      `UPDATE operator_log SET operator = 'bob'`,
      'DELETE FROM operator_log',
      'TRUNCATE operator_log',
    ])
      await expect(db.script(change), change).rejects.toThrow('append-only');
  });

  it.each([
    ['the database could not do', '53100', 503, 'unavailable'],
    ['failed by a fault', 'P0001', 500, 'failed'],
  ])('calls nothing refused that %s: the same report is booked later', async (_what, code, status, reason) => {
    const { db } = operated.test.relayer;
    const [{ number: last } = { number: 0 }] = (await operated.list('log', { limit: 1_000 })).slice(-1);
    const told = report();
    await db.script(`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER disk_full BEFORE INSERT ON l1_transactions EXECUTE FUNCTION disk_full()`);
    const failed = await operated
      .tell('deposit-confirmed', told)
      .finally(() => db.script('DROP TRIGGER disk_full ON l1_transactions; DROP FUNCTION disk_full()'));
    expect(failed).toMatchObject({ status, body: { error: { reason } } });
    expect(failed.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    expect(await operated.list('log', { after: last as number })).toEqual([]);
    expect(await operated.tell('deposit-confirmed', told)).toMatchObject({ status: 200, body: { repeated: false } });
  });

  it('answers a page of a list, and refuses what is no page', async () => {
    const rows = await operated.list('log', { limit: 2 });
    expect(rows).toHaveLength(2);
    const next = await operated.list('log', { after: rows[1]?.number as number, limit: 1 });
    expect(next[0]?.number).toBeGreaterThan(rows[1]?.number as number);
    await expect(operated.list('log', { limit: 0 })).rejects.toThrow('limit');
    await expect(operated.list('log', { before: 3 })).rejects.toThrow('before');
    await expect(operated.list('nothing')).rejects.toThrow('no such path');
  });
});

async function command(words: readonly string[], url: string, key = ALICE_KEY, file = '') {
  const environment = { OPERATOR_KEY: key, OPERATOR_KEY_FILE: file, OPERATOR_URL: url };
  const ended = await runBuilt(words, environment, 'operator');
  const answer: unknown = ended.output.startsWith('{') ? JSON.parse(ended.output) : undefined;
  return { ...ended, answer };
}

it(
  'the command knows the fields from the schema and ends with what came of it',
  async () => {
    const operated = await startOperated();
    try {
      const told = report();
      const flags = Object.entries(told).flatMap(([field, value]) => [
        `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        String(value),
      ]);
      const first = await command(['deposit-confirmed', ...flags], operated.url);
      expect(first).toMatchObject({ code: 0, answer: { repeated: false, status: 'received' } });
      const refused = await command(['deposit-confirmed', ...flags.with(flags.indexOf('7'), '8')], operated.url);
      expect(refused).toMatchObject({ code: 1, answer: { error: { reason: 'contradiction' } } });
      const log = await command(['log', '--limit', '1'], operated.url);
      expect(log).toMatchObject({ code: 0, answer: { rows: [{ operator: 'alice', action: 'depositConfirmed' }] } });
      expect(await command(['log'], 'http://127.0.0.1:1')).toMatchObject({ code: 2 });
      const wrong: [ReturnType<typeof command>, string][] = [
        [command(['log'], operated.url, ''), 'OPERATOR_KEY is not set'],
        [command(['log'], operated.url, '', '/no/such'), 'OPERATOR_KEY_FILE: /no/such cannot be read (ENOENT)'],
        [command(['log'], operated.url, 'k', '/no/such'), 'OPERATOR_KEY and OPERATOR_KEY_FILE exclude each other'],
        [command(['logs'], operated.url), 'there is no word "logs"'],
        [command(['deposit-confirmed', '--ammount', '1'], operated.url), "Unknown option '--ammount'"],
        [command(['log', '--limit', '1e2'], operated.url), '--limit: "1e2" is not an integer'],
        [command(['deposit-confirmed', ...flags, '--log-index', ''], operated.url), '--log-index is empty'],
        [command(['log'], '127.0.0.1:1'), 'Invalid URL'],
        [command(['log'], 'file:///'), 'is not an http:// or https:// URL'],
      ];
      for (const [ending, text] of wrong) {
        const { code, errors } = await ending;
        expect({ code, errors }).toEqual({ code: 64, errors: expect.stringContaining(text) });
      }
      expect((await command(['deposit-confirmed', '--help'], operated.url, '')).code).toBe(0);
      expect((await command(['--help'], operated.url, '')).output).toContain(
        'deposit-confirmed        a deposit is final on layer 1',
      );
    } finally {
      await operated.close();
    }
  },
  START_TIMEOUT_MS,
);

it(
  'the command ends with 1 where the operations port has no operator interface',
  async () => {
    const test = await startRelayer({ operationsPort: 0 });
    onTestFinished(() => test.close());
    const url = `http://127.0.0.1:${test.relayer.operationsPort}`;
    for (const [base, asked] of [
      ['', '/operator/log'],
      ['/behind/a/proxy/', '/behind/a/proxy/operator/log'],
      ['/a/?realm=1', '/a/operator/log?realm=1'],
    ])
      expect(await command(['log'], `${url}${base}`)).toMatchObject({
        code: 1,
        errors: `${url}${asked} answered 404 without JSON\n`,
      });
  },
  START_TIMEOUT_MS,
);

describe('keys of the operator interface', () => {
  const problem = (operatorKeys: string, operationsPort: number | null = 0): string => {
    try {
      readConfig({ dev: true, operatorKeys, ...(operationsPort !== null && { operationsPort }) });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('need a name, a length, a port of their own, and to differ; a message never shows one', () => {
    const good = `settlement:${SETTLEMENT_KEY}`;
    expect(problem(good)).toBe('');
    expect(problem(good, null)).toContain('set operationsPort');
    for (const [keys, text] of [
      [SETTLEMENT_KEY, 'entry 1 is not name:key'],
      [`${good},Bob:${ALICE_KEY}`, 'entry 2 is not name:key'],
      [`settlement:${SETTLEMENT_KEY.slice(0, 31)}`, 'the key of settlement has fewer than 32 characters'],
      ['bob:replace-by-a-random-key-of-your-own', 'the key of bob is the one of the guide'],
      [`${good},bob:${SETTLEMENT_KEY}`, 'the name or the key of bob is given twice'],
      [`${good},settlement:${ALICE_KEY}`, 'the name or the key of settlement is given twice'],
    ] as const) {
      expect(problem(keys)).toContain(text);
      expect(problem(keys)).not.toContain(SETTLEMENT_KEY.slice(0, 31));
    }
  });

  it('and secrets of the example settings are refused: everybody knows them', () => {
    const lines = readFileSync(join(root, 'deploy/relayer.env.example'), 'utf8').split('\n');
    const exampleOf = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    expect(problem(exampleOf('RELAYER_OPERATOR_KEYS'))).toContain('the key of settlement is the one of the guide');
    const apiKeySecret = exampleOf('RELAYER_API_KEY_SECRET');
    expect(() => readConfig({ dev: true, apiKeySecret })).toThrow('is the one of the guide');
  });
});
