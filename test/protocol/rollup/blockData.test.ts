import { numberToBytesBE } from '@noble/curves/utils.js';
import { describe, expect, it } from 'vitest';
import {
  decodeBlock,
  decodeTransaction,
  encodeBlock,
  encodeTransaction,
  isConditional,
  orderFlags,
  RollupError,
  readOrderFlags,
  TRANSACTION_BYTES,
  type Transaction,
  type TransactionType,
  transactionLayouts,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz } from '../../support/fuzz.ts';
import type { Random } from '../../support/random.ts';
import { HEADER, opening, transfer } from './support.ts';

const types = Object.keys(transactionLayouts) as TransactionType[];
const KINDS: Readonly<Record<string, readonly number[]>> = {
  Withdrawal: [0, 1, 2, 3],
  Transfer: [0, 1],
  AccountUpdate: [0, 1],
  NftMint: [0],
  NftMintTo: [1, 2],
  NftData: [0, 1],
};

function randomTransaction(random: Random, type = random.pick(types)): Transaction {
  const fields: Record<string, unknown> = { type };
  for (const [name, size] of Object.entries(transactionLayouts[type])) {
    if (name === 'kind') fields[name] = random.pick(KINDS[type] ?? []);
    else if (size === 'float24') fields[name] = random.below(2n ** 19n) * 10n ** random.below(32n);
    else if (size === 'float16') fields[name] = random.below(2n ** 11n) * 10n ** random.below(32n);
    else {
      const value = random.edgy(1n << BigInt(8 * size));
      fields[name] = size <= 4 ? Number(value) : value;
    }
  }
  return fields as unknown as Transaction;
}

/** Whether the protocol's own writers write a float of it with a larger exponent too. */
const hasOtherForm = (transaction: Transaction) =>
  Object.values(transaction).some((value) => /^(204|52428)0+$/.test(String(value)));

const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof RollupError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('transactions', () => {
  it('come back from their bytes, whatever type and fields', () => {
    fuzz('transactions', 500, (random) => {
      const transaction = randomTransaction(random);
      expect(decodeTransaction(encodeTransaction(transaction))).toEqual(transaction);
    });
  });

  it.each(types)('%s leaves room for its type byte', (type) => {
    const bytes = encodeTransaction(
      Object.fromEntries([
        ['type', type],
        ...Object.keys(transactionLayouts[type]).map((name) => [
          name,
          name === 'kind' ? (KINDS[type]?.[0] as number) : 0,
        ]),
      ]) as Transaction,
    );
    expect(bytes).toHaveLength(TRANSACTION_BYTES);
  });

  it('have no second form: a changed byte is another transaction or none', () => {
    fuzz('one form', 400, (random) => {
      const transaction = randomTransaction(random);
      const bytes = encodeTransaction(transaction);
      const at = random.index(TRANSACTION_BYTES);
      bytes[at] = (bytes[at] as number) ^ (1 + random.index(255));
      let decoded: Transaction;
      try {
        decoded = decodeTransaction(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RollupError);
        return;
      }
      expect(decoded).not.toEqual(transaction);
      if (!hasOtherForm(decoded)) expect(encodeTransaction(decoded)).toEqual(bytes);
    });
  });

  it('are refused with a type or kind that does not exist', () => {
    expect(refusal(() => decodeTransaction(new Uint8Array(TRANSACTION_BYTES).fill(10, 0, 1)))).toMatchObject({
      rule: 'type',
      message: 'there is no transaction type 10',
    });
    const bytes = encodeTransaction(transfer());
    bytes[1] = 2;
    expect(refusal(() => decodeTransaction(bytes))).toMatchObject({ rule: 'kind' });
  });

  it('are refused with a float that has a smaller exponent', () => {
    // 1 · 10^18 as 1000 · 10^15, then as 10 · 10^17.
    const bytes = encodeTransaction(transfer({ fee: 10n ** 18n }));
    const at = 1 + 1 + 4 + 4 + 2 + 3 + 2;
    expect(bytes.subarray(at, at + 2)).toEqual(new Uint8Array([(15 << 3) | (1000 >> 8), 1000 & 0xff]));
    bytes.set([17 << 3, 10], at);
    expect(refusal(() => decodeTransaction(bytes))).toMatchObject({ rule: 'canonical' });
  });

  it.each([
    // Fee and amount as the protocol's own writers round 20,475 and 5,242,875, and the next below.
    ['fee', 20_400n, 1 + 1 + 4 + 4 + 2 + 3 + 2, [1, 2040], [2, 204], [2, 203], 11],
    ['amount', 5_242_800n, 1 + 1 + 4 + 4 + 2, [1, 524_280], [2, 52_428], [2, 52_427], 19],
  ] as const)('are read with the larger exponent that the protocol gives a %s of %i', (...given) => {
    const [field, value, at, ours, theirs, below, mantissaBits] = given;
    const written = ([exponent, mantissa]: readonly [number, number]) => {
      const float = exponent * 2 ** mantissaBits + mantissa;
      return [...numberToBytesBE(float, (mantissaBits + 5) / 8)];
    };
    const bytes = encodeTransaction(transfer({ [field]: value }));
    expect([...bytes.subarray(at, at + written(ours).length)]).toEqual(written(ours));
    bytes.set(written(theirs), at);
    expect(decodeTransaction(bytes)).toEqual(transfer({ [field]: value }));
    bytes.set(written(below), at);
    expect(refusal(() => decodeTransaction(bytes))).toMatchObject({ rule: 'canonical' });
  });

  it('are refused with a byte behind their fields', () => {
    const bytes = encodeTransaction(transfer());
    bytes[TRANSACTION_BYTES - 1] = 1;
    expect(refusal(() => decodeTransaction(bytes))).toMatchObject({ rule: 'canonical' });
  });

  it('are not written when a field does not fit', () => {
    expect(refusal(() => encodeTransaction(transfer({ amount: 1_234_567n }))).message).toBe(
      'Transfer.amount: 1234567 is no float24',
    );
    expect(refusal(() => encodeTransaction(transfer({ amount: -1n })))).toMatchObject({ rule: 'range' });
    expect(refusal(() => encodeTransaction(transfer({ fromId: 2 ** 32 }))).message).toBe(
      'Transfer.fromId: 4294967296 does not fit into 4 bytes',
    );
    expect(refusal(() => encodeTransaction(transfer({ kind: 2 })))).toMatchObject({ rule: 'kind' });
  });
});

