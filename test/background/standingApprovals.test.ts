import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import {
  endOver,
  endStandingApprovals,
  soldOf,
  spendOf,
  standingAnswer,
  standingCandidates,
} from '../../src/background/sites/standingApprovals.ts';
import type { StandingEnd } from '../../src/background/sites/standingStore.ts';
import { cancelOrder } from '../../src/operations/cancelOrder.ts';
import { operations } from '../../src/operations/index.ts';
import type { Facts, KnownOrder } from '../../src/operations/operation.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { draftOf, payload } from '../journal/harness.ts';
import { factsWith, now as NOW } from '../operations/facts.ts';
import { createStandingStage, OTHER, SITE, standingOf, terms } from './standingStage.ts';

const HOUR_MS = 3_600_000;

let stage: ReturnType<typeof createStandingStage>;
let isUnlocked: boolean;
let told: { origin: string; message: unknown }[];
let drawn: number;
beforeEach(() => {
  stage = createStandingStage();
  isUnlocked = true;
  told = [];
  drawn = 0;
});

/** What a change of standing approvals needs besides the journal. */
const rooms = () => ({
  standing: stage.standing,
  journal: stage.journal,
  vault: { isUnlocked: async () => isUnlocked },
  ports: {
    toAllPages: async (origin: string, message: unknown) => void told.push({ origin, message }),
    toUi: () => void drawn++,
  },
});

const endOf = (id: string, reason: StandingEnd) => ({
  event: 'message',
  data: { type: 'relayer_standingApproval', data: { id, status: 'ended', reason } },
});

describe('an end by its cause', () => {
  beforeEach(async () => {
    await stage.standing.open(standingOf('a'));
    await stage.standing.open(standingOf('b', { account: 'other' }));
    await stage.standing.open(standingOf('c', { origin: OTHER, endsWithLock: false }));
  });

  test.each([
    [{ id: 'a' }, ['a']],
    [{ origin: SITE }, ['a', 'b']],
    [{ account: 'mine' }, ['a', 'c']],
    [{ origin: SITE, account: 'mine' }, ['a']],
    [{ withLock: true as const }, ['a', 'b']],
    [{}, ['a', 'b', 'c']],
    [{ id: 'd' }, []],
  ])('%j ends %j, and tells their sites and the screens', async (which, over) => {
    await endStandingApprovals(rooms(), which, 'permission');
    expect((await stage.standing.list()).filter((rule) => rule.ended).map(({ id }) => id)).toEqual(over);
    expect(told).toEqual(over.map((id) => ({ origin: id === 'c' ? OTHER : SITE, message: endOf(id, 'permission') })));
    expect(drawn).toBe(over.length > 0 ? 1 : 0);
  });

  test('the lock ends what is bound to it, and only while the wallet is locked', async () => {
    await endOver(rooms());
    expect(told).toEqual([]);
    isUnlocked = false;
    await endOver(rooms());
    expect(told.map(({ message }) => message)).toEqual([endOf('a', 'lock'), endOf('b', 'lock')]);
  });

  test('time ends what has expired and nothing else, once', async () => {
    await stage.standing.open(standingOf('longer', { terms: { ...terms, validUntil: terms.validUntil + 60 } }));
    await endOver(rooms());
    expect(told).toEqual([]);
    await stage.standing.end(({ id }) => id === 'b', 'user');
    stage.clock.ms += HOUR_MS;
    await endOver(rooms());
    expect(told.map(({ message }) => message)).toEqual([endOf('a', 'expired'), endOf('c', 'expired')]);
    stage.clock.ms -= HOUR_MS;
    await endOver(rooms());
    expect(told).toHaveLength(2);
    expect(await stage.activeIds()).toEqual(['longer']);
    expect(await stage.ends()).toContainEqual(['b', 'user']);
  });

  test('what has expired is told as that, also when the lock or the user ends it first', async () => {
    stage.clock.ms += HOUR_MS;
    await endStandingApprovals(rooms(), { id: 'a' }, 'user');
    isUnlocked = false;
    await endOver(rooms());
    expect(told.map(({ message }) => message)).toEqual(['a', 'b', 'c'].map((id) => endOf(id, 'expired')));
    expect(await stage.ends()).toEqual(['a', 'b', 'c'].map((id) => [id, 'expired']));
  });

  test('one that has lost its counters ends', async () => {
    const [a] = await stage.standing.list();
    await stage.local.area.set({ standing: [{ ...a, id: 'never opened' }] });
    await endOver(rooms());
    expect(await stage.ends()).toEqual([['never opened', 'expired']]);
  });
});

