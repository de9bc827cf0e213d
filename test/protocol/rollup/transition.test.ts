import { describe, expect, it } from 'vitest';
import { packPoint } from '../../../src/crypto/index.ts';
import { MAX_AMOUNT } from '../../../src/protocol/limits.ts';
import {
  nftDataOf,
  RollupError,
  type RollupRule,
  type RollupState,
  type Transaction,
} from '../../../src/protocol/rollup/index.ts';
import {
  ANNA,
  accountUpdate,
  ammUpdate,
  apply,
  BERT,
  COLLECTION,
  deposit,
  ETH,
  HEADER,
  LRC,
  mint,
  mintTo,
  NFT_SLOT,
  nftPair,
  OPERATOR,
  openedState,
  ownerOf,
  POOL,
  PUBLIC_KEY,
  trade,
  transfer,
  UNIT,
  withdrawal,
} from './support.ts';

const balance = (state: RollupState, accountId: number, tokenId: number) => state.balance(accountId, tokenId).balance;
const stateAfter = (...transactions: Transaction[]) => {
  const state = openedState();
  apply(state, transactions);
  return state;
};
const NFT = { minter: ownerOf(ANNA), nftType: 0, token: ownerOf(COLLECTION), nftID: 77n, creatorFeeBips: 3 };

