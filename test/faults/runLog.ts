import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/prepare.mjs';
import type { Problem } from './checks.ts';

/** One finished schedule of a long run. */
export interface RunLine {
  /** Number of the schedule in its seed. */
  readonly index: number;
  readonly name: string;
  readonly problems: readonly Problem[];
  readonly points: number;
  readonly lives: number;
}

/**
 * What a long run has done so far, on the disk, so that it goes on after it was stopped. `npm ci`
 * removes it.
 */
export function openRunLog(seed: number, { resume }: { readonly resume: boolean }) {
  const path = join(root, `node_modules/.cache/countersign/faults/seed-${seed}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  if (!resume) rmSync(path, { force: true });
  const lines = new Map<number, RunLine>();
  if (existsSync(path))
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      // A run that was killed may have left half a line.
      if (!text.endsWith('}')) continue;
      const line = JSON.parse(text) as RunLine;
      lines.set(line.index, line);
    }
  return {
    path,
    lines: lines as ReadonlyMap<number, RunLine>,
    /** What failed is played again. */
    isDone: (index: number) => lines.get(index)?.problems.length === 0,
    add(line: RunLine): void {
      lines.set(line.index, line);
      appendFileSync(path, `\n${JSON.stringify(line)}`);
    },
  };
}
