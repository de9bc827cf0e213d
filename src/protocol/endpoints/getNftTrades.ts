import { described } from '../described.ts';
import { doc } from '../doc.ts';
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
import { z } from '../zod.ts';

/**
 * NFT trades of an account, newest first. A row is a list of texts: id, tradeHash, sell order hash, buy order hash, price
 * (whole ERC-20 tokens for one NFT), nftData, NFT count, NFT slot of the account, ERC-20 token id, sell fee, buy fee, blockId,
 * indexInBlock, seller's account id, buyer's account id, sell storageId, buy storageId, createdAt (ms), submitter's account id.
 */
export const getNftTrades = endpoint({
  name: 'getNftTrades',
  method: 'GET',
  path: '/api/v3/user/nft/trades',
  summary: doc?.('NFT trades of an account'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      nftData: z.optional(nftData()),
      orderHash: described(z.optional(hash32()), doc?.('Of either order')),
      tradeHash: z.optional(hash32()),
      start: described(z.optional(queryMilliseconds()), doc?.('Settled at or after, ms')),
      end: described(z.optional(queryMilliseconds()), doc?.('Settled at or before, ms')),
      startId: described(z.optional(queryInteger()), doc?.('Rows with this id and older ones')),
      limit: z.optional(queryLimit()),
      offset: z.optional(queryOffset()),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({ totalNum: totalNum(), trades: described(z.array(z.array(z.string())), doc?.('One page of rows')) }),
});
