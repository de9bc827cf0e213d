import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import {
  hash32,
  nftData,
  queryAccountId,
  queryInteger,
  queryLimit,
  queryMilliseconds,
  queryOffset,
} from '../fields.ts';
import { totalNum } from '../resources.ts';

/**
 * NFT trades of an account, newest first. A row is a list of texts: id, tradeHash, sell order hash, buy order hash, price
 * (whole ERC-20 tokens for one NFT), nftData, NFT count, NFT slot of the account, ERC-20 token id, sell fee, buy fee, blockId,
 * indexInBlock, seller's account id, buyer's account id, sell storageId, buy storageId, createdAt (ms), submitter's account id.
 */
export const getNftTrades = endpoint({
  name: 'getNftTrades',
  method: 'GET',
  path: '/api/v3/user/nft/trades',
  summary: 'NFT trades of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      nftData: nftData.optional(),
      orderHash: hash32.optional().describe('Of either order'),
      tradeHash: hash32.optional(),
      start: queryMilliseconds.optional().describe('Settled at or after, ms'),
      end: queryMilliseconds.optional().describe('Settled at or before, ms'),
      startId: queryInteger().optional().describe('Rows with this id and older ones'),
      limit: queryLimit.optional(),
      offset: queryOffset.optional(),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, trades: z.array(z.array(z.string())).describe('One page of rows') }),
});
