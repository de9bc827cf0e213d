import { describe, expect, test } from 'vitest';
import { multiplyBase } from '../../src/crypto/babyJubjub.ts';
import { packPoint } from '../../src/crypto/publicKey.ts';
import {
  type Execution,
  exitExecution,
  joinExecution,
  keyUpdateExecution,
  mintExecution,
  orderExecution,
  transferExecution,
  withdrawalExecution,
} from '../../src/operations/execution.ts';
import { onchainDataHash } from '../../src/protocol/payloads/onchainData.ts';
import { nftDataOf } from '../../src/protocol/rollup/nftData.ts';
import { orderFlags, type Transaction, type TransactionOf } from '../../src/protocol/rollup/transactions.ts';

const ACCOUNT_ID = 10_005;
const OWNER = `0x${'a'.repeat(40)}`;
const FRIEND = `0x${'1'.repeat(40)}`;
const POOL = `0x${'5'.repeat(40)}`;
const [owner, friend, pool] = [BigInt(OWNER), BigInt(FRIEND), BigInt(POOL)];
const STORAGE_ID = 41;
const NFT_SLOT = 32_768;
const noop: Transaction = { type: 'Noop' };

/**
 * How a block relates to a signed request: not of it at all, within its terms, or a breach of them.
 */
function verdict(execution: Execution, transactions: readonly Transaction[], index: number) {
  if (!execution.isOf(transactions[index] as Transaction)) return 'another';
  return execution.fits([{ transactions, index }]) ? 'fits' : 'breach';
}

/** Verdicts on one transaction after each change, which is named by its fields. */
function expectVerdicts<Type extends Transaction>(
  execution: Execution,
  right: Type,
  changes: readonly (readonly [change: Partial<Type>, verdict: 'another' | 'fits' | 'breach'])[],
  place: (one: Transaction) => readonly [readonly Transaction[], number] = (one) => [[one], 0],
) {
  expect(verdict(execution, ...place(right))).toBe('fits');
  for (const [change, expected] of changes)
    expect([change, verdict(execution, ...place({ ...right, ...change }))]).toEqual([change, expected]);
  // Once, and by nothing of another type.
  const [transactions, index] = place(right);
  expect(execution.fits([])).toBe(false);
  expect(
    execution.fits([
      { transactions, index },
      { transactions, index },
    ]),
  ).toBe(false);
  for (const type of ['Noop', 'Deposit'] as const)
    expect(execution.isOf({ ...right, type } as unknown as Transaction)).toBe(false);
}

