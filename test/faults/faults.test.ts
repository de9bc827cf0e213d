import { set } from 'idb-keyval';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { operations } from '../../src/operations/index.ts';
import type { Browser } from './browser.ts';
import { checkNames, type Finish } from './checks.ts';
import { distinctEnds, distinctFaults, regressions } from './enumerate.ts';
import type { Answer, PageRequest } from './people.ts';
import { formatFault } from './plan.ts';
import { createRandom } from './random.ts';
import { scenarioNamed, scenarios } from './scenarios.ts';
import {
  formatSchedule,
  type Laboratory,
  openLaboratory,
  parseSchedule,
  type Report,
  runAll,
  type Schedule,
} from './schedule.ts';

/**
 * The short form of `npm run test:faults`: every scenario in peace and at one point by chance, and
 * what once failed.
 */

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterAll(() => laboratory.close());

async function run(schedules: Iterable<Schedule>): Promise<Report[]> {
  const reports: Report[] = [];
  await runAll(laboratory, schedules[Symbol.iterator](), (report) => reports.push(report));
  return reports;
}

/** One text that names the schedules; `npm run test:faults -- --only NAME` repeats one. */
const problemsOf = (reports: readonly Report[]) =>
  reports.flatMap(({ name, problems }) => problems.map(({ check, what }) => `${name}: ${check}: ${what}`)).join('\n');

