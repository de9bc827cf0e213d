/** Counters and histograms in the Prometheus text format. */
export interface Metrics {
  count(name: string, labels: Readonly<Record<string, string>>): void;
  observe(name: string, seconds: number, labels: Readonly<Record<string, string>>): void;
  /** Values that are read when the page is asked for. */
  gauge(name: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const PREFIX = 'relayer_';

interface Histogram {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>();
  const histograms = new Map<string, Map<string, Histogram>>();
  const gauges = new Map<string, () => number | Promise<number>>();
  const within = <T>(map: Map<string, Map<string, T>>, name: string): Map<string, T> => {
    const series = map.get(name) ?? new Map<string, T>();
    map.set(name, series);
    return series;
  };
  return {
    count: (name, labels) => {
      const series = within(counters, name);
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + 1);
    },
    observe: (name, seconds, labels) => {
      const series = within(histograms, name);
      const key = labelText(labels);
      const histogram = series.get(key) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      series.set(key, histogram);
      histogram.sum += seconds;
      histogram.count += 1;
      BUCKETS.forEach((bound, index) => {
        if (seconds <= bound) histogram.buckets[index] = (histogram.buckets[index] ?? 0) + 1;
      });
    },
    gauge: (name, read) => gauges.set(name, read),
    text: async () => {
      const lines: string[] = [];
      for (const [name, series] of counters) {
        lines.push(`# TYPE ${PREFIX}${name} counter`);
        for (const [labels, value] of series) lines.push(`${PREFIX}${name}${braces(labels)} ${value}`);
      }
      for (const [name, series] of histograms) {
        lines.push(`# TYPE ${PREFIX}${name} histogram`);
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
      for (const [name, read] of gauges)
        lines.push(`# TYPE ${PREFIX}${name} gauge`, `${PREFIX}${name} ${await read()}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

const braces = (labels: string) => (labels === '' ? '' : `{${labels}}`);

/** Label values are names from our own tables, never text from a request. */
function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}
