import type { Hex } from '../ethereum/address.ts';
import { described, field } from './described.ts';
import { doc } from './doc.ts';
import {
  MAX_AMOUNT,
  MAX_CLIENT_ORDER_ID_BYTES,
  MAX_FEE_BIPS,
  MAX_ROYALTY,
  MAX_TOKEN_ID,
  MAX_UINT32,
  MIN_NFT_TOKEN_ID,
} from './limits.ts';
import { once } from './once.ts';
import { LAST_TIME } from './time.ts';
import { z } from './zod.ts';

/**
 * Fields of the interface with meaning, unit and range. Endpoints take them from here and add their
 * own meaning (`described`). Amounts travel as decimal texts, ids and times as JSON integers; in a
 * query everything is text.
 */

export type { Hex };

/** A text of hex digits that keeps its `0x…` type; a plain string is accepted as input. */
const hex = (pattern: RegExp, message: string) =>
  z.string().check(z.regex(pattern, message)) as unknown as z.ZodMiniType<Hex, string>;

/** L1 address: `0x` and 40 hex digits, any case. */
export const address = field(
  () => hex(/^0x[0-9a-fA-F]{40}$/, 'is not an address (0x and 40 hex digits)'),
  doc?.('L1 address, 0x and 40 hex digits'),
);

export const hash32 = field(
  () => hex(/^0x[0-9a-fA-F]{64}$/, 'is not a hash (0x and 64 hex digits)'),
  doc?.('32-byte hash, 0x and 64 hex digits'),
);

/** Hash as relayers and the libraries of clients print it. */
export const looseHash = field(
  () => hex(/^0x[0-9a-fA-F]{1,64}$/, 'is not a hash (0x and 1 to 64 hex digits)'),
  doc?.('Hash, 0x and up to 64 hex digits; leading zeros may be missing'),
);

/** NFT id: a uint256 as hex; short forms are the same number. */
export const nftId = field(
  () => hex(/^0x[0-9a-fA-F]{1,64}$/, 'is not an NFT id (0x and 1 to 64 hex digits)'),
  doc?.('NFT id, a uint256 as hex: the digest of the IPFS directory'),
);

/** L2 identifier of an NFT: Poseidon hash over minter, type, contract, id and royalty. */
export const nftData = field(
  looseHash,
  doc?.('L2 identifier of the NFT, hash of contract, NFT id, minter and royalty'),
);

const decimal = /^(0|[1-9][0-9]*)$/;

export const amountText = field(
  () =>
    z.string().check(
      z.regex(decimal, { error: 'is not a decimal text without leading zeros', abort: true }),
      z.refine((text) => text.length <= 29 && BigInt(text) <= MAX_AMOUNT, 'is above 2^96 - 1'),
    ),
  doc?.("Amount in the token's base units, decimal text, 0 to 2^96 - 1"),
);

/** Non-negative integer as decimal text in an answer, up to 78 digits. */
export const decimalText = field(
  () => z.string().check(z.regex(/^[0-9]{1,78}$/, 'is not a decimal text')),
  doc?.('Non-negative integer, decimal text'),
);

const integer = (maximum: number) => z.int().check(z.minimum(0), z.maximum(maximum));

export const tokenId = field(() => integer(MAX_TOKEN_ID), doc?.('Token id, 0 to 65535; from 32768 on an NFT slot'));

/** Token id of an ERC-20 token, the only kind that pays fees. */
export const erc20TokenId = field(() => integer(MIN_NFT_TOKEN_ID - 1), doc?.('ERC-20 token id, 0 to 32767'));

/** NFT slot of one account. */
export const nftTokenId = field(
  () => z.int().check(z.minimum(MIN_NFT_TOKEN_ID), z.maximum(MAX_TOKEN_ID)),
  doc?.('NFT slot, 32768 to 65535'),
);

/** L2 account: 32 bits. */
export const accountId = field(() => integer(MAX_UINT32), doc?.('L2 account id'));

/** Storage id: 32 bits; the slot is the id modulo 2^14. */
export const storageId = field(() => integer(MAX_UINT32), doc?.('Storage id; the slot is the id modulo 16384'));

export const orderStorageId = field(
  () => storageId().check(z.refine((id) => id % 2 === 0, 'is odd; orders use even storage ids')),
  doc?.('Storage id of an order, even'),
);

export const offchainStorageId = field(
  () => storageId().check(z.refine((id) => id % 2 === 1, 'is even; off-chain requests use odd storage ids')),
  doc?.('Storage id of an off-chain request, odd'),
);

