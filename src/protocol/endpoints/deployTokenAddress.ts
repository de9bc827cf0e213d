import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  ecdsaSignature,
  eddsaSignature,
  hash32,
  hashAnswer,
  hashApproved,
  memo,
  nftData,
  offchainStorageId,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, tokenVolumeV3 } from '../resources.ts';
import { deployStatus } from '../statuses.ts';

/**
 * The fee: a transfer to the broker of exactly the quoted fee, with no fee of its own. `ecdsaHash` and `eddsaHash` of older
 * clients are accepted and ignored; the relayer computes both.
 */
const feeTransfer = deferred(() =>
  z
    .strictObject({
      exchange: address,
      payeeAddr: address.describe('The broker'),
      payeeId: z.literal(0).describe('0: found by address'),
      payerId: accountId,
      payerAddr: address,
      memo: memo.optional().describe('NFT-DEPLOY-CONTRACT-> and the contract address, or empty'),
      maxFee: tokenVolumeV3.describe('Highest accepted fee'),
      token: tokenVolumeV3.describe('Fee token and quoted fee'),
      storageId: offchainStorageId,
      validUntil: seconds,
      eddsaSignature: eddsaSignature.optional(),
      ecdsaSignature: ecdsaSignature.optional(),
      eddsaHash: hash32.optional(),
      ecdsaHash: hash32.optional(),
      hashApproved: hashApproved.optional(),
      counterFactualInfo: counterFactualInfo.optional(),
    })
    .refine((transfer) => transfer.maxFee.tokenId === transfer.token.tokenId, {
      message: 'is not the token of the fee transfer',
      path: ['maxFee', 'tokenId'],
    }),
);

/** Deploys a counterfactual NFT contract. Precondition: getCode answers 0x. Completion shows in getCode. */
export const deployTokenAddress = endpoint({
  name: 'deployTokenAddress',
  method: 'POST',
  path: '/api/v3/nft/deployTokenAddress',
  summary: 'Deploys an NFT contract on L1, paid by an L2 transfer',
  apiKey: 'required',
  signature: 'eddsa',
  requestsPerSecond: null,
  resend: 'same-bytes',
  errorCodes: [
    'UNKNOWN_ERROR',
    'INVALID_ARGUMENT',
    'EXCHANGE_ID_INCORRECT',
    'TOKEN_UNSUPPORTED',
    'ACCOUNT_ID_INVALID',
    'BALANCE_INSUFFICIENT',
    'SENDER_INVALID',
    'RECEIVER_INVALID',
    'FEE_TOKEN_UNSUPPORTED',
    'FEE_TOKEN_INCONSISTENT',
    'STORAGE_ID_INVALID',
    'L1_NODE_ERROR',
    'FEE_TOKEN_NOT_ACCEPTED',
    'FEE_OUTDATED',
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      nftData: nftData.describe('An NFT of the contract'),
      tokenAddress: address.describe('Contract to deploy'),
      transfer: feeTransfer.describe('The fee, a transfer to the broker'),
    }),
  answer: () =>
    z.looseObject({
      hash: hashAnswer.describe('L1 transaction hash'),
      status: deployStatus,
      isIdempotent: z.boolean().describe('True when the same request was already held'),
    }),
});