describe('a block', () => {
  it('opens an account with its first deposit', () => {
    const state = stateAfter(deposit(20000, LRC, 5n));
    expect(state.account(20000).owner).toBe(ownerOf(20000));
    expect(balance(state, 20000, LRC)).toBe(5n);
  });

  it("raises the operator's nonce by 1", () => {
    expect(stateAfter({ type: 'Noop' }).account(OPERATOR).nonce).toBe(2);
  });

  it('moves a transfer, pays its fee and uses its storage id', () => {
    const state = stateAfter(transfer());
    expect(balance(state, ANNA, ETH)).toBe(99n * UNIT - 1000n);
    expect(balance(state, BERT, ETH)).toBe(101n * UNIT);
    expect(balance(state, OPERATOR, ETH)).toBe(UNIT + 1000n);
    expect(state.storage(ANNA, ETH, 1)).toEqual({ data: 1n, storageId: 1 });
  });

  it('opens the receiver of a transfer that names it', () => {
    const state = stateAfter(transfer({ toId: 20000, to: ownerOf(20000) }));
    expect(state.account(20000).owner).toBe(ownerOf(20000));
  });

  it('takes a withdrawal and its fee', () => {
    const state = stateAfter(withdrawal());
    expect(balance(state, ANNA, ETH)).toBe(99n * UNIT - 1000n);
    expect(state.storage(ANNA, ETH, 1)).toEqual({ data: 1n, storageId: 1 });
  });

  it('uses the storage id of a withdrawal that was approved on layer 1', () => {
    expect(stateAfter(withdrawal({ kind: 1 })).storage(ANNA, ETH, 1)).toEqual({ data: 1n, storageId: 1 });
  });

  it('fills a balance up to 96 bits', () => {
    expect(balance(stateAfter(deposit(20000, ETH, MAX_AMOUNT)), 20000, ETH)).toBe(MAX_AMOUNT);
  });

  it('takes everything, the weight too and no storage id in a forced withdrawal', () => {
    const state = stateAfter(
      ammUpdate(),
      withdrawal({ kind: 2, from: ownerOf(POOL), accountId: POOL, amount: 50n * UNIT, fee: 0n, storageId: 0 }),
    );
    expect(state.balance(POOL, ETH)).toMatchObject({ balance: 0n, weightAmm: 0n });
    expect(state.balance(POOL, ETH).storage.size).toBe(0);
  });

  it('closes the request of a stranger for an account that nobody opened', () => {
    const root = stateAfter({ type: 'Noop' }).root();
    const closed = withdrawal({ kind: 3, from: 0n, accountId: 77, amount: 0n, fee: 0n, storageId: 0 });
    expect(stateAfter(closed).root()).toBe(root);
  });

  it('trades, with fees of what is bought and the protocol’s share of them', () => {
    const state = stateAfter(trade());
    // A buys 2 LRC: fee 20 bips, of which the protocol takes 20 hundred-thousandths of the amount.
    // B buys 1 ETH: 10 and 10.
    const [feeA, protocolA, feeB, protocolB] = [4n * 10n ** 15n, 4n * 10n ** 14n, 10n ** 15n, 10n ** 14n];
    expect(balance(state, ANNA, ETH)).toBe(99n * UNIT);
    expect(balance(state, ANNA, LRC)).toBe(102n * UNIT - feeA);
    expect(balance(state, BERT, LRC)).toBe(98n * UNIT);
    expect(balance(state, BERT, ETH)).toBe(101n * UNIT - feeB);
    expect(balance(state, OPERATOR, LRC)).toBe(feeA - protocolA);
    expect(balance(state, OPERATOR, ETH)).toBe(UNIT + feeB - protocolB);
    expect(balance(state, 0, LRC)).toBe(protocolA);
    expect(balance(state, 0, ETH)).toBe(protocolB);
    expect(state.storage(ANNA, ETH, 0)).toEqual({ data: UNIT, storageId: 0 });
    expect(state.storage(BERT, LRC, 0)).toEqual({ data: UNIT, storageId: 0 });
  });

  it('adds up the fills of an order, and begins anew with a larger id of the slot', () => {
    const state = stateAfter(trade(), trade({ storageB: 16384 }));
    expect(state.storage(ANNA, ETH, 0)).toEqual({ data: 2n * UNIT, storageId: 0 });
    expect(state.storage(BERT, LRC, 16384)).toEqual({ data: UNIT, storageId: 16384 });
  });

  it('sets a key and raises the nonce; an update with 0 removes it', () => {
    const state = stateAfter(accountUpdate());
    expect(state.account(ANNA)).toMatchObject({ publicKeyX: PUBLIC_KEY.x, publicKeyY: PUBLIC_KEY.y, nonce: 1 });
    apply(state, [accountUpdate({ nonce: 1, publicKey: 0n })]);
    expect(state.account(ANNA)).toMatchObject({ publicKeyX: 0n, publicKeyY: 0n, nonce: 2 });
  });

  it('publishes weight and fee of a pool', () => {
    const state = stateAfter(ammUpdate());
    expect(state.account(POOL)).toMatchObject({ nonce: 1, feeBipsAmm: 20 });
    expect(state.balance(POOL, ETH).weightAmm).toBe(5n);
  });

  it('mints to the minter with the contract of another account', () => {
    const state = stateAfter(mint());
    expect(state.balance(ANNA, NFT_SLOT)).toMatchObject({ balance: 5n, weightAmm: nftDataOf(NFT) });
    expect(state.storage(ANNA, ETH, 1)).toEqual({ data: 1n, storageId: 1 });
  });

  it('mints to another account, described by the pair behind it', () => {
    const state = stateAfter(mintTo(), ...nftPair(BERT));
    expect(state.balance(BERT, NFT_SLOT)).toMatchObject({ balance: 5n, weightAmm: nftDataOf(NFT) });
    expect(state.storage(ANNA, ETH, 1).data).toBe(1n);
  });

  it('uses no storage id for an NFT that was deposited', () => {
    const state = stateAfter(mintTo({ kind: 2, fee: 0n }), ...nftPair(BERT));
    expect(state.storage(ANNA, ETH, 1).data).toBe(0n);
  });

  it('moves an NFT into another slot and clears the one that is empty', () => {
    const state = stateAfter(
      mint(),
      transfer({ tokenId: NFT_SLOT, amount: 5n, toTokenId: NFT_SLOT + 1, feeTokenId: ETH, storageId: 3 }),
    );
    expect(state.balance(ANNA, NFT_SLOT)).toMatchObject({ balance: 0n, weightAmm: 0n });
    expect(state.balance(BERT, NFT_SLOT + 1)).toMatchObject({ balance: 5n, weightAmm: nftDataOf(NFT) });
  });

  it('sells an NFT; its buyer pays the fee on top of what it sells', () => {
    const state = stateAfter(
      mint(),
      trade({ accountA: BERT, accountB: ANNA, tokenB: NFT_SLOT, fillB: 1n, boughtTokenA: NFT_SLOT + 2 }),
    );
    expect(state.balance(BERT, NFT_SLOT + 2)).toMatchObject({ balance: 1n, weightAmm: nftDataOf(NFT) });
    expect(balance(state, ANNA, NFT_SLOT)).toBe(4n);
    expect(balance(state, BERT, ETH)).toBe(99n * UNIT - 2n * 10n ** 15n);
    expect(balance(state, ANNA, ETH)).toBe(101n * UNIT - 1000n - 10n ** 15n);
    expect(balance(state, 0, ETH)).toBe(2n * 10n ** 14n + 10n ** 14n);
  });

  it('trades an NFT for an NFT when no order pays a fee, and the protocol takes none', () => {
    const amount = 100_000n;
    const state = stateAfter(
      mint({ amount }),
      mint({ amount, storageId: 3, toTokenId: NFT_SLOT + 1, nftId: 78n }),
      transfer({ tokenId: NFT_SLOT + 1, amount, toTokenId: NFT_SLOT, feeTokenId: ETH, storageId: 5 }),
      trade({
        ...{ tokenA: NFT_SLOT, fillA: amount, flagsA: 0, boughtTokenA: NFT_SLOT + 2 },
        ...{ tokenB: NFT_SLOT, fillB: amount, flagsB: 0, boughtTokenB: NFT_SLOT + 2 },
      }),
    );
    expect(state.balance(BERT, NFT_SLOT + 2)).toMatchObject({ balance: amount, weightAmm: nftDataOf(NFT) });
    expect(balance(state, ANNA, NFT_SLOT + 2)).toBe(amount);
  });

  it('withdraws an NFT without a pair, also right behind the pair of a mint', () => {
    const state = stateAfter(
      mint(),
      mintTo({ storageId: 3 }),
      ...nftPair(BERT),
      withdrawal({ tokenId: NFT_SLOT, amount: 5n, storageId: 5 }),
    );
    expect(balance(state, ANNA, NFT_SLOT)).toBe(0n);
    expect(balance(state, BERT, NFT_SLOT)).toBe(5n);
  });

  it('withdraws an NFT with the pair before it', () => {
    const state = stateAfter(mint(), ...nftPair(ANNA), withdrawal({ tokenId: NFT_SLOT, amount: 5n, storageId: 3 }));
    expect(state.balance(ANNA, NFT_SLOT)).toMatchObject({ balance: 0n, weightAmm: 0n });
  });

  it('withdraws protocol fees from account 0', () => {
    const state = stateAfter(
      trade(),
      withdrawal({ accountId: 0, from: 5n, tokenId: LRC, amount: 10n ** 14n, feeTokenId: LRC, fee: 0n }),
    );
    expect(balance(state, 0, LRC)).toBe(3n * 10n ** 14n);
  });
});

