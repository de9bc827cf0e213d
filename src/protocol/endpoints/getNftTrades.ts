import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import {
  looseHash,
  nftData,
  queryAccountId,
  queryBoolean,
  queryInteger,
  queryLimit,
  queryMilliseconds,
  queryOffset,
} from '../fields.ts';
import { totalNum } from '../resources.ts';
import { rowDoc } from '../rowDoc.ts';
import { z } from '../zod.ts';

export const getNftTrades = readEndpoint({
  path: '/api/v3/user/nft/trades',
  summary: doc?.('NFT trades of an account'),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      nftData: z.optional(nftData()),
      orderHash: described(z.optional(looseHash()), doc?.('Of either order')),
      tradeHash: z.optional(looseHash()),
      start: described(z.optional(queryMilliseconds()), doc?.('Settled at or after, ms')),
      end: described(z.optional(queryMilliseconds()), doc?.('Settled at or before, ms')),
      startId: described(
        z.optional(queryInteger()),
        doc?.('Rows with this id and older ones; with isASC this id and newer ones'),
      ),
      limit: z.optional(queryLimit()),
      offset: z.optional(queryOffset()),
      isASC: described(z.optional(queryBoolean()), doc?.('True: oldest first')),
    }),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      trades: described(
        z.array(z.array(z.string())),
        doc?.(
          rowDoc('Newest first, unless isASC asks otherwise', {
            id: 'id',
            tradeHash: 'hash of the trade',
            sellOrderHash: 'hash of the sale',
            buyOrderHash: 'hash of the purchase',
            price: 'price (whole ERC-20 tokens for one NFT)',
            nftData: 'nftData',
            count: 'number of NFTs',
            nftTokenId: 'NFT slot of the account',
            tokenId: 'id of the ERC-20 token',
            sellFee: 'fee of the seller',
            buyFee: 'fee of the buyer',
            blockId: 'block id',
            indexInBlock: 'index in block',
            sellerId: "the seller's account id",
            buyerId: "the buyer's account id",
            sellStorageId: 'storage id of the sale',
            buyStorageId: 'storage id of the purchase',
            createdAt: 'time (ms)',
            submitterId: "the submitter's account id",
          }),
        ),
      ),
    }),
});
