import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import {
  accountId,
  address,
  addressList,
  decimalText,
  hashList,
  integerList,
  nftData,
  nftId,
  nftTokenId,
  queryAccountId,
  queryBoolean,
  queryLimit,
  queryOffset,
} from '../fields.ts';
import { pendingBalance, totalNum } from '../resources.ts';
import { deploymentStatus } from '../statuses.ts';

/** One slot of an account. */
export const nftBalance = deferred(() =>
  z.looseObject({
    accountId,
    tokenId: nftTokenId.describe('Slot that transfers, withdrawals and sales sign'),
    nftData,
    tokenAddress: address,
    nftId,
    nftType: z.string().describe('NFT standard'),
    total: decimalText,
    locked: decimalText,
    pending: pendingBalance,
    deploymentStatus: deploymentStatus.optional().describe('Whether the contract exists on L1'),
    isCounterFactualNFT: z.boolean().optional().describe('True for contracts of the official factory'),
    minter: z.string().optional().describe('Minter address'),
  }),
);

/** NFTs of an account by slot. Requests sign the slot: pin slot and nftData together right before signing. */
export const getNftBalances = endpoint({
  name: 'getNftBalances',
  method: 'GET',
  path: '/api/v3/user/nft/balances',
  summary: 'NFTs of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      nftDatas: hashList.optional(),
      tokenAddrs: addressList.optional(),
      tokenIds: integerList.optional().describe('Slots'),
      offset: queryOffset.optional(),
      limit: queryLimit.optional(),
      nonZero: queryBoolean.optional().describe('Only slots that hold something; true when absent'),
      metadata: queryBoolean.optional().describe('With metadata; false when absent'),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, data: z.array(nftBalance).describe('One page of rows') }),
});