/** Account nonce: 32 bits. */
export const nonce = field(() => integer(MAX_UINT32), doc?.('Account nonce, grows by one with each key update'));

/** Time in seconds: 32 bits. */
export const seconds = field(() => integer(MAX_UINT32), doc?.('Time in seconds since 1970'));

export const milliseconds = field(
  () => z.int().check(z.minimum(0), z.maximum(LAST_TIME)),
  doc?.('Time in milliseconds since 1970'),
);

/** Time in milliseconds; a running relayer prints some of them as text. */
export const millisecondsOrText = field(
  () => z.union([milliseconds(), z.string().check(z.regex(/^[0-9]{1,16}$/, 'is not a time in milliseconds'))]),
  doc?.('Time in milliseconds since 1970'),
);

/**
 * When quoted numbers are refreshed. Relayers write seconds, although their other times are
 * milliseconds; some write milliseconds here too.
 */
export const cacheOverdueAt = field(
  () => z.int().check(z.minimum(0)),
  doc?.('When these numbers are refreshed, in seconds since 1970'),
);

/** Highest fee rate that the signer accepts, in ten-thousandths of the bought amount. */
export const maxFeeBips = field(
  () => z.int().check(z.minimum(1), z.maximum(MAX_FEE_BIPS)),
  doc?.('Highest accepted fee rate in ten-thousandths'),
);

export const royalty = field(
  () => integer(MAX_ROYALTY),
  doc?.('Creator royalty, 0 to 255, hashed unscaled; bips at this relayer, percent at others'),
);

export const eddsaSignature = field(
  () => hex(/^0x[0-9a-fA-F]{192}$/, 'is not an EdDSA signature (0x and 192 hex digits: Rx, Ry, S)'),
  doc?.('EdDSA signature: 0x, then Rx, Ry and S as 64 hex digits each'),
);

/** ECDSA signature: 65 bytes; a type byte or the longer form of a contract wallet may follow. */
export const ecdsaSignature = field(
  () =>
    hex(/^0x[0-9a-fA-F]{130}([0-9a-fA-F]{2}){0,4096}$/, 'is not an ECDSA signature (0x and at least 130 hex digits)'),
  doc?.('ECDSA signature over the EIP-712 digest: 65 bytes r, s, v; contract wallets may send more'),
);

export const eddsaSignatureOrNone = field(
  () => z.optional(z.union([eddsaSignature(), z.literal('')])),
  doc?.('EdDSA signature: 0x, then Rx, Ry and S as 64 hex digits each; empty for none'),
);
export const ecdsaSignatureOrNone = field(
  () => z.optional(z.union([ecdsaSignature(), z.literal('')])),
  doc?.('ECDSA signature over the EIP-712 digest: 65 bytes r, s, v or more of a contract wallet; empty for none'),
);

/** Signatures of a request that either key may sign. */
export const signaturesOrNone = () => ({
  eddsaSignature: eddsaSignatureOrNone(),
  ecdsaSignature: ecdsaSignatureOrNone(),
});

export const hashApproved = field(
  () => z.union([hash32(), z.literal('')]),
  doc?.('EIP-712 digest approved on L1 in place of an ECDSA signature; empty for none'),
);

export const coordinate = field(
  () => hex(/^0x[0-9a-fA-F]{1,64}$/, 'is not a coordinate (0x and 1 to 64 hex digits)'),
  doc?.('Curve coordinate, 0x and up to 64 hex digits'),
);

/** Bytes as hex; empty text and `0x` are both no bytes. */
export const bytesText = field(
  () => z.string().check(z.regex(/^(0x([0-9a-fA-F]{2}){0,2048})?$/, 'is not 0x and whole bytes')),
  doc?.('Bytes as 0x and hex; empty for none'),
);

/** The client's own order id, at most 120 bytes of UTF-8. */
export const clientOrderId = field(
  () =>
    z
      .string()
      .check(
        z.refine(
          (text) => new TextEncoder().encode(text).length <= MAX_CLIENT_ORDER_ID_BYTES,
          `is longer than ${MAX_CLIENT_ORDER_ID_BYTES} bytes`,
        ),
      ),
  doc?.("The client's own unique order id, at most 120 bytes"),
);

export const memo = field(() => z.string().check(z.maxLength(256)), doc?.('Public remark, not signed'));

/**
 * A JSON boolean, or one of the texts `true` and `false`; becomes a boolean. Never truthiness: any
 * other text is refused, because `"false"` would otherwise count as true and be hashed as 1.
 */