describe('a transfer', () => {
  const sent: TransactionOf<'Transfer'> = {
    type: 'Transfer',
    kind: 0,
    fromId: ACCOUNT_ID,
    toId: 10_010,
    tokenId: 1,
    amount: 123_456_000n,
    feeTokenId: 2,
    fee: 3_000n,
    storageId: STORAGE_ID,
    to: friend,
    from: 0n,
    toTokenId: 0,
  };
  const from = { accountId: ACCOUNT_ID, owner: OWNER };
  const to = { accountId: 10_010, owner: FRIEND };
  const maxFee = { tokenId: 2, volume: '3000' };
  const moved = { tokenId: 1, amount: '123456789' };

  test('moves the digits that a block holds, from and to the signed addresses, for no more than the fee', () => {
    expectVerdicts(transferExecution(from, to, moved, maxFee, STORAGE_ID), sent, [
      [{ fromId: ACCOUNT_ID + 1 }, 'another'],
      [{ tokenId: 2 }, 'another'],
      [{ storageId: STORAGE_ID + 2 }, 'another'],
      [{ amount: 123_455_999n }, 'breach'],
      [{ amount: 123_456_789n }, 'breach'],
      [{ feeTokenId: 1 }, 'breach'],
      [{ fee: 2_999n }, 'fits'],
      [{ fee: 3_001n }, 'breach'],
      [{ from: owner }, 'fits'],
      [{ from: friend }, 'breach'],
      [{ to: 0n }, 'breach'],
      [{ to: owner }, 'breach'],
      [{ toId: 10_011 }, 'breach'],
      [{ toTokenId: 1 }, 'fits'],
      [{ toTokenId: NFT_SLOT }, 'breach'],
      [{ kind: 1 }, 'fits'],
    ]);
  });

  test('may move what the protocol’s own rounding leaves, and nothing else', () => {
    const two = transferExecution(from, to, { tokenId: 1, amount: '5242875' }, maxFee, STORAGE_ID);
    expectVerdicts(two, { ...sent, amount: 5_242_800n }, [
      [{ amount: 5_242_870n }, 'fits'],
      [{ amount: 5_242_860n }, 'breach'],
      [{ amount: 5_242_790n }, 'breach'],
      [{ amount: 5_242_875n }, 'breach'],
    ]);
    const one = transferExecution(from, to, { tokenId: 1, amount: '5242870' }, maxFee, STORAGE_ID);
    expectVerdicts(one, { ...sent, amount: 5_242_870n }, [[{ amount: 5_242_800n }, 'breach']]);
  });

  test('goes to whichever account the address has when the request names none', () => {
    const byAddress = transferExecution(from, { ...to, accountId: 0 }, moved, maxFee, STORAGE_ID);
    expectVerdicts(byAddress, sent, [
      [{ toId: 10_011 }, 'fits'],
      [{ to: owner }, 'breach'],
    ]);
  });

  test('of an NFT goes into a slot for NFTs, and its fee says amount', () => {
    const nft = transferExecution(
      from,
      to,
      { tokenId: NFT_SLOT, amount: '1' },
      { tokenId: 2, amount: '3000' },
      STORAGE_ID,
    );
    expectVerdicts(nft, { ...sent, tokenId: NFT_SLOT, amount: 1n }, [
      [{ toTokenId: NFT_SLOT }, 'fits'],
      [{ toTokenId: NFT_SLOT - 1 }, 'breach'],
      [{ fee: 3_001n }, 'breach'],
    ]);
  });
});

describe('a withdrawal', () => {
  const body = {
    accountId: ACCOUNT_ID,
    owner: OWNER,
    maxFee: { tokenId: 2, volume: '3000' },
    minGas: 9,
    to: FRIEND,
    extraData: '0x00ff',
  };
  const left: TransactionOf<'Withdrawal'> = {
    type: 'Withdrawal',
    kind: 0,
    from: owner,
    accountId: ACCOUNT_ID,
    tokenId: 1,
    amount: 123_456_789n,
    feeTokenId: 2,
    fee: 3_000n,
    storageId: STORAGE_ID,
    onchainDataHash: onchainDataHash(body),
  };

  test('pays the exact amount out, under the signed conditions on layer 1', () => {
    expectVerdicts(withdrawalExecution(body, { tokenId: 1, amount: '123456789' }, STORAGE_ID), left, [
      [{ kind: 1 }, 'fits'],
      [{ kind: 2 }, 'another'],
      [{ kind: 3 }, 'another'],
      [{ accountId: ACCOUNT_ID + 1 }, 'another'],
      [{ tokenId: 2 }, 'another'],
      [{ storageId: STORAGE_ID + 2 }, 'another'],
      [{ amount: 123_456_788n }, 'breach'],
      [{ amount: 123_456_790n }, 'breach'],
      [{ feeTokenId: 1 }, 'breach'],
      [{ fee: 3_001n }, 'breach'],
      [{ fee: 0n }, 'fits'],
      [{ from: 0n }, 'fits'],
      [{ from: friend }, 'breach'],
      [{ onchainDataHash: onchainDataHash({ ...body, to: OWNER }) }, 'breach'],
    ]);
  });

  describe('of an NFT', () => {
    const minter: TransactionOf<'NftData'> = {
      type: 'NftData',
      kind: 0,
      accountId: ACCOUNT_ID,
      tokenId: NFT_SLOT,
      nftId: 77n,
      creatorFeeBips: 3,
      nftType: 0,
      address: owner,
    };
    const token = { ...minter, kind: 1, address: pool };
    const data = nftDataOf({ minter: owner, nftType: 0, token: pool, nftID: 77n, creatorFeeBips: 3 });
    const nft = { tokenId: NFT_SLOT, amount: '1', nftData: `0x${data.toString(16)}` };
    const out = { ...left, tokenId: NFT_SLOT, amount: 1n };
    const execution = withdrawalExecution(body, nft, STORAGE_ID);

    test('names the NFT in the pair right before it', () => {
      expect(verdict(execution, [minter, token, out], 2)).toBe('fits');
      expect(verdict(execution, [noop, minter, token, out, noop], 3)).toBe('fits');
      expect(verdict(withdrawalExecution(body, { ...nft, nftData: '0x1' }, STORAGE_ID), [minter, token, out], 2)).toBe(
        'breach',
      );
    });

    test.each<[string, readonly Transaction[]]>([
      ['without a pair', [noop, noop, out]],
      ['with nothing before it', [out]],
      ['with half a pair', [token, out]],
      ['with the other half alone', [minter, noop, out]],
      ['with something that is no pair', [noop, token, out]],
      ['with the pair elsewhere', [minter, token, noop, out]],
      ['with the pair behind it', [out, minter, token]],
      ['with the pair turned round', [token, minter, out]],
      ['with the minter twice', [minter, { ...token, kind: 0 }, out]],
      ['with the contract twice', [{ ...minter, kind: 1 }, token, out]],
      ['with the pair of another account', [{ ...minter, accountId: 1 }, { ...token, accountId: 1 }, out]],
      [
        'with the pair of another slot',
        [{ ...minter, tokenId: NFT_SLOT + 1 }, { ...token, tokenId: NFT_SLOT + 1 }, out],
      ],
      ['with halves of two NFTs', [minter, { ...token, nftId: 78n }, out]],
      ['with halves of two accounts', [minter, { ...token, accountId: 1 }, out]],
      ['with the pair of another NFT', [{ ...minter, nftId: 78n }, { ...token, nftId: 78n }, out]],
    ])('breaks the terms %s', (_what, transactions) => {
      expect(verdict(execution, transactions, transactions.indexOf(out))).toBe('breach');
    });
  });
});

