import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { checksummed } from '../ethereum/address.ts';
import type { Hex } from './fields.ts';
import { readAddress } from './payloads/readFields.ts';

/** The 20 bytes of an address. */
export function addressBytes(address: string, field: string): Uint8Array {
  readAddress(address, field);
  return hexToBytes(address.slice(2));
}

/** Creation code of a minimal proxy (EIP-1167) in front of `implementation`. */
export function cloneCreationCode(implementation: string): Uint8Array {
  return concatBytes(
    hexToBytes('3d602d80600a3d3981f3363d3d373d3d3d363d73'),
    addressBytes(implementation, 'implementation'),
    hexToBytes('5af43d82803e903d91602b57fd5bf3'),
  );
}

/**
 * CREATE2 (EIP-1014): the last 20 bytes of Keccak-256(0xff, deployer, salt, Keccak-256(creation
 * code)), checksummed.
 */
export function create2Address(deployer: string, salt: Uint8Array, creationCode: Uint8Array): Hex {
  const hash = keccak_256(
    concatBytes(Uint8Array.of(0xff), addressBytes(deployer, 'deployer'), salt, keccak_256(creationCode)),
  );
  return checksummed(`0x${bytesToHex(hash.subarray(12))}`);
}