export const booleanField = field(
  () =>
    z.pipe(
      z.union([z.boolean(), z.literal('true'), z.literal('false')], 'is neither a boolean nor the text true or false'),
      z.transform((value) => value === true || value === 'true'),
    ),
  doc?.({ wire: { type: 'boolean' } }),
);

export const allOrNone = field(
  () => booleanField().check(z.refine((value) => !value, 'is true; only false is supported')),
  doc?.({ wire: { enum: [false, 'false'] }, description: 'Whole fill or none; only false is supported' }),
);

export const fillAmountBOrS = field(
  booleanField,
  doc?.({
    wire: { enum: [true, false, 'true', 'false'] },
    description: 'true: filled up to the buy amount; false: up to the sell amount',
  }),
);

/** A boolean query parameter. */
export const queryBoolean = once(() => booleanField());

/**
 * An integer query parameter: a number, or its decimal text as it arrives in a URL; becomes a
 * number.
 * @param maximum - inclusive; the safe integers by default.
 * @param minimum - inclusive.
 */
export const queryInteger = (maximum: number = Number.MAX_SAFE_INTEGER, minimum = 0) =>
  described(
    z.pipe(
      z.pipe(
        z.union([z.number(), z.string().check(z.regex(/^[0-9]{1,16}$/, 'is not a decimal number'))]),
        z.transform(Number),
      ),
      z.int().check(z.minimum(minimum, `is below ${minimum}`), z.maximum(maximum, `is above ${maximum}`)),
    ),
    doc?.({ wire: { type: 'integer', minimum, maximum } }),
  );

export const queryAccountId = field(() => queryInteger(MAX_UINT32), doc?.('L2 account id'));

export const queryTokenId = field(() => queryInteger(MAX_TOKEN_ID), doc?.('Token id'));

export const queryMilliseconds = field(() => queryInteger(), doc?.('Time in milliseconds since 1970'));

/** Largest and default page of list queries; the interface document leaves both open. */
export const MAX_LIMIT = 50;
export const DEFAULT_LIMIT = 20;

export const queryLimit = field(() => queryInteger(MAX_LIMIT), doc?.('Rows to return; 20 when absent'));

/**
 * Most rows that a page may skip, because they are read to be skipped; the interface document
 * leaves it open. More than the wallet reads of any list.
 */
export const MAX_OFFSET = 20_000;

export const queryOffset = field(() => queryInteger(MAX_OFFSET), doc?.('Rows to skip'));

/** Parameters that most history queries take. */
export const historyQueryShape = () => ({
  start: described(z.optional(queryMilliseconds()), doc?.('Created at or after, ms; 0 for no bound')),
  end: described(z.optional(queryMilliseconds()), doc?.('Created at or before, ms; 0 for no bound')),
  limit: z.optional(queryLimit()),
  offset: z.optional(queryOffset()),
});

/** The words that a pattern such as `^(join|exit)$` allows; none for other patterns. */
const wordsOf = ({ source }: RegExp) => /^\^\(([\w|]+)\)\$$/.exec(source)?.[1]?.split('|');

/** Texts joined by commas, each matching the pattern. `splitList` takes it apart. */
export const commaList = (item: RegExp, what: string) =>
  described(
    z
      .string()
      .check(z.refine((text) => text.split(',').every((part) => item.test(part)), `is not a comma list of ${what}`)),
    doc?.({ 'x-list': true, 'x-words': wordsOf(item), description: `Comma-separated ${what}` }),
  );

/** Checks that a comma list has no more items than a page has rows. */
export const fewItems = (what: string) =>
  z.refine<string>((list) => splitList(list).length <= MAX_LIMIT, `names more than ${MAX_LIMIT} ${what}`);

/** Comma list of token ids or other integers. */
export const integerList = once(() => commaList(/^[0-9]{1,10}$/, 'integers'));

export const hashList = once(() => commaList(/^0x[0-9a-fA-F]{1,64}$/, 'hashes'));

export const addressList = once(() => commaList(/^0x[0-9a-fA-F]{40}$/, 'addresses'));

export const requestStatusList = once(() => commaList(/^(received|processing|processed|failed)$/, 'request statuses'));

export const wordList = once(() => commaList(/^[A-Za-z0-9_]{1,64}$/, 'words'));

/** Where trades came from. */
export const fillTypes = field(
  () => commaList(/^(dex|amm)$/, 'fill types'),
  doc?.('dex for the order book, amm for the pool'),
);

/** Takes a comma list apart; an absent list has no items. */
export function splitList(list: string | undefined): string[] {
  return list === undefined || list === '' ? [] : list.split(',');
}
