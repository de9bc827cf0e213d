import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  ecdsaSignatureOrNone,
  eddsaSignatureOrNone,
  hashApproved,
  nonce,
  seconds,
} from '../fields.ts';
import { MAX_KEY_SEED } from '../limits.ts';
import { counterFactualInfo, offchainAck, publicKey, tokenVolumeV3 } from '../resources.ts';
import { z } from '../zod.ts';

/**
 * Replaces the account key; the previous key becomes invalid. Approved by the L1 owner:
 * `X-API-SIG` carries the ECDSA signature over the typed data AccountUpdate. `keySeed` is signed by
 * nothing: read it back after the update. The returned hash is an identifier, not the signed hash
 * (`accountUpdateIdentifier`).
 */
export const updateAccount = endpoint({
  method: 'POST',
  path: '/api/v3/account',
  summary: doc?.('Replaces the account key'),
  apiKey: 'none',
  signature: 'ecdsa',
  errorCodes: doc?.([
    ...offchainRequestCodes,
    ...offchainFieldCodes,
    'ACCOUNT_NOT_FOUND',
    'API_ACCOUNT_INVALID',
    ...signatureCodes,
  ]),
  body: () =>
    z.strictObject({
      exchange: address(),
      owner: address(),
      accountId: accountId(),
      publicKey: described(publicKey(), doc?.('The new public key')),
      maxFee: described(tokenVolumeV3(), doc?.('Highest accepted fee')),
      validUntil: seconds(),
      nonce: nonce(),
      keySeed: described(
        z.optional(z.string().check(z.maxLength(MAX_KEY_SEED))),
        doc?.('Text whose L1 signature yields the key; empty for a random key'),
      ),
      counterFactualInfo: z.optional(counterFactualInfo()),
      eddsaSignature: described(
        eddsaSignatureOrNone(),
        doc?.('Signature with the old key, in place of the ECDSA signature'),
      ),
      ecdsaSignature: ecdsaSignatureOrNone(),
      hashApproved: z.optional(hashApproved()),
      recommenderAccountId: described(z.optional(accountId()), doc?.('Account that recommended the exchange')),
    }),
  answer: () => offchainAck(),
});
