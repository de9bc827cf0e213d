import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { orderBodyShape } from '../orderBody.ts';
import { nftTokenAmountInfo, offchainAck } from '../resources.ts';
import { requestStatus } from '../statuses.ts';

/** Validates a signed NFT order. The returned hash is an identifier, not the signed hash. */
export const validateOrder = endpoint({
  name: 'validateOrder',
  method: 'POST',
  path: '/api/v3/nft/validateOrder',
  summary: 'Validates an NFT order',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [
    ...offchainRequestCodes,
    102002,
    102003,
    102004,
    102005,
    102006,
    102007,
    102008,
    102010,
    102011,
    102012,
    102020,
    102030,
    102120,
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      ...orderBodyShape(),
      sellToken: nftTokenAmountInfo.describe('What is sold'),
      buyToken: nftTokenAmountInfo.describe('What is bought; an NFT needs its nftData'),
    }),
  answer: () =>
    offchainAck.extend({ status: z.union([requestStatus, z.literal('')]).describe('Empty means accepted') }),
});
