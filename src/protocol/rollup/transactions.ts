import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { decodeFloat, encodeFloat, Float16, Float24, type FloatEncoding, isCanonicalFloat } from '../floats.ts';
import { RollupError } from './rollupError.ts';

/** Bytes of a transaction in a block, the type byte included. */
export const TRANSACTION_BYTES = 68;

/**
 * Size of a field: bytes of a big-endian integer, or a float of `floats.ts` with its bits. Up to 4
 * bytes are numbers in TypeScript; longer ones (amounts, addresses, hashes) and floats are bigints.
 */
type FieldSize = 1 | 2 | 4 | 12 | 20 | 32 | 'float16' | 'float24';

/**
 * Fields of each type behind its type byte, in order; the rest of the 68 bytes is 0. Amounts and
 * fees are base units.
 *
 * - `kind` of Withdrawal: 0 signed, 1 approved on L1, 2 forced and valid, 3 forced by somebody
 *   else. Of Transfer and AccountUpdate: 0 signed, 1 approved on L1. `kind` of NftData: 0 with the
 *   minter, 1 with the token contract as `address`.
 * - SpotTrade: `tokenA` is what A sells and `fillA` how much of it; `boughtTokenA` 0 means
 *   `tokenB`. `flagsA` and `feeHighA` together are the rate and how the fill counts, see
 *   `orderFlags`.
 * - AmmUpdate: `balance` is that of the pool at this moment. `publicKey` is packed as `packPoint`
 *   does.
 * - NftMint to the minter has kind 0 and names the token contract by an account that it owns.
 *   NftMintTo has kind 1 (approved on L1) or 2 (deposit from L1), and two NftData follow it. An
 *   NftData pair stands before each NFT withdrawal.
 */
export const transactionLayouts = {
  Noop: {},
  Deposit: { to: 20, accountId: 4, tokenId: 2, amount: 12 },
  Withdrawal: {
    kind: 1,
    from: 20,
    accountId: 4,
    tokenId: 2,
    amount: 12,
    feeTokenId: 2,
    fee: 'float16',
    storageId: 4,
    onchainDataHash: 20,
  },
  Transfer: {
    kind: 1,
    fromId: 4,
    toId: 4,
    tokenId: 2,
    amount: 'float24',
    feeTokenId: 2,
    fee: 'float16',
    storageId: 4,
    to: 20,
    from: 20,
    toTokenId: 2,
  },
  SpotTrade: {
    storageA: 4,
    storageB: 4,
    accountA: 4,
    accountB: 4,
    tokenA: 2,
    tokenB: 2,
    fillA: 'float24',
    fillB: 'float24',
    flagsA: 1,
    flagsB: 1,
    boughtTokenA: 2,
    boughtTokenB: 2,
    feeHighA: 1,
    feeHighB: 1,
  },
  AccountUpdate: { kind: 1, owner: 20, accountId: 4, feeTokenId: 2, fee: 'float16', publicKey: 32, nonce: 4 },
  AmmUpdate: { owner: 20, accountId: 4, tokenId: 2, feeBips: 1, tokenWeight: 12, nonce: 4, balance: 12 },
  SignatureVerification: { owner: 20, accountId: 4, data: 32 },
  NftMint: {
    kind: 1,
    minterId: 4,
    toTokenId: 2,
    feeTokenId: 2,
    fee: 'float16',
    amount: 12,
    storageId: 4,
    nftType: 1,
    tokenAccountId: 4,
    nftId: 32,
    creatorFeeBips: 1,
  },
  NftMintTo: {
    kind: 1,
    minterId: 4,
    toTokenId: 2,
    feeTokenId: 2,
    fee: 'float16',
    amount: 12,
    storageId: 4,
    toId: 4,
    to: 20,
  },
  NftData: { kind: 1, accountId: 4, tokenId: 2, nftId: 32, creatorFeeBips: 1, nftType: 1, address: 20 },
} as const satisfies Record<string, Readonly<Record<string, FieldSize>>>;

