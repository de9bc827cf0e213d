import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  booleanField,
  bytesText,
  hashApproved,
  offchainStorageId,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { counterFactualInfo, offchainAck, tokenVolumeV3 } from '../resources.ts';
import { z } from '../zod.ts';

export const submitWithdrawal = endpoint({
  method: 'POST',
  path: '/api/v3/user/withdrawals',
  summary: doc?.('Withdraws a token to L1'),
  signature: 'ecdsa',
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.strictObject({
      exchange: address(),
      accountId: accountId(),
      owner: address(),
      token: described(tokenVolumeV3(), doc?.('Token and volume to withdraw')),
      maxFee: described(tokenVolumeV3(), doc?.('Highest accepted fee')),
      storageId: offchainStorageId(),
      validUntil: seconds(),
      minGas: described(z.int().check(z.minimum(0)), doc?.('Least gas of the L1 withdrawal; 0: the relayer chooses')),
      to: described(address(), doc?.('L1 receiver')),
      extraData: described(z.optional(bytesText()), doc?.('Bytes for special withdrawals, normally none')),
      fastWithdrawalMode: described(z.optional(booleanField()), doc?.('Ask for the faster way to L1, at a higher fee')),
      counterFactualInfo: z.optional(counterFactualInfo()),
      ...signaturesOrNone(),
      hashApproved: z.optional(hashApproved()),
    }),
  answer: () => offchainAck(),
});
