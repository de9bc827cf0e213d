import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin, root } from '../../scripts/prepare.mjs';
import { buildPackage } from '../../scripts/viemPackage/buildPackage.ts';
import { repositoryOf } from '../../scripts/viemPackage/repositoryOf.ts';
import * as source from '../../src/viem/index.ts';
import { blocksOf } from '../docs/blocks.ts';

const folder = join(root, 'out/viem');
let project: string;

const inProject = (command: string, args: readonly string[]) =>
  execFileSync(command, [...args], { cwd: project, encoding: 'utf8', stdio: 'pipe' });

/** The package as npm would publish it, in a project that has nothing else but viem. */
beforeAll(async () => {
  await buildPackage(folder);
  project = mkdtempSync(join(tmpdir(), 'countersign-viem-'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  // What is installed here already stands for the registry, so that the test needs no network.
  const local = (name: string) => `file:${join(root, 'node_modules', name)}`;
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies: { 'countersign-viem': `file:${filename}`, viem: local('viem'), mipd: local('mipd') },
      overrides: { mipd: '$mipd' },
    }),
  );
  inProject('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('publint has nothing to say', async () => {
  const pkg = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { messages } = await publint({ pkgDir: folder, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test.each([
  ['https://git.example.org/team/wallet.git', 'https://git.example.org/team/wallet'],
  ['https://name:secret@git.example.org/team/wallet', 'https://git.example.org/team/wallet'],
  ['ssh://git@git.example.org:2222/team/wallet.git', 'https://git.example.org/team/wallet'],
  ['git@git.example.org:team/wallet.git', 'https://git.example.org/team/wallet'],
])('a clone of %s names the repository', (remote, web) => {
  expect(repositoryOf(remote)).toEqual({
    repository: { type: 'git', url: `git+${web}.git`, directory: 'src/viem' },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  });
});

test.each(['', '/home/me/wallet', '../wallet.git', 'file:///home/me/wallet'])(
  'a clone of “%s” names none',
  (remote) => {
    expect(repositoryOf(remote)).toBeNull();
  },
);

test('it brings code, declarations, readme and licence, names viem as its peer, and needs nothing else but for the hooks and for tests', () => {
  const installed = join(project, 'node_modules/countersign-viem');
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  expect(Object.keys(dependencies)).toEqual(['mipd']);
  expect(Object.keys(peerDependencies)).toEqual(['@electric-sql/pglite', 'playwright-core', 'react', 'viem']);
  const needed = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  expect(needed).toEqual(['viem']);
  for (const file of ['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'actions/operations.js'])
    expect(readFileSync(join(installed, file), 'utf8')).not.toBe('');
});

/** Bytes of a dApp's bundle, minified and gzip, less viem, which the dApp has anyway. */
async function bytesOf(imports: string): Promise<number> {
  const entry = join(project, 'entry.js');
  writeFileSync(entry, imports);
  const made = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, rollupOptions: { input: entry, external: ['viem', 'react'], output: { format: 'es' } } },
  });
  const [result] = Array.isArray(made) ? made : [made];
  if (!result || !('output' in result)) throw new Error('the package was not bundled');
  return gzipSync(result.output[0].code, { level: 9 }).length;
}

test('only the entry of the hooks needs React', () => {
  const of = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.js') && /from 'react'/.test(readFileSync(join(folder, path), 'utf8')))
      .map((path) => path.split('/')[0]);
  expect([...new Set(of(join(project, 'node_modules/countersign-viem')))]).toEqual(['react']);
});

test.each([
  ['nothing', "import 'countersign-viem';", 50],
  ['one action', "import { submitOrder } from 'countersign-viem'; console.log(submitOrder);", 1_300],
  ['everything', "import * as all from 'countersign-viem'; console.log(all);", 7_300],
  ['the React hooks', "import * as all from 'countersign-viem/react'; console.log(all);", 3_650],
])('a dApp that uses %s of it carries at most so many bytes', async (_, imports, limit) => {
  expect(await bytesOf(imports)).toBeLessThanOrEqual(limit);
});

const program = `
import { custom, createWalletClient } from 'viem';
import * as all from 'countersign-viem';
import { relayerActions, ParameterError, type GetBalancesReturnType } from 'countersign-viem';
import type { useBalances, Watched } from 'countersign-viem/react';

const provider = {
  on() {},
  removeListener() {},
  async request({ method, params }: { method: string; params?: any }) {
    if (method === 'relayer_getBalances') return [{ tokenId: 0, total: params[0].tokens, locked: '0' }];
    throw Object.assign(new Error('buyToken.volume: is zero'), { code: -32602 });
  },
};
const client = createWalletClient({ transport: custom(provider) }).extend(relayerActions({ provider }));
const balances: GetBalancesReturnType = await client.relayer.getBalances({ tokens: ['7'] });
const total: string | undefined = balances[0]?.total;
const order = { sellToken: { tokenId: 1, volume: 1n }, buyToken: { tokenId: 0, volume: 0n } };
const error = await client.relayer.submitOrder(order).catch((reason: unknown) => reason);
type Shown = ReturnType<typeof useBalances> extends Watched<GetBalancesReturnType> ? 'balances' : never;
const shown: Shown = 'balances';
// @ts-expect-error: no number
const wrong: number = balances[0]?.total;
// @ts-expect-error: no such field
client.relayer.submitOrder.name === 'never' && client.relayer.submitOrder({ ...order, price: 1 });
console.log(JSON.stringify({
  shown,
  total,
  field: error instanceof ParameterError ? error.field : String(error),
  names: Object.keys(all).sort(),
}));
`;

function typeCheck(name: string, text: string): void {
  writeFileSync(join(project, `${name}.ts`), text);
  inProject(bin('tsc'), [
    ...['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
    ...[
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ],
    `${name}.ts`,
  ]);
}

test('a program type-checks with it, strictly, and runs', () => {
  typeCheck('program', program);
  expect(JSON.parse(inProject(process.execPath, ['program.js']))).toEqual({
    shown: 'balances',
    total: ['7'],
    field: 'buyToken.volume',
    names: Object.keys(source).sort(),
  });
});

test.each(['scripts/viemPackage/README.md', 'docs/dapp.md'])('the example of %s type-checks', (path) => {
  const [example] = blocksOf(path).filter(({ language }) => language === 'ts');
  typeCheck('example', example?.text ?? '');
});
