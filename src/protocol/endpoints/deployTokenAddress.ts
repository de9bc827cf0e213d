import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  hashApproved,
  looseHash,
  memo,
  nftData,
  offchainStorageId,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { once } from '../once.ts';
import { counterFactualInfo, tokenVolumeV3 } from '../resources.ts';
import { deployStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/**
 * The fee: a transfer to the broker of exactly the quoted fee, with no fee of its own. `ecdsaHash`
 * and `eddsaHash` of older clients are accepted and ignored; the relayer computes both.
 */
const feeTransfer = once(() =>
  z
    .strictObject({
      exchange: address(),
      payeeAddr: described(address(), doc?.('The broker')),
      payeeId: described(z.literal(0), doc?.('0: found by address')),
      payerId: accountId(),
      payerAddr: address(),
      memo: described(z.optional(memo()), doc?.('NFT-DEPLOY-CONTRACT-> and the contract address, or empty')),
      maxFee: described(tokenVolumeV3(), doc?.('Highest accepted fee')),
      token: described(tokenVolumeV3(), doc?.('Fee token and quoted fee')),
      storageId: offchainStorageId(),
      validUntil: seconds(),
      ...signaturesOrNone(),
      eddsaHash: z.optional(looseHash()),
      ecdsaHash: z.optional(looseHash()),
      hashApproved: z.optional(hashApproved()),
      counterFactualInfo: z.optional(counterFactualInfo()),
    })
    .check(
      z.refine((transfer) => transfer.maxFee.tokenId === transfer.token.tokenId, {
        message: 'is not the token of the fee transfer',
        path: ['maxFee', 'tokenId'],
      }),
    ),
);

/**
 * Deploys a counterfactual NFT contract. Precondition: getCode answers 0x. Completion shows in
 * getCode.
 */
export const deployTokenAddress = endpoint({
  method: 'POST',
  path: '/api/v3/nft/deployTokenAddress',
  summary: doc?.('Deploys an NFT contract on L1, paid by an L2 transfer'),
  signature: 'eddsa',
  requestsPerSecond: null,
  errorCodes: doc?.([
    ...offchainRequestCodes,
    'TOKEN_UNSUPPORTED',
    'ACCOUNT_ID_INVALID',
    'BALANCE_INSUFFICIENT',
    'FREEZE_FAILED',
    'STORAGE_ID_INVALID',
    'L1_NODE_ERROR',
    'GAS_PRICE_UNAVAILABLE',
    'FEE_TOKEN_NOT_ACCEPTED',
    'FEE_OUTDATED',
    ...signatureCodes,
  ]),
  body: () =>
    z.strictObject({
      nftData: described(nftData(), doc?.('An NFT of the contract')),
      tokenAddress: described(address(), doc?.('Contract to deploy')),
      transfer: described(feeTransfer(), doc?.('The fee, a transfer to the broker')),
    }),
  answer: () =>
    z.looseObject({
      hash: described(looseHash(), doc?.('L1 transaction hash')),
      status: deployStatus(),
      isIdempotent: described(
        z.boolean(),
        doc?.('True when the same request had come before; `status` says what became of it'),
      ),
    }),
});
