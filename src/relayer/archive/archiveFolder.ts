import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type ArchiveKind = 'orders' | 'fills' | 'blocks';

/** Takes rows before they are removed; what it was given is on the disk when it returns. */
export interface ArchiveSink {
  write(kind: ArchiveKind, rows: readonly object[]): void;
}

/**
 * One file of gzipped JSON lines for each kind, begun with its first row and named after the start of the run. Each
 * group of rows is a gzip member of its own, so that a run that was ended leaves a file that can be read.
 */
export function archiveFolder(folder: string, started: Date): ArchiveSink & { close(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map<ArchiveKind, number>();
  const stamp = started.toISOString().replaceAll(/[-:.]/g, '');
  return {
    write: (kind, rows) => {
      const file = files.get(kind) ?? openSync(join(folder, `${kind}-${stamp}.jsonl.gz`), 'wx', 0o600);
      files.set(kind, file);
      const lines = rows.map((row) => `${JSON.stringify(row, (_name, value) => textOf(value))}\n`);
      writeSync(file, gzipSync(lines.join('')));
      fsyncSync(file);
    },
    close: () => {
      for (const file of files.values()) closeSync(file);
    },
  };
}

const textOf = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
