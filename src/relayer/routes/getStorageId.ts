import { MIN_NFT_TOKEN_ID } from '../../protocol/limits.ts';
import { nextStorageId } from '../engine/storageSlots.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getStorageId: Route<'getStorageId'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    if (query.sellTokenId < MIN_NFT_TOKEN_ID && !relayer.catalog.token(query.sellTokenId))
      throw new Refusal('TOKEN_UNSUPPORTED', `sellTokenId: token ${query.sellTokenId} is not listed`);
    const next = (parity: 0 | 1) =>
      nextStorageId(relayer.db, accountId, query.sellTokenId, parity, query.maxNext ?? false);
    const orderId = await next(0);
    const offchainId = await next(1);
    if (orderId === undefined && offchainId === undefined)
      throw new Refusal(
        'STORAGE_ID_EXHAUSTED',
        'every storage id of this account and token is used up, or held by an open order or a waiting request',
      );
    return { ...(orderId !== undefined && { orderId }), ...(offchainId !== undefined && { offchainId }) };
  },
};
