import { getPublicKey, packPoint } from '../../../src/crypto/index.ts';
import {
  applyBlock,
  type BlockHeader,
  isConditional,
  RollupState,
  type Transaction,
  type TransactionOf,
} from '../../../src/protocol/rollup/index.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

export const OPERATOR = 1;
export const ANNA = 10001;
export const BERT = 10002;
export const POOL = 2;
export const COLLECTION = 3;

export const ownerOf = (accountId: number): bigint => 0xaaaa_0000n + BigInt(accountId);
export const ETH = 0;
export const LRC = 1;
export const NFT_SLOT = 32768;
export const UNIT = 10n ** 18n;

export const HEADER: Omit<BlockHeader, 'numConditionalTransactions'> = {
  exchange: 0xeeeen,
  rootBefore: 0n,
  rootAfter: 0n,
  timestamp: 1_600_000_000,
  protocolTakerFeeBips: 20,
  protocolMakerFeeBips: 10,
  operatorAccountId: OPERATOR,
};

export const deposit = (accountId: number, tokenId: number, amount: bigint): TransactionOf<'Deposit'> => ({
  type: 'Deposit',
  to: ownerOf(accountId),
  accountId,
  tokenId,
  amount,
});

export const transfer = (fields: Partial<TransactionOf<'Transfer'>> = {}): TransactionOf<'Transfer'> => ({
  type: 'Transfer',
  kind: 0,
  fromId: ANNA,
  toId: BERT,
  tokenId: ETH,
  amount: UNIT,
  feeTokenId: ETH,
  fee: 1000n,
  storageId: 1,
  to: 0n,
  from: 0n,
  toTokenId: 0,
  ...fields,
});

export const withdrawal = (fields: Partial<TransactionOf<'Withdrawal'>> = {}): TransactionOf<'Withdrawal'> => ({
  type: 'Withdrawal',
  kind: 0,
  from: ownerOf(ANNA),
  accountId: ANNA,
  tokenId: ETH,
  amount: UNIT,
  feeTokenId: ETH,
  fee: 1000n,
  storageId: 1,
  onchainDataHash: 7n,
  ...fields,
});

export const trade = (fields: Partial<TransactionOf<'SpotTrade'>> = {}): TransactionOf<'SpotTrade'> => ({
  type: 'SpotTrade',
  storageA: 0,
  storageB: 0,
  accountA: ANNA,
  accountB: BERT,
  tokenA: ETH,
  tokenB: LRC,
  fillA: UNIT,
  fillB: 2n * UNIT,
  flagsA: 20,
  flagsB: 0x80 | 10,
  boughtTokenA: 0,
  boughtTokenB: 0,
  feeHighA: 0,
  feeHighB: 0,
  ...fields,
});

export const mint = (fields: Partial<TransactionOf<'NftMint'>> = {}): TransactionOf<'NftMint'> => ({
  type: 'NftMint',
  kind: 0,
  minterId: ANNA,
  toTokenId: NFT_SLOT,
  feeTokenId: ETH,
  fee: 1000n,
  amount: 5n,
  storageId: 1,
  nftType: 0,
  tokenAccountId: COLLECTION,
  nftId: 77n,
  creatorFeeBips: 3,
  ...fields,
});

export const nftPair = (
  accountId: number,
  fields: Partial<TransactionOf<'NftData'>> = {},
): readonly [TransactionOf<'NftData'>, TransactionOf<'NftData'>] => {
  const shared = {
    type: 'NftData',
    accountId,
    tokenId: NFT_SLOT,
    nftId: 77n,
    creatorFeeBips: 3,
    nftType: 0,
    ...fields,
  } as const;
  return [
    { ...shared, kind: 0, address: ownerOf(ANNA) },
    { ...shared, kind: 1, address: ownerOf(COLLECTION) },
  ];
};

export const mintTo = (fields: Partial<TransactionOf<'NftMintTo'>> = {}): TransactionOf<'NftMintTo'> => ({
  type: 'NftMintTo',
  kind: 1,
  minterId: ANNA,
  toTokenId: NFT_SLOT,
  feeTokenId: ETH,
  fee: 1000n,
  amount: 5n,
  storageId: 1,
  toId: BERT,
  to: ownerOf(BERT),
  ...fields,
});

export const PUBLIC_KEY = getPublicKey(secretKeyOf(5n));

export const accountUpdate = (
  fields: Partial<TransactionOf<'AccountUpdate'>> = {},
): TransactionOf<'AccountUpdate'> => ({
  type: 'AccountUpdate',
  kind: 0,
  owner: ownerOf(ANNA),
  accountId: ANNA,
  feeTokenId: ETH,
  fee: 1000n,
  publicKey: packPoint(PUBLIC_KEY),
  nonce: 0,
  ...fields,
});

export const ammUpdate = (fields: Partial<TransactionOf<'AmmUpdate'>> = {}): TransactionOf<'AmmUpdate'> => ({
  type: 'AmmUpdate',
  owner: ownerOf(POOL),
  accountId: POOL,
  tokenId: ETH,
  feeBips: 20,
  tokenWeight: 5n,
  nonce: 0,
  balance: 50n * UNIT,
  ...fields,
});

/**
 * The accounts of the examples, opened: 100 ETH and 100 LRC for the two users, 50 ETH in the pool.
 */
export const opening: readonly Transaction[] = [
  deposit(OPERATOR, ETH, UNIT),
  deposit(ANNA, ETH, 100n * UNIT),
  deposit(ANNA, LRC, 100n * UNIT),
  deposit(BERT, ETH, 100n * UNIT),
  deposit(BERT, LRC, 100n * UNIT),
  deposit(POOL, ETH, 50n * UNIT),
  deposit(COLLECTION, ETH, 0n),
];

/** Applies transactions as one block. */
export function apply(state: RollupState, transactions: readonly Transaction[], header = HEADER): void {
  const numConditionalTransactions = transactions.filter(isConditional).length;
  applyBlock(state, { header: { ...header, numConditionalTransactions }, transactions });
}

export function openedState(): RollupState {
  const state = new RollupState();
  apply(state, opening);
  return state;
}
