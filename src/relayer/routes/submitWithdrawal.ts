import { acceptWithdrawal } from '../engine/accept/acceptWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const submitWithdrawal: Route<'submitWithdrawal'> = {
  invalid: {
    exchange: 102001,
    accountId: 102003,
    owner: 102022,
    to: 102023,
    'token.tokenId': 102002,
    'maxFee.tokenId': 102024,
    storageId: 102030,
    eddsaSignature: 104005,
    ecdsaSignature: 104005,
  },
  handle: async (call) => {
    const { body } = call;
    const ack = await acceptWithdrawal(call.relayer, keyAccount(call), body, call.headerSignature);
    return {
      hash: ack.hash,
      status: ack.status,
      isIdempotent: ack.isIdempotent,
      accountId: body.accountId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
    };
  },
};
