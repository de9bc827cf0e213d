import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { encodeTransaction, foldMerkleProof, parseMerkleProof } from '../../src/protocol/rollup/index.ts';
import { type BalanceProof, BlockStates, type RootedBlock } from '../../src/relayer/engine/state/blockStates.ts';
import '../support/useFastCore.ts';

const OPERATOR = 1;
const TOKEN = 3;
const HOLDER = 5;

/**
 * A block that gives the holder and somebody new one each, and the operator its account when it is
 * the first.
 */
function seal(states: BlockStates, blockId: number): RootedBlock {
  const deposit = (accountId: number) =>
    encodeTransaction({ type: 'Deposit', to: BigInt(accountId), accountId, tokenId: TOKEN, amount: 1n });
  return states.seal({
    blockId,
    exchange: `0x${'ab'.repeat(20)}`,
    operatorId: OPERATOR,
    timestamp: 1_600_000_000 + blockId,
    transactions: Buffer.concat([deposit(OPERATOR), deposit(HOLDER), deposit(100 + blockId)]),
  });
}

const proven = (states: BlockStates, accountId: number, blockId?: number): BalanceProof => {
  const proof = states.prove(accountId, TOKEN, blockId);
  if ('oldest' in proof) throw new Error(`provable from ${proof.oldest} to ${proof.newest}`);
  return proof;
};

it('proves balances after each block that is kept, and says which ones those are', () => {
  const states = new BlockStates({ transactions: 9 });
  const blocks = Array.from({ length: 6 }, (_, index) => seal(states, index + 1));
  for (const { blockId, rootAfter } of blocks.slice(2)) {
    const { root, ...answer } = proven(states, HOLDER, blockId);
    expect(root).toBe(rootAfter);
    expect(answer.blockId).toBe(blockId);
    for (const accountId of [HOLDER, OPERATOR, 100 + blockId, 101 + blockId, 4_000]) {
      const proof = parseMerkleProof(proven(states, accountId, blockId).proof);
      expect(foldMerkleProof(proof), `${accountId}`).toBe(BigInt(rootAfter));
      const isLater = accountId === 101 + blockId || accountId === 4_000;
      expect(proof.accountLeaf.owner).toBe(isLater ? 0n : BigInt(accountId));
      expect(proof.accountLeaf.nonce).toBe(accountId === OPERATOR ? blockId : 0);
      expect(proof.balanceLeaf.balance).toBe(isLater ? 0n : accountId > 100 ? 1n : BigInt(blockId));
    }
  }
  expect(proven(states, HOLDER)).toEqual(proven(states, HOLDER, 6));
  for (const blockId of [0, 1, 2, 7]) expect(states.prove(HOLDER, TOKEN, blockId)).toEqual({ oldest: 3, newest: 6 });
});

it('keeps fewer blocks when they have many transactions', () => {
  const states = new BlockStates({ transactions: 10 });
  for (let blockId = 1; blockId <= 12; blockId++) seal(states, blockId);
  expect(states.prove(HOLDER, TOKEN, 99)).toEqual({ oldest: 9, newest: 12 });
});

it('keeps no more blocks than it may, however little they change', () => {
  const states = new BlockStates({ blocks: 4 });
  for (let blockId = 1; blockId <= 12; blockId++) seal(states, blockId);
  expect(states.prove(HOLDER, TOKEN, 99)).toEqual({ oldest: 8, newest: 12 });
  expect(proven(states, HOLDER, 8).blockId).toBe(8);
});

it('proves the same where the blocks were followed, and nothing before a block whose changes were not kept', () => {
  const first = new BlockStates();
  const blocks = Array.from({ length: 8 }, (_, index) => seal(first, index + 1));
  const second = new BlockStates();
  second.follow(blocks.slice(0, 5), 3);
  second.follow(blocks.slice(5), 3);
  for (const blockId of [2, 3, 4, 5, 6, 7, 8])
    expect(second.prove(HOLDER, TOKEN, blockId)).toEqual(first.prove(HOLDER, TOKEN, blockId));
  expect(second.prove(HOLDER, TOKEN, 1)).toEqual({ oldest: 2, newest: 8 });
  // It was away for so long that the next ones are not hashed one by one.
  const third = new BlockStates();
  third.follow(blocks.slice(0, 3), 1);
  third.follow(blocks.slice(3), 7);
  expect(third.prove(HOLDER, TOKEN, 2)).toEqual({ oldest: 6, newest: 8 });
  expect(third.prove(HOLDER, TOKEN, 6)).toEqual(first.prove(HOLDER, TOKEN, 6));
});

it('finds a block of many whose bytes do not lead to its root where it keeps what they change', () => {
  const first = new BlockStates();
  const blocks = Array.from({ length: 3 }, (_, index) => seal(first, index + 1));
  const lying = blocks.with(2, { ...(blocks[2] as RootedBlock), rootAfter: `0x${'5'.padStart(64, '0')}` });
  expect(() => new BlockStates().follow(lying, 2)).toThrow(/^block 3: its root is 0x0+5, /);
});

it('leaves no part of a snapshot behind that could not be written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-states-'));
  mkdirSync(join(folder, 'taken'));
  const states = new BlockStates();
  seal(states, 1);
  expect(() => states.snapshot(join(folder, 'taken'))).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
  rmSync(folder, { recursive: true });
});

it('publishes no snapshot whose last line has no room', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-states-'));
  const script = `
    import { execFileSync } from 'node:child_process';
    import { statSync } from 'node:fs';
    import { BlockStates } from './src/relayer/engine/state/blockStates.ts';
    const states = new BlockStates();
    states.snapshot('${folder}/whole');
    const room = statSync('${folder}/whole').size - 1;
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + room + ':']);
    try {
      states.snapshot('${folder}/torn');
    } catch {}
  `;
  execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { cwd: root });
  expect(readdirSync(folder)).toEqual(['whole']);
  rmSync(folder, { recursive: true });
});