const [minterPart, contractPart] = nftPair(BERT);
const refusals: readonly [string, RollupRule, readonly Transaction[]][] = [
  ['spends more than there is', 'balance', [transfer({ amount: 200n * UNIT })]],
  ['pays a fee that is not there', 'balance', [transfer({ amount: 100n * UNIT })]],
  ['gives an account more than 96 bits', 'balance', [deposit(ANNA, ETH, MAX_AMOUNT)]],
  ['uses a storage id twice', 'storage', [transfer(), transfer()]],
  ['uses a storage id below the slot’s', 'storage', [transfer({ storageId: 16385 }), transfer({ storageId: 1 })]],
  ['fills an order below the slot’s', 'storage', [trade({ storageA: 16384 }), trade()]],
  ['pays fees in an NFT slot', 'fee-token', [mint(), transfer({ storageId: 3, feeTokenId: NFT_SLOT, fee: 1n })]],
  ['opens an account for the zero address', 'owner', [{ ...deposit(20000, ETH, 1n), to: 0n }]],
  ['gives the protocol’s account an owner', 'owner', [{ ...deposit(0, ETH, 1n), to: 5n }]],
  ['changes an owner', 'owner', [{ ...deposit(ANNA, ETH, 1n), to: ownerOf(BERT) }]],
  ['deposits into an NFT slot', 'token', [deposit(ANNA, NFT_SLOT, 1n)]],
  ['transfers from an account that is not opened', 'owner', [transfer({ fromId: 20000, amount: 0n, fee: 0n })]],
  ['transfers to an account that is not opened', 'owner', [transfer({ toId: 20000 })]],
  ['transfers from another address than it says', 'owner', [transfer({ from: ownerOf(BERT) })]],
  ['transfers to another address than it says', 'owner', [transfer({ to: ownerOf(ANNA) })]],
  ['leaves out the addresses of an approved transfer', 'owner', [transfer({ kind: 1, from: ownerOf(ANNA) })]],
  ['leaves out the sender of an approved transfer', 'owner', [transfer({ kind: 1, toId: 20000, to: ownerOf(20000) })]],
  ['turns an NFT into a token', 'token', [mint(), transfer({ tokenId: NFT_SLOT, toTokenId: LRC, storageId: 3 })]],
  ['turns a token into another', 'token', [transfer({ toTokenId: LRC })]],
  ['turns a token into an NFT', 'token', [transfer({ toTokenId: NFT_SLOT })]],
  ['withdraws for another address', 'owner', [withdrawal({ from: ownerOf(BERT) })]],
  ['forces out less than everything', 'balance', [withdrawal({ kind: 2, fee: 0n })]],
  ['takes something in a withdrawal of kind 3', 'balance', [withdrawal({ kind: 3, fee: 0n })]],
  [
    'closes a request for an account that is not opened in the name of an owner',
    'owner',
    [withdrawal({ kind: 3, from: ownerOf(77), accountId: 77, amount: 0n, fee: 0n })],
  ],
  [
    'forces a withdrawal out of an account that is not opened',
    'owner',
    [withdrawal({ kind: 2, from: 0n, accountId: 77, amount: 0n, fee: 0n })],
  ],
  ['takes a fee for a forced withdrawal', 'fee-token', [withdrawal({ kind: 3, amount: 0n })]],
  [
    'takes a fee for a forced withdrawal of everything',
    'fee-token',
    [withdrawal({ kind: 2, amount: 100n * UNIT, feeTokenId: LRC })],
  ],
  ['trades for an account that is not opened', 'owner', [trade({ accountA: 20000, fillA: 0n })]],
  ['takes a fee above everything', 'range', [trade({ feeHighA: 255 })]],
  ['trades a token for itself', 'token', [trade({ tokenB: ETH })]],
  ['buys another token than is sold', 'token', [trade({ boughtTokenA: 5 })]],
  ['sets bit 6 of the flags', 'canonical', [trade({ flagsA: 0x40 })]],
  [
    'takes fees in NFTs where both sides are NFTs',
    'fee-token',
    [
      mint(),
      mint({ storageId: 3, toTokenId: NFT_SLOT + 1, nftId: 78n }),
      trade({
        accountB: ANNA,
        tokenA: NFT_SLOT,
        tokenB: NFT_SLOT + 1,
        fillA: 1n,
        fillB: 1n,
        boughtTokenA: NFT_SLOT + 2,
        boughtTokenB: NFT_SLOT + 3,
        feeHighA: 156,
        flagsA: 16,
      }),
    ],
  ],
  ['updates a key with a wrong nonce', 'nonce', [accountUpdate({ nonce: 1 })]],
  ['updates a key of another address', 'owner', [accountUpdate({ owner: ownerOf(BERT) })]],
  ['sets a key that is no point', 'public-key', [accountUpdate({ publicKey: 2n })]],
  ['sets a key with bit 254', 'public-key', [accountUpdate({ publicKey: packPoint(PUBLIC_KEY) | (1n << 254n) })]],
  ['says another pool balance', 'pool-balance', [ammUpdate({ balance: 1n })]],
  ['updates a pool with a wrong nonce', 'nonce', [ammUpdate({ nonce: 1 })]],
  ['updates a pool of another address', 'owner', [ammUpdate({ owner: ownerOf(ANNA) })]],
  ['gives an NFT slot a weight', 'token', [ammUpdate({ tokenId: NFT_SLOT, balance: 0n })]],
  ['verifies for another address', 'owner', [{ type: 'SignatureVerification', owner: 5n, accountId: ANNA, data: 1n }]],
  ['mints into a token', 'nft-slot', [mint({ toTokenId: LRC })]],
  ['mints over another NFT', 'nft-slot', [mint(), mint({ storageId: 3, nftId: 78n })]],
  ['mints a type that does not exist', 'nft-data', [mint({ nftType: 2 })]],
  ['mints for a contract that is not opened', 'owner', [mint({ tokenAccountId: 20000 })]],
  ['mints for a minter that is not opened', 'owner', [mint({ minterId: 20000, fee: 0n })]],
  ['mints twice with one storage id', 'storage', [mint(), mint()]],
  ['mints without the pair', 'nft-data', [mintTo(), minterPart]],
  ['mints with the pair in the wrong order', 'nft-data', [mintTo(), contractPart, minterPart]],
  ['mints with a pair for another slot', 'nft-data', [mintTo(), ...nftPair(BERT, { tokenId: NFT_SLOT + 1 })]],
  ['mints with a pair for another account', 'nft-data', [mintTo(), ...nftPair(ANNA)]],
  ['mints with two different NFTs', 'nft-data', [mintTo(), minterPart, { ...contractPart, nftId: 78n }]],
  ['mints with two royalties', 'nft-data', [mintTo(), minterPart, { ...contractPart, creatorFeeBips: 4 }]],
  ['mints with two types', 'nft-data', [mintTo(), minterPart, { ...contractPart, nftType: 1 }]],
  ['mints for another minter', 'owner', [mintTo({ minterId: BERT }), ...nftPair(BERT)]],
  ['mints to another owner', 'owner', [mintTo({ to: ownerOf(ANNA) }), ...nftPair(BERT)]],
  [
    'withdraws an NFT as another',
    'nft-data',
    [mint(), ...nftPair(ANNA, { nftId: 78n }), withdrawal({ tokenId: NFT_SLOT, amount: 1n, storageId: 3 })],
  ],
  ['describes an NFT for nothing', 'nft-data', [...nftPair(BERT), { type: 'Noop' }]],
  [
    'describes an NFT once more than in a pair',
    'nft-data',
    [mintTo(), minterPart, contractPart, contractPart, withdrawal({ storageId: 3 })],
  ],
];

