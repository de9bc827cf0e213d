import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { isShort } from './short.ts';

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
  /** Goal: the smallest ratio. */
  readonly goal?: number;
  /** Goal: ours is at most so many times theirs. */
  readonly atMost?: number;
  /** Goal: a bound of `ours` itself, in `unit`. */
  readonly bound?: readonly [sign: '≤' | '≥', value: number];
  /** 95 % interval of `ours`. */
  readonly interval?: readonly [low: number, high: number];
  /** A remark in the column of the goals, where the row has no goal of the kinds above. */
  readonly verdict?: string;
  /** Whether the goal that `verdict` names is held. */
  readonly held?: boolean;
}

export interface BenchReport {
  readonly rows: readonly BenchRow[];
  /** Sentences about how it was measured, and anything else for the JSON. */
  readonly notes?: readonly string[];
}

/** A bench is a file `test/bench/NAME.ts` that exports this as `run`. `say` is for progress. */
export type BenchRun = (say: (line: string) => void) => Promise<BenchReport>;

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** A row's value in the terms of its goal, the goal, and whether it is held. */
interface Judged {
  readonly value: string;
  readonly goal: string;
  readonly held: boolean;
}

/** @returns `undefined` for a row without a goal. */
function judge({ ours, unit, ratio, goal, atMost, bound, verdict, held }: BenchRow): Judged | undefined {
  if (goal !== undefined && ratio !== undefined)
    return { value: `${number(ratio)} ×`, goal: `≥ ${goal} ×`, held: ratio >= goal };
  if (atMost !== undefined && ratio !== undefined)
    return { value: `${number(1 / ratio)} × theirs`, goal: `≤ ${atMost} × theirs`, held: 1 / ratio <= atMost };
  if (bound) {
    const [sign, limit] = bound;
    const value = `${number(ours)} ${unit}`;
    return { value, goal: `${sign} ${limit} ${unit}`, held: sign === '≤' ? ours <= limit : ours >= limit };
  }
  if (verdict === undefined || held === undefined) return undefined;
  return { value: ratio === undefined ? `${number(ours)} ${unit}` : `${number(ratio)} ×`, goal: verdict, held };
}

const outcome = (held: boolean) => (held ? 'held' : 'missed');

/** The rows as a table for a terminal. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => {
    const { what, ours, unit, beside, theirs, ratio, processorRatio, interval, verdict } = row;
    const judged = judge(row);
    return [
      what,
      `${number(ours)} ${unit}${interval ? ` [${interval.map(number).join(', ')}]` : ''}`,
      beside ?? '',
      theirs === undefined ? '' : `${number(theirs)} ${unit}`,
      ratio === undefined ? '' : `${number(ratio)} ×`,
      processorRatio === undefined ? '' : `${number(processorRatio)} ×`,
      judged ? `${judged.goal} ${outcome(judged.held)}` : (verdict ?? ''),
    ];
  });
  return columns([['what', 'ours', 'beside', 'theirs', 'ratio', 'by CPU time', 'goal'], ...cells]);
}

/** A row by what it measures: its name without a goal in brackets, and what stands beside it. */
const nameOf = ({ what, beside }: BenchRow) => `${what.replace(/ \(at most .*\)$/, '')}|${beside ?? ''}`;

/**
 * The rows that have a goal: value, goal, and whether it is held.
 * @param before - Rows of an earlier run, whose values stand beside those of the same name.
 */
export function summaryOf(rows: readonly BenchRow[], before?: readonly BenchRow[]): string {
  const earlier = new Map(before?.map((row) => [nameOf(row), row]));
  const judged = rows.flatMap((row) => {
    const now = judge(row);
    if (!now) return [];
    // In the terms of today's goal, whatever goal the row had then.
    const { goal, atMost, bound, verdict, held } = row;
    const then = earlier.get(nameOf(row));
    const was = then && judge({ ...then, goal, atMost, bound, verdict, held } as BenchRow);
    return [{ row, now, was: was?.value ?? '' }];
  });
  const held = judged.filter(({ now }) => now.held).length;
  const table = columns([
    ['what', 'beside', ...(before ? ['before'] : []), 'now', 'goal', ''],
    ...judged.map(({ row, now, was }) => [
      row.what,
      row.beside ?? '',
      ...(before ? [was] : []),
      now.value,
      now.goal,
      outcome(now.held),
    ]),
  ]);
  return `${table}\n\n${held} goals held, ${judged.length - held} missed`;
}

/** Lines of cells, each column as wide as its longest cell. */
function columns(lines: readonly (readonly string[])[]): string {
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

/** Rows of a report that an earlier run wrote; none where there is no such report. */
export async function readRows(folder: string, name: string): Promise<readonly BenchRow[]> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '{"rows":[]}');
  return (JSON.parse(text) as BenchReport).rows;
}

/** Writes `out/bench/NAME.json`, of a short run `NAME.short.json`; returns its path. */
export async function writeReport(root: string, name: string, report: BenchReport): Promise<string> {
  const folder = join(root, 'out/bench');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}${isShort ? '.short' : ''}.json`);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', threads: availableParallelism() };
  await writeFile(path, `${JSON.stringify({ name, machine, ...report }, null, 2)}\n`);
  return path;
}
