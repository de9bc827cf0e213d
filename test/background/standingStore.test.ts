import { beforeEach, describe, expect, test } from 'vitest';
import type { StandingApproval, StandingEnd } from '../../src/background/sites/standingStore.ts';
import { createStandingStage, OTHER, SITE, standingOf, terms } from './standingStage.ts';

let stage: ReturnType<typeof createStandingStage>;
beforeEach(() => {
  stage = createStandingStage();
});
const stored = (id: string, changes: Partial<StandingApproval> = {}): StandingApproval => ({
  ...{ ...standingOf(id), version: 1, createdAt: 0, ended: null },
  ...changes,
});

describe('the list', () => {
  test('has what was opened, whole, with the time and without an end', async () => {
    const at = stage.clock.ms;
    await stage.standing.open(standingOf('one'));
    const kept = { ...standingOf('one'), version: 1, ended: null };
    const one = await stage.standing.get('one');
    expect(one).toMatchObject(kept);
    expect(one?.createdAt).toBeGreaterThanOrEqual(at);
    expect(await stage.standing.list()).toEqual([one]);
    expect(await stage.standing.get('two')).toBeUndefined();
  });

  test('opens the same one once, and keeps its counters', async () => {
    await stage.standing.open(standingOf('one'));
    await stage.sign('one', 100n);
    await stage.standing.open(standingOf('one', { account: 'another' }));
    expect(await stage.standing.list()).toMatchObject([{ account: 'mine' }]);
    expect((await stage.standing.active()).map(({ state }) => state.spent.sold)).toEqual([100n]);
  });

  test('gives the counters the limits: the total, the rate in its window, the expiry', async () => {
    await stage.standing.open(standingOf('one'));
    await expect(stage.sign('one', 301n)).rejects.toMatchObject({ code: 'limit-exceeded' });
    await stage.sign('one', 150n);
    await stage.sign('one', 149n);
    await expect(stage.sign('one', 1n)).rejects.toMatchObject({ code: 'limit-exceeded' });
    stage.clock.ms += 60_000;
    await expect(stage.sign('one', 2n)).rejects.toMatchObject({ code: 'limit-exceeded' });
    await stage.sign('one', 1n);
    stage.clock.ms = terms.validUntil * 1000 - 10;
    expect(await stage.activeIds()).toEqual(['one']);
    stage.clock.ms = terms.validUntil * 1000;
    expect(await stage.activeIds()).toEqual([]);
    await expect(stage.sign('one', 0n)).rejects.toMatchObject({ code: 'rule-closed' });
  });

  test('opens its counters before it is listed', async () => {
    stage.local.failWrite(0);
    await expect(stage.standing.open(standingOf('one'))).rejects.toThrow('injected fault');
    expect(await stage.standing.list()).toEqual([]);
    expect((await stage.journal.getRule('one'))?.status).toBe('open');
    await stage.standing.open(standingOf('one'));
    expect(await stage.activeIds()).toEqual(['one']);
  });

  test('has none whose counters could not be opened', async () => {
    const openRule = async () => {
      throw new Error('the disk is full');
    };
    Object.assign(stage.journal, { openRule });
    await expect(stage.standing.open(standingOf('one'))).rejects.toThrow('full');
    expect(await stage.standing.list()).toEqual([]);
  });

  test('counts by the limits that were approved last when an earlier opening broke off', async () => {
    stage.local.failWrite(0);
    await expect(stage.standing.open(standingOf('one'))).rejects.toThrow('injected fault');
    const tighter = { ...terms, totalVolume: '100', validUntil: terms.validUntil - 60 };
    await stage.standing.open(standingOf('one', { terms: tighter }));
    await expect(stage.sign('one', 101n)).rejects.toMatchObject({ code: 'limit-exceeded' });
    await stage.sign('one', 100n);
    stage.clock.ms = tighter.validUntil * 1000;
    expect(await stage.activeIds()).toEqual([]);
  });

  test('keeps the limits of counters that have counted, or that were closed', async () => {
    const limits = (sold: bigint) => ({
      ...{ limits: { sold }, rate: { most: 9, perMs: 1_000 }, expiresAt: terms.validUntil * 1000 },
    });
    for (const id of ['counted', 'closed']) await stage.journal.openRule(id, limits(100n));
    await stage.sign('counted', 60n);
    await stage.journal.closeRule('closed');
    for (const id of ['counted', 'closed']) await stage.journal.openRule(id, limits(1_000n));
    await expect(stage.sign('counted', 41n)).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(stage.sign('closed', 1n)).rejects.toMatchObject({ code: 'rule-closed' });
  });

  test('is in force for its own site and account alone, newest first', async () => {
    await stage.standing.open(standingOf('old'));
    await stage.standing.open(standingOf('elsewhere', { origin: OTHER }));
    await stage.standing.open(standingOf('other account', { account: 'other' }));
    await stage.standing.open(standingOf('new'));
    expect(await stage.activeIds()).toEqual(['new', 'other account', 'elsewhere', 'old']);
    expect(await stage.activeIds({ origin: SITE })).toEqual(['new', 'other account', 'old']);
    expect(await stage.activeIds({ account: 'mine' })).toEqual(['new', 'elsewhere', 'old']);
    expect(await stage.activeIds({ origin: SITE, account: 'mine' })).toEqual(['new', 'old']);
    expect(await stage.activeIds({ origin: OTHER, account: 'other' })).toEqual([]);
  });

  test('keeps all that are in force, and the hundred that ended last', async () => {
    // The first ones of the list ended in the middle of the others.
    const over = Array.from({ length: 102 }, (_, number) =>
      stored(`${number}`, { ended: { at: (number + 50) % 102, reason: 'user' } }),
    );
    await stage.local.area.set({ standing: [stored('in force'), ...over] });
    await stage.standing.open(standingOf('new'));
    const kept = new Set((await stage.standing.list()).map(({ id }) => id));
    expect(kept.size).toBe(102);
    // The two that ended first.
    expect(['52', '53'].filter((id) => kept.has(id))).toEqual([]);
    expect(['in force', 'new'].filter((id) => kept.has(id))).toHaveLength(2);
  });

  test('writes under the name that the wallet knows', async () => {
    await stage.standing.open(standingOf('one'));
    expect([...stage.local.entries.keys()]).toEqual(['standing']);
  });
});

