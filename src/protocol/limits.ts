/**
 * Widths that the circuit enforces, and ids with a meaning (signing rules, sections 5, 9 and 10).
 */

/** Largest account id, storage id, time in seconds and nonce: 32 bits. */
export const MAX_UINT32 = 0xffff_ffff;

/** Largest token id: 16 bits. */
export const MAX_TOKEN_ID = 0xffff;

/** First NFT slot. Ids below are ERC-20 tokens, the only ones that pay fees. */
export const MIN_NFT_TOKEN_ID = 0x8000;

export const isNftToken = (tokenId: number): boolean => tokenId >= MIN_NFT_TOKEN_ID;

/** The zero address: "nobody in particular". */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Largest amount and fee in base units: 96 bits. */
export const MAX_AMOUNT = 2n ** 96n - 1n;

/** Largest `maxFeeBips` that the interface document allows, in ten-thousandths. */
export const MAX_FEE_BIPS = 63;

/** The whole in ten-thousandths. */
export const BIPS = 10_000n;

/** Largest fee rate that the circuit accepts, in ten-thousandths. */
export const CIRCUIT_MAX_FEE_BIPS = Number(BIPS);

/** Largest royalty value: 8 bits. */
export const MAX_ROYALTY = 255;

/** Largest `clientOrderId` in UTF-8 bytes. */
export const MAX_CLIENT_ORDER_ID_BYTES = 120;

/** Longest `keySeed` that a key update may name, in characters. */
export const MAX_KEY_SEED = 1024;

/** Requests for one endpoint in a second, where the interface document states a limit. */
export const REQUESTS_PER_SECOND = 5;

/** Active storage slots of one account and token: `storageId mod 2^14`. */
export const STORAGE_SLOTS = 16_384;
