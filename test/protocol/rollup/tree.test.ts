import { describe, expect, it } from 'vitest';
import { FIELD_PRIME } from '../../../src/crypto/index.ts';
import {
  emptyNodes,
  foldMerkleProof,
  foldPath,
  formatMerkleProof,
  type MerkleProof,
  nodeHash,
  parseMerkleProof,
  QuadTree,
  RollupError,
  RollupState,
  verifyMerkleProof,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz } from '../../support/fuzz.ts';
import { ANNA, apply, BERT, ETH, LRC, mint, NFT_SLOT, openedState, ownerOf } from './support.ts';

const LEVELS = 3;
const empty = emptyNodes(9n, LEVELS);

/** The root by definition: every node of every level. */
function naiveRoot(leaves: ReadonlyMap<number, bigint>): bigint {
  let level = Array.from({ length: 4 ** LEVELS }, (_, index) => leaves.get(index) ?? 9n);
  while (level.length > 1)
    level = Array.from({ length: level.length / 4 }, (_, index) =>
      nodeHash(level.slice(4 * index, 4 * index + 4) as [bigint, bigint, bigint, bigint]),
    );
  return level[0] as bigint;
}

describe('a quad tree', () => {
  it('has the root of its leaves, in whatever order and groups they are set, and paths that fold to it', () => {
    fuzz('quad tree', 5, (random) => {
      const tree = new QuadTree(empty);
      const leaves = new Map<number, bigint>();
      for (let round = 0; round < 3; round++) {
        for (let i = random.index(6); i >= 0; i--) {
          const index = random.index(4 ** LEVELS);
          const leaf = random.below(FIELD_PRIME);
          leaves.set(index, leaf);
          tree.set(index, leaf);
        }
        const root = naiveRoot(leaves);
        expect(tree.root()).toBe(root);
        const index = random.index(4 ** LEVELS);
        expect(foldPath(leaves.get(index) ?? 9n, index, tree.siblings(index))).toBe(root);
      }
    });
  });

  it('has no leaf beside its range', () => {
    const tree = new QuadTree(empty);
    for (const index of [-1, 4 ** LEVELS, 0.5]) expect(() => tree.set(index, 1n)).toThrow(RangeError);
  });
});

