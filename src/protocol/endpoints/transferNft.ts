import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  amountText,
  booleanField,
  ecdsaSignature,
  eddsaSignature,
  hashApproved,
  memo,
  nftData,
  nftTokenId,
  offchainStorageId,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, nftAck, nftFee } from '../resources.ts';

/** An NFT of the account: its slot is signed, `nftData` tells which NFT the sender means. */
export const nftToken = deferred(() =>
  z
    .strictObject({
      tokenId: nftTokenId.describe("The account's slot of the NFT"),
      nftData,
      amount: amountText.describe('NFT count'),
    })
    .describe('The NFT and how many of it'),
);

/** Moves an NFT between accounts. The signature binds the slot, not the NFT. */
export const transferNft = endpoint({
  name: 'transferNft',
  method: 'POST',
  path: '/api/v3/nft/transfer',
  summary: 'Transfers NFTs on L2',
  apiKey: 'required',
  signature: 'ecdsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [...offchainRequestCodes, ...offchainFieldCodes, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      exchange: address,
      fromAccountId: accountId,
      fromAddress: address,
      toAccountId: accountId.describe('Receiving account, 0: found by address'),
      toAddress: address,
      token: nftToken,
      maxFee: nftFee.describe('Highest accepted fee'),
      storageId: offchainStorageId.describe("Id of the NFT slot's counter, odd"),
      validUntil: seconds,
      memo: memo.optional(),
      payPayeeUpdateAccount: booleanField.optional().describe("Pay the receiver's activation, fee type 19"),
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      counterFactualInfo: counterFactualInfo.optional(),
      hashApproved: hashApproved.optional(),
    }),
  answer: () => nftAck,
});
