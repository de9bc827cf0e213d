/** Largest file that is read as a receipt, in characters; a real one has a few thousand. */
export const MAX_RECEIPT_LENGTH = 200_000;
