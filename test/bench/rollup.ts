import { parseArgs } from 'node:util';
import { useFastCore } from '../../src/crypto/fast.ts';
import {
  applyBlock,
  encodeBlock,
  RollupState,
  TREE_LEVELS,
  type Transaction,
  verifyMerkleProof,
} from '../../src/protocol/rollup/index.ts';
import { storageSlot } from '../../src/protocol/storageId.ts';
import { Random } from '../support/random.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median } from './support/rounds.ts';
import { fewer, isShort } from './support/short.ts';

/**
 * A block of 1,000 transactions on exchanges of 10^3, 10^5 and 10^6 accounts: seal it (apply, root,
 * bytes) and prove balances in it. `--accounts=1000,100000` measures other sizes. All by processor
 * time of this process, on one core. More accounts share fewer nodes of a block's paths, so a
 * transaction costs more hashes; what has to stay is the time of a hash.
 */
const ACCOUNTS = isShort ? [1_000, 10_000] : [1_000, 100_000, 1_000_000];
const TRANSACTIONS = 1_000;
const BLOCKS = fewer(5);
const PROOFS = 200;
const FIRST_ACCOUNT = 10_001;
/**
 * A hash may take so much longer among the most accounts: their nodes leave the caches of the
 * processor.
 */
const MOST_GROWTH = 1.25;
const OPERATOR = 1;
const HEADER = {
  exchange: 1n,
  rootBefore: 0n,
  rootAfter: 0n,
  timestamp: 1_600_000_000,
  protocolTakerFeeBips: 0,
  protocolMakerFeeBips: 0,
  operatorAccountId: OPERATOR,
  numConditionalTransactions: 0,
};

const sizes = (): number[] => {
  const { accounts } = parseArgs({ options: { accounts: { type: 'string' } }, strict: false }).values;
  return typeof accounts === 'string' ? accounts.split(',').map(Number) : ACCOUNTS;
};

/** Milliseconds of processor time. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function openAccounts(count: number): RollupState {
  const state = new RollupState();
  state.setAccount(OPERATOR, { owner: 1n });
  for (let accountId = FIRST_ACCOUNT; accountId < FIRST_ACCOUNT + count; accountId++) {
    state.setAccount(accountId, { owner: BigInt(accountId) });
    state.setBalance(accountId, 0, { balance: 10n ** 18n });
  }
  state.root();
  return state;
}

/** Half transfers, half trades, between random accounts; all pay the operator. */
function traffic(random: Random, accounts: number, block: number): Transaction[] {
  const account = () => FIRST_ACCOUNT + random.index(accounts);
  return Array.from({ length: TRANSACTIONS }, (_, index): Transaction => {
    const [from, to] = [account(), account()];
    const storageId = 2 * (block * TRANSACTIONS + index);
    if (index % 2 === 0)
      return {
        ...{ type: 'Transfer', kind: 0, fromId: from, toId: to, tokenId: 0, amount: 1000n, feeTokenId: 0, fee: 10n },
        ...{ storageId: storageId + 1, to: 0n, from: 0n, toTokenId: 0 },
      } as Transaction;
    return {
      ...{
        type: 'SpotTrade',
        storageA: storageId,
        storageB: storageId,
        accountA: from,
        accountB: to,
        tokenA: 0,
        tokenB: 1,
      },
      ...{ fillA: 1000n, fillB: 0n, flagsA: 0, flagsB: 20, boughtTokenA: 0, boughtTokenB: 0, feeHighA: 0, feeHighB: 0 },
    } as Transaction;
  });
}

/** Nodes of a quad tree above some leaves. */
function nodesAbove(leaves: ReadonlySet<number>, levels: number): number {
  let nodes = 0;
  for (let level = 1, below = leaves; level <= levels; level++) {
    below = new Set([...below].map((index) => Math.floor(index / 4)));
    nodes += below.size;
  }
  return nodes;
}

