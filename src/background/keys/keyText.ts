import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type AffinePoint, getPublicKey, type SecretKey, SUBGROUP_ORDER } from '../../crypto/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { once } from '../../protocol/once.ts';
import { parseJson } from '../../protocol/parseJson.ts';
import { z } from '../../protocol/zod.ts';
import { openKeyFile, sealKeyFile } from '../../vault/index.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Ports } from '../ports.ts';
import { hexPoint } from './stagedKeys.ts';

/**
 * A uniform key: 251 random bits, drawn again (one time in four) until they are below the subgroup
 * order.
 */
export function randomKey(randomBytes: (length: number) => Uint8Array): SecretKey {
  for (;;) {
    const bytes = randomBytes(32);
    bytes[31] = (bytes[31] as number) & 0x07;
    const number = toNumber(bytes);
    if (number > 0n && number < SUBGROUP_ORDER) return bytes;
    bytes.fill(0);
  }
}

/** The key as people and other clients write it: 0x + 64 hex digits of the number. */
export function keyText(secretKey: SecretKey): string {
  const bigEndian = Uint8Array.from(secretKey).reverse();
  const digits = bytesToHex(bigEndian);
  bigEndian.fill(0);
  return `0x${digits}`;
}

const toNumber = (littleEndian: Uint8Array): bigint => BigInt(keyText(littleEndian));

/** The key as an encrypted file, with what it is for. */
export const keyFile = (
  { randomBytes, kdfCost }: Pick<Ports, 'randomBytes' | 'kdfCost'>,
  about: { readonly network: NetworkView; readonly accountId: number; readonly owner: string },
  secretKey: SecretKey,
  password: string,
): Promise<string> => {
  const { network, accountId, owner } = about;
  const { exchangeAddress: exchange, chainId } = network;
  const publicKey = hexPoint(getPublicKey(secretKey));
  return sealKeyFile(secretKey, { exchange, chainId, accountId, owner, publicKey }, password, randomBytes, kdfCost);
};

/** The part of other clients' export files that is read. */
const foreignFile = once(() => z.looseObject({ privateKey: z.string().check(z.maxLength(100)) }));

const unusable = () => new UiFailure('invalid-input', 'error_keyUnusable');

function parseHex(text: string): readonly SecretKey[] {
  const digits = /^(?:0x)?([0-9a-fA-F]{1,64})$/.exec(text.trim())?.[1];
  if (digits === undefined) throw unusable();
  const bytes = hexToBytes(digits.padStart(64, '0'));
  return [Uint8Array.from(bytes).reverse(), bytes].filter((key) => {
    const number = toNumber(key);
    const isKey = number > 0n && number < SUBGROUP_ORDER;
    if (!isKey) key.fill(0);
    return isKey;
  });
}

/**
 * Reads a key from what a user brings: hex digits of the number, a key file of this wallet, or the
 * export of another client (JSON with `privateKey`). Digits that some program wrote with the lowest
 * byte first are taken that way when only so they give the registered key.
 * @throws {UiFailure} `invalid-input`, `password-needed`; {VaultError} `wrong-password`,
 *   `bad-file`, `kdf-bounds`.
 */
export async function readKey(
  text: string,
  password: string | null,
  registered: AffinePoint | null,
): Promise<SecretKey> {
  const json = parseJson(text);
  const own = z.looseObject({ format: z.literal('countersign-key') }).safeParse(json).success;
  if (own && password === null) throw new UiFailure('password-needed', 'error_keyFilePassword');
  if (own) return (await openKeyFile(text, password ?? '')).secretKey;
  const candidates = parseHex(foreignFile().safeParse(json).data?.privateKey ?? text);
  const fits = candidates.find((key) => {
    const { x, y } = getPublicKey(key);
    return registered !== null && registered.x === x && registered.y === y;
  });
  const key = fits ?? candidates[0];
  if (key === undefined) throw unusable();
  for (const other of candidates) if (other !== key) other.fill(0);
  return key;
}