test('a mint makes so many of the signed NFT, under the signed royalty', () => {
  const body = {
    minterId: ACCOUNT_ID,
    nftType: 0,
    nftId: '0x4d',
    amount: '5',
    creatorFeeBips: 3,
    maxFee: { tokenId: 2, amount: '3000' },
  };
  const minted: TransactionOf<'NftMint'> = {
    type: 'NftMint',
    kind: 0,
    minterId: ACCOUNT_ID,
    toTokenId: NFT_SLOT,
    feeTokenId: 2,
    fee: 3_000n,
    amount: 5n,
    storageId: STORAGE_ID,
    nftType: 0,
    tokenAccountId: 7,
    nftId: 77n,
    creatorFeeBips: 3,
  };
  expectVerdicts(mintExecution(body, STORAGE_ID), minted, [
    [{ minterId: 1 }, 'another'],
    [{ feeTokenId: 1 }, 'another'],
    [{ storageId: STORAGE_ID + 2 }, 'another'],
    [{ nftType: 1 }, 'breach'],
    [{ nftId: 78n }, 'breach'],
    [{ amount: 4n }, 'breach'],
    [{ amount: 6n }, 'breach'],
    [{ creatorFeeBips: 4 }, 'breach'],
    [{ fee: 3_001n }, 'breach'],
    [{ fee: 2_999n }, 'fits'],
    [{ toTokenId: NFT_SLOT + 1 }, 'fits'],
  ]);
  const { creatorFeeBips: _, ...without } = body;
  expectVerdicts(mintExecution(without, STORAGE_ID), { ...minted, creatorFeeBips: 0 }, [
    [{ creatorFeeBips: 1 }, 'breach'],
  ]);
});

test('a key update registers the signed key for the owner', () => {
  const [registered, other] = [multiplyBase(2n), multiplyBase(3n)];
  const publicKey = { x: `0x${registered.x.toString(16)}`, y: `0x${registered.y.toString(16)}` };
  const body = { accountId: ACCOUNT_ID, owner: OWNER, publicKey, nonce: 4, maxFee: { tokenId: 2, volume: '3000' } };
  const updated: TransactionOf<'AccountUpdate'> = {
    type: 'AccountUpdate',
    kind: 1,
    owner,
    accountId: ACCOUNT_ID,
    feeTokenId: 2,
    fee: 3_000n,
    publicKey: packPoint(registered),
    nonce: 4,
  };
  expectVerdicts(keyUpdateExecution(body), updated, [
    [{ accountId: 1 }, 'another'],
    [{ nonce: 5 }, 'another'],
    [{ owner: 0n }, 'breach'],
    [{ owner: friend }, 'breach'],
    [{ publicKey: packPoint(other) }, 'breach'],
    [{ feeTokenId: 1 }, 'breach'],
    [{ fee: 3_001n }, 'breach'],
    [{ fee: 0n }, 'fits'],
    [{ kind: 0 }, 'fits'],
  ]);
});

