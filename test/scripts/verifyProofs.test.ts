import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { root as repository } from '../../scripts/prepare.mjs';
import { proofsOf } from '../../scripts/replay/proofsOf.ts';
import { replayBlocks } from '../../scripts/replay/replayBlocks.ts';
import type { RollupState } from '../../src/protocol/rollup/index.ts';
import { runScript } from '../support/runScript.ts';
import { scenarioLines } from './replay/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-proofs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let root: string;
let proofs: ReturnType<typeof proofsOf> extends Generator<infer Proof> ? Proof[] : never;

beforeAll(async () => {
  const { state, nfts } = await replayBlocks(scenarioLines(2), {}, () => {});
  root = `0x${(state as RollupState).root().toString(16)}`;
  proofs = [...proofsOf(state as RollupState, nfts)];
});

/** A root as the command prints it. */
const word = (text: string) => `0x${BigInt(text).toString(16).padStart(64, '0')}`;

/** `npm run verify-proofs` on a file with these lines. */
function verify(lines: readonly string[], against = root) {
  const path = join(folder, 'proofs.jsonl');
  writeFileSync(path, lines.join('\n'));
  return run('--from', path, '--root', against);
}

const run = (...options: string[]) => runScript('verify-proofs', ...options);

it('says what each proof proves', async () => {
  const { code, lines } = await verify(proofs.map((proof) => JSON.stringify(proof)));
  const [{ accountLeaf, balanceLeaf }] = proofs as [(typeof proofs)[number]];
  expect(lines[0]).toBe(
    `account ${accountLeaf.accountID} of ${accountLeaf.owner}, token ${balanceLeaf.tokenID}: ${balanceLeaf.balance}, in the state with root ${word(root)}`,
  );
  expect(lines.at(-1)).toBe(`${proofs.length} proofs checked, 0 do not hold`);
  expect(code).toBe(0);
});

it('ends with 1 for proofs that are changed, of another root, or none', async () => {
  const [first] = proofs as [(typeof proofs)[number]];
  const more = { ...first, balanceLeaf: { ...first.balanceLeaf, balance: '12345' } };
  const short = { ...first, accountMerkleProof: first.accountMerkleProof.slice(3) };
  const { code, lines } = await verify([JSON.stringify(more), '{', JSON.stringify(short), JSON.stringify(first)]);
  expect(lines[0]).toBe(
    `account ${first.accountLeaf.accountID} of ${first.accountLeaf.owner}, token ${first.balanceLeaf.tokenID}: 12345 is not part of the state with root ${word(root)}`,
  );
  expect(lines[1]).toMatch(/^line 2: /);
  expect(lines[2]).toBe('line 3: accountMerkleProof has 45 elements instead of 48');
  expect(lines.at(-1)).toBe('4 proofs checked, 3 do not hold');
  expect(code).toBe(1);
  // A root that is trusted stands above the one that a saved line names.
  const saved = await verify([JSON.stringify({ blockId: 7, root, proof: first })], '0x5');
  expect(saved.lines[0]).toContain(`is not part of the state with root ${word('0x5')}`);
  expect(saved.code).toBe(1);
  expect(await verify([])).toMatchObject({ code: 1, lines: ['0 proofs checked, 0 do not hold'] });
});

it('takes the root from a line that a wallet saved, and asks for one where there is none', async () => {
  const [proof] = proofs as [(typeof proofs)[number]];
  const path = join(folder, 'saved.jsonl');
  const saved = { blockId: 7, root, proof };
  writeFileSync(
    path,
    [
      saved,
      { ...saved, root: '0x5' },
      { ...saved, rule: 'two-roots', other: { root: '0x6', at: 1 } },
      proof,
      { blockId: 7, proof },
      { ...saved, exchange: `0x${'e'.repeat(40)}`, accountId: 123_456 },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const { code, lines } = await run('--from', path);
  const { accountID, owner } = proof.accountLeaf;
  const what = `block 7, account ${accountID} of ${owner}, token ${proof.balanceLeaf.tokenID}: ${proof.balanceLeaf.balance}`;
  expect(lines).toEqual([
    `${what}, in the state with root ${word(root)}`,
    `${what} is not part of the state with root ${word('0x5')}`,
    `kept as wrong (two-roots; another root of the block is ${word('0x6')}): ${what}, in the state with root ${word(root)}`,
    'line 4: the line names no root, and --root is not given',
    expect.stringMatching(/^line 5: root: /),
    `line 6: the line names accountId 123456, and its proof ${accountID}`,
    'The roots are what the file says: compare them with those on the chain of the exchange.',
    '5 proofs checked, 4 do not hold',
  ]);
  expect(code).toBe(1);
});

it('ends with 2 without a file or with a root that is none', async () => {
  const missing = join(folder, 'missing.jsonl');
  const { code, errors } = await run('--from', missing, '--root', '0x1');
  expect(errors).toContain(`${missing}: ENOENT`);
  expect(code).toBe(2);
  expect(await verify([], 'root')).toMatchObject({ code: 2, errors: '--root: root is no 0x-hex of a root\n' });
  expect((await run()).errors).toBe('npm run verify-proofs -- --from FILE [--root 0x…]\n');
});

it('says of each proof what it proves before the next one is read', { timeout: 60_000 }, async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const args = ['--import', 'tsx', 'scripts/verifyProofs.ts', '--from', path, '--root', root];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'close');
  const pipe = createWriteStream(path);
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const [index, proof] of proofs.slice(0, 2).entries()) {
    pipe.write(`${JSON.stringify(proof)}\n`);
    expect([index, (await said.next()).value]).toEqual([index, expect.stringMatching(/, in the state with root 0x/)]);
  }
  pipe.end();
  expect((await said.next()).value).toBe('2 proofs checked, 0 do not hold');
  expect(await ended).toEqual([0, null]);
});
