import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  bytesText,
  ecdsaSignature,
  eddsaSignature,
  hashApproved,
  offchainStorageId,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, nftAck, nftFee } from '../resources.ts';
import { nftToken } from './transferNft.ts';

const withdrawalBody = deferred(() =>
  z.strictObject({
    exchange: address,
    owner: address,
    accountId,
    to: address.describe('L1 receiver'),
    token: nftToken,
    maxFee: nftFee.describe('Highest accepted fee'),
    storageId: offchainStorageId.describe("Id of the NFT slot's counter, odd"),
    validUntil: seconds,
    minGas: z.int().min(0).describe('Least gas of the L1 withdrawal; 0: the relayer chooses'),
    extraData: bytesText.optional(),
    eddsaSignature: eddsaSignature.optional(),
    ecdsaSignature: ecdsaSignature.optional(),
    counterFactualInfo: counterFactualInfo.optional(),
    hashApproved: hashApproved.optional(),
  }),
);

/** Gives the transfer's field names, which the interface document shows for withdrawals, their withdrawal names. */
function fromTransferShape(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('fromAccountId' in body)) return body;
  const { fromAccountId, fromAddress, toAddress, toAccountId: _unused, ...rest } = body as Record<string, unknown>;
  return { minGas: 0, ...rest, accountId: fromAccountId, owner: fromAddress, to: toAddress };
}

/** Withdraws an NFT to L1; its contract has to be deployed. The body is the running relayers'; the interface document's
 * (that of transferNft) is translated into it. */
export const withdrawNft = endpoint({
  name: 'withdrawNft',
  method: 'POST',
  path: '/api/v3/nft/withdrawal',
  summary: 'Withdraws an NFT to L1',
  apiKey: 'required',
  signature: 'ecdsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [...offchainRequestCodes, ...offchainFieldCodes, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.preprocess(fromTransferShape, withdrawalBody) as unknown as z.ZodType<
      z.output<typeof withdrawalBody>,
      z.input<typeof withdrawalBody>
    >,
  answer: () => nftAck,
});
