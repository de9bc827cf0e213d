import { expect, it } from 'vitest';
import {
  publicDataHash,
  RollupState,
  replayBlock,
  type StateUndo,
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
    const undos: StateUndo[] = [];
    const past: {
      readonly root: bigint;
      readonly ledger: ReadonlyMap<string, bigint>;
      readonly nfts: typeof traffic.nfts;
    }[] = [];
    for (let n = 0; n < BLOCKS; n++) {
      past.push({ root: replayed.root(), ledger: new Map(traffic.ledger), nfts: new Map(traffic.nfts) });
      const { data, transactions } = traffic.block(TRANSACTIONS);
      replayed.collectUndo(true);
      // The roots in the header are those of the books.
      replayBlock(replayed, { data, publicDataHash: publicDataHash(data) });
      undos.push(replayed.collectUndo(false) as StateUndo);
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

    // Every balance that is known now, as it was before each block.
    for (const [block, then] of past.entries()) {
      const [one = ''] = random.pick([...traffic.ledger].filter(([name]) => !name.startsWith('-')));
      for (const name of [one, key, ...[...then.ledger.keys()].filter((held) => !held.startsWith('-')).slice(0, 2)]) {
        const [account, token] = name.split('/').map(Number) as [number, number];
        const held = then.ledger.get(name) ?? 0n;
        if (token >= 32768 && held === 0n) continue;
        const proof = replayed.prove(account, token, then.nfts.get(name), undos.slice(block));
        expect(proof.balanceLeaf.balance, `${name} before block ${block}`).toBe(held);
        expect(verifyMerkleProof(proof, then.root), `${name} before block ${block}`).toBe(true);
      }
    }
  });
  expect(seeds).toBeGreaterThan(0);
  expect([...types.keys()].sort()).toEqual(Object.keys(transactionLayouts).sort());
});
