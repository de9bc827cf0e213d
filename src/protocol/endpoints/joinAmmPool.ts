import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { address, amountText, ecdsaSignature, eddsaSignature, hash32, offchainStorageId, seconds } from '../fields.ts';
import { offchainAck, tokenVolumeV3 } from '../resources.ts';

/** Puts tokens into a pool for LP tokens. */
export const joinAmmPool = endpoint({
  name: 'joinAmmPool',
  method: 'POST',
  path: '/api/v3/amm/join',
  summary: 'Joins an AMM pool',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [...offchainRequestCodes, ...offchainFieldCodes, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      owner: address,
      poolAddress: address,
      joinTokens: z
        .strictObject({
          pooled: z.array(tokenVolumeV3).length(2).describe("Amounts to put in, in the order of the pool's tokens"),
          minimumLp: tokenVolumeV3.describe('Least LP amount to get'),
        })
        .describe('What goes in and what comes back'),
      storageIds: z.array(offchainStorageId).length(2).describe('One id per pooled token, odd'),
      fee: amountText.describe('Highest accepted fee, in the last token of the pool'),
      validUntil: seconds,
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      domainSeparator: hash32
        .optional()
        .describe('EIP-712 domain separator as the pool list gives it; checked, not trusted'),
    }),
  answer: () => offchainAck,
});