/** A pool of 1,000 LRC and 100 ETH. */
const pool = {
  poolName: 'P',
  poolAddress: `0x${'9'.repeat(40)}`,
  pooled: [
    { tokenId: 1, volume: '1000' },
    { tokenId: 0, volume: '100' },
  ],
  lp: { tokenId: 100, volume: '1' },
  risky: false,
};
const HASH = `0x${'ab'.repeat(32)}`;
const knownOrder: KnownOrder = {
  ...{ hash: HASH, clientOrderId: 'mine', market: 'LRC-ETH', side: 'SELL', status: 'processing' },
  ...{ baseAmount: '100', quoteAmount: '5', baseFilled: '0' },
};
const facts: Facts = { ...factsWith({ getAmmBalances: () => [pool] }), order: async () => knownOrder };

/** An approval request for an order of 100 LRC at the pool's price, prepared. */
async function sale(changes: object = {}) {
  const asked = {
    sellToken: { tokenId: 1, volume: '100' },
    buyToken: { tokenId: 0, volume: '10' },
    validUntil: NOW + 60,
    ...changes,
  };
  const draft = await submitOrder.prepare(submitOrder.intent().parse(asked), facts);
  return { operation: 'submitOrder', origin: SITE, draft, review: submitOrder.review(draft, NOW) };
}

async function cancellation() {
  const draft = await cancelOrder.prepare(cancelOrder.intent().parse({ orderHash: HASH }), facts);
  return { operation: 'cancelOrder', origin: SITE, draft, review: cancelOrder.review(draft, NOW) };
}

describe('the answer', () => {
  const answerTo = async (approval: Parameters<typeof standingAnswer>[2]) =>
    standingAnswer(stage, await stage.standing.active(), approval);

  test('is given to an order within the limits, and to none without a draft or a review', async () => {
    await stage.standing.open(standingOf('one'));
    const { draft, review, ...asked } = await sale();
    expect(review.warnings).toEqual([]);
    expect(await answerTo({ ...asked, draft, review })).toBe('one');
    expect(await answerTo({ ...asked, review })).toBeUndefined();
    expect(await answerTo({ ...asked, draft })).toBeUndefined();
    expect(await answerTo({ origin: SITE, draft, review })).toBeUndefined();
    expect(await standingAnswer(stage, [], { ...asked, draft, review })).toBeUndefined();
  });

  test.each([
    ['note', 'one'],
    ['notice', 'one'],
    ['danger', undefined],
    ['stop', undefined],
  ] as const)('to a request that has a warning of the severity %s is %s', async (severity, answer) => {
    await stage.standing.open(standingOf('one'));
    const { review, ...asked } = await sale();
    const warnings = [
      { rule: 'plain', severity: 'note', text: { key: 'warning_fastUnbound' } },
      { rule: 'tried', severity, text: { key: 'warning_fastUnbound' } },
    ] as const;
    expect(await answerTo({ ...asked, review: { ...review, warnings } })).toBe(answer);
  });

  test('is never given to an operation that a standing approval does not cover', async () => {
    await stage.standing.open(standingOf('one'));
    const asked = await sale();
    for (const operation of Object.keys(operations))
      if (operation !== 'submitOrder' && operation !== 'cancelOrder')
        expect([operation, await answerTo({ ...asked, operation })]).toEqual([operation, undefined]);
    expect(await answerTo({ ...asked, operation: 'nothing of the kind' })).toBeUndefined();
  });

  test('is given up to the last unit of the total, and up to the last signature of the rate', async () => {
    await stage.standing.open(standingOf('one'));
    await stage.sign('one', 200n);
    expect(await answerTo(await sale())).toBe('one');
    stage.clock.ms += 60_000;
    await stage.sign('one', 1n);
    stage.clock.ms += 60_000;
    expect(await answerTo(await sale())).toBeUndefined();
    expect(await answerTo(await sale({ sellToken: { tokenId: 1, volume: '99' } }))).toBe('one');
    await stage.sign('one', 0n);
    await stage.sign('one', 0n);
    expect(await answerTo(await sale({ sellToken: { tokenId: 1, volume: '1' } }))).toBeUndefined();
  });

  test('is that of the newest one that covers it and is not used up', async () => {
    await stage.standing.open(standingOf('first'));
    await stage.standing.open(standingOf('too small', { terms: { ...terms, orderVolume: '99' } }));
    await stage.standing.open(standingOf('used up'));
    await stage.sign('used up', 201n);
    expect(await answerTo(await sale())).toBe('first');
    await stage.standing.open(standingOf('last'));
    expect(await answerTo(await sale())).toBe('last');
  });

  test.each(['sell', 'buy'] as const)('is for the tokens that were approved: %s', async (side) => {
    const { shown } = standingOf('one');
    const opened = async (id: string, changes: object) =>
      stage.standing.open(standingOf(id, { shown: { ...shown, [side]: { ...shown[side], ...changes } } }));
    await opened('of other decimals', { decimals: 17 });
    await opened('of another contract', { address: `0x${'9'.repeat(40)}` });
    expect(await answerTo(await sale())).toBeUndefined();
    await opened('renamed', { symbol: 'OLD', name: 'Old', address: shown[side].address.replace('0x', '0X') });
    expect(await answerTo(await sale())).toBe('renamed');
  });

  test('to a cancellation is given for an order that the site placed itself', async () => {
    await stage.standing.open(standingOf('one'));
    const asked = await cancellation();
    expect(await answerTo(asked)).toBeUndefined();
    const place = async (origin: string, hash: string, operation = 'submitOrder') => {
      const { id } = await stage.journal.reserve(draftOf({ origin, operation }));
      await stage.journal.markSigned(id, { ...payload, hash });
    };
    await place(OTHER, HASH);
    await place(SITE, `0x${'cd'.repeat(32)}`);
    // The site asked for its cancellation once, which the user read.
    await place(SITE, HASH, 'cancelOrder');
    expect(await answerTo(asked)).toBeUndefined();
    await place(SITE, HASH);
    expect(await answerTo(asked)).toBe('one');
    await stage.sign('one', 300n);
    // It sells nothing, so the total does not matter to it.
    expect(await answerTo(asked)).toBe('one');
  });
});

