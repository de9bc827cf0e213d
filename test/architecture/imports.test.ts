import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOperation, operations } from '../../src/operations/index.ts';
import { MAX_FEE_BIPS } from '../../src/protocol/limits.ts';

const src = resolve(import.meta.dirname, '../../src');

/**
 * A folder of `src/`, and the folders it may take values and types from. Itself is always allowed.
 */
const mayImport: Record<string, readonly string[]> = {
  crypto: [],
  ethereum: [],
  protocol: ['crypto', 'ethereum'],
  operations: ['crypto', 'ethereum', 'protocol'],
  client: ['protocol'],
  storage: ['report'],
  report: [],
  vault: ['report', 'storage'],
  journal: ['protocol', 'report', 'storage'],
  messaging: ['journal', 'operations', 'protocol', 'report'],
  receipts: ['crypto', 'ethereum', 'journal', 'messaging', 'operations', 'protocol'],
  background: [
    'client',
    'crypto',
    'ethereum',
    'inpage',
    'journal',
    'messaging',
    'operations',
    'protocol',
    'receipts',
    'report',
    'storage',
    'vault',
  ],
  content: ['inpage'],
  inpage: [],
  ui: ['ethereum', 'messaging', 'operations', 'protocol', 'storage', 'vault'],
  viem: [],
  relayer: ['crypto', 'protocol'],
  demo: ['viem'],
};

/** Small and pure: any place may use them; they import nothing. */
const tables = [
  'inpage/requestShape.ts',
  'operations/permissionKinds.ts',
  'operations/severity.ts',
  'protocol/once.ts',
  'protocol/parseJson.ts',
  'vault/lockDeadline.ts',
];

/** Between these, types may cross and values may not: they run in different places. */
const typesOnly = [
  'messaging > journal',
  'messaging > operations',
  'messaging > report',
  'content > inpage/index.ts',
  'ui > operations',
  'ui > storage',
  'ui > vault',
  'background > inpage',
];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs)$/.test(entry.name) && !entry.name.includes('.d.'))
  .map((entry) => join(entry.parentPath, entry.name));

const statement = /^\s*(?:import|export)\s+(type\s+)?([^'"]*?from\s+)?['"]([^'"]+)['"]|\bimport\(\s*'([^']+)'/gm;

function importsOf(file: string): { specifier: string; typeOnly: boolean }[] {
  return [...readFileSync(file, 'utf8').matchAll(statement)].map(([, type, names = '', named, loaded]) => {
    const members =
      /\{([^}]*)\}/
        .exec(names)?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter(Boolean) ?? [];
    const allTypes = members.length > 0 && !/^\s*\w/.test(names) && members.every((name) => name.startsWith('type '));
    return { specifier: named ?? loaded ?? '', typeOnly: type !== undefined || allTypes };
  });
}

const internal: Import[] = sources.flatMap((file) =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, typeOnly }) => {
      const target = relative(src, resolve(dirname(file), specifier));
      return { file: relative(src, file), from: relative(src, file).split('/')[0] ?? '', to: target, typeOnly };
    })
    .filter(({ from, to }) => !to.startsWith('..') && to.split('/')[0] !== from),
);

const withoutComments = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '');

test('sees the imports of the tree', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(internal).toContainEqual(
    expect.objectContaining({ file: 'protocol/payloads/order.ts', to: 'crypto/index.ts', typeOnly: false }),
  );
});

test('every folder of src has a rule', () => {
  const folders = [...new Set(sources.map((file) => relative(src, file).split('/')[0] ?? ''))].sort();
  expect(folders.filter((folder) => !(folder in mayImport))).toEqual([]);
});