test('every operation has a scenario, so that a new one cannot be forgotten', () => {
  const played = new Set<string>(scenarios.map(({ operation }) => operation));
  expect(Object.keys(operations).filter((name) => !played.has(name))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

let played: Promise<Report[]> | undefined;
/** Every scenario without a fault, played once. */
const inPeace = () => {
  played ??= run(scenarios.map((scenario) => ({ scenario, faults: [] })));
  return played;
};

test('in peace every scenario ends as its pages are told', async () => {
  expect(problemsOf(await inPeace())).toBe('');
});

describe('what once broke holds', () => {
  test.each(Object.entries(regressions))('%s', async (_what, name) => {
    const [report] = await run([parseSchedule(name)]);
    const happened = new Set(report?.happened.map((fault) => fault.split(' at ')[0]));
    expect(happened).toEqual(new Set(parseSchedule(name).faults.map(formatFault)));
    expect(report && problemsOf([report])).toBe('');
  });
});

test('ends, faults and clock jumps at points taken by chance leave nothing lost or doubled', async () => {
  const random = createRandom(1);
  const traces = new Map((await inPeace()).map(({ name, trace }) => [name.slice(0, name.indexOf('/')), trace]));
  const schedules = scenarios.map(
    (scenario) => random.shuffle(distinctFaults(scenario, traces.get(scenario.name) ?? []))[0] as Schedule,
  );
  expect(problemsOf(await run(schedules))).toBe('');
});

test('an approval request that nobody answers is seen', async () => {
  const idle = { ...scenarioNamed('connect'), steps: () => [] };
  const [report] = await run([{ scenario: idle, faults: [], rounds: 4 }]);
  expect(report?.problems.map(({ check }) => check)).toContain('nothing stays half-done');
});

describe('a wallet that breaks its word is seen', () => {
  /** What an order that rests has left. */
  interface Left {
    readonly finish: Finish;
    readonly browser: Browser;
    readonly request: PageRequest;
    /** The submission that the relayer has. */
    readonly record: SubmissionRecord;
  }
  const put = ({ browser }: Left, record: SubmissionRecord) =>
    set(['submission', record.id], record, browser.raw.journal);
  const answer = ({ request }: Left, instead: Answer) => void request.answers.splice(0, 1, instead);
  const atRelayerToo = ({ finish: { scenario } }: Left, hash: string): Partial<Finish> => ({
    scenario: { ...scenario, atRelayer: async (stage) => [...(await scenario.atRelayer(stage)), hash] },
  });
  const HASH = `0x${'1'.repeat(63)}`;
  const LATE_MS = 180_000;

  const lies: Record<string, [problem: RegExp, tell: (left: Left) => unknown]> = {
    'two payloads of one storage id': [
      /^one payload per storage id: 1\/\d+ has 2 payloads$/,
      ({ browser: { network }, record }) => {
        const sent = network.left.find(({ body }) => body === record.wire?.bodyText);
        if (sent) network.left.push({ ...sent, body: `${sent.body} ` });
      },
    ],
    'two effects of one click': [
      /^one effect per approval: \d effects of \d approvals$/,
      async (left) => {
        const { record } = left;
        await put(left, { ...record, id: 'second', seq: record.seq + 1, hash: HASH });
        return atRelayerToo(left, HASH);
      },
    ],
    'an effect that the journal does not know': [
      /^relayer and journal agree: the relayer has 0x1{63}, the journal /,
      (left) => atRelayerToo(left, HASH),
    ],
    'an effect that the relayer does not know': [
      /^relayer and journal agree: the journal has 0x1{63} as acknowledged, the relayer not$/,
      (left) => put(left, { ...left.record, hash: HASH }),
    ],
    'two answers to one request': [
      /^one answer per request: .* has different answers/,
      ({ request }) => void request.answers.push({ result: 'another' }),
    ],
    'a request without an answer': [
      /^one answer per request: .* has no answer/,
      ({ request }) => void request.answers.splice(0),
    ],
    'an answer that names another order': [
      /^answers are true: the page got the hash 0x1{63} for /,
      (left) => answer(left, { result: { hash: HASH } }),
    ],
    'a rejection that no user made': [
      /^answers are true: a request was rejected without the user$/,
      (left) => answer(left, { error: { code: 4001, message: '' } }),
    ],
    'two questions of one request': [
      /^one question per request: .* was asked 2 times$/,
      ({ finish: { users } }) => {
        const [[, question] = []] = users[0]?.seen ?? [];
        if (question) users[0]?.seen.set('second', { ...question, id: 'second' });
      },
    ],
    'an approval that was not carried out': [
      /^approvals are carried out: an approved request got /,
      (left) => answer(left, { error: { code: -32_603, message: '' } }),
    ],
    'a signature three minutes after its click': [
      /^nothing is signed late: signed 18\d\.?\d* s/,
      async (left) => {
        const { browser, record } = left;
        const later = <T extends { readonly at: number }>(entry: T) => ({ ...entry, at: entry.at + LATE_MS });
        await put(left, { ...record, history: record.history.map(later) });
        browser.journalWrites.push(...browser.journalWrites.map(later));
      },
    ],
    'a storage id that can be used again': [
      /^cursors are ahead: \d+ after id \d+$/,
      (left) => {
        const { record } = left;
        const { slot } = record;
        return slot && put(left, { ...record, slot: { ...slot, storageId: slot.storageId + 2_000 } });
      },
    ],
    'an amount that does not fit': [
      /^amounts fit: \d+1 LRC are locked for 1 open orders$/,
      async ({ finish: { stage } }) => {
        const { relayer, account } = stage;
        const sql = 'UPDATE balances SET locked = locked + 1 WHERE account_id = $1 AND token_id = 1';
        await relayer.db.query(sql, [account.accountId]);
      },
    ],
    'a key in a message to a page': [
      /^no secret leaks: EdDSA key in a message to a page$/,
      ({ finish: { stage }, browser }) =>
        void browser.toPages.push(JSON.stringify({ text: JSON.stringify(stage.account.secretKey) })),
    ],
    'a request signature in an answer': [
      /^no secret leaks: a request signature in an answer$/,
      ({ browser: { network, toUi } }) =>
        void toUi.push(network.left.find(({ signature }) => signature !== '')?.signature ?? ''),
    ],
    'a failure that nobody catches': [/^nothing fails unseen: it failed$/, () => ({ unhandled: ['it failed'] })],
  };

  test.each(Object.entries(lies))('by %s', async (_what, [problem, tell]) => {
    const scenario = scenarioNamed('order');
    const spoil = async (finish: Finish) => {
      const { stage } = finish;
      const [[browser], [request], hashes] = [stage.browsers, stage.requests, await scenario.atRelayer(stage)];
      const record = ((await browser?.dump('journal')) ?? [])
        .map(([, value]) => value as SubmissionRecord)
        .find(({ hash }) => hash !== undefined && hashes.some((done) => BigInt(done) === BigInt(hash)));
      if (!browser || !request || !record) throw new Error('no order rests');
      return (await tell({ finish, browser, request, record })) as Partial<Finish> | undefined;
    };
    const [report] = await run([{ scenario, faults: [], spoil }]);
    expect(report?.problems.map(({ check, what }) => `${check}: ${what}`)).toContainEqual(
      expect.stringMatching(problem),
    );
  });

  test('in each way that is checked', () => {
    const told = Object.values(lies).map(([problem]) => /^\^([^:]*):/.exec(problem.source)?.[1]);
    expect(new Set([...told, 'nothing stays half-done'])).toEqual(new Set(checkNames));
  });
});

test('an end counts as another one than the next only while something outside the worker can change', () => {
  const trace = [
    'now#1',
    'local.get(a)#1',
    's.write:begin#1',
    's.write:commit#1',
    'now#2',
    's.write:committed#1',
    'now#3',
  ];
  const more = [
    'GET order:before#1',
    'GET order:after#1',
    'POST order:before#1',
    'POST order:after#1',
    'reply(page)#1',
    'now#4',
  ];
  expect([...distinctEnds([...trace, ...more])]).toEqual([
    's.write:begin#1',
    's.write:commit#1',
    'now#2',
    'POST order:before#1',
    'reply(page)#1',
    'now#4',
  ]);
});

test('a schedule is repeated by its name', () => {
  const name = 'order/kill@requests.write:committed#3+late*@POST order#1';
  expect(formatSchedule(parseSchedule(name))).toBe(name);
});
