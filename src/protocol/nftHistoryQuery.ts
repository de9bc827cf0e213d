import { z } from 'zod';
import { deferred } from './deferred.ts';
import {
  hashList,
  nftData,
  queryAccountId,
  queryInteger,
  queryLimit,
  queryMilliseconds,
  requestStatusList,
} from './fields.ts';

/** Query of the NFT histories. */
export const nftHistoryQuery = deferred(() =>
  z.strictObject({
    accountId: queryAccountId,
    nftData: nftData.optional(),
    start: queryMilliseconds.optional().describe('Created at or after, ms'),
    end: queryMilliseconds.optional().describe('Created at or before, ms'),
    startId: queryInteger().optional().describe('Rows with this id and older ones'),
    limit: queryLimit.optional(),
    txStatus: requestStatusList.optional(),
    hashes: hashList.optional().describe('L2 hashes; L1 transaction hashes for deposits'),
  }),
);
