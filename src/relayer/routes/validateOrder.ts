import { acceptNftOrder } from '../engine/accept/acceptNftOrder.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const validateOrder: Route<'validateOrder'> = {
  invalid: {
    exchange: 102001,
    accountId: 102003,
    storageId: 102004,
    'sellToken.tokenId': 102002,
    // The hash refuses a pair without any NFT under this name.
    'buyToken.tokenId': 102025,
    maxFeeBips: 102006,
    validUntil: 102008,
    'eddsaSignature.missing': 102010,
    eddsaSignature: 104004,
    allOrNone: 102120,
  },
  handle: async (call) => {
    const { hash, status, isIdempotent } = await acceptNftOrder(call.relayer, keyAccount(call), call.body);
    const { accountId, sellToken, storageId } = call.body;
    return { hash, status, isIdempotent, accountId, tokenId: sellToken.tokenId, storageId };
  },
};