describe('order flags', () => {
  it('come back for every rate', () => {
    for (const fillByBuy of [false, true])
      for (const feeBips of [0, 1, 63, 64, 127, 10_000, 16_383]) {
        const { flags, feeHigh } = orderFlags({ fillByBuy, feeBips });
        expect(readOrderFlags(flags, feeHigh)).toEqual({ fillByBuy, feeBips });
      }
  });
});

describe('blocks', () => {
  const transactions = [...opening, transfer(), transfer({ kind: 1, to: 5n, from: 6n })];

  it('come back from their bytes, with the conditional transactions counted', () => {
    const data = encodeBlock(HEADER, transactions);
    expect(data).toHaveLength(98 + 68 * transactions.length);
    expect(decodeBlock(data)).toEqual({
      header: { ...HEADER, numConditionalTransactions: transactions.filter(isConditional).length },
      transactions,
    });
    expect(transactions.filter(isConditional)).toHaveLength(opening.length + 1);
  });

  it('are refused with a wrong count', () => {
    const data = encodeBlock(HEADER, transactions);
    data[93] = 1;
    expect(refusal(() => decodeBlock(data))).toMatchObject({ rule: 'conditional-count', transaction: undefined });
  });

  it.each([0, 97, 98, 98 + 67, 98 + 69])('are refused with %i bytes', (length) => {
    expect(refusal(() => decodeBlock(new Uint8Array(length)))).toMatchObject({ rule: 'length' });
  });

  it('name the transaction that cannot be read or written', () => {
    const data = encodeBlock(HEADER, transactions);
    data[98 + 29 * 3] = 77;
    expect(refusal(() => decodeBlock(data)).message).toBe('transaction 3 (type 77): there is no transaction type 77');
    expect(refusal(() => encodeBlock(HEADER, [transfer(), transfer({ fee: 2049n })])).message).toBe(
      'transaction 1 (Transfer): Transfer.fee: 2049 is no float16',
    );
  });

  it('are not written when a header field does not fit', () => {
    expect(refusal(() => encodeBlock({ ...HEADER, protocolTakerFeeBips: 256 }, transactions)).message).toBe(
      'header.protocolTakerFeeBips: 256 does not fit into 1 bytes',
    );
  });
});
