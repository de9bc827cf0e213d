import type { Hex } from './fields.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `0x1220`: a SHA-256 multihash of 32 bytes. */
const MULTIHASH_PREFIX = 0x1220n;

/** An IPFS id or NFT id that cannot be converted. */
export class CidError extends Error {
  override readonly name = 'CidError';
  readonly code = 'cid';
}

/**
 * NFT id of an IPFS directory: the digest inside its CIDv0.
 * @param cid - CIDv0, base58 text of 46 characters that starts with `Qm`. Other versions and hash
 *   functions do not fit into a uint256 and are refused.
 * @returns `0x` and 64 hex digits.
 * @throws {CidError}
 */
export function nftIdFromCid(cid: string): Hex {
  if (cid.length !== 46) throw new CidError('a CIDv0 has 46 characters');
  let value = 0n;
  for (const letter of cid) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) throw new CidError('the CID contains a character that is not base58');
    value = value * 58n + BigInt(digit);
  }
  if (value >> 256n !== MULTIHASH_PREFIX) throw new CidError('the CID is not a SHA-256 CIDv0');
  return `0x${(value & (2n ** 256n - 1n)).toString(16).padStart(64, '0')}`;
}

/**
 * CIDv0 of an NFT id.
 * @param nftId - `0x` and 1 to 64 hex digits; leading zeros may be missing.
 * @throws {CidError}
 */
export function cidFromNftId(nftId: string): string {
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(nftId)) throw new CidError('an NFT id is 0x and 1 to 64 hex digits');
  let value = (MULTIHASH_PREFIX << 256n) | BigInt(nftId);
  let cid = '';
  for (; value > 0n; value /= 58n) cid = (ALPHABET[Number(value % 58n)] as string) + cid;
  return cid;
}
