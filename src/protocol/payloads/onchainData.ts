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
  const bytes = new Uint8Array(52 + tail.length);
  const writeInteger = (value: bigint, end: number) => {
    for (let i = end - 1, rest = value; rest > 0n; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  };
  writeInteger(readInteger(minGas, 'minGas', Number.MAX_SAFE_INTEGER), 32);
  writeInteger(readReceiver(to, 'to'), 52);
  bytes.set(tail, 52);
  return keccak_256(bytes)
    .subarray(0, 20)
    .reduce((hash, byte) => (hash << 8n) | BigInt(byte), 0n);
}
