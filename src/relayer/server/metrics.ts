import { within } from '../within.ts';

/** Counters and histograms in the Prometheus text format. */
export interface Metrics {
  count(name: string, labels: Readonly<Record<string, string>>, by?: number): void;
  observe(name: string, seconds: number, labels: Readonly<Record<string, string>>): void;
  /**
   * Values that are read when the page is asked for; one that fails or takes too long is left out.
   */
  gauge(
    name: string,
    read: () => number | undefined | Promise<number | undefined>,
    labels?: Readonly<Record<string, string>>,
  ): void;
  text(): Promise<string>;
}

/** Every metric, for whoever reads the page without the guide. */
const HELP: Readonly<Record<string, string>> = {
  requests_total: 'Requests by endpoint and outcome: 200 or the error code.',
  request_seconds: 'Time to answer.',
  requests_in_progress: 'Requests that are worked on now.',
  order_commits_total: 'Transactions in which orders were stored.',
  signature_check_seconds: 'Time of signature checks.',
  signature_threads: 'Threads that check signatures.',
  open_orders: 'Open orders of every kind.',
  unmatched_orders: 'Accepted orders that no engine has read.',
  waiting_requests: 'Accepted requests that no engine has carried out.',
  oldest_waiting_seconds: 'Age of the oldest accepted order or request that waits for an engine.',
  unpaid_withdrawals: 'Withdrawals that are settled and not paid on layer 1.',
  oldest_unpaid_withdrawal_seconds: 'Age of the oldest of them.',
  unsubmitted_blocks: 'Sealed blocks that the operator has not reported as submitted.',
  block_roots_seconds: 'Time in which a block got its roots and bytes.',
  blocks_without_roots: 'Sealed blocks whose roots were not computed yet.',
  open_deployments: 'Paid deployments that are not final in layer 1.',
  oldest_open_deployment_seconds: 'Age of the oldest of them whose contract is not deployed yet.',
  reverted_deployments: 'Paid deployments that layer 1 reverted.',
  operator_actions_total:
    'Actions of the operator interface by outcome: done, repeated, refused; unauthorized without a key.',
  requests_settled_total: 'Requests that the engine carried out.',
  requests_failed_total: 'Requests that the engine could not carry out.',
  engine_run_seconds: 'Time of a round of the engine.',
  engine_idle_seconds: 'Time since a step of this engine succeeded, nothing was due, or another engine had the work.',
  process_cpu_seconds_total: 'Processor time.',
  process_resident_bytes: 'Memory.',
  event_loop_lag_seconds: 'Longest delay of the event loop since the last scrape.',
  clock_skew_seconds: "This machine's clock ahead of the database's.",
  database_connections_used: 'Connections that carry a statement or transaction.',
  database_connections_waiting: 'Statements and transactions that wait for a connection.',
  push_connections: 'WebSocket connections.',
  push_messages_total: 'Notifications sent over them.',
  push_closed_total:
    'Connections that ended, by why: client, tooSlow, silent, keyReplaced, lost, tooManyRequests, goingAway.',
  push_refused_total:
    'Connections that were refused, by status: 401 for a key, 404 for a path, 429 for too many attempts, 503 for no room, a stop, or trouble of the database.',
  push_poll_seconds: 'Time to find and tell what changed; a poll counts once for accounts and once for markets.',
  history_reads_total: 'Statements of histories and market data, by the server that answered; with a standby only.',
  database_up: '1 when the database answered this scrape.',
  up: '1 while the process runs; asks nothing.',
  build_info: '1; the labels name the version, the number of its newest migration, and the database engine.',
};

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const PREFIX = 'relayer_';
/** A database in trouble must not keep the other values from a scrape. */
const GAUGE_MS = 2_000;

interface Histogram {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>();
  const histograms = new Map<string, Map<string, Histogram>>();
  const gauges = new Map<string, { read: Parameters<Metrics['gauge']>[1]; labels: string }>();
  const seriesOf = <T>(map: Map<string, Map<string, T>>, name: string): Map<string, T> => {
    const series = map.get(name) ?? new Map<string, T>();
    map.set(name, series);
    return series;
  };
  const head = (name: string, type: string) => [
    `# HELP ${PREFIX}${name} ${HELP[name] ?? name}`,
    `# TYPE ${PREFIX}${name} ${type}`,
  ];
  return {
    count: (name, labels, by = 1) => {
      const series = seriesOf(counters, name);
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    observe: (name, seconds, labels) => {
      const series = seriesOf(histograms, name);
      const key = labelText(labels);
      const histogram = series.get(key) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      series.set(key, histogram);
      histogram.sum += seconds;
      histogram.count += 1;
      BUCKETS.forEach((bound, index) => {
        if (seconds <= bound) histogram.buckets[index] = (histogram.buckets[index] ?? 0) + 1;
      });
    },
    gauge: (name, read, labels = {}) => gauges.set(name, { read, labels: labelText(labels) }),
    text: async () => {
      const lines: string[] = [];
      for (const [name, series] of counters) {
        lines.push(...head(name, 'counter'));
        for (const [labels, value] of series) lines.push(`${PREFIX}${name}${braces(labels)} ${value}`);
      }
      for (const [name, series] of histograms) {
        lines.push(...head(name, 'histogram'));
        for (const [labels, { buckets, sum, count }] of series) {
          const comma = labels === '' ? '' : `${labels},`;
          BUCKETS.forEach((bound, index) => {
            lines.push(`${PREFIX}${name}_bucket{${comma}le="${bound}"} ${buckets[index]}`);
          });
          lines.push(`${PREFIX}${name}_bucket{${comma}le="+Inf"} ${count}`);
          lines.push(
            `${PREFIX}${name}_sum${braces(labels)} ${sum}`,
            `${PREFIX}${name}_count${braces(labels)} ${count}`,
          );
        }
      }
      const values = await Promise.all(
        [...gauges].map(async ([name, { read, labels }]) => [name, labels, await soon(read)] as const),
      );
      for (const [name, labels, value] of values)
        if (value !== undefined)
          lines.push(
            ...head(name, name.endsWith('_total') ? 'counter' : 'gauge'),
            `${PREFIX}${name}${braces(labels)} ${value}`,
          );
      return `${lines.join('\n')}\n`;
    },
  };
}

const soon = (read: Parameters<Metrics['gauge']>[1]) => within((async () => read())(), GAUGE_MS).catch(() => undefined);

const braces = (labels: string) => (labels === '' ? '' : `{${labels}}`);

/** Label values are names from our own tables, never text from a request. */
function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}
