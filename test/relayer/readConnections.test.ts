import { expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';

// Node warns once in a process, so this is a file of its own with one of its own.
const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

it(
  'connections for single statements that read refuse writes from their first one on, without a warning',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const db = await openPostgres(database.url);
    onTestFinished(() => db.close());
    const write = () => db.query(`SELECT nextval('account_ids'), pg_sleep(0.1)`);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, write));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '25006' } });
    expect(warnings).toEqual([]);
  },
  START_TIMEOUT_MS,
);
