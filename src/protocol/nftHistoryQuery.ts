import { described } from './described.ts';
import { doc } from './doc.ts';
import {
  hashList,
  nftData,
  queryAccountId,
  queryInteger,
  queryLimit,
  queryMilliseconds,
  requestStatusList,
} from './fields.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Query of the NFT histories. */
export const nftHistoryQuery = once(() =>
  z.strictObject({
    accountId: queryAccountId(),
    nftData: z.optional(nftData()),
    start: described(z.optional(queryMilliseconds()), doc?.('Created at or after, ms')),
    end: described(z.optional(queryMilliseconds()), doc?.('Created at or before, ms')),
    startId: described(z.optional(queryInteger()), doc?.('Rows with this id and older ones')),
    limit: z.optional(queryLimit()),
    txStatus: z.optional(requestStatusList()),
    hashes: described(z.optional(hashList()), doc?.('L2 hashes; L1 transaction hashes for deposits')),
  }),
);
