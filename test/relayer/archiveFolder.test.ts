import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { archiveFolder } from '../../src/relayer/archive/archiveFolder.ts';

/** Paths flushed to the disk, in order; the calls are the file system's own. */
const flushed = vi.hoisted(() => [] as string[]);
const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const paths = new Map<number, string>();
  return {
    ...fs,
    openSync: (...of: Parameters<typeof fs.openSync>) => {
      const file = fs.openSync(...of);
      paths.set(file, String(of[0]));
      return file;
    },
    appendFileSync: (file: number, bytes: Uint8Array) => {
      fs.appendFileSync(file, disk.isFull ? bytes.subarray(0, 12) : bytes);
      if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
    fsyncSync: (file: number) => {
      fs.fsyncSync(file);
      flushed.push(paths.get(file) ?? 'unknown');
    },
  };
});

const parent = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
beforeEach(() => {
  flushed.length = 0;
});
const started = new Date('2026-11-27T01:02:03.004Z');
const fileIn = (folder: string, kind: string) => join(folder, `${kind}-20261127T010203004Z.jsonl.gz`);

it('puts the names of its folders and files on the disk with their first rows', () => {
  const folder = join(parent, 'deep', 'run');
  const files = archiveFolder(folder, started);
  expect(flushed.splice(0)).toEqual([join(parent, 'deep'), parent]);
  files.write('orders', [{ hash: '0x1', filled: 5n }]);
  expect(flushed.splice(0)).toEqual([fileIn(folder, 'orders'), folder]);
  files.write('orders', [{ hash: '0x2' }]);
  expect(flushed.splice(0)).toEqual([fileIn(folder, 'orders')]);
  files.write('fills', [{ id: 1 }]);
  expect(flushed.splice(0)).toEqual([fileIn(folder, 'fills'), folder]);
  files.close();
  const lines = gunzipSync(readFileSync(fileIn(folder, 'orders'))).toString('utf8');
  expect(lines).toBe('{"hash":"0x1","filled":"5"}\n{"hash":"0x2"}\n');
});

it('flushes no folder above one that was there, and a file’s name again when it was taken back', () => {
  const folder = mkdtempSync(join(parent, 'there-'));
  const files = archiveFolder(folder, started);
  expect(flushed).toEqual([]);
  const takeBack = files.mark();
  files.write('blocks', [{ blockId: 1 }]);
  takeBack();
  expect(existsSync(fileIn(folder, 'blocks'))).toBe(false);
  flushed.length = 0;
  files.write('blocks', [{ blockId: 2 }]);
  expect(flushed).toEqual([fileIn(folder, 'blocks'), folder]);
  files.close();
});

it('leaves a file that can be read when the disk is full', () => {
  const folder = join(parent, 'full');
  const files = archiveFolder(folder, started);
  files.write('orders', [{ hash: '0x1' }]);
  disk.isFull = true;
  expect(() => files.write('orders', [{ hash: '0x2' }])).toThrow('no space left');
  expect(() => files.write('fills', [{ id: 1 }])).toThrow('no space left');
  expect(existsSync(fileIn(folder, 'fills'))).toBe(false);
  disk.isFull = false;
  files.close();
  expect(gunzipSync(readFileSync(fileIn(folder, 'orders'))).toString('utf8')).toBe('{"hash":"0x1"}\n');
});
