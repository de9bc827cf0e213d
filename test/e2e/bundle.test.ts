import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const dist = resolve(import.meta.dirname, '../../dist/chromium');
const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const manifest = JSON.parse(read('manifest.json'));

describe.each([
  ['src/inpage/index.js', 1024],
  ['src/content/index.js', 2048],
])('%s', (path, limit) => {
  test(`is at most ${limit} bytes gzip`, () => {
    expect(gzipSync(read(path), { level: 9 }).length).toBeLessThanOrEqual(limit);
  });

  test('is one self-contained script, so that it runs before the page', () => {
    expect(read(path)).not.toMatch(/\b(import|export)\b\s*[({*'"]|\brequire\s*\(/);
  });
});

test('pages of the extension run no foreign code and cannot be framed', () => {
  const directives = new Map(
    (manifest.content_security_policy.extension_pages as string).split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(/\s+/);
      return [name, values] as const;
    }),
  );
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  expect(directives.get('style-src')).toEqual(["'self'"]);
  expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
  expect(directives.get('base-uri')).toEqual(["'none'"]);
  expect(directives.get('form-action')).toEqual(["'none'"]);
});

test('nothing of the extension can be loaded by a page', () => {
  expect(manifest.web_accessible_resources ?? []).toEqual([]);
  expect(manifest.externally_connectable).toBeUndefined();
});

test('asks for no permission beyond what it uses', () => {
  expect([...manifest.permissions].sort()).toEqual(['alarms', 'idle', 'sidePanel', 'storage', 'unlimitedStorage']);
  expect(manifest.optional_permissions).toEqual(['notifications']);
  expect(manifest.host_permissions).toEqual(['http://127.0.0.1/*', 'http://localhost/*']);
});

test('the background worker holds these packages and no other', () => {
  const { packages } = JSON.parse(readFileSync(`${dist}.worker.json`, 'utf8')) as { packages: string[] };
  expect(packages).toMatchInlineSnapshot(`
    [
      "@noble/curves",
      "@noble/hashes",
      "@scure/bip39",
      "hash-wasm",
      "idb-keyval",
      "webextension-polyfill",
      "zod",
    ]
  `);
});

/** The worker as a start runs it, and the parts that it may load later, by their names. */
function startedWorker(prelude = '', given: object = {}) {
  // Loading asks the browser for nothing but listeners.
  const api: object = new Proxy(() => {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : api),
    apply: () => api,
  });
  const scope = createContext({
    chrome: { runtime: api, storage: api, alarms: api, idle: api, windows: api, tabs: api, permissions: api },
    indexedDB: api,
    addEventListener: () => {},
    importScripts: (path: string) => runInContext(read(path), scope),
    ...given,
    ...{ crypto, TextEncoder, TextDecoder, atob, btoa, fetch, Headers, Request, Response, URL, setTimeout },
  });
  runInContext(`self = globalThis; ${prelude}`, scope);
  runInContext(read('countersign-worker.js'), scope);
  const codes = read('countersign-worker-parts.js')
    .split(/^definePart\("/m)
    .slice(1);
  const parts = new Map(codes.map((code) => [code.slice(0, code.indexOf('"')), code]));
  return { parts, run: (code: string) => runInContext(code, scope) };
}

test('loading the background makes no function of a text, which the policy forbids and the browser reports', () => {
  const tried: unknown[] = [];
  const { parts, run } = startedWorker(
    `const trap = (_, text) => { textTried(...text); throw new EvalError('refused'); };
     Function = new Proxy(Function, { construct: trap, apply: (target, self, text) => trap(target, text) });`,
    { textTried: (...text: unknown[]) => tried.push(text) },
  );
  expect(parts.size).toBeGreaterThan(0);
  for (const part of parts.keys()) run(`startPart('${part}')`);
  expect(tried).toEqual([]);
  expect(() => run(`new Function('')`)).toThrow('refused');
  expect(tried).toEqual([['']]);
});

test('loading the background builds no schema', () => {
  let built = 0;
  const { parts, run } = startedWorker(
    `const define = Object.defineProperty;
     Object.defineProperty = (target, key, ...more) => {
       if (key === '_zod') schemaBuilt();
       return define(target, key, ...more);
     };`,
    { schemaBuilt: () => built++ },
  );
  const [background] = [...parts.keys()].filter((name) => name.startsWith('createBackground-'));
  expect(background).toBeDefined();
  run(`startPart('${background}')`);
  expect(built).toBe(0);
  // This is how a schema is built, and the trap sees it.
  expect(parts.get(background ?? '')).toMatch(/Object\.defineProperty\(\w+,["'`]_zod["'`]/);
  run(`Object.defineProperty({}, '_zod', {})`);
  expect(built).toBe(1);
});

test('the curve of layer 1, the words of phrases and the programs in hex are parts of their own', () => {
  const { parts } = startedWorker();
  const holding = (text: RegExp) => [...parts].flatMap(([name, code]) => (text.test(code) ? name.split('-')[0] : []));
  expect(holding(/fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141/)).toEqual(['signature']);
  expect(holding(/AabandonCility/)).toEqual(['recoveryPhrase']);
  expect(holding(/0061736d01000000/)).toEqual(['wasm']);
});

test('each page of the wallet asks first in a script that waits for no other', () => {
  const pages = readdirSync(join(dist, 'src/ui')).filter((name) => name.endsWith('.html'));
  expect(pages).toHaveLength(5);
  for (const page of pages) {
    const html = read(`src/ui/${page}`);
    const [, path = ''] = /<script type="module" async crossorigin src="\/([^"]+)">/.exec(html) ?? [];
    const script = read(path);
    expect(html.indexOf(path)).toBeLessThan(html.indexOf('stylesheet'));
    expect(script).not.toMatch(/\bimport\b/);
    expect(script).toContain('getState');
    expect(script.length).toBeLessThanOrEqual(4_200);
  }
});

test('the worker is ASCII, so that the engine keeps its scripts in one byte a letter', () => {
  for (const path of ['countersign-worker.js', 'countersign-worker-parts.js'])
    expect([path, /[^\0-\x7f]/.exec(read(path))?.[0]]).toEqual([path, undefined]);
});

test('content scripts run in the top frame at document start', () => {
  for (const script of manifest.content_scripts) {
    expect(script.run_at).toBe('document_start');
    expect(script.all_frames ?? false).toBe(false);
  }
});

test('names no host but those of this machine and of specifications', () => {
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const hosts = new Set(
    scripts.flatMap((path) => [...read(path).matchAll(/https?:\/\/([a-zA-Z0-9.-]+)/g)].map(([, host]) => host)),
  );
  expect([...hosts].filter((host) => host !== '127.0.0.1' && host !== 'localhost').sort()).toMatchInlineSnapshot(`
    [
      "www.w3.org",
    ]
  `);
});