const move = (from: bigint, to: bigint, tokenId: number, amount: bigint): TransactionOf<'Transfer'> => ({
  type: 'Transfer',
  kind: 0,
  fromId: 0,
  toId: 0,
  tokenId,
  amount,
  feeTokenId: 0,
  fee: 0n,
  storageId: 0,
  to,
  from,
  toTokenId: 0,
});

describe('an exit of a pool', () => {
  const burned: TransactionOf<'Transfer'> = {
    ...move(owner, pool, 100, 123_456_000n),
    feeTokenId: 2,
    fee: 3_000n,
    storageId: STORAGE_ID,
  };
  const [lrc, eth] = [move(pool, owner, 1, 1_000n), move(pool, owner, 2, 10n)];
  const execution = exitExecution(
    {
      owner: OWNER,
      poolAddress: POOL,
      maxFee: '3000',
      unPooled: [
        { tokenId: 1, volume: '1000' },
        { tokenId: 2, volume: '10' },
      ],
      burned: { tokenId: 100, volume: '123456789' },
    },
    STORAGE_ID,
  );

  test('gives the signed LP amount and the fee to the pool', () => {
    expectVerdicts(
      execution,
      burned,
      [
        [{ from: friend }, 'another'],
        [{ tokenId: 101 }, 'another'],
        [{ storageId: STORAGE_ID + 2 }, 'another'],
        [{ to: friend }, 'breach'],
        [{ amount: 123_456_789n }, 'breach'],
        [{ amount: 1n }, 'breach'],
        [{ feeTokenId: 1 }, 'breach'],
        [{ fee: 3_001n }, 'breach'],
        [{ fee: 0n }, 'fits'],
      ],
      (one) => [[noop, lrc, eth, one], 3],
    );
  });

  test.each<[string, 'fits' | 'breach', readonly Transaction[]]>([
    ['more than the least amounts', 'fits', [move(pool, owner, 1, 1_001n), move(pool, owner, 2, 11n)]],
    ['less of the first token', 'breach', [move(pool, owner, 1, 999n), eth]],
    ['less of the second token', 'breach', [lrc, move(pool, owner, 2, 9n)]],
    ['the tokens in the other order', 'breach', [eth, lrc]],
    ['the first token only', 'breach', [lrc, noop]],
    ['the second token only', 'breach', [eth]],
    ['nothing', 'breach', []],
    ['another token', 'breach', [lrc, move(pool, owner, 3, 1_000n)]],
    ['somebody else', 'breach', [lrc, move(pool, friend, 2, 10n)]],
    ['what somebody else pays', 'breach', [lrc, move(friend, owner, 2, 10n)]],
    ['what looks like it and is no transfer', 'breach', [lrc, { ...eth, type: 'Deposit' } as unknown as Transaction]],
  ])('pays the owner before it: %s', (_what, expected, paid) => {
    expect(verdict(execution, [...paid, burned], paid.length)).toBe(expected);
  });
});

