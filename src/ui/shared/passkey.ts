import { base64Bytes } from '../../messaging/base64.ts';
import type { PasskeyView } from '../../messaging/views.ts';
import { UiCallError } from '../background.ts';

/** A secret that a passkey computed, in the form of the background's methods. */
export interface PasskeySecret {
  readonly credentialId: string;
  readonly prfSalt: string;
  /** Base64 of 32 bytes. */
  readonly prf: string;
}

/** The user closed the browser's prompt, or the passkey cannot compute secrets. */
const failure = (key: 'passkeyCancelled' | 'passkeyUnable') => new UiCallError('passkey', key);

const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const toUrl = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const fromUrl = (base64url: string) => base64url.replaceAll('-', '+').replaceAll('_', '/');
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/**
 * Firefox refuses passkeys to the pages of extensions, after it has looked for their id, which
 * tells one installation from another, as a host of the network.
 */
export const passkeysExist = (): boolean =>
  location.protocol !== 'moz-extension:' && typeof PublicKeyCredential === 'function' && 'credentials' in navigator;

export const newUserId = () => random(16);

/**
 * Makes a passkey for this wallet and asks it for its secret.
 * @param userId - Replaces a passkey that was made with the same one.
 * @throws {UiCallError} `passkey`.
 */
export async function createPasskey(userId: BufferSource): Promise<PasskeySecret> {
  const prfSalt = base64Of(random(32));
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: random(32),
        rp: { name: 'Countersign' },
        user: { id: userId, name: 'Countersign', displayName: 'Countersign' },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: base64Bytes(prfSalt) } } },
      },
    }),
  );
  const { prf } = credential.getClientExtensionResults();
  if (prf?.enabled !== true) throw failure('passkeyUnable');
  const credentialId = toUrl(base64Of(new Uint8Array(credential.rawId)));
  // Many authenticators compute the secret only when they are asked again.
  if (prf.results?.first === undefined) return readPasskey([{ credentialId, prfSalt, createdAt: 0 }]);
  return { credentialId, prfSalt, prf: base64Of(new Uint8Array(prf.results.first as ArrayBuffer)) };
}

/** Asks one of the passkeys for its secret. @throws {UiCallError} `passkey`. */
export async function readPasskey(passkeys: readonly PasskeyView[]): Promise<PasskeySecret> {
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        allowCredentials: passkeys.map(({ credentialId }) => ({
          type: 'public-key',
          id: base64Bytes(fromUrl(credentialId)),
        })),
        userVerification: 'required',
        extensions: {
          prf: {
            evalByCredential: Object.fromEntries(
              passkeys.map(({ credentialId, prfSalt }) => [credentialId, { first: base64Bytes(prfSalt) }]),
            ),
          },
        },
      },
    }),
  );
  const credentialId = toUrl(base64Of(new Uint8Array(credential.rawId)));
  const used = passkeys.find((passkey) => passkey.credentialId === credentialId);
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (used === undefined || first === undefined) throw failure('passkeyUnable');
  return { credentialId, prfSalt: used.prfSalt, prf: base64Of(new Uint8Array(first as ArrayBuffer)) };
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  // Browsers reject with one error for a cancelled dialog and for a timeout, so both are shown as
  // cancelled.
  const credential = await ask().catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw failure('passkeyCancelled');
  return credential;
}
