import { type Bytes, utf8 } from './encoding.ts';
import { VaultError } from './errors.ts';

/**
 * Key-encryption key from what a passkey computed: HKDF-SHA-256 over the PRF output, bound to the
 * vault. The output is as strong as a key, so nothing has to be slowed down here.
 * @param prf - 32 bytes of the WebAuthn PRF extension for the salt in the header. The caller wipes
 *   it.
 * @see https://www.w3.org/TR/webauthn-3/#prf-extension
 * @throws {VaultError} `bad-input`
 */
export async function passkeyKey(prf: Bytes, vaultId: string): Promise<CryptoKey> {
  if (prf.length !== 32) throw new VaultError('bad-input', 'a passkey gives 32 bytes');
  const secret = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: utf8(vaultId), info: utf8('countersign-vault/passkey') },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}
