import { expect, it } from 'vitest';
import {
  publicDataHash,
  RollupState,
  replayBlock,
  transactionLayouts,
  verifyMerkleProof,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz, fuzzSeed } from '../../support/fuzz.ts';
import { Traffic } from './traffic.ts';
import '../../support/useFastCore.ts';

/** `FUZZ=20` plays a thousand. */
const SEEDS = 50;
const BLOCKS = 3;
const TRANSACTIONS = 16;

it(`random traffic of all types: replaying the bytes gives the books, and the tree of the books (seed ${fuzzSeed})`, {
  timeout: 3_600_000,
}, () => {
  const types = new Map<string, number>();
  const seeds = fuzz('traffic', SEEDS, (random) => {
    const traffic = new Traffic(random);
    const replayed = new RollupState();
    for (let n = 0; n < BLOCKS; n++) {
      const { data, transactions } = traffic.block(TRANSACTIONS);
      // The roots in the header are those of the books.
      replayBlock(replayed, { data, publicDataHash: publicDataHash(data) });
      for (const { type } of transactions) types.set(type, (types.get(type) ?? 0) + 1);
    }

    const sums = new Map<number, bigint>();
    for (const [key, amount] of traffic.ledger) {
      const [accountId, tokenId] = key.split('/').map(Number) as [number, number];
      if (tokenId < 32768) sums.set(tokenId, (sums.get(tokenId) ?? 0n) + amount);
      if (accountId >= 0) expect(replayed.balance(accountId, tokenId).balance, key).toBe(amount);
    }
    expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
    for (const [accountId, { balances }] of replayed.accounts())
      for (const [tokenId, { balance }] of balances) expect(traffic.balance(accountId, tokenId)).toBe(balance);

    const root = replayed.root();
    expect(traffic.tree.root()).toBe(root);
    const [key = ''] = random.pick([...traffic.ledger].filter(([name]) => !name.startsWith('-')));
    const [accountId, tokenId] = key.split('/').map(Number) as [number, number];
    const nft = traffic.nfts.get(key);
    if (tokenId < 32768 || nft)
      expect(verifyMerkleProof(replayed.prove(accountId, tokenId, nft), root), key).toBe(true);
  });
  expect(seeds).toBeGreaterThan(0);
  expect([...types.keys()].sort()).toEqual(Object.keys(transactionLayouts).sort());
});