describe('a join of a pool', () => {
  const [lrc, eth] = [
    { ...move(owner, pool, 1, 1_000n), storageId: STORAGE_ID },
    { ...move(owner, pool, 2, 10n), feeTokenId: 2, fee: 3_000n, storageId: STORAGE_ID },
  ];
  const given = move(pool, owner, 100, 7n);
  const execution = joinExecution(
    {
      owner: OWNER,
      poolAddress: POOL,
      fee: '3000',
      joinTokens: {
        pooled: [
          { tokenId: 1, volume: '1000' },
          { tokenId: 2, volume: '10' },
        ],
        minimumLp: { tokenId: 100, volume: '7' },
      },
    },
    STORAGE_ID,
  );

  test('gives no more than both amounts to the pool, and the fee with the second', () => {
    expectVerdicts(
      execution,
      eth,
      [
        [{ from: friend }, 'another'],
        [{ tokenId: 1 }, 'another'],
        [{ storageId: STORAGE_ID + 2 }, 'another'],
        [{ to: friend }, 'breach'],
        [{ amount: 9n }, 'fits'],
        [{ amount: 11n }, 'breach'],
        [{ feeTokenId: 1 }, 'breach'],
        [{ fee: 3_001n }, 'breach'],
        [{ fee: 0n }, 'fits'],
      ],
      (one) => [[noop, lrc, one, given], 2],
    );
  });

  test.each<[string, 'fits' | 'breach', Partial<TransactionOf<'Transfer'>>]>([
    ['less', 'fits', { amount: 999n }],
    ['more', 'breach', { amount: 1_001n }],
    ['to somebody else', 'breach', { to: friend }],
    ['from somebody else', 'breach', { from: friend }],
    ['of another token', 'breach', { tokenId: 2 }],
    ['with another storage id', 'breach', { storageId: STORAGE_ID + 2 }],
    ['with a fee of its own', 'breach', { fee: 1n }],
  ])('gives the first amount: %s', (_what, expected, change) => {
    expect(verdict(execution, [{ ...lrc, ...change }, eth, given], 1)).toBe(expected);
  });

  test.each<[string, 'fits' | 'breach', Transaction | undefined]>([
    ['more', 'fits', { ...given, amount: 8n }],
    ['less', 'breach', { ...given, amount: 6n }],
    ['another token', 'breach', { ...given, tokenId: 101 }],
    ['to somebody else', 'breach', { ...given, to: friend }],
    ['from somebody else', 'breach', { ...given, from: friend }],
    ['what is no transfer', 'breach', { ...given, type: 'Deposit' } as unknown as Transaction],
    ['nothing', 'breach', undefined],
  ])('is given LP tokens right after it: %s', (_what, expected, after) => {
    expect(verdict(execution, [lrc, eth, ...(after ? [after] : [])], 1)).toBe(expected);
  });

  test('is nothing without its first amount', () => {
    expect(verdict(execution, [eth, given], 0)).toBe('breach');
    expect(verdict(execution, [noop, eth, given], 1)).toBe('breach');
  });
});

