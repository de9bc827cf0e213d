import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import project from '../../package.json' with { type: 'json' };
import { bin, root, run } from '../prepare.mjs';
import { repositoryOf } from './repositoryOf.ts';

export async function tool(name: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(bin(name), args, { show: false });
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with code ${code}\n${output}`);
}

/**
 * The compiler turns the endings of imports into `.js` in modules, and leaves them in declarations.
 */
function rewriteDeclarations(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  )) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'"));
  }
}

/**
 * The package says by itself what it needs: mipd and PGlite in the versions that the tests run
 * with, the other peers from the oldest version that it supports. The repository is the one that it
 * is built from.
 */
const packageJson = () => ({
  name: `${project.name}-viem`,
  version: project.version,
  description: 'viem actions for layer-2 exchange wallets with relayer_* methods, such as Countersign',
  keywords: ['viem', 'wallet', 'layer-2', 'exchange', 'loopring', 'eip-1193', 'eip-6963'],
  license: project.license,
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './react': { types: './react/index.d.ts', default: './react/index.js' },
    './testing': { types: './testing/index.d.ts', default: './testing/index.js' },
    './package.json': './package.json',
  },
  files: ['**/*.js', '**/*.d.ts', 'testing/extension', 'testing/relayer'],
  dependencies: { mipd: project.devDependencies.mipd },
  peerDependencies: {
    '@electric-sql/pglite': project.dependencies['@electric-sql/pglite'],
    'playwright-core': '>=1.49.0',
    react: '>=18',
    viem: '^2.21.0',
  },
  peerDependenciesMeta: {
    '@electric-sql/pglite': { optional: true },
    'playwright-core': { optional: true },
    react: { optional: true },
  },
  engines: { node: '>=20.19' },
  ...repositoryOf(
    spawnSync('git', ['remote', 'get-url', 'origin'], { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '',
  ),
});

/**
 * Builds the npm package: one ES module and one declaration a source file, no bundle, so that a
 * dApp carries what it uses.
 * @param folder - Absolute; emptied first. `buildTesting` adds what the entry `testing` starts.
 */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['tsconfig', 'tsconfig.testing'])
    await tool('tsc', ['--project', `scripts/viemPackage/${name}.json`, '--outDir', folder]);
  rewriteDeclarations(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`);
  copyFileSync(join(root, 'scripts/viemPackage/README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
