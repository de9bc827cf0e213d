import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  bytesText,
  hashApproved,
  offchainStorageId,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { once } from '../once.ts';
import { counterFactualInfo, nftAck, nftFee } from '../resources.ts';
import { z } from '../zod.ts';
import { nftToken } from './transferNft.ts';

const withdrawalBody = once(() =>
  z.strictObject({
    exchange: address(),
    owner: address(),
    accountId: accountId(),
    to: described(address(), doc?.('L1 receiver')),
    token: nftToken(),
    maxFee: described(nftFee(), doc?.('Highest accepted fee')),
    storageId: described(offchainStorageId(), doc?.("Id of the NFT slot's counter, odd")),
    validUntil: seconds(),
    minGas: described(z.int().check(z.minimum(0)), doc?.('Least gas of the L1 withdrawal; 0: the relayer chooses')),
    extraData: z.optional(bytesText()),
    ...signaturesOrNone(),
    counterFactualInfo: z.optional(counterFactualInfo()),
    hashApproved: z.optional(hashApproved()),
  }),
);

/**
 * Gives the transfer's field names, which the interface document shows for withdrawals, their
 * withdrawal names.
 */
function fromTransferShape(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('fromAccountId' in body)) return body;
  const { fromAccountId, fromAddress, toAddress, toAccountId: _unused, ...rest } = body as Record<string, unknown>;
  return { minGas: 0, ...rest, accountId: fromAccountId, owner: fromAddress, to: toAddress };
}

/**
 * Withdraws an NFT to L1; its contract has to be deployed. The body is the running relayers'; the
 * interface document's (that of transferNft) is translated into it.
 */
export const withdrawNft = endpoint({
  method: 'POST',
  path: '/api/v3/nft/withdrawal',
  summary: doc?.('Withdraws an NFT to L1'),
  signature: 'ecdsa',
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.pipe(z.transform(fromTransferShape), withdrawalBody()) as unknown as z.ZodMiniType<
      z.output<ReturnType<typeof withdrawalBody>>,
      z.input<ReturnType<typeof withdrawalBody>>
    >,
  answer: () => nftAck(),
});