describe('the proof of a balance', () => {
  const state = openedState();
  apply(state, [mint()]);
  const root = state.root();
  const token = state.prove(ANNA, ETH);
  const nft = state.prove(ANNA, NFT_SLOT, {
    minter: ownerOf(ANNA),
    nftType: 0,
    token: ownerOf(3),
    nftID: 77n,
    creatorFeeBips: 3,
  });

  it('folds to the root, for tokens, NFTs, empty balances and accounts that are not opened', () => {
    for (const proof of [token, nft, state.prove(ANNA, 500), state.prove(4_000_000_000, 3)])
      expect(verifyMerkleProof(proof, root)).toBe(true);
  });

  it('folds to the root before a block that changed account, balance, storage and nodes more than once', () => {
    const changing = openedState();
    const before = changing.root();
    changing.collectUndo(true);
    const step = (balance: bigint) => {
      changing.setAccount(ANNA, { nonce: Number(balance) });
      for (const tokenId of [ETH, LRC]) changing.setBalance(ANNA, tokenId, { balance });
      changing.setBalance(BERT, ETH, { balance });
      changing.setStorage(ANNA, ETH, { data: balance, storageId: 1 });
      changing.root();
    };
    step(1n);
    step(2n);
    const undo = changing.collectUndo(false) ?? expect.fail('nothing was collected');
    const proof = changing.prove(ANNA, ETH, undefined, [undo]);
    expect(verifyMerkleProof(proof, before)).toBe(true);
    expect(proof).toEqual(openedState().prove(ANNA, ETH));
  });

  it('does not fold to the root of another state', () => {
    expect(verifyMerkleProof(token, new RollupState().root())).toBe(false);
  });

  const changed = (proof: MerkleProof, part: 'accountLeaf' | 'balanceLeaf' | 'nft', fields: object): MerkleProof => ({
    ...proof,
    [part]: { ...proof[part], ...fields },
  });
  const refused: readonly [string, string, MerkleProof][] = [
    ['a balance of 97 bits', 'range', changed(token, 'balanceLeaf', { balance: 1n << 96n })],
    ['an account id of 33 bits', 'range', changed(token, 'accountLeaf', { accountID: 2 ** 32 })],
    ['a token id of 17 bits', 'range', changed(token, 'balanceLeaf', { tokenID: 2 ** 16 })],
    ['an owner of 161 bits', 'range', changed(token, 'accountLeaf', { owner: 1n << 160n })],
    ['a negative nonce', 'range', changed(token, 'accountLeaf', { nonce: -1 })],
    ['a pool fee above 8 bits', 'range', changed(token, 'accountLeaf', { feeBipsAMM: 256 })],
    ['a key at the prime', 'range', changed(token, 'accountLeaf', { pubKeyX: FIELD_PRIME })],
    ['a key at the prime', 'range', changed(token, 'accountLeaf', { pubKeyY: FIELD_PRIME })],
    ['a weight at the prime', 'range', changed(token, 'balanceLeaf', { weightAMM: FIELD_PRIME })],
    ['a storage root at the prime', 'range', changed(token, 'balanceLeaf', { storageRoot: FIELD_PRIME })],
    ['an NFT type that does not exist', 'range', changed(nft, 'nft', { nftType: 2 })],
    ['an NFT id of 257 bits', 'range', changed(nft, 'nft', { nftID: 1n << 256n })],
    ['an NFT contract of 161 bits', 'range', changed(nft, 'nft', { token: 1n << 160n })],
    ['a minter of 161 bits', 'range', changed(nft, 'nft', { minter: 1n << 160n })],
    ['a royalty above 8 bits', 'range', changed(nft, 'nft', { creatorFeeBips: 256 })],
    ['an NFT beside a token', 'nft-data', changed(token, 'nft', { nftID: 1n })],
    ['a royalty beside a token', 'nft-data', changed(token, 'nft', { creatorFeeBips: 1 })],
    ['a minter beside a token', 'nft-data', changed(token, 'nft', { minter: 1n })],
    ['an NFT contract beside a token', 'nft-data', changed(token, 'nft', { token: 1n })],
    ['an NFT type beside a token', 'nft-data', changed(token, 'nft', { nftType: 1 })],
    ['another NFT than the slot holds', 'nft-data', changed(nft, 'nft', { nftID: 78n })],
    [
      'a sibling at the prime',
      'range',
      {
        ...token,
        accountMerkleProof: token.accountMerkleProof.map((node, i) => (i === 5 ? node + FIELD_PRIME : node)),
      },
    ],
    ['too few siblings', 'proof-shape', { ...token, balanceMerkleProof: token.balanceMerkleProof.slice(3) }],
    ['too many siblings', 'proof-shape', { ...token, accountMerkleProof: [...token.accountMerkleProof, 0n, 0n, 0n] }],
  ];

  it.each(refused)('is refused with %s', (_title, rule, proof) => {
    const fold = () => foldMerkleProof(proof);
    expect(fold).toThrow(RollupError);
    expect(fold).toThrow(expect.objectContaining({ rule }));
  });

  it('comes back from its JSON', () => {
    for (const proof of [token, nft]) {
      const text = JSON.stringify(formatMerkleProof(proof));
      expect(parseMerkleProof(JSON.parse(text))).toEqual(proof);
    }
  });

  it('is refused as JSON with members that are missing, unknown or no integers', () => {
    const json = formatMerkleProof(token);
    const attempt = (change: object) => () => parseMerkleProof({ ...json, ...change });
    expect(attempt({ nft: undefined })).toThrow(expect.objectContaining({ rule: 'format' }));
    expect(attempt({ root: '1' })).toThrow(expect.objectContaining({ rule: 'format' }));
    expect(attempt({ balanceMerkleProof: ['-1'] })).toThrow('balanceMerkleProof.0: is no integer of up to 256 bits');
    expect(attempt({ accountLeaf: { ...json.accountLeaf, owner: '5' } })).toThrow('accountLeaf.owner: is no address');
    expect(() => parseMerkleProof(null)).toThrow(RollupError);
  });

  it('does not fold any more after a change of any member', () => {
    const one = { accountLeaf: ['owner', 'pubKeyX', 'pubKeyY', 'nonce', 'feeBipsAMM', 'accountID'] } as const;
    for (const member of one.accountLeaf) {
      const value = token.accountLeaf[member];
      expect(
        verifyMerkleProof(
          changed(token, 'accountLeaf', { [member]: typeof value === 'bigint' ? value + 1n : value + 1 }),
          root,
        ),
      ).toBe(false);
    }
    for (const member of ['balance', 'weightAMM', 'storageRoot'] as const)
      expect(verifyMerkleProof(changed(token, 'balanceLeaf', { [member]: token.balanceLeaf[member] + 1n }), root)).toBe(
        false,
      );
  });
});
