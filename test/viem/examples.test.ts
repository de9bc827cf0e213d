import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, custom, parseEther, parseUnits } from 'viem';
import { expect, test } from 'vitest';
import { bin, root } from '../../scripts/prepare.mjs';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { readableEndpoints } from '../../src/background/rpc/page/reads.ts';
import { endpoints } from '../../src/protocol/index.ts';
import * as actionsByName from '../../src/viem/actions/index.ts';
import { feeRequestTypes, relayerActions } from '../../src/viem/index.ts';

const folder = join(root, 'src/viem/actions');
const files = [join(root, 'src/viem/generated/reads.ts'), ...readdirSync(folder).map((name) => join(folder, name))];

/** The `@example` of each action, as code. */
const examples = new Map(
  files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n/**\n')
      .flatMap((part): [string, string][] => {
        const [, comment = '', name] = /^([\s\S]*?)\n \*\/\nexport (?:async )?function (\w+)/.exec(part) ?? [];
        const [, text = ''] = /@example\n([\s\S]*?)(?:\n \* @|$)/.exec(comment) ?? [];
        return name ? [[name, text.replaceAll(/^ \* ?/gm, '')]] : [];
      }),
  ),
);
const exampleOf = (name: string): string => examples.get(name) ?? '';
const actions = Object.keys(actionsByName);

/** What an example may take for granted. */
const given = `
import { createWalletClient, custom, parseEther, parseUnits, type Hex } from 'viem';
import { feeRequestTypes, relayerActions } from '../../../src/viem/index.ts';
declare const provider: { request(of: { method: string; params?: unknown }): Promise<unknown>; on(): void; removeListener(): void };
declare const order: { readonly hash: Hex; readonly requestId: string };
declare const approval: { readonly id: string };
declare const subscription: string;
declare const orderHash: Hex, hash: Hex, nftId: Hex, nftData: Hex, tokenAddress: Hex, poolAddress: Hex, toAddress: Hex, payeeAddr: Hex;
declare const burned: { tokenId: number; volume: bigint }, token: { tokenId: number; volume: bigint };
declare const sellToken: { tokenId: number; volume: bigint }, buyToken: { tokenId: number; volume: bigint };
declare const leastLrc: bigint, leastEth: bigint, tokenId: number, error: { readonly requestId: string };
declare const show: (of: unknown) => void;
const client = createWalletClient({ transport: custom(provider) }).extend(relayerActions({ provider }));
void [parseEther, parseUnits, feeRequestTypes];
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

/** Values of what an example may take for granted. */
const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const hash = `0x${'1'.repeat(64)}`;
const sold = { tokenId: 1, volume: 10n ** 20n };
const bought = { tokenId: 0, volume: 10n ** 16n };
const requestId = '00000000-0000-4000-8000-000000000001';
const values = {
  parseEther,
  parseUnits,
  feeRequestTypes,
  order: { hash, requestId },
  approval: { id: requestId },
  subscription: '0x1',
  orderHash: hash,
  hash,
  nftId: hash,
  nftData: hash,
  tokenAddress: address,
  poolAddress: address,
  toAddress: address,
  payeeAddr: address,
  burned: sold,
  token: sold,
  sellToken: sold,
  buyToken: bought,
  leastLrc: 1n,
  leastEth: 1n,
  tokenId: 1,
  error: { requestId },
  show: () => {},
};

/** The wallet's own rules for a call. */
function parse(method: string, params: unknown): void {
  const found = pageMethods.get(method);
  if (!found) throw new Error(`there is no ${method}`);
  found.parse(params);
  const name = readableEndpoints.find((readable) => method === `relayer_${readable}`);
  if (!name) return;
  const { query, body, method: verb } = endpoints[name];
  const { account: _, ...rest } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const given = Object.fromEntries(
    Object.entries(rest).map(([field, value]) => [field, Array.isArray(value) ? value.join(',') : value]),
  );
  const schema = verb === 'POST' ? body : query;
  // The wallet adds the number of the account where the endpoint has one.
  const refused = schema.safeParse(given).success ? undefined : schema.safeParse({ ...given, accountId: 1 }).error;
  if (refused) throw refused;
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>;

test.each(actions)('the wallet takes what the example of %s asks for', async (name) => {
  const calls: string[] = [];
  const refused: unknown[] = [];
  const provider = {
    request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
      calls.push(method);
      try {
        parse(method, params?.[0]);
      } catch (error) {
        refused.push(error);
      }
      throw Object.assign(new Error('enough'), { code: 4001 });
    },
    on: () => {},
    removeListener: () => {},
  };
  const client = createWalletClient({ transport: custom(provider as never) }).extend(relayerActions({ provider }));
  // An NFT stands in a slot behind those of the tokens.
  const given = { ...values, provider, client, ...(name.includes('Nft') && { tokenId: 32_768 }) };
  const run = new AsyncFunction(...Object.keys(given), `{${exampleOf(name)}}`);
  // A watch begins after the example has returned.
  await Promise.resolve(run(...Object.values(given))).catch(() => {});
  await expect.poll(() => calls.length, { timeout: 3_000 }).toBeGreaterThan(0);
  expect(refused).toEqual([]);
});
