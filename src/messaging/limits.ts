/**
 * Largest file that is read as a receipt, in characters: a few thousand, and the blocks in which
 * the request stands.
 */
export const MAX_RECEIPT_LENGTH = 1_700_000;

/** Largest backup file, in characters. */
export const MAX_BACKUP_LENGTH = 4 * 1024 * 1024;

/** Largest file or text of an account key, in characters; they have a few hundred. */
export const MAX_KEY_FILE_LENGTH = 10_000;

/** Shortest new password, in characters. */
export const SHORTEST_PASSWORD = 8;

/** 64 hex digits, with or without 0x. */
export const PRIVATE_KEY = /^(0x)?[0-9a-fA-F]{64}$/;

/** Chromium's 32 letters, or the id of a Firefox add-on. */
export const EXTENSION_ID = /^([a-p]{32}|[\w.{}@-]{3,100})$/;
