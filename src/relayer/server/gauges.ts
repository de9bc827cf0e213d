import { monitorEventLoopDelay } from 'node:perf_hooks';
// By its name, so that the release has this one value in it and not the file.
import { version } from '../../../package.json';
import { migrations } from '../db/migrate.ts';
import type { Engine } from '../engine/engine.ts';
import { OPEN_DEPLOYMENT } from '../engine/l1Deployments.ts';
import { UNMATCHED } from '../engine/orders/dueOrders.ts';
import { UNPAID } from '../engine/payouts.ts';
import type { Relayer } from '../engine/relayer.ts';
import { within } from '../within.ts';

/** Less than a gauge may take: a value that is left out raises no alert. */
const DATABASE_MS = 1_500;
const ALIVE = 'SELECT 1';
const WITHOUT_ROOTS = `blocks WHERE operator_id IS NOT NULL AND data IS NULL AND status <> 'open'`;

/**
 * Adds the values of the metrics page that are read when it is asked for.
 * @returns What ends their own measurements, which would go on for as long as the process.
 */
export function addGauges({ metrics, db, clock, config }: Relayer, engine: Engine): () => void {
  const count = (from: string) => async () =>
    (await db.query<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))[0]?.n;
  const age = (sql: string) => async () => {
    const [row] = await db.query<{ since: number | null }>(sql);
    return row?.since ? Math.max(0, clock.now() - row.since) / 1000 : 0;
  };
  metrics.gauge('up', () => 1);
  // The counts, also those of the scrape before, may take every connection for reads, and commits
  // that wait for a standby every other one.
  metrics.gauge('database_up', async () => {
    const answer = Promise.any([db.query(ALIVE), db.transaction((tx) => tx.query(ALIVE))]).catch(() => undefined);
    return (await within(answer, DATABASE_MS)) === undefined ? 0 : 1;
  });
  metrics.gauge('build_info', () => 1, {
    version,
    schema: String(migrations.length),
    database: db.kind,
  });
  metrics.gauge('open_orders', count(`orders WHERE status = 'processing'`));
  metrics.gauge('unmatched_orders', count(`orders WHERE ${UNMATCHED}`));
  metrics.gauge('waiting_requests', count(`requests WHERE status = 'received'`));
  metrics.gauge(
    'oldest_waiting_seconds',
    age(
      `SELECT least(
         (SELECT created_at FROM orders WHERE ${UNMATCHED}
          ORDER BY seq LIMIT 1),
         (SELECT created_at FROM requests WHERE status = 'received' ORDER BY id LIMIT 1)) AS since`,
    ),
  );
  metrics.gauge('unpaid_withdrawals', count(`requests WHERE ${UNPAID}`));
  metrics.gauge(
    'oldest_unpaid_withdrawal_seconds',
    age(`SELECT min(created_at) AS since FROM requests WHERE ${UNPAID}`),
  );
  if (config.confirmBlocks === 'report') metrics.gauge('unsubmitted_blocks', count(`blocks WHERE status = 'pending'`));
  metrics.gauge('blocks_without_roots', count(WITHOUT_ROOTS));
  metrics.gauge('open_deployments', count(`l1_deployments WHERE ${OPEN_DEPLOYMENT}`));
  metrics.gauge(
    'oldest_open_deployment_seconds',
    age(
      `SELECT min(coalesce(requests.created_at, l1_deployments.updated_at)) AS since
       FROM l1_deployments JOIN nft_contracts USING (address) LEFT JOIN requests ON hash = request_hash
       WHERE l1_deployments.${OPEN_DEPLOYMENT} AND nft_contracts.status <> 'DEPLOYED'`,
    ),
  );
  metrics.gauge('reverted_deployments', count(`l1_deployments WHERE status = 'REVERTED'`));
  metrics.gauge('database_connections_used', () => db.connections().used);
  metrics.gauge('database_connections_waiting', () => db.connections().waiting);
  metrics.gauge('clock_skew_seconds', () => clock.skew() / 1000);
  metrics.gauge('engine_idle_seconds', () => {
    const since = engine.sinceProgress();
    return since === undefined ? undefined : since / 1000;
  });
  metrics.gauge('process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  metrics.gauge('process_resident_bytes', () => process.memoryUsage.rss());
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge('event_loop_lag_seconds', () => {
    const lag = delay.max / 1e9;
    delay.reset();
    return lag;
  });
  return () => void delay.disable();
}
