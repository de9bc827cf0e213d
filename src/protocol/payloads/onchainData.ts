import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readBytes, readInteger, readReceiver } from './readFields.ts';

/** The part of a withdrawal that is carried out on L1. */
export interface OnchainData {
  readonly minGas: number;
  readonly to: string;
  readonly extraData?: string | undefined;
}

/**
 * First 20 bytes, as a big-endian integer, of Keccak-256 over minGas (32 bytes), to (20 bytes) and
 * the decoded bytes of extraData. Some clients hash extraData as text; the contract decodes it, so
 * text that is not `0x` and whole bytes is refused.
 * @throws {PayloadError}
 */
export function onchainDataHash({ minGas, to, extraData }: OnchainData): bigint {
  const tail = readBytes(extraData, 'extraData');
  const bytes = concatBytes(
    numberToBytesBE(readInteger(minGas, 'minGas', Number.MAX_SAFE_INTEGER), 32),
    numberToBytesBE(readReceiver(to, 'to'), 20),
    tail,
  );
  return bytesToNumberBE(keccak_256(bytes).subarray(0, 20));
}