/** A place in what is stored, and a value that no wallet has written there. */
const damages: readonly (readonly [path: string, value: unknown])[] = [
  ['version', 2],
  ['id', 1],
  ['origin', null],
  ['account', 7],
  ['createdAt', 'today'],
  ['endsWithLock', 'no'],
  ['ended', undefined],
  ['ended', { at: 1, reason: 'whim' }],
  ['ended', { at: 'now', reason: 'user' }],
  ['terms.operations', ['transfer']],
  ['terms.operations', 'submitOrder'],
  ['terms.sellTokenId', -1],
  ['terms.buyTokenId', -1],
  ['terms.sellTokenId', 0.5],
  ['terms.buyTokenId', 0.5],
  ['terms.minPrice', '-1'],
  ['terms.minPrice', '1.'],
  ['terms.minPrice', '1,5'],
  ['terms.minPrice', 'x1'],
  ['terms.maxPrice', '1x'],
  ['terms.maxPrice', '1.5x'],
  ['terms.orderVolume', '1.5'],
  ['terms.orderVolume', ''],
  ['terms.orderVolume', '-1'],
  ['terms.totalVolume', '1x'],
  ['terms.totalVolume', '9'.repeat(79)],
  ['terms.rate', undefined],
  ['terms.rate.requests', 0],
  ['terms.rate.requests', 0.5],
  ['terms.rate.seconds', 0],
  ['terms.rate.seconds', 0.5],
  ['terms.validUntil', '1800000000'],
  ['terms.validUntil', 0.5],
  ['shown.side', 'LEND'],
  ['shown.market', 5],
  ['shown.sell.tokenId', -1],
  ['shown.sell.symbol', 5],
  ['shown.buy.name', 5],
  ['shown.buy.address', 5],
  ['shown.buy.decimals', -1],
  ['shown.buy.decimals', 256],
  ['shown.buy.decimals', 0.5],
  ['shown.buy', undefined],
];

