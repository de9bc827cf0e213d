import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  booleanField,
  ecdsaSignature,
  eddsaSignature,
  hashApproved,
  memo,
  offchainStorageId,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, offchainAck, tokenVolumeV3 } from '../resources.ts';

/** Moves a token between accounts. */
export const submitTransfer = endpoint({
  name: 'submitTransfer',
  method: 'POST',
  path: '/api/v3/transfer',
  summary: 'Transfers a token on L2',
  apiKey: 'required',
  signature: 'ecdsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [...offchainRequestCodes, ...offchainFieldCodes, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      exchange: address,
      payerId: accountId,
      payerAddr: address,
      payeeId: accountId.describe('Receiving account, 0: found by address'),
      payeeAddr: address,
      token: tokenVolumeV3.describe('Token and volume to move'),
      maxFee: tokenVolumeV3.describe('Highest accepted fee'),
      storageId: offchainStorageId,
      validUntil: seconds,
      memo: memo.optional(),
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      clientId: z.string().max(120).optional().describe("The client's own id, not signed"),
      payPayeeUpdateAccount: booleanField.optional().describe("Pay the receiver's activation, fee type 15"),
      counterFactualInfo: counterFactualInfo.optional(),
      hashApproved: hashApproved.optional(),
    }),
  answer: () => offchainAck,
});