describe('a block is refused that', () => {
  it.each(refusals)('%s', (_title, rule, transactions) => {
    const attempt = () => stateAfter(...transactions);
    expect(attempt).toThrow(RollupError);
    expect(attempt).toThrow(expect.objectContaining({ rule, transaction: expect.any(Number) }));
  });

  it('names an operator that is not opened', () => {
    expect(() => apply(openedState(), [{ type: 'Noop' }], { ...HEADER, operatorAccountId: 20000 })).toThrow(
      expect.objectContaining({ rule: 'operator', transaction: undefined }),
    );
  });

  it('has no nonce left for a key update, a pool update or the operator', () => {
    const last = 2 ** 32 - 1;
    const attempt = (accountId: number, transaction: Transaction) => () => {
      const state = openedState();
      state.setAccount(accountId, { nonce: last });
      apply(state, [transaction]);
    };
    expect(attempt(ANNA, accountUpdate({ nonce: last }))).toThrow(expect.objectContaining({ rule: 'nonce' }));
    expect(attempt(POOL, ammUpdate({ nonce: last }))).toThrow(expect.objectContaining({ rule: 'nonce' }));
    expect(attempt(OPERATOR, { type: 'Noop' })).toThrow(expect.objectContaining({ rule: 'operator' }));
  });

  it('fills an order beyond 96 bits', () => {
    const state = openedState();
    state.setStorage(ANNA, ETH, { data: MAX_AMOUNT, storageId: 0 });
    expect(() => apply(state, [trade()])).toThrow(expect.objectContaining({ rule: 'storage', transaction: 0 }));
  });

  it('names the transaction in its message', () => {
    expect(() => stateAfter({ type: 'Noop' }, transfer({ amount: 200n * UNIT }))).toThrow(
      'transaction 1 (Transfer): account 10001 has 100000000000000000000 too little of token 0',
    );
  });
});