function withDamage(rule: StandingApproval, path: string, value: unknown): unknown {
  const copy = structuredClone(rule) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  holder[last] = value;
  return copy;
}

describe('what is stored', () => {
  test.each(damages)('answers nothing with %s = %j, and costs no other one', async (path, value) => {
    const whole = stored('whole');
    await stage.local.area.set({ standing: [withDamage(stored('damaged'), path, value), whole] });
    expect(await stage.standing.list()).toEqual([whole]);
  });

  test.each<readonly [path: string, value: unknown]>([
    ['terms.minPrice', '12'],
    ['terms.minPrice', '12.05'],
    ['terms.minPrice', undefined],
    ['terms.maxPrice', '0.30'],
    ['terms.operations', ['cancelOrder']],
    ['terms.orderVolume', '12'],
    ['terms.totalVolume', '9'.repeat(78)],
    ['terms.rate', { requests: 1, seconds: 1 }],
    ['terms.sellTokenId', 0],
    ['shown.sell.tokenId', 0],
    ['shown.sell.decimals', 0],
    ['shown.sell.decimals', 255],
    ['shown.side', 'BUY'],
    ['shown.prices', { poolUnknown: true }],
    ['terms.later', 'a field of a later version'],
    ['shown.sell.later', 'a field of a later version'],
    ...(['user', 'site', 'lock', 'key', 'permission', 'account', 'expired'] satisfies StandingEnd[]).map(
      (reason) => ['ended', { at: 1, reason }] as const,
    ),
  ])('is read back with %s = %j', async (path, value) => {
    const changed = JSON.parse(JSON.stringify(withDamage(stored('one'), path, value)));
    await stage.local.area.set({ standing: [changed] });
    expect(await stage.standing.list()).toEqual([changed]);
  });

  test('answers nothing without its counters', async () => {
    await stage.standing.open(standingOf('one'));
    const [one] = await stage.standing.list();
    await stage.local.area.set({ standing: [{ ...one, id: 'never opened' }] });
    expect(await stage.standing.active()).toEqual([]);
  });
});

