import { acceptNftOrder } from '../engine/accept/acceptNftOrder.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const validateOrder: Route<'validateOrder'> = {
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    accountId: 'ACCOUNT_ID_INVALID',
    storageId: 'ORDER_ID_INVALID',
    'sellToken.tokenId': 'TOKEN_UNSUPPORTED',
    // The hash refuses a pair without any NFT under this name.
    'buyToken.tokenId': 'FEE_TOKEN_INCONSISTENT',
    maxFeeBips: 'RATE_ILLEGAL',
    validUntil: 'ORDER_EXPIRED',
    'eddsaSignature.missing': 'ORDER_SIGNATURE_MISSING',
    'eddsaSignature.empty': 'SIGNATURE_MISSING',
    eddsaSignature: 'SIGNATURE_WRONG',
    allOrNone: 'ORDER_INVALID',
  },
  handle: async (call) => {
    const { hash, status, isIdempotent } = await acceptNftOrder(call.relayer, keyAccount(call), call.body);
    const { accountId, sellToken, storageId } = call.body;
    return { hash, status, isIdempotent, accountId, tokenId: sellToken.tokenId, storageId };
  },
};
