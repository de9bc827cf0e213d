import { bytesToHex } from '@noble/hashes/utils.js';
import type { AffinePoint, SecretKey } from '../../crypto/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import {
  type EndpointAnswer,
  isExactKeySeed,
  keySeedText,
  matchSignatureToKey,
  secretKeyFromSignature,
  V_FORMS,
} from '../../protocol/index.ts';
import { textRecoveryBit } from '../../receipts/recoverSigner.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { L1Signer } from './l1Signer.ts';

type RelayerAccount = EndpointAnswer<'getAccount'>;

/** The registered public key, or `null` while the account has none (empty texts or zeros). */
export function registeredKey({ publicKey: { x, y } }: RelayerAccount): AffinePoint | null {
  if (x === '' || y === '') return null;
  const point = { x: BigInt(x), y: BigInt(y) };
  return point.x === 0n && point.y === 0n ? null : point;
}

/**
 * The text to sign for an account: the one that is kept with its registered key, then the one that
 * the relayer stores, then that of the nonce before. Each is used only when it is the exact
 * template of the pinned exchange for a nonce that the account has had; any other text could be
 * another site's log-in.
 * @param kept - Empty without one.
 */
export function seedTextFor(network: NetworkView, account: RelayerAccount, kept = ''): string {
  const { nonce, keySeed } = account;
  if (registeredKey(account) === null) return keySeedText(network.exchangeAddress, nonce);
  const isOwn = (text: string) => {
    const of = Number(/\d{1,10}$/.exec(text)?.[0]);
    return of <= nonce && isExactKeySeed(text, network.exchangeAddress, of);
  };
  return [kept, keySeed].find(isOwn) ?? keySeedText(network.exchangeAddress, Math.max(0, nonce - 1));
}

/**
 * Derives the account key from the L1 signer of its owner. Recovers the L1 address, because a wrong
 * signer gives a key that fits nothing. A signature that yields the registered key proves itself;
 * any other is asked for twice and compared, because a signer with random nonces would give another
 * key each time.
 * @returns The caller stores and wipes it.
 * @throws {UiFailure} `signer-not-deterministic`, `signer-mismatch`, and what an external wallet
 *   answers.
 */
export async function deriveKey(
  l1Signer: L1Signer,
  signer: string,
  seed: string,
  owner: string,
  registered: AffinePoint | null,
): Promise<SecretKey> {
  const signature = await l1Signer.signText(signer, seed);
  let again: Uint8Array | undefined;
  try {
    const bit = await textRecoveryBit(seed, signature, owner);
    if (bit === null) throw new UiFailure('signer-mismatch', 'error_signerMismatch');
    const match = registered && matchSignatureToKey(signature, registered);
    if (match) return match.secretKey;
    again = await l1Signer.signText(signer, seed);
    if (bytesToHex(signature) !== bytesToHex(again))
      throw new UiFailure('signer-not-deterministic', 'error_signerNotDeterministic');
    // From any other last byte a key comes that no other client looks for.
    if (!V_FORMS.includes(signature[64] as number)) signature[64] = 27 + bit;
    return secretKeyFromSignature(signature);
  } finally {
    signature.fill(0);
    again?.fill(0);
  }
}