type Layouts = typeof transactionLayouts;
export type TransactionType = keyof Layouts;

/** The fields of each type as pairs, in order. */
const FIELDS = Object.fromEntries(
  Object.entries(transactionLayouts).map(([type, layout]) => [type, Object.entries(layout)]),
) as unknown as Readonly<Record<TransactionType, readonly (readonly [string, FieldSize])[]>>;

/** One transaction of the type, its fields by name. */
export type TransactionOf<Type extends TransactionType> = { readonly type: Type } & {
  readonly [Field in keyof Layouts[Type]]: Layouts[Type][Field] extends 1 | 2 | 4 ? number : bigint;
};

/** A transaction of a block. */
export type Transaction = { [Type in TransactionType]: TransactionOf<Type> }[TransactionType];

/** The type byte of each layout. */
const TYPE_BYTES: Readonly<Record<TransactionType, number>> = {
  Noop: 0,
  Deposit: 1,
  Withdrawal: 2,
  Transfer: 3,
  SpotTrade: 4,
  AccountUpdate: 5,
  AmmUpdate: 6,
  SignatureVerification: 7,
  NftMint: 8,
  NftMintTo: 8,
  NftData: 9,
};
const TYPES_BY_BYTE = Object.entries(TYPE_BYTES).reduce<TransactionType[]>((types, [type, byte]) => {
  types[byte] ??= type as TransactionType;
  return types;
}, []);

/** The kinds that a type with a `kind` may have. */
const KINDS: Readonly<Partial<Record<TransactionType, readonly number[]>>> = {
  Withdrawal: [0, 1, 2, 3],
  Transfer: [0, 1],
  AccountUpdate: [0, 1],
  NftMint: [0],
  NftMintTo: [1, 2],
  NftData: [0, 1],
};

const FLOATS: Readonly<Record<'float16' | 'float24', { bytes: number; encoding: FloatEncoding }>> = {
  float16: { bytes: 2, encoding: Float16 },
  float24: { bytes: 3, encoding: Float24 },
};

const bytesOf = (size: FieldSize): number => (typeof size === 'number' ? size : FLOATS[size].bytes);

/**
 * The 68 bytes of a transaction, in the order of its fields (not split as in a block).
 * @throws {RollupError} `range`: a field has more bits than its place, or is no float of its width;
 *   `kind`: not one of the type.
 */
export function encodeTransaction(transaction: Transaction): Uint8Array {
  const out = new Uint8Array(TRANSACTION_BYTES);
  out[0] = TYPE_BYTES[transaction.type];
  checkKind(transaction);
  let at = 1;
  for (const [name, size] of FIELDS[transaction.type]) {
    const value = BigInt((transaction as unknown as Record<string, number | bigint>)[name] as number | bigint);
    const bytes = bytesOf(size);
    if (typeof size === 'number' && (value < 0n || value >> BigInt(8 * size) !== 0n))
      throw new RollupError('range', `${transaction.type}.${name}: ${value} does not fit into ${size} bytes`);
    const written = typeof size === 'number' ? value : exactFloat(value, size, `${transaction.type}.${name}`);
    out.set(numberToBytesBE(written, bytes), at);
    at += bytes;
  }
  return out;
}

function exactFloat(value: bigint, size: 'float16' | 'float24', field: string): number {
  const { encoding } = FLOATS[size];
  let float: number | undefined;
  try {
    float = encodeFloat(value, encoding);
  } catch {
    // Negative, or above the range.
  }
  if (float === undefined || decodeFloat(float, encoding) !== value)
    throw new RollupError('range', `${field}: ${value} is no ${size}`);
  return float;
}

function checkKind(transaction: Transaction): void {
  const kinds = KINDS[transaction.type];
  if (kinds && 'kind' in transaction && !kinds.includes(transaction.kind))
    throw new RollupError('kind', `${transaction.type} has no kind ${transaction.kind}`);
}

