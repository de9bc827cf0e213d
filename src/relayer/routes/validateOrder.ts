import { acceptNftOrder } from '../engine/accept/acceptNftOrder.ts';
import type { Route } from '../server/route.ts';
import { submitOrder } from './submitOrder.ts';

export const validateOrder: Route<'validateOrder'> = {
  // The hash refuses a pair without any NFT under this name.
  invalid: { ...submitOrder.invalid, 'buyToken.tokenId': 'FEE_TOKEN_INCONSISTENT' },
  handle: async ({ relayer, body, account }) => {
    const { hash, status, isIdempotent } = await acceptNftOrder(relayer, account, body);
    const { accountId, sellToken, storageId } = body;
    return { hash, status, isIdempotent, accountId, tokenId: sellToken.tokenId, storageId };
  },
};
