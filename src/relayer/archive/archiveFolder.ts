import { appendFileSync, closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

type ArchiveKind = 'orders' | 'fills' | 'blocks';

/** Takes rows before they are removed; what it was given is on the disk when it returns. */
export interface ArchiveSink {
  write(kind: ArchiveKind, rows: readonly object[]): void;
  /** @returns Takes back what was written since, for a transaction that is repeated. */
  mark(): () => void;
}

/**
 * One file of gzipped JSON lines for each kind, begun with its first row and named after the start
 * of the run. Each group of rows is a gzip member of its own, so that a run that was ended leaves a
 * file that can be read.
 */
export function archiveFolder(folder: string, started: Date): ArchiveSink & { close(): void } {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncMade(resolve(folder), resolve(made));
  const files = new Map<ArchiveKind, number>();
  const stamp = started.toISOString().replaceAll(/[-:.]/g, '');
  const pathOf = (kind: ArchiveKind) => join(folder, `${kind}-${stamp}.jsonl.gz`);
  const remove = (kind: ArchiveKind, file: number) => {
    closeSync(file);
    rmSync(pathOf(kind));
    files.delete(kind);
  };
  return {
    write: (kind, rows) => {
      const isNew = !files.has(kind);
      const file = files.get(kind) ?? openSync(pathOf(kind), 'ax', 0o600);
      files.set(kind, file);
      const lines = rows.map((row) => `${JSON.stringify(row, (_name, value) => textOf(value))}\n`);
      const { size } = fstatSync(file);
      try {
        appendFileSync(file, gzipSync(lines.join('')));
        fsyncSync(file);
      } catch (error) {
        // A full disk takes a part, behind which nothing could be read.
        if (isNew) remove(kind, file);
        else ftruncateSync(file, size);
        throw error;
      }
      if (isNew) syncEntries(folder);
    },
    mark: () => {
      const sizes = new Map([...files].map(([kind, file]) => [kind, fstatSync(file).size]));
      return () => {
        for (const [kind, file] of files) {
          const size = sizes.get(kind);
          if (size !== undefined) ftruncateSync(file, size);
          else remove(kind, file);
        }
      };
    },
    close: () => {
      for (const file of files.values()) closeSync(file);
    },
  };
}

/** The names of `folder` and of those above it up to `first`, which are new. */
function syncMade(folder: string, first: string): void {
  const above = dirname(folder);
  syncEntries(above);
  if (folder !== first && above !== folder) syncMade(above, first);
}

/** A file that a power cut may take the name of is not on the disk. Windows opens no folder. */
function syncEntries(folder: string): void {
  if (process.platform === 'win32') return;
  const entries = openSync(folder, 'r');
  try {
    fsyncSync(entries);
  } finally {
    closeSync(entries);
  }
}

const textOf = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
