import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockAccount } from '../../src/relayer/engine/accounts.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { until } from './support/operated.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import { ether, LRC } from './support/tokens.ts';

let test: TestRelayer;
beforeAll(async () => {
  test = await startOnPostgres();
}, START_TIMEOUT_MS);
afterAll(() => test.close());

it(
  'a round ends after its payouts, also when deployments could not be read',
  async () => {
    const { db, engine, config } = test.relayer;
    const alice = await test.account();
    const { body } = await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([LRC, 7n * ether]));
    await test.block();
    const { tx_hash: before } = await withdrawal(body.hash);
    expect(before).toBe('');
    await db.script('ALTER TABLE l1_deployments RENAME COLUMN address TO moved');
    await test.advance(config.confirmAfterMs);
    const ended: string[] = [];
    let run: Promise<unknown> = Promise.resolve();
    await holding(
      db,
      (tx) => lockAccount(tx, alice.accountId),
      async () => {
        run = engine.run().then(() => ended.push('round'));
        await until('the payout waits for the account', async () => {
          const [row] = await db.query<{ n: number }>(
            `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          );
          return row?.n === 1;
        });
        await test.call('GET', '/api/v3/timestamp');
        ended.push('lock');
      },
    );
    await run;
    expect(ended).toEqual(['lock', 'round']);
    expect((await withdrawal(body.hash)).tx_hash).not.toBe('');
  },
  START_TIMEOUT_MS,
);

async function withdrawal(hash: string): Promise<{ tx_hash: string }> {
  const [row] = await test.relayer.db.query<{ tx_hash: string }>('SELECT tx_hash FROM requests WHERE hash = $1', [
    hash,
  ]);
  if (!row) throw new Error('the withdrawal is missing');
  return row;
}
