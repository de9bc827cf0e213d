import { described, field } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  amountText,
  booleanField,
  hashApproved,
  memo,
  nftData,
  nftTokenId,
  offchainStorageId,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { counterFactualInfo, nftAck, nftFee } from '../resources.ts';
import { z } from '../zod.ts';

/** An NFT of the account: its slot is signed, `nftData` tells which NFT the sender means. */
export const nftToken = field(
  () =>
    z.strictObject({
      tokenId: described(nftTokenId(), doc?.("The account's slot of the NFT")),
      nftData: nftData(),
      amount: described(amountText(), doc?.('NFT count')),
    }),
  doc?.('The NFT and how many of it'),
);

/** Moves an NFT between accounts. The signature binds the slot, not the NFT. */
export const transferNft = endpoint({
  method: 'POST',
  path: '/api/v3/nft/transfer',
  summary: doc?.('Transfers NFTs on L2'),
  signature: 'ecdsa',
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.strictObject({
      exchange: address(),
      fromAccountId: accountId(),
      fromAddress: address(),
      toAccountId: described(accountId(), doc?.('Receiving account, 0: found by address')),
      toAddress: address(),
      token: nftToken(),
      maxFee: described(nftFee(), doc?.('Highest accepted fee')),
      storageId: described(offchainStorageId(), doc?.("Id of the NFT slot's counter, odd")),
      validUntil: seconds(),
      memo: z.optional(memo()),
      payPayeeUpdateAccount: described(z.optional(booleanField()), doc?.("Pay the receiver's activation, fee type 19")),
      ...signaturesOrNone(),
      counterFactualInfo: z.optional(counterFactualInfo()),
      hashApproved: z.optional(hashApproved()),
    }),
  answer: () => nftAck(),
});
