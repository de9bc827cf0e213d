import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { address, amountText, ecdsaSignature, eddsaSignature, hash32, offchainStorageId, seconds } from '../fields.ts';
import { ammPoolExitTokens, offchainAck } from '../resources.ts';

/** Burns LP tokens for the tokens of a pool. */
export const exitAmmPool = endpoint({
  name: 'exitAmmPool',
  method: 'POST',
  path: '/api/v3/amm/exit',
  summary: 'Leaves an AMM pool',
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
      exitTokens: ammPoolExitTokens.describe('What is burned and what comes back'),
      storageId: offchainStorageId.describe("Id of the LP token's counter, odd"),
      maxFee: amountText.describe('Highest accepted fee, in the last token of the pool'),
      validUntil: seconds,
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      domainSeparator: hash32
        .optional()
        .describe('EIP-712 domain separator as the pool list gives it; checked, not trusted'),
    }),
  answer: () => offchainAck,
});
