import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScheduler, type RequestPriority } from '../../src/client/scheduler.ts';
import { createFakeClock } from '../support/fakeClock.ts';

interface Started {
  readonly name: string;
  readonly at: number;
}

function createHarness() {
  const clock = createFakeClock();
  const scheduler = createScheduler(clock);
  const started: Started[] = [];
  const ask = (name: string, priority: RequestPriority, endpoint = 'getOrders', origin?: string) =>
    scheduler.acquire(endpoint, priority, origin).then((fullForMs) => {
      if (fullForMs === null) started.push({ name, at: clock.now() });
      return fullForMs;
    });
  return { clock, scheduler, started, ask };
}

/** The most starts in any second, both ends included. */
function densest(starts: readonly number[]): number {
  return Math.max(0, ...starts.map((from) => starts.filter((at) => at >= from && at <= from + 1000).length));
}

describe('scheduler', () => {
  it('starts five requests at once and the sixth after the window', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 6; i++) void ask(`${i}`, 'user');
    await clock.advance(1099);
    expect(started.map(({ at }) => at)).toEqual([0, 0, 0, 0, 0]);
    await clock.advance(1);
    expect(started[5]).toEqual({ name: '5', at: 1100 });
  });

  it('counts each endpoint by itself', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 5; i++) void ask(`orders ${i}`, 'user');
    void ask('balances', 'user', 'getBalances');
    await clock.advance(0);
    expect(started).toHaveLength(6);
  });

  it('keeps one start of each window free, so that a user does not wait for refreshes', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 20; i++) void ask('poll', 'poll');
    await clock.advance(500);
    expect(started).toHaveLength(4);
    void ask('user', 'user');
    await clock.advance(0);
    expect(started[4]).toEqual({ name: 'user', at: 500 });
    await clock.advance(60_000);
    expect(started).toHaveLength(21);
  });

  it('lets users before refreshes that asked earlier', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 5; i++) void ask('first', 'user');
    void ask('poll', 'poll');
    void ask('user', 'user');
    await clock.advance(5000);
    expect(started.slice(5).map(({ name }) => name)).toEqual(['user', 'poll']);
  });

  it('leaves a share of each window to other sites', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 10; i++) void ask('greedy', 'user', 'submitOrder', 'https://greedy.example');
    await clock.advance(100);
    expect(started).toHaveLength(3);
    void ask('other', 'user', 'submitOrder', 'https://other.example');
    void ask('wallet', 'user', 'submitOrder');
    await clock.advance(0);
    expect(started.slice(3).map(({ name }) => name)).toEqual(['other', 'wallet']);
  });

  it('says when the first of those that wait can start', async () => {
    const { clock, ask } = createHarness();
    const ofSite = () => ask('of a site', 'user', 'getOrders', 'https://greedy.example');
    for (let i = 0; i < 2; i++) void ask('wallet', 'user');
    await clock.advance(500);
    for (let i = 0; i < 23; i++) void ofSite();
    // The site itself waits for its own share of the window, until 1600.
    expect(await ofSite()).toBe(1100);
    for (let i = 0; i < 100; i++) void ask('wallet', 'user');
    expect(await ask('one more', 'user')).toBe(600);
  });

  it('starts nothing while the endpoint is paused', async () => {
    const { clock, scheduler, started, ask } = createHarness();
    scheduler.pause('getOrders', 3000);
    void ask('late', 'user');
    void ask('other', 'user', 'getBalances');
    await clock.advance(2999);
    expect(started.map(({ name }) => name)).toEqual(['other']);
    await clock.advance(1);
    expect(started[1]).toEqual({ name: 'late', at: 3000 });
  });

  it('turns away what would wait behind a hundred others', async () => {
    const { ask } = createHarness();
    for (let i = 0; i < 105; i++) void ask('waiting', 'user');
    expect(await ask('too many', 'user')).toBe(1100);
  });

  it('lets exactly a hundred wait, those of each priority by themselves, and says when there is room', async () => {
    const { clock, started, ask } = createHarness();
    const turnedAway: number[] = [];
    const note = (ms: number | null) => ms !== null && turnedAway.push(ms);
    for (let i = 0; i < 104; i++) void ask('poll', 'poll').then(note);
    await clock.advance(500.5);
    expect(turnedAway).toEqual([]);
    expect(await ask('too many', 'poll')).toBe(600);
    // A refresh that waits is in nobody’s way.
    void ask('user', 'user').then(note);
    await clock.advance(0);
    expect(started.map(({ name }) => name)).toEqual(['poll', 'poll', 'poll', 'poll', 'user']);
    for (let i = 0; i < 100; i++) void ask('user', 'user').then(note);
    await clock.advance(0);
    expect(turnedAway).toEqual([]);
    expect(await ask('too many', 'user')).toBe(600);
  });

  it('lets exactly twenty reads of one site wait, or 64 of what it has signed, and others beside them', async () => {
    const { clock, scheduler, ask } = createHarness();
    const turnedAway: string[] = [];
    const note = (name: string) => (ms: number | null) => ms !== null && turnedAway.push(`${name} ${ms}`);
    const read = (site: string, priority: RequestPriority) => ask(site, priority, 'getOrders', site).then(note(site));
    const send = (site: string) => scheduler.acquire('submitOrder', 'user', site, 'signed').then(note(`sent ${site}`));
    for (let i = 0; i < 23; i++) void read('greedy', 'user');
    for (let i = 0; i < 20; i++) void read('greedy', 'poll');
    for (let i = 0; i < 67; i++) void send('greedy');
    await clock.advance(0);
    expect(turnedAway).toEqual([]);
    void read('greedy', 'user');
    void send('greedy');
    void read('other', 'user');
    void send('other');
    void ask('elsewhere', 'user', 'getBalances', 'greedy').then(note('elsewhere'));
    await clock.advance(0);
    expect(turnedAway.sort()).toEqual(['greedy 1100', 'sent greedy 1100']);
  });

  it('starts what the wallet itself asks before what sites asked earlier', async () => {
    const { clock, started, ask } = createHarness();
    for (let i = 0; i < 20; i++) for (const site of ['one', 'two', 'three']) void ask(site, 'user', 'getOrders', site);
    await clock.advance(500);
    void ask('wallet', 'user');
    await clock.advance(600);
    expect(started.findIndex(({ name }) => name === 'wallet')).toBe(5);
    expect(started[5]?.at).toBe(1100);
    await clock.advance(60_000);
    expect(started).toHaveLength(61);
  });

  it('promises room no sooner than in a millisecond, also when a wake-up is late', async () => {
    let time = 0;
    const { acquire } = createScheduler({ now: () => time, sleep: () => new Promise(() => {}) });
    for (let i = 0; i < 105; i++) void acquire('getOrders', 'user');
    time = 60_000;
    expect(await acquire('getOrders', 'user')).toBe(1);
  });

  it('sleeps once for all that wait, to the whole millisecond, and not at all for nobody', async () => {
    let time = 0.25;
    const sleeps: number[] = [];
    const { acquire } = createScheduler({
      now: () => time,
      sleep: (ms) => {
        sleeps.push(ms);
        return new Promise(() => {});
      },
    });
    for (let i = 0; i < 5; i++) await acquire('getOrders', 'user');
    expect(sleeps).toEqual([]);
    time = 0.5;
    for (let i = 0; i < 3; i++) void acquire('getOrders', 'user');
    expect(sleeps).toEqual([1100]);
  });

  it('wakes for the first that can start', async () => {
    const { clock, started, ask } = createHarness();
    for (let at = 0; at < 5; at++) {
      void ask('first', 'user');
      await clock.advance(200);
    }
    void ask('poll', 'poll');
    void ask('user', 'user');
    await clock.advance(5000);
    expect(started.slice(5)).toEqual([
      { name: 'user', at: 1100 },
      { name: 'poll', at: 1500 },
    ]);
  });

  it('lets a start of a window that is over count no longer', async () => {
    const { clock, started, ask } = createHarness();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 5; i++) void ask('user', 'user');
      await clock.advance(1100);
    }
    expect(started.map(({ at }) => at)).toEqual([0, 0, 0, 0, 0, 1100, 1100, 1100, 1100, 1100]);
  });

  it('keeps the longer of two pauses', async () => {
    const { clock, scheduler, started, ask } = createHarness();
    scheduler.pause('getOrders', 3000);
    scheduler.pause('getOrders', 1000);
    void ask('late', 'poll');
    await clock.advance(10_000);
    expect(started).toEqual([{ name: 'late', at: 3000 }]);
    scheduler.pause('getOrders', 500);
    void ask('later', 'user');
    await clock.advance(1000);
    expect(started[1]).toEqual({ name: 'later', at: 10_500 });
  });

  it('a flood of one site turns away itself: the user’s action starts at once, and another site’s reads come through', async () => {
    const { clock, started, ask } = createHarness();
    const flood = () => {
      for (let i = 0; i < 200; i++) void ask('flood', 'poll', 'getOrders', 'https://greedy.example');
    };
    for (let second = 0; second < 10; second++) {
      flood();
      const before = started.length;
      const acted = clock.now();
      expect(await Promise.race([ask('action', 'user'), clock.advance(0).then(() => 'waits')])).toBeNull();
      expect(started.slice(before).find(({ name }) => name === 'action')?.at).toBe(acted);
      void ask('other', 'poll', 'getOrders', 'https://other.example');
      await clock.advance(1100);
    }
    expect(started.filter(({ name }) => name === 'other').length).toBeGreaterThanOrEqual(9);
    expect(densest(started.map(({ at }) => at))).toBeLessThanOrEqual(5);
  });

  it('never starts more than five in any second, forgets none, and never lets a lone user wait', async () => {
    const request = fc.record({
      wait: fc.integer({ min: 0, max: 700 }),
      priority: fc.constantFrom<RequestPriority>('user', 'poll', 'poll', 'poll'),
      origin: fc.constantFrom(undefined, 'a', 'b'),
      pause: fc.option(fc.integer({ min: 0, max: 2000 }), { freq: 20, nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
        const { clock, scheduler, started, ask } = createHarness();
        let lastUser = Number.NEGATIVE_INFINITY;
        let paused = false;
        for (const [index, { wait, priority, origin, pause }] of requests.entries()) {
          await clock.advance(wait);
          if (pause !== undefined) {
            scheduler.pause('getOrders', pause);
            paused = true;
          }
          void ask(`${index}`, priority, 'getOrders', origin);
          if (priority !== 'user') continue;
          await clock.advance(0);
          const lone = !paused && clock.now() - lastUser > 1100;
          if (lone) expect(started.at(-1)).toEqual({ name: `${index}`, at: clock.now() });
          lastUser = clock.now() + (lone ? 0 : 60_000);
        }
        await clock.advance(120_000);
        expect(started).toHaveLength(requests.length);
        expect(densest(started.map(({ at }) => at))).toBeLessThanOrEqual(5);
      }),
      { numRuns: 60 },
    );
  });
});
