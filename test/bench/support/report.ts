import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

/** One line of a comparison. */
export interface BenchRow {
  readonly what: string;
  /** Median of ours, in `unit`. */
  readonly ours: number;
  readonly unit: string;
  /** What stands beside it, with its median in the same unit. */
  readonly beside?: string;
  readonly theirs?: number;
  /** Theirs divided by ours, from medians of interleaved rounds; above 1 when ours is less. */
  readonly ratio?: number;
  /** The same by processor time, which a busy machine distorts less. */
  readonly processorRatio?: number;
  /** Smallest ratio that is aimed at. */
  readonly goal?: number;
  /** 95 % interval of `ours`. */
  readonly interval?: readonly [low: number, high: number];
  /** What the row says where the goal is no ratio. */
  readonly verdict?: string;
}

export interface BenchReport {
  readonly rows: readonly BenchRow[];
  /** Sentences about how it was measured, and anything else for the JSON. */
  readonly notes?: readonly string[];
}

/** A bench is a file `test/bench/NAME.ts` that exports this as `run`. `say` is for progress. */
export type BenchRun = (say: (line: string) => void) => Promise<BenchReport>;

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** The rows as a table for a terminal. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ what, ours, unit, beside, theirs, ratio, processorRatio, goal, interval, verdict }) => [
    what,
    `${number(ours)} ${unit}${interval ? ` [${interval.map(number).join(', ')}]` : ''}`,
    beside ?? '',
    theirs === undefined ? '' : `${number(theirs)} ${unit}`,
    ratio === undefined ? '' : `${number(ratio)} ×`,
    processorRatio === undefined ? '' : `${number(processorRatio)} ×`,
    goal === undefined || ratio === undefined ? (verdict ?? '') : `≥ ${goal} × ${ratio >= goal ? 'held' : 'missed'}`,
  ]);
  const lines = [['what', 'ours', 'beside', 'theirs', 'ratio', 'by CPU time', 'goal'], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Writes `out/bench/NAME.json`; returns its path. */
export async function writeReport(root: string, name: string, report: BenchReport): Promise<string> {
  const folder = join(root, 'out/bench');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', threads: availableParallelism() };
  await writeFile(path, `${JSON.stringify({ name, machine, ...report }, null, 2)}\n`);
  return path;
}