test('imports go one way', () => {
  const wrong = internal.filter(
    ({ from, to }) => !tables.includes(to) && !mayImport[from]?.includes(to.split('/')[0] ?? ''),
  );
  expect(wrong.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
});

test('types may cross between places where code runs, values may not', () => {
  const crossing = (rule: string, { from, to }: Import) => {
    const [holder = '', target = ''] = rule.split(' > ');
    return from === holder && (to === target || to.startsWith(`${target}/`));
  };
  const wrong = internal.filter(
    (item) => !item.typeOnly && !tables.includes(item.to) && typesOnly.some((rule) => crossing(rule, item)),
  );
  expect(tables.filter((table) => importsOf(join(src, table)).length > 0)).toEqual([]);
  expect(wrong.map(({ file, to }) => `${file} imports values of ${to}`)).toEqual([]);
});

test('schemas of the extension come from zod/mini, with the texts of issues wherever the protocol may be imported', () => {
  const wrong = sources
    .map((file) => relative(src, file))
    .filter((file) => !/^(relayer|demo)\//.test(file))
    .filter((file) => {
      const taken = importsOf(join(src, file)).map(({ specifier }) => specifier);
      const folder = file.split('/')[0] ?? '';
      const mayTakeMini =
        file === 'protocol/zod.ts' || (folder !== 'protocol' && !mayImport[folder]?.includes('protocol'));
      return taken.some((specifier) => specifier === 'zod' || (specifier.startsWith('zod/') && !mayTakeMini));
    });
  expect(wrong).toEqual([]);
});

describe('only one folder touches', () => {
  const users = (pattern: RegExp) =>
    sources
      .filter((file) => pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(src, file).split('/')[0])
      .filter((folder) => folder !== 'relayer' && folder !== 'demo');

  test('the network: the client asks, the background lends it the browser’s fetch and sockets, pages and worker read their own catalogs', () => {
    const direct = sources.filter(
      (file) =>
        !/^(relayer|demo|viem\/testing)\//.test(relative(src, file)) &&
        /\bfetch\s*\(|globalThis\.fetch|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon/.test(
          readFileSync(file, 'utf8'),
        ),
    );
    expect(direct.map((file) => relative(src, file)).sort()).toEqual([
      'background/worker/browserPorts.ts',
      'client/createRelayerClient.ts',
      'client/push.ts',
      'messaging/catalogs.ts',
    ]);
  });

  test('key derivation from passwords: vault', () => {
    expect([...new Set(users(/from 'hash-wasm'/))]).toEqual(['vault']);
  });

  test('storage-id cursors: journal', () => {
    expect([...new Set(users(/keys\.cursor\(/))]).toEqual(['journal']);
  });
});

test('the pure folders use no browser, clock, network or Node module', () => {
  const pure = sources.filter((file) => /^(crypto|ethereum|protocol|operations)\//.test(relative(src, file)));
  const impure =
    /\b(chrome|browser|document|window|localStorage|indexedDB)\.|Date\.now|Math\.random|setTimeout|from 'node:/;
  const found = pure.filter((file) => impure.test(withoutComments(file)));
  expect(found.map((file) => relative(src, file))).toEqual([]);
});

test('product code of the wallet writes nothing to a console', () => {
  const talkative = sources
    .filter((file) => !/^(demo|relayer)\//.test(relative(src, file)))
    .filter((file) => /console\.\w+\(/.test(readFileSync(file, 'utf8')));
  expect(talkative.map((file) => relative(src, file))).toEqual([]);
});

describe('no operation is known by its name: a special thing about one is a field of it', () => {
  const names = readdirSync(join(src, 'operations'))
    .map((file) => file.replace('.ts', ''))
    .filter((name) => isOperation(name) || name === 'standingApproval');
  const linesIn = (folders: RegExp, pattern: RegExp): string[] =>
    sources
      .filter((file) => folders.test(relative(src, file)))
      .flatMap((file) => {
        const code = withoutComments(file).replaceAll(/^import [^;]+;/gm, '');
        return [...code.matchAll(pattern)].map(([found]) => `${relative(src, file)}: ${found.trim()}`);
      });

  test('in what carries requests out', () => {
    expect(names).toHaveLength(Object.keys(operations).length + 1);
    const named = linesIn(
      /^background\/(approvals|attention|keyUpdate|lifecycle|sites|submissions)\//,
      new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'),
    );
    // The one that the room is for: it asks for it itself, and reads its records.
    expect(named).toEqual(['background/keyUpdate/keyUpdates.ts: updateAccountKey']);
  });

  test('in a comparison of the background, nor by its permission', () => {
    expect(
      linesIn(/^background\//, /\b(?:operation|OPERATION)\s*[!=]==\s*(?!undefined|null)\S+|[!=]==\s*OPERATION\b/g),
    ).toEqual([]);
    expect(linesIn(/^background\//, /\bpermission\s*[!=]==\s*'.*/g)).toEqual([]);
  });

  test('on the screens that show any of them', () => {
    // The names of pictures are others.
    const shown = /^ui\/(popup\/activity|approval|receipt|shared(?!\/Icon\.))\b/;
    expect(linesIn(shown, /\boperation\s*[!=]==\s*'.*/g)).toEqual([]);
    expect(linesIn(shown, new RegExp(`^\\s*(?:${names.join('|')}):.*`, 'gm'))).toEqual([]);
  });
});

test('the fee ceiling stands in one place, and the documents say the same', () => {
  const copies = sources
    .filter((file) => /^(protocol|operations|background|relayer|ui)\//.test(relative(src, file)))
    .filter((file) => /\bmax(?:imum)?\(63\)|[bB]ips\w* = 63\b|BIPS = 63\b|1 to 63\b/.test(readFileSync(file, 'utf8')));
  expect(copies.map((file) => relative(src, file))).toEqual(['protocol/limits.ts']);
  for (const [document, words] of [
    ['README.md', 'fee ceiling is at most'],
    ['docs/dapp.md', '`maxFeeBips` (1 to'],
  ] as const)
    expect(readFileSync(join(src, '..', document), 'utf8')).toContain(`${words} ${MAX_FEE_BIPS}`);
  for (const language of readdirSync(join(src, '../public/texts')))
    expect(readFileSync(join(src, '../public/texts', language), 'utf8')).not.toMatch(/0[.,]63/);
});

test('what carries requests out fills no gap in what is stored and forces no type on it', () => {
  const forced = sources
    .filter((file) => /^background\/(approvals|keyUpdate|submissions)\//.test(relative(src, file)))
    .filter((file) => /\?\? ''|as never\b/.test(withoutComments(file)));
  expect(forced.map((file) => relative(src, file))).toEqual([]);
});
