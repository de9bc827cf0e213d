import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** `0x` and hex digits. */
export type Hex = `0x${string}`;

/**
 * EIP-55: the letters of the hex digits are capital where the hash of the digits says so. Does not
 * check that it is an address.
 */
export function checksummed(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${Array.from(digits, (digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/** Letter case does not matter. */
export const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Hex digits at both ends that people compare when they glance at an address. */
const GLANCE = 4;

/** Whether one address could be taken for another. */
export function looksLike(one: string, other: string): boolean {
  const [a, b] = [one.slice(2).toLowerCase(), other.slice(2).toLowerCase()];
  return a !== b && a.slice(0, GLANCE) === b.slice(0, GLANCE) && a.slice(-GLANCE) === b.slice(-GLANCE);
}

/** @throws {RangeError} The text is not 0x and 40 hex digits. Letter case does not matter. */
export function readAddress(text: string): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new RangeError('an address is 0x and 40 hex digits');
  return checksummed(text);
}