describe('the end', () => {
  test('is for good, tells the reason and the time, and is given once', async () => {
    await stage.standing.open(standingOf('one'));
    await stage.standing.open(standingOf('two'));
    const at = stage.clock.ms;
    const over = await stage.standing.end(({ id }) => id === 'one', 'key');
    expect(over.map(({ id }) => id)).toEqual(['one']);
    const [one, two] = await stage.standing.list();
    expect(one?.ended?.reason).toBe('key');
    expect(one?.ended?.at).toBeGreaterThanOrEqual(at);
    expect(two?.ended).toBeNull();
    await expect(stage.sign('one', 1n)).rejects.toMatchObject({ code: 'rule-closed' });
    expect(await stage.activeIds()).toEqual(['two']);
    expect((await stage.standing.end(() => true, 'user')).map(({ id }) => id)).toEqual(['two']);
    expect(await stage.standing.end(() => true, 'site')).toEqual([]);
    expect(await stage.ends()).toEqual([
      ['one', 'key'],
      ['two', 'user'],
    ]);
  });

  test('by its expiry counts before any other, and is the reason that is told', async () => {
    await stage.standing.open(standingOf('one'));
    stage.clock.ms += 3_600_000;
    const over = await stage.standing.end(() => true, 'lock');
    expect(over).toEqual(await stage.standing.list());
    expect(over[0]?.ended).toEqual({ at: stage.clock.ms, reason: 'expired' });
  });

  test('closes the counters before it is written', async () => {
    await stage.standing.open(standingOf('one'));
    stage.local.failWrite(0);
    await expect(stage.standing.end(() => true, 'user')).rejects.toThrow('injected fault');
    expect((await stage.journal.getRule('one'))?.status).toBe('closed');
    // Nothing is signed any more, though the list has it still.
    expect(await stage.activeIds()).toEqual([]);
  });

  test('writes nothing when there is nothing to end', async () => {
    await stage.standing.open(standingOf('one'));
    await stage.standing.end(() => true, 'user');
    stage.local.failWrite(0);
    expect(await stage.standing.end(() => true, 'lock')).toEqual([]);
    expect(await stage.standing.end(({ id }) => id === 'two', 'lock')).toEqual([]);
  });

  test('of two ends at once the first counts', async () => {
    await stage.standing.open(standingOf('one'));
    const overs = await Promise.all([stage.standing.end(() => true, 'user'), stage.standing.end(() => true, 'site')]);
    expect(overs.map((over) => over.length)).toEqual([1, 0]);
    expect(await stage.ends()).toEqual([['one', 'user']]);
  });

  test.each([
    ['and one has ended before', ['over']],
    ['and none has ended before', []],
  ])('with the lock, when it failed %s, comes before anything else answers', async (_what, before) => {
    for (const id of before) await stage.standing.open(standingOf(id));
    await stage.standing.end(() => true, 'user');
    await stage.standing.open(standingOf('kept', { endsWithLock: false }));
    await stage.standing.open(standingOf('bound'));
    stage.local.failWrite(0);
    const { closeRule } = stage.journal;
    Object.assign(stage.journal, { closeRule: () => Promise.reject(new Error('no disk')) });
    await expect(stage.standing.end(({ endsWithLock }) => endsWithLock, 'lock')).rejects.toThrow('no disk');
    expect([...stage.session.entries.keys()]).toEqual(['standing-unended']);
    // While it cannot be ended, none answers, not even one that would outlive the lock.
    await expect(stage.standing.active()).rejects.toThrow('no disk');
    Object.assign(stage.journal, { closeRule });
    stage.local.heal();
    expect(await stage.activeIds()).toEqual(['kept']);
    expect(await stage.ends()).toEqual([...before.map((id) => [id, 'user']), ['kept', null], ['bound', 'lock']]);
    // It is made up for once; one that is opened later is not ended by it.
    await stage.standing.open(standingOf('later'));
    expect(await stage.activeIds()).toEqual(['later', 'kept']);
    expect(stage.session.entries.size).toBe(0);
  });

  test('by anything but the lock, when it failed, is told and not made up for', async () => {
    await stage.standing.open(standingOf('one'));
    const { closeRule } = stage.journal;
    Object.assign(stage.journal, { closeRule: () => Promise.reject(new Error('no disk')) });
    await expect(stage.standing.end(() => true, 'user')).rejects.toThrow('no disk');
    Object.assign(stage.journal, { closeRule });
    expect(await stage.activeIds()).toEqual(['one']);
  });

  test('with the lock is told of when even the note about it fails', async () => {
    await stage.standing.open(standingOf('one'));
    Object.assign(stage.journal, { closeRule: () => Promise.reject(new Error('no disk')) });
    stage.session.failWrite(0, 'throws', 'no session');
    await expect(stage.standing.end(() => true, 'lock')).rejects.toThrow('no disk');
  });

  test('with the lock is a choice for each one', async () => {
    await stage.standing.open(standingOf('one'));
    await stage.standing.open(standingOf('two'));
    await stage.standing.setEndsWithLock('one', false);
    const [one, two] = await stage.standing.list();
    expect(one).toMatchObject({ ...standingOf('one'), endsWithLock: false });
    expect(two).toMatchObject(standingOf('two'));
    await stage.standing.end(({ endsWithLock }) => endsWithLock, 'lock');
    expect(await stage.activeIds()).toEqual(['one']);
    await stage.standing.setEndsWithLock('one', true);
    expect(await stage.standing.get('one')).toMatchObject({ endsWithLock: true });
  });
});