describe('candidates', () => {
  const approval = {
    ...{ id: 'q', kind: 'operation', stage: 'waiting', operation: 'submitOrder', origin: SITE, account: 'mine' },
  } as unknown as StoredApproval;
  const candidatesOf = async (changes: object = {}) =>
    (await standingCandidates(rooms(), { ...approval, ...changes } as StoredApproval)).map(
      ({ approval: one }) => one.id,
    );
  beforeEach(() => stage.standing.open(standingOf('one')));

  test.each([
    [{}, ['one']],
    [{ operation: 'cancelOrder' }, ['one']],
    [{ operation: 'transfer' }, []],
    [{ operation: 'nothing of the kind' }, []],
    [{ operation: undefined }, []],
    [{ kind: 'standing' }, []],
    [{ byHand: true }, []],
    [{ review: { rows: [] } }, []],
    [{ account: undefined }, []],
    [{ account: 'other' }, []],
    [{ origin: OTHER }, []],
  ])('of a request with %j are %j', async (changes, ids) => {
    expect(await candidatesOf(changes)).toEqual(ids);
  });

  test('are none while the wallet is locked, even of those that outlast the lock', async () => {
    await stage.standing.setEndsWithLock('one', false);
    isUnlocked = false;
    expect(await candidatesOf()).toEqual([]);
  });

  test('do not ask for the lock when there are none', async () => {
    await stage.standing.end(() => true, 'user');
    const asked: unknown[] = [];
    const asking = { isUnlocked: async () => asked.push('asked') > 0 };
    expect(await standingCandidates({ ...rooms(), vault: asking }, approval)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

test('a cancellation counts nothing, and an order what it sells', async () => {
  await stage.standing.open(standingOf('one'));
  expect((await stage.standing.active()).map(({ state }) => soldOf(state))).toEqual([0n]);
  expect(spendOf('one', operations.cancelOrder, { body: {}, shown: {} })).toStrictEqual({ ruleId: 'one', amounts: {} });
  expect(
    spendOf('one', operations.submitOrder, { body: { sellToken: { tokenId: 1, volume: '7' } }, shown: {} }),
  ).toEqual({ ruleId: 'one', amounts: { sold: 7n } });
});

test('to end with the lock is a choice for each', async () => {
  await stage.standing.open(standingOf('one'));
  await stage.standing.open(standingOf('two'));
  await stage.standing.setEndsWithLock('one', false);
  isUnlocked = false;
  await endOver(rooms());
  expect(await stage.activeIds()).toEqual(['one']);
  await stage.standing.setEndsWithLock('one', true);
  await endOver(rooms());
  expect(await stage.activeIds()).toEqual([]);
});
