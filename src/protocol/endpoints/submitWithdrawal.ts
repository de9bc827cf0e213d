import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  booleanField,
  bytesText,
  ecdsaSignature,
  eddsaSignature,
  hashApproved,
  offchainStorageId,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, offchainAck, tokenVolumeV3 } from '../resources.ts';

/** Withdraws a token to L1. */
export const submitWithdrawal = endpoint({
  name: 'submitWithdrawal',
  method: 'POST',
  path: '/api/v3/user/withdrawals',
  summary: 'Withdraws a token to L1',
  apiKey: 'required',
  signature: 'ecdsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [...offchainRequestCodes, ...offchainFieldCodes, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      exchange: address,
      accountId,
      owner: address,
      token: tokenVolumeV3.describe('Token and volume to withdraw'),
      maxFee: tokenVolumeV3.describe('Highest accepted fee'),
      storageId: offchainStorageId,
      validUntil: seconds,
      minGas: z.int().min(0).describe('Least gas of the L1 withdrawal; 0: the relayer chooses'),
      to: address.describe('L1 receiver'),
      extraData: bytesText.optional().describe('Bytes for special withdrawals, normally none'),
      fastWithdrawalMode: booleanField.optional().describe('Ask for the faster way to L1, at a higher fee'),
      counterFactualInfo: counterFactualInfo.optional(),
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      hashApproved: hashApproved.optional(),
    }),
  answer: () => offchainAck,
});
