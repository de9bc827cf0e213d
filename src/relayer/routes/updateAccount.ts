import { acceptAccountUpdate } from '../engine/accept/acceptAccountUpdate.ts';
import type { Route } from '../server/route.ts';

export const updateAccount: Route<'updateAccount'> = {
  invalid: {
    exchange: 102001,
    accountId: 102023,
    owner: 102022,
    nonce: 102021,
    'maxFee.tokenId': 102024,
    ecdsaSignature: 104005,
    eddsaSignature: 104005,
  },
  handle: async ({ relayer, body, headerSignature }) => {
    const { hash, status, isIdempotent } = await acceptAccountUpdate(relayer, body, headerSignature);
    return { hash, status, isIdempotent, accountId: body.accountId, tokenId: body.maxFee.tokenId };
  },
};
