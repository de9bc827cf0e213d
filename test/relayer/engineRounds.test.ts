import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startEmbedded, type TestRelayer } from './support/startRelayer.ts';

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
