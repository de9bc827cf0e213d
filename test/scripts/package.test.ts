import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { sha256, type Zip, zipFolder } from '../../scripts/package/zipFolder.ts';
import { bin, root, run } from '../../scripts/prepare.mjs';
import { languages } from '../../src/messaging/languages.ts';

let folder: string;
/** Another build of the tree for each browser, packed. */
const others = new Map<string, Zip>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-package-'));
  for (const [browser, args] of browsers) others.set(browser, await zipFolder(await built(browser, args)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const browsers: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['chromium', []],
  ['firefox', ['--mode', 'firefox']],
];

async function built(name: string, args: readonly string[]): Promise<string> {
  const outDir = join(folder, name);
  // That of `npm test`, before it is made again.
  if (process.env.COUNTERSIGN_BUILT === '1') {
    cpSync(dist(name), outDir, { recursive: true });
    return outDir;
  }
  const { code, output } = await run(bin('vite'), ['build', ...args, '--outDir', outDir], {
    show: false,
    env: { VITEST: undefined, NODE_ENV: undefined },
  });
  if (code !== 0) throw new Error(output);
  return outDir;
}

const dist = (name: string) => join(root, 'dist', name);
/** Hash, size and path of each file, as written beside the zip. */
const listOf = (browser: string) =>
  readFileSync(dist(`${nameOf(browser)}.txt`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
const nameOf = (browser: string) => `countersign-${browser}-${project.version}`;

test('npm run package builds both and writes zips, lists and sums that agree', { timeout: 420_000 }, async () => {
  const { code, output } = await run('npm', ['run', '--silent', 'package'], {
    show: false,
    // What a shell is set to makes no other package.
    env: { VITEST: undefined, NODE_ENV: 'development', COUNTERSIGN_BUILT: undefined },
  });
  expect(code, output).toBe(0);
  const check = await run('sh', ['-c', 'cd dist && sha256sum --check SHA256SUMS'], { show: false });
  expect(check.output).toBe(`${nameOf('chromium')}.zip: OK\n${nameOf('firefox')}.zip: OK\n`);
});

describe.each(browsers)('%s', (browser) => {
  test('another build of the tree, packed, is the same bytes', () => {
    const { bytes, entries } = others.get(browser) as Zip;
    expect(sha256(bytes)).toBe(sha256(readFileSync(dist(`${nameOf(browser)}.zip`))));
    expect(listOf(browser)).toEqual(entries.map(({ path, bytes, sha256 }) => [sha256, String(bytes), path]));
  });

  test('weighs at most 357.2 kB with English alone, 20 kB more for each further language and 8 kB for licences', () => {
    const bytes = readFileSync(dist(`${nameOf(browser)}.zip`));
    const packed = new Map<string, number>();
    unzipSync(bytes, { filter: ({ name, size }) => packed.set(name, size) === undefined });
    const isFurther = (path: string) => /^(texts\/(?!en|keys)|_locales\/(?!en))/.test(path);
    const further = [...packed].flatMap(([path, size]) => (isFurther(path) ? size : []));
    expect(further).toHaveLength(2 * (languages.length - 1));
    expect(Math.max(...further)).toBeLessThanOrEqual(20_000);
    const licences = ['LICENSE', 'THIRD-PARTY.txt'].map((name) => packed.get(name) ?? Number.NaN);
    const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
    expect(sum(licences)).toBeLessThanOrEqual(8_000);
    expect(bytes.length - sum(further) - sum(licences)).toBeLessThanOrEqual(357_200);
  });

  test('has the licence of each package that is inside', () => {
    const { 'THIRD-PARTY.txt': file = new Uint8Array() } = unzipSync(readFileSync(dist(`${nameOf(browser)}.zip`)));
    const text = new TextDecoder().decode(file);
    const { packages } = JSON.parse(readFileSync(dist(`${browser}.worker.json`), 'utf8')) as { packages: string[] };
    for (const name of [...packages, 'preact']) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(text).toContain('Mozilla Public License');
  });

  test('holds no source map and nothing hidden', () => {
    const bytes = readFileSync(dist(`${nameOf(browser)}.zip`));
    expect(Object.keys(unzipSync(bytes)).filter((path) => /(^|\/)\.|\.map$/.test(path))).toEqual([]);
  });
});

/** `npm run dev` without a window, in a folder of its own, until a line says what is waited for. */
function startDev(profile: string) {
  const child = spawn('npm', ['run', '--silent', 'dev', '--', '--headless', '--port', '0', '--profile', profile], {
    cwd: root,
    // The configuration leaves the extension plugin out when it is loaded by the test runner.
    env: { ...process.env, VITEST: undefined, NODE_ENV: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  return {
    output: () => output,
    says: (line: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => void (output.includes(line) && resolve());
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk) => {
            output += chunk;
            look();
          });
        look();
        child.once('close', () => reject(new Error(`it ended:\n${output}`)));
      }),
    async end() {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
    },
  };
}

test('npm run dev starts a relayer with a funded account, loads a change anew, and has the same wallet the next time', {
  timeout: 300_000,
}, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-dev-'));
  const account = (output: string) => /account (0x[0-9a-fA-F]{40})/.exec(output)?.[1];
  try {
    const first = startDev(profile);
    await first.says("The wallet's password is");
    expect(first.output()).toContain('Setting the wallet up with the demo account');
    expect(first.output()).not.toMatch(/came to no end|failed/);
    const map = JSON.parse(readFileSync(join(root, 'dist/dev/countersign-worker.js.map'), 'utf8'));
    expect(JSON.stringify(map.sections[0].map.sources)).toContain('src/background/');
    utimesSync(join(root, 'src/background/index.ts'), new Date(), new Date());
    await first.says('Build 2: the extension was loaded anew.');
    await first.end();
    const second = startDev(profile);
    await second.says("The wallet's password is");
    expect(second.output()).not.toContain('Setting the wallet up');
    expect(account(second.output())).toBe(account(first.output()));
    await second.end();
  } finally {
    // Processes of the browser may write for a moment; `rmSync` would not begin again.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});

test('what each cold start of the worker runs is at most 120 kB, and every part that it may load later is in the one other file', () => {
  const out = join(folder, 'chromium');
  const { background } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { background: object };
  // A classic worker: a module could not load its parts later.
  expect(background).toEqual({ service_worker: 'countersign-worker.js' });
  const [start, later] = ['countersign-worker.js', 'countersign-worker-parts.js'].map((file) =>
    readFileSync(join(out, file), 'utf8'),
  ) as [string, string];
  expect(start.length).toBeLessThanOrEqual(120_000);
  expect(start).toContain("importScripts('/countersign-worker-parts.js')");
  const partsOf = (text: string) =>
    Array.from(text.matchAll(/^definePart\("([^"]+)",\(function\(/gm), ([, name]) => name);
  expect(partsOf(start)).toEqual(['countersign-worker.js']);
  expect(partsOf(later).length).toBeGreaterThan(0);
  const known = [...partsOf(start), ...partsOf(later)];
  const required = Array.from(`${start}${later}`.matchAll(/\brequire\([`'"]([^`'"]+)/g), ([, path]) =>
    path?.split('/').at(-1),
  );
  expect(required.length).toBeGreaterThan(0);
  expect(required.filter((name) => !known.includes(name))).toEqual([]);
});

test('the zip holds the files under their paths, and the list their hashes', () => {
  const unpacked = unzipSync(readFileSync(dist(`${nameOf('firefox')}.zip`)));
  const entries = listOf('firefox').map(([hash = '', _, path = '']) => ({ path, hash }));
  expect(Object.keys(unpacked)).toEqual(entries.map(({ path }) => path));
  expect(Object.keys(unpacked)).toContain('manifest.json');
  for (const { path, hash } of entries) {
    expect(sha256(readFileSync(join(folder, 'firefox', path)))).toBe(hash);
    expect(sha256(unpacked[path] ?? new Uint8Array())).toBe(hash);
  }
});

test('the bytes do not depend on the order of creation or the times of the files', async () => {
  const make = async (name: string, paths: string[], time: number) => {
    for (const path of paths) {
      mkdirSync(join(folder, name, 'b'), { recursive: true });
      writeFileSync(join(folder, name, path), path);
      utimesSync(join(folder, name, path), time, time);
    }
    return sha256((await zipFolder(join(folder, name))).bytes);
  };
  expect(await make('x', ['a.txt', 'b/c.txt', 'B.txt'], 1e9)).toBe(
    await make('y', ['B.txt', 'b/c.txt', 'a.txt'], 1.5e9),
  );
});

test('the packed manifest has no key, which the Chrome Web Store refuses, and is the unpacked one besides', () => {
  for (const [browser] of browsers) {
    const read = (bytes: Uint8Array = new Uint8Array()) => JSON.parse(new TextDecoder().decode(bytes));
    const { key, ...unpacked } = read(readFileSync(join(folder, browser, 'manifest.json')));
    expect(key).toBe(browser === 'chromium' ? manifest.key : undefined);
    expect(read(unzipSync((others.get(browser) as Zip).bytes)['manifest.json'])).toStrictEqual(unpacked);
  }
});

test('an empty folder is refused', async () => {
  mkdirSync(join(folder, 'empty'));
  await expect(zipFolder(join(folder, 'empty'))).rejects.toThrow('holds no file to pack');
});

test('the extension has the version of the package', () => {
  expect(manifest.version).toBe(project.version);
});
