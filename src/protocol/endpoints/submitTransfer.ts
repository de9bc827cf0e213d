import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  booleanField,
  hashApproved,
  memo,
  offchainStorageId,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { counterFactualInfo, offchainAck, tokenVolumeV3 } from '../resources.ts';
import { z } from '../zod.ts';

export const submitTransfer = endpoint({
  method: 'POST',
  path: '/api/v3/transfer',
  summary: doc?.('Transfers a token on L2'),
  signature: 'ecdsa',
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.strictObject({
      exchange: address(),
      payerId: accountId(),
      payerAddr: address(),
      payeeId: described(accountId(), doc?.('Receiving account, 0: found by address')),
      payeeAddr: address(),
      token: described(tokenVolumeV3(), doc?.('Token and volume to move')),
      maxFee: described(tokenVolumeV3(), doc?.('Highest accepted fee')),
      storageId: offchainStorageId(),
      validUntil: seconds(),
      memo: z.optional(memo()),
      ...signaturesOrNone(),
      clientId: described(z.optional(z.string().check(z.maxLength(120))), doc?.("The client's own id, not signed")),
      payPayeeUpdateAccount: described(z.optional(booleanField()), doc?.("Pay the receiver's activation, fee type 15")),
      counterFactualInfo: z.optional(counterFactualInfo()),
      hashApproved: z.optional(hashApproved()),
    }),
  answer: () => offchainAck(),
});