/** Hashes of a block: each leaf that it changes, and each node above one. */
function hashesOf(transactions: readonly Transaction[]): number {
  const storage = new Map<string, Set<number>>();
  const balances = new Map<number, Set<number>>([[OPERATOR, new Set()]]);
  const touch = (accountId: number, tokenId: number, storageId?: number) => {
    const tokens = balances.get(accountId) ?? new Set();
    balances.set(accountId, tokens.add(tokenId));
    if (storageId === undefined) return;
    const slots = storage.get(`${accountId}/${tokenId}`) ?? new Set();
    storage.set(`${accountId}/${tokenId}`, slots.add(storageSlot(storageId)));
  };
  for (const one of transactions)
    if (one.type === 'Transfer') {
      touch(one.fromId, one.tokenId, one.storageId);
      touch(one.toId, one.tokenId);
      touch(OPERATOR, one.feeTokenId);
    } else if (one.type === 'SpotTrade') {
      touch(one.accountA, one.tokenA, one.storageA);
      touch(one.accountB, one.tokenB, one.storageB);
      // What is bought: 0 of the other token moves nothing.
      touch(one.accountB, one.tokenA);
    }
  const sum = (trees: Iterable<ReadonlySet<number>>, levels: number) =>
    [...trees].reduce((total, leaves) => total + leaves.size + nodesAbove(leaves, levels), 0);
  return (
    sum(storage.values(), TREE_LEVELS.storage) +
    sum(balances.values(), TREE_LEVELS.balances) +
    sum([new Set(balances.keys())], TREE_LEVELS.accounts)
  );
}

export const run: BenchRun = async (say) => {
  useFastCore();
  const rows: BenchRow[] = [];
  let smallest: number | undefined;
  let smallestHash: number | undefined;
  for (const count of sizes()) {
    let state = new RollupState();
    const opening = cpuMs(() => {
      state = openAccounts(count);
    });
    say(
      `${count} accounts opened in ${Math.round(opening / 1000)} s of processor time, ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    );
    const random = new Random(7n);
    let bytes = 0;
    const blocks = Array.from({ length: BLOCKS }, (_, number) => {
      const transactions = traffic(random, count, number);
      const ms = cpuMs(() => {
        applyBlock(state, { header: HEADER, transactions });
        bytes = encodeBlock({ ...HEADER, rootAfter: state.root() }, transactions).length;
      });
      return { ms, hashes: hashesOf(transactions) };
    });
    const sealed = median(blocks.map(({ ms }) => ms)) / TRANSACTIONS;
    const hashes = median(blocks.map((block) => block.hashes)) / TRANSACTIONS;
    const hash = median(blocks.map((block) => block.ms / block.hashes));
    smallest ??= sealed;
    smallestHash ??= hash;
    rows.push({
      what: `seal a block, a transaction, ${count} accounts`,
      ours: sealed,
      unit: 'ms',
      ...(smallest !== sealed && { beside: 'smallest exchange', theirs: smallest, ratio: smallest / sealed }),
    });
    rows.push(
      { what: `hashes of a transaction, ${count} accounts`, ours: hashes, unit: 'hashes' },
      {
        ...{ what: `one such hash, ${count} accounts`, ours: hash * 1000, unit: 'µs' },
        ...(smallestHash !== hash && {
          ...{ beside: 'smallest exchange', theirs: smallestHash * 1000, ratio: smallestHash / hash },
          goal: 1 / MOST_GROWTH,
        }),
      },
    );
    const ids = Array.from({ length: PROOFS }, () => FIRST_ACCOUNT + random.index(count));
    const root = state.root();
    rows.push({
      what: `prove a balance, ${count} accounts`,
      ours: cpuMs(() => ids.map((accountId) => state.prove(accountId, 0))) / PROOFS,
      unit: 'ms',
    });
    const proofs = ids.map((accountId) => state.prove(accountId, 0));
    rows.push({
      what: `verify a proof, ${count} accounts`,
      ours:
        cpuMs(() => {
          if (!proofs.every((proof) => verifyMerkleProof(proof, root))) throw new Error('a proof does not fold');
        }) / PROOFS,
      unit: 'ms',
    });
    say(`${bytes} bytes a block of ${TRANSACTIONS} transactions`);
  }
  // Account leaf, balance leaf, NFT and siblings.
  rows.push({ what: 'a proof, as binary words of the contract', ours: (6 + 4 + 5 + 72) * 32, unit: 'bytes' });
  return {
    rows,
    notes: [
      `Processor time of one core; medians of ${BLOCKS} blocks of ${TRANSACTIONS} transactions, half transfers, half trades, between random accounts of one balance each. "seal" is the state transition, all hashes and the bytes.`,
    ],
  };
};
