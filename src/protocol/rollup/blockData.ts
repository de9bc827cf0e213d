import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { RollupError } from './rollupError.ts';
import {
  decodeTransaction,
  encodeTransaction,
  isConditional,
  TRANSACTION_BYTES,
  type Transaction,
} from './transactions.ts';

/** Fields before the transactions of a block. */
export interface BlockHeader {
  /** Address of the exchange. */
  readonly exchange: bigint;
  /** Roots of the state tree, below the field prime. */
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Hundred-thousandths of the amount bought; the taker is order A. */
  readonly protocolTakerFeeBips: number;
  readonly protocolMakerFeeBips: number;
  /** How many transactions the contract has to act on. */
  readonly numConditionalTransactions: number;
  /** Gets the fees; its nonce rises by 1 with each block. */
  readonly operatorAccountId: number;
}

export interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
}

const HEADER_FIELDS = [
  ['exchange', 20],
  ['rootBefore', 32],
  ['rootAfter', 32],
  ['timestamp', 4],
  ['protocolTakerFeeBips', 1],
  ['protocolMakerFeeBips', 1],
  ['numConditionalTransactions', 4],
  ['operatorAccountId', 4],
] as const satisfies readonly (readonly [keyof BlockHeader, number])[];

/** Bytes before the first transaction. */
const HEADER_BYTES = 98;

/** All transactions' first bytes come first, then all their rest, so that the bytes compress. */
const FIRST_PART = 29;
const SECOND_PART = TRANSACTION_BYTES - FIRST_PART;

/**
 * The bytes of a block as they are published. `numConditionalTransactions` is counted here.
 * @throws {RollupError} As `encodeTransaction`, with the transaction; `range` for a header field.
 */
export function encodeBlock(
  header: Omit<BlockHeader, 'numConditionalTransactions'>,
  transactions: readonly Transaction[],
): Uint8Array {
  const data = new Uint8Array(HEADER_BYTES + TRANSACTION_BYTES * transactions.length);
  const fields: BlockHeader = { ...header, numConditionalTransactions: transactions.filter(isConditional).length };
  let at = 0;
  for (const [name, length] of HEADER_FIELDS) {
    const value = BigInt(fields[name]);
    if (value < 0n || value >> BigInt(8 * length) !== 0n)
      throw new RollupError('range', `header.${name}: ${value} does not fit into ${length} bytes`);
    data.set(numberToBytesBE(value, length), at);
    at += length;
  }
  const second = HEADER_BYTES + FIRST_PART * transactions.length;
  for (const [index, transaction] of transactions.entries()) {
    const bytes = inTransaction(index, transaction.type, () => encodeTransaction(transaction));
    data.set(bytes.subarray(0, FIRST_PART), HEADER_BYTES + FIRST_PART * index);
    data.set(bytes.subarray(FIRST_PART), second + SECOND_PART * index);
  }
  return data;
}

/**
 * Header and transactions of a block, each transaction by `read`.
 * @throws {RollupError} `length`, or as `read` with the transaction.
 */
export function readBlock(data: Uint8Array, read: (bytes: Uint8Array) => Transaction): Block {
  const count = (data.length - HEADER_BYTES) / TRANSACTION_BYTES;
  if (!Number.isInteger(count) || count < 1)
    throw new RollupError('length', `${data.length} bytes are not a header and whole transactions`);
  const values: Record<string, number | bigint> = {};
  let at = 0;
  for (const [name, length] of HEADER_FIELDS) {
    const value = bytesToNumberBE(data.subarray(at, at + length));
    values[name] = length <= 4 ? Number(value) : value;
    at += length;
  }
  const header = values as unknown as BlockHeader;
  const second = HEADER_BYTES + FIRST_PART * count;
  const transactions = Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(TRANSACTION_BYTES);
    bytes.set(data.subarray(HEADER_BYTES + FIRST_PART * index, HEADER_BYTES + FIRST_PART * (index + 1)));
    bytes.set(data.subarray(second + SECOND_PART * index, second + SECOND_PART * (index + 1)), FIRST_PART);
    return inTransaction(index, `type ${bytes[0]}`, () => read(bytes));
  });
  return { header, transactions };
}

/**
 * Reads the bytes of `encodeBlock`.
 * @throws {RollupError} `length`, `conditional-count` for a header that counts wrong, or as
 *   `decodeTransaction` with the transaction.
 */
export function decodeBlock(data: Uint8Array): Block {
  const { header, transactions } = readBlock(data, decodeTransaction);
  const conditional = transactions.filter(isConditional).length;
  if (conditional !== header.numConditionalTransactions)
    throw new RollupError(
      'conditional-count',
      `the header counts ${header.numConditionalTransactions} conditional transactions, the block has ${conditional}`,
    );
  return { header, transactions };
}

/** Runs `work`; a `RollupError` of it names the transaction. */
export function inTransaction<Result>(index: number, type: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RollupError) throw new RollupError(error.rule, error.detail, { index, type });
    throw error;
  }
}

/** Computes what layer 1 keeps of a block: SHA-256 of its bytes. */
export const publicDataHash = (data: Uint8Array): bigint => bytesToNumberBE(sha256(data));
