import { acceptAccountUpdate } from '../engine/accept/acceptAccountUpdate.ts';
import type { Route } from '../server/route.ts';

export const updateAccount: Route<'updateAccount'> = {
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    accountId: 'RECEIVER_INVALID',
    owner: 'SENDER_INVALID',
    nonce: 'NONCE_INVALID',
    'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    ecdsaSignature: 'SIGNATURE_WRONG',
    eddsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async ({ relayer, body, headerSignature }) => ({
    ...(await acceptAccountUpdate(relayer, body, headerSignature)),
    accountId: body.accountId,
    tokenId: body.maxFee.tokenId,
  }),
};
