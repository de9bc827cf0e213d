import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { leadEngines } from '../../src/relayer/engine/engineLock.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { startEmbedded, startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const INTERVAL_MS = 5;

let relayer: TestRelayer;
beforeAll(async () => {
  relayer = await startEmbedded({ engine: 'timer', engineIntervalMs: INTERVAL_MS });
}, START_TIMEOUT_MS);
afterAll(() => relayer.close());

const rounds = () => relayer.metric('engine_run_seconds_count');

it('rounds by timer do not pile up while the database is slow: work by hand comes next', async () => {
  const { db, engine } = relayer.relayer;
  const before = await rounds();
  // The embedded database has one connection: every statement of the engine waits for this
  // transaction.
  await db.transaction(() => sleep(200 * INTERVAL_MS));
  await engine.run();
  // The round in progress, one that was asked for meanwhile, this one, and the few around the two
  // looks at the counter.
  expect((await rounds()) - before).toBeLessThan(20);
});

it(
  'a run that leaves the work to the engine of another process is followed by a pause',
  async () => {
    const one = await startOnPostgres({ engine: 'timer', engineIntervalMs: 3_600_000 });
    onTestFinished(() => one.close());
    const { db, engine } = one.relayer;
    const account = await one.account();
    await one.block();
    await holding(db, leadEngines, async () => {
      await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
      const timed = vi.spyOn(globalThis, 'setTimeout');
      /** Of the runs that were asked for, each when the one before had ended. */
      const pauses = () => timed.mock.calls.flatMap(([work, ms]) => (work.name === 'begin' ? [ms ?? 0] : []));
      while (pauses().length < 12) {
        engine.wake();
        await nextTurn();
      }
      // The first ones follow the work of the preparation.
      const last = pauses().slice(-4);
      timed.mockRestore();
      expect(Math.max(...last)).toBeGreaterThan(0);
    });
  },
  START_TIMEOUT_MS,
);