/**
 * Parses the 68 bytes of a transaction, for a caller who knows from elsewhere that they stand in a
 * block.
 * @throws {RollupError} `type` that does not exist.
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  const byte = bytes[0] as number;
  const type = byte === TYPE_BYTES.NftMintTo && bytes[1] !== 0 ? 'NftMintTo' : TYPES_BY_BYTE[byte];
  if (type === undefined) throw new RollupError('type', `there is no transaction type ${byte}`);
  const fields: Record<string, unknown> = { type };
  let at = 1;
  for (const [name, size] of FIELDS[type]) {
    const length = bytesOf(size);
    const value = bytesToNumberBE(bytes.subarray(at, at + length));
    if (typeof size === 'number') fields[name] = size <= 4 ? Number(value) : value;
    else fields[name] = decodeFloat(Number(value), FLOATS[size].encoding);
    at += length;
  }
  return fields as unknown as Transaction;
}

/**
 * Reads 68 bytes of `encodeTransaction`.
 * @throws {RollupError} `type` or `kind` that does not exist; `canonical`: a byte behind the fields
 *   is not 0, or a float has another exponent than the smallest or that of the protocol's own
 *   writers. So two different byte strings are the same transaction only where those two differ.
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const transaction = readTransaction(bytes);
  const { type } = transaction;
  checkKind(transaction);
  let at = 1;
  for (const [name, size] of FIELDS[type]) {
    const end = at + bytesOf(size);
    if (
      typeof size !== 'number' &&
      !isCanonicalFloat(Number(bytesToNumberBE(bytes.subarray(at, end))), FLOATS[size].encoding)
    )
      throw new RollupError('canonical', `${type}.${name} is not written with the exponent of its value`);
    at = end;
  }
  if (bytes.subarray(at).some((byte) => byte !== 0))
    throw new RollupError('canonical', `a byte behind the fields of the ${type} is not 0`);
  return transaction;
}

/** Content of the two bytes `flags` and `feeHigh` of an order in a SpotTrade. */
export interface OrderFlags {
  /** The fill counts by the amount bought, not sold. */
  readonly fillByBuy: boolean;
  /** Ten-thousandths; 0 to 16,383. */
  readonly feeBips: number;
}

/** @throws {RollupError} `canonical`: bit 6 is set. */
export function readOrderFlags(flags: number, feeHigh: number): OrderFlags {
  if (flags & 0x40) throw new RollupError('canonical', 'bit 6 of the order flags is set');
  return { fillByBuy: (flags & 0x80) !== 0, feeBips: feeHigh * 64 + (flags & 0x3f) };
}

/** The inverse of `readOrderFlags`. */
export function orderFlags({ fillByBuy, feeBips }: OrderFlags): { flags: number; feeHigh: number } {
  return { flags: (fillByBuy ? 0x80 : 0) | (feeBips & 0x3f), feeHigh: Math.floor(feeBips / 64) };
}

/** The orders A and B of a trade: what each sells and gets, and its flags for `readOrderFlags`. */
export function tradeSides(trade: TransactionOf<'SpotTrade'>) {
  const a = { accountId: trade.accountA, storageId: trade.storageA, sells: trade.tokenA, sold: trade.fillA };
  const b = { accountId: trade.accountB, storageId: trade.storageB, sells: trade.tokenB, sold: trade.fillB };
  return [
    { ...a, buys: trade.boughtTokenA || b.sells, bought: b.sold, flags: [trade.flagsA, trade.feeHighA] },
    { ...b, buys: trade.boughtTokenB || a.sells, bought: a.sold, flags: [trade.flagsB, trade.feeHighB] },
  ] as const;
}

/** Whether the contract has to do something for the transaction; the header counts these. */
export function isConditional(transaction: Transaction): boolean {
  switch (transaction.type) {
    case 'Deposit':
    case 'Withdrawal':
    case 'AmmUpdate':
    case 'NftMintTo':
      return true;
    case 'Transfer':
    case 'AccountUpdate':
      return transaction.kind === 1;
    default:
      return false;
  }
}