describe('an order', () => {
  const order = {
    accountId: ACCOUNT_ID,
    sells: { tokenId: 1, amount: '1000000' },
    buys: { tokenId: 2, amount: '2000' },
    fillAmountBOrS: false,
    maxFeeBips: 63,
  };
  const flagsOf = (feeBips: number, fillByBuy = false) => orderFlags({ feeBips, fillByBuy });
  /** A whole fill of the order as the first of the two, then as the second. */
  const asFirst = (changes: object = {}, { flags, feeHigh } = flagsOf(20)): TransactionOf<'SpotTrade'> => ({
    type: 'SpotTrade',
    storageA: STORAGE_ID,
    storageB: 7,
    accountA: ACCOUNT_ID,
    accountB: 10_010,
    tokenA: 1,
    tokenB: 2,
    fillA: 1_000_000n,
    fillB: 2_000n,
    flagsA: flags,
    flagsB: 0xbf,
    boughtTokenA: 0,
    boughtTokenB: 0,
    feeHighA: feeHigh,
    feeHighB: 1,
    ...changes,
  });
  const turned = (trade: TransactionOf<'SpotTrade'>): TransactionOf<'SpotTrade'> => ({
    type: 'SpotTrade',
    storageA: trade.storageB,
    storageB: trade.storageA,
    accountA: trade.accountB,
    accountB: trade.accountA,
    tokenA: trade.tokenB,
    tokenB: trade.tokenA,
    fillA: trade.fillB,
    fillB: trade.fillA,
    flagsA: trade.flagsB,
    flagsB: trade.flagsA,
    boughtTokenA: trade.boughtTokenB,
    boughtTokenB: trade.boughtTokenA,
    feeHighA: trade.feeHighB,
    feeHighB: trade.feeHighA,
  });
  const filledBy = (execution: Execution, ...fills: readonly Transaction[]) => {
    if (!fills.every((fill) => execution.isOf(fill))) return 'another';
    return execution.fits(fills.map((fill) => ({ transactions: [noop, fill], index: 1 }))) ? 'fits' : 'breach';
  };

  test.each<[string, 'fits' | 'breach' | 'another', TransactionOf<'SpotTrade'>]>([
    ['all of it', 'fits', asFirst()],
    ['a part at its price', 'fits', asFirst({ fillA: 500_000n, fillB: 1_000n })],
    ['at a better price', 'fits', asFirst({ fillB: 2_001n })],
    ['a thousandth below its price', 'fits', asFirst({ fillA: 1_000_000n, fillB: 1_999n })],
    ['more than a thousandth below its price', 'breach', asFirst({ fillA: 1_000_000n, fillB: 1_998n - 1n })],
    ['exactly at the slack', 'fits', asFirst({ fillA: 500_500n, fillB: 1_000n })],
    ['beyond the slack', 'breach', asFirst({ fillA: 500_501n, fillB: 1_000n })],
    ['more than it sells', 'breach', asFirst({ fillA: 1_000_001n, fillB: 2_001n })],
    ['at the highest fee', 'fits', asFirst({}, flagsOf(63))],
    ['above the highest fee', 'breach', asFirst({}, flagsOf(64))],
    ['counted by what is bought', 'breach', asFirst({}, flagsOf(20, true))],
    ['another token for it', 'breach', asFirst({ tokenB: 3 })],
    ['another token for it, named beside the sold one', 'breach', asFirst({ boughtTokenA: 3 })],
    ['the token named beside the sold one', 'fits', asFirst({ tokenB: 3, boughtTokenA: 2 })],
    ['the order of another account', 'another', asFirst({ accountA: 1 })],
    ['an order that sells another token', 'another', asFirst({ tokenA: 3 })],
    ['an order of another storage id', 'another', asFirst({ storageA: 43 })],
  ])('is filled, as the first or the second of a trade: %s', (_what, expected, trade) => {
    const execution = orderExecution(order, STORAGE_ID);
    expect(filledBy(execution, trade)).toBe(expected);
    expect(filledBy(execution, turned(trade))).toBe(expected);
  });

  test('is filled several times, within its amount all together', () => {
    const execution = orderExecution(order, STORAGE_ID);
    const half = asFirst({ fillA: 500_000n, fillB: 1_000n });
    expect(filledBy(execution, half, turned(half))).toBe('fits');
    expect(filledBy(execution, half, asFirst({ fillA: 500_001n, fillB: 1_001n }))).toBe('breach');
    expect(filledBy(execution, half, asFirst({ fillA: 400_000n, fillB: 100n }))).toBe('breach');
    expect(execution.fits([])).toBe(false);
    expect(execution.fits([{ transactions: [asFirst({ accountA: 1 })], index: 0 }])).toBe(false);
    expect(execution.isOf({ ...asFirst(), type: 'Transfer' } as unknown as Transaction)).toBe(false);
  });

  test.each([true, 'true'] as const)('that counts what is bought (%j) ends when that is there', (fillAmountBOrS) => {
    const execution = orderExecution({ ...order, fillAmountBOrS }, STORAGE_ID);
    const cheap = (bought: bigint) => asFirst({ fillA: 900_000n, fillB: bought }, flagsOf(20, true));
    expect(filledBy(execution, cheap(2_000n))).toBe('fits');
    expect(filledBy(execution, turned(cheap(2_000n)))).toBe('fits');
    expect(filledBy(execution, cheap(2_001n))).toBe('breach');
    expect(filledBy(execution, turned(cheap(2_001n)))).toBe('breach');
    expect(filledBy(execution, asFirst())).toBe('breach');
  });

  test('for an NFT gets it into some slot for NFTs', () => {
    const buying = orderExecution({ ...order, buys: { tokenId: NFT_SLOT, amount: '2000' } }, STORAGE_ID);
    expect(filledBy(buying, asFirst({ boughtTokenA: NFT_SLOT + 9, tokenB: NFT_SLOT + 3 }))).toBe('fits');
    expect(filledBy(buying, asFirst({ tokenB: NFT_SLOT + 3 }))).toBe('fits');
    expect(filledBy(buying, asFirst({ tokenB: 2 }))).toBe('breach');
  });
});
