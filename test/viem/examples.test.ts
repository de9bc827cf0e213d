import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, root } from '../../scripts/prepare.mjs';

const folder = join(root, 'src/viem/actions');
const actions = readdirSync(folder).filter((name) => name !== 'index.ts');

/** The `@example` of an action, as code. */
const exampleOf = (name: string): string =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(/@example\n([\s\S]*?)\n \*(?:\/| @)/g)]
    .map(([, text = '']) => text.replaceAll(/^ \* ?/gm, ''))
    .join('\n');

/** What an example may take for granted. */
const given = `
import { createWalletClient, custom, parseEther, parseUnits, type Hex } from 'viem';
import { relayerActions } from '../../../src/viem/index.ts';
declare const provider: { request(of: { method: string; params?: unknown }): Promise<unknown>; on(): void; removeListener(): void };
declare const order: { readonly hash: Hex; readonly requestId: string };
declare const approval: { readonly id: string };
declare const subscription: string;
declare const slot: { readonly nftId: Hex; readonly nftData: Hex };
declare const hash: Hex, nftData: Hex, tokenAddress: Hex, poolAddress: Hex, toAddress: Hex, payeeAddr: Hex;
declare const burned: { tokenId: number; volume: bigint }, token: { tokenId: number; volume: bigint };
declare const sellToken: { tokenId: number; volume: bigint }, buyToken: { tokenId: number; volume: bigint };
declare const leastLrc: bigint, leastEth: bigint, tokenId: number, error: { readonly requestId: string };
declare const show: (of: unknown) => void;
const client = createWalletClient({ transport: custom(provider) }).extend(relayerActions({ provider }));
void [parseEther, parseUnits];
`;

test('every action has an example, and it type-checks', () => {
  expect(actions.length).toBeGreaterThan(70);
  expect(actions.filter((name) => exampleOf(name) === '')).toEqual([]);
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const project = mkdtempSync(join(cache, 'examples-'));
  try {
    const blocks = actions.map((name) => `// ${name}\n{\n${exampleOf(name)}\n}\n`);
    writeFileSync(join(project, 'examples.ts'), given + blocks.join(''));
    const options = {
      compilerOptions: { noUnusedLocals: false },
      extends: '../../../tsconfig.json',
      include: ['*.ts'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options));
    const check = () => execFileSync(bin('tsc'), ['--noEmit', '-p', project], { encoding: 'utf8', stdio: 'pipe' });
    expect(check).not.toThrow();
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
