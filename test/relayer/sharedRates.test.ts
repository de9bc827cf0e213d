import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../src/relayer/db/port.ts';
import { type SharedRates, sharedRates } from '../../src/relayer/server/sharedRates.ts';

const WINDOW_MS = 950;
const LIMIT = 5;
const STEP_MS = WINDOW_MS / LIMIT;

/** The table of the rates, as its one statement changes it, on the clock of the test. */
function heldRates() {
  const held = new Map<string, number>();
  const told: number[] = [];
  const query = async (text: string, [clients, amounts]: readonly [string[], number[]]) => {
    if (!text.startsWith('INSERT')) return [];
    const now = performance.now();
    return clients.map((client, index) => {
      const ms = amounts[index] as number;
      told.push(ms);
      held.set(client, Math.max(held.get(client) ?? 0, now) + ms);
      return { client, remaining: (held.get(client) as number) - now };
    });
  };
  return { told, query };
}

const never = () => new Promise<never>(() => {});
const refused = async () => {
  throw new Error('the connection broke');
};
const on = (query: unknown) => sharedRates({ query } as unknown as Db);
const ask = (rates: SharedRates) => {
  const allowed = rates.has('client', STEP_MS, WINDOW_MS);
  if (allowed) rates.take('client', STEP_MS);
  return allowed;
};
const burst = (rates: SharedRates) => Array.from({ length: 2 * LIMIT }, () => ask(rates)).filter(Boolean).length;
/** Asks every 300 ms for four seconds, which keeps to the limit. */
const keepTo = async (rates: SharedRates) => {
  const answers: boolean[] = [];
  for (let ms = 0; ms < 4_000; ms += 300) {
    answers.push(ask(rates));
    await vi.advanceTimersByTimeAsync(300);
  }
  return answers;
};

describe('rates that processes share', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  describe.each([
    ['gives no answer', never],
    ['refuses', refused],
  ])('while the database %s', (_, outage) => {
    it('allow a client that keeps to the limit, and refuse a burst above it', async () => {
      const rates = on(outage);
      expect(await keepTo(rates)).not.toContain(false);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(burst(rates)).toBe(LIMIT);
      await vi.advanceTimersByTimeAsync(STEP_MS);
      expect(burst(rates)).toBe(1);
      rates.stop();
    });
  });

  it('allow a client that keeps to the limit after an outage, and refuse everywhere what took the limit in it', async () => {
    const { query, told } = heldRates();
    let isOut = true;
    const rates = on((text: string, values: never) => (isOut ? refused() : query(text, values)));
    const others = on(query);
    expect(await keepTo(rates)).not.toContain(false);
    isOut = false;
    expect(await keepTo(rates)).not.toContain(false);

    isOut = true;
    await vi.advanceTimersByTimeAsync(2_000);
    const before = told.length;
    expect(burst(rates)).toBe(LIMIT);
    await vi.advanceTimersByTimeAsync(150);
    isOut = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(told.slice(before)).toEqual([LIMIT * STEP_MS]);
    expect(burst(rates)).toBeLessThanOrEqual(1);
    ask(others);
    await vi.advanceTimersByTimeAsync(100);
    expect(burst(others)).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.slice(before).reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual((LIMIT + 2) * STEP_MS);
    for (const each of [rates, others]) each.stop();
  });

  it('allow a client that keeps to the limit when the database takes two seconds for each statement', async () => {
    const { query } = heldRates();
    const rates = on(async (text: string, values: never) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const rows = await query(text, values);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return rows;
    });
    expect(await keepTo(rates)).not.toContain(false);
    expect(await keepTo(rates)).not.toContain(false);
    rates.stop();
  });

  it('ask the database one question at a time, however long it takes', async () => {
    let asked = 0;
    const rates = on(() => {
      asked += 1;
      return never();
    });
    for (let ms = 0; ms < 2_000; ms += 100) {
      ask(rates);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(asked).toBe(1);
    rates.stop();
  });

  it('count what was taken while the database answered beside what it answers', async () => {
    const { query } = heldRates();
    const rates = on(async (text: string, values: never) => {
      const rows = await query(text, values);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return rows;
    });
    expect(ask(rates)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(burst(rates)).toBeGreaterThanOrEqual(LIMIT - 1);
    // The answer to the first of them, which does not know the others.
    await vi.advanceTimersByTimeAsync(250);
    expect(burst(rates)).toBeLessThanOrEqual(2);
    rates.stop();
  });

  it('tell at its end what was taken last in an outage, also one that was long', async () => {
    const { query, told } = heldRates();
    let isOut = true;
    const rates = on((text: string, values: never) => (isOut ? refused() : query(text, values)));
    rates.take('earlier', STEP_MS);
    await vi.advanceTimersByTimeAsync(29_000);
    rates.take('client', STEP_MS);
    await vi.advanceTimersByTimeAsync(1_500);
    isOut = false;
    await vi.advanceTimersByTimeAsync(200);
    expect(told.length).toBeGreaterThan(0);
    rates.stop();
  });

  it('keep no client of a long outage that has been quiet since', async () => {
    let most = 0;
    const rates = on((_text: string, [clients]: readonly [string[]]) => {
      most = Math.max(most, clients.length);
      return refused();
    });
    for (let count = 0; count < 1_000; count++) {
      rates.take(`client ${count}`, STEP_MS);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(most).toBeLessThan(100);
    rates.stop();
  });

  it('add up what was taken in every process', async () => {
    const { query } = heldRates();
    const processes = [on(query), on(query)] as const;
    let allowed = 0;
    for (let ms = 0; ms < 10_000; ms += 50) {
      for (const rates of processes) if (ask(rates)) allowed += 1;
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(allowed).toBeGreaterThan(10_000 / STEP_MS - LIMIT);
    expect(allowed).toBeLessThan(10_000 / STEP_MS + 3 * LIMIT);
    for (const each of processes) each.stop();
  });
});
