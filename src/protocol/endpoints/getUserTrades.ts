import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { fillTypes, looseHash, queryAccountId, queryLimit, queryOffset } from '../fields.ts';
import { totalNum } from '../resources.ts';
import { rowDoc } from '../rowDoc.ts';
import { z } from '../zod.ts';

export const getUserTrades = readEndpoint({
  path: '/api/v3/user/trades',
  summary: doc?.('Trades of an account'),
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      market: described(z.optional(z.string().check(z.maxLength(64))), doc?.('Trading pair, BASE-QUOTE')),
      orderHash: z.optional(looseHash()),
      offset: z.optional(queryOffset()),
      limit: z.optional(queryLimit()),
      fillTypes: z.optional(fillTypes()),
    }),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      trades: described(
        z.array(z.array(z.string())),
        doc?.(
          rowDoc('Newest first', {
            createdAt: 'time (ms)',
            id: 'id',
            side: "the account's side",
            size: 'base amount',
            price: 'price',
            market: 'market',
            fee: 'fee in the token bought',
            blockId: 'block id',
            indexInBlock: 'index in block',
            accountId: 'account id',
            tokenId: 'id of the token sold',
            storageId: 'storage id of the order',
            orderHash: 'hash of the order',
            role: 'maker or taker',
          }),
        ),
      ),
    }),
});
