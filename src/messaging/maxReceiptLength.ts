/** Largest file that is read as a receipt, in characters: a few thousand, and the blocks in which the request stands. */
export const MAX_RECEIPT_LENGTH = 1_700_000;
