import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { sha256, zipFolder } from '../../packaging/zipFolder.ts';
import { bin, run } from '../../src/demo/prepare.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function built(name: string, args: string[]): Promise<string> {
  const outDir = join(folder, name);
  const { code, output } = await run(bin('vite'), ['build', ...args, '--outDir', outDir], {
    show: false,
    env: { VITEST: undefined, NODE_ENV: undefined },
  });
  if (code !== 0) throw new Error(output);
  return outDir;
}

describe.each([
  ['chromium', []],
  ['firefox', ['--mode', 'firefox']],
])('%s', (browser, args) => {
  test('two builds of the tree, packed, are the same bytes', async () => {
    const first = zipFolder(await built(`${browser}-1`, args));
    const second = zipFolder(await built(`${browser}-2`, args));
    expect(second.entries).toEqual(first.entries);
    expect(sha256(second.bytes)).toBe(sha256(first.bytes));
  });

  test('weighs at most 400 kB and holds no source map and nothing hidden', () => {
    const { bytes, entries } = zipFolder(join(folder, `${browser}-1`));
    expect(bytes.length).toBeLessThanOrEqual(400_000);
    expect(entries.map(({ path }) => path).filter((path) => /(^|\/)\.|\.map$/.test(path))).toEqual([]);
  });
});

test('the zip holds the files under their paths, and the list their hashes', () => {
  const { bytes, entries } = zipFolder(join(folder, 'firefox-1'));
  const unpacked = unzipSync(bytes);
  expect(Object.keys(unpacked)).toEqual(entries.map(({ path }) => path));
  expect(Object.keys(unpacked)).toContain('manifest.json');
  for (const { path, sha256: hash } of entries) {
    expect(sha256(readFileSync(join(folder, 'firefox-1', path)))).toBe(hash);
    expect(sha256(unpacked[path] ?? new Uint8Array())).toBe(hash);
  }
});

test('the bytes do not depend on the order of creation or the times of the files', () => {
  const make = (name: string, paths: string[], time: number) => {
    for (const path of paths) {
      mkdirSync(join(folder, name, 'b'), { recursive: true });
      writeFileSync(join(folder, name, path), path);
      utimesSync(join(folder, name, path), time, time);
    }
    return sha256(zipFolder(join(folder, name)).bytes);
  };
  expect(make('x', ['a.txt', 'b/c.txt', 'B.txt'], 1e9)).toBe(make('y', ['B.txt', 'b/c.txt', 'a.txt'], 1.5e9));
});

test('an empty folder is refused', () => {
  mkdirSync(join(folder, 'empty'));
  expect(() => zipFolder(join(folder, 'empty'))).toThrow('holds no file to pack');
});

test('the extension has the version of the package', () => {
  expect(manifest.version).toBe(project.version);
});
