import { acceptTransfer } from '../engine/accept/acceptTransfer.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const submitTransfer: Route<'submitTransfer'> = {
  accountId: (_query, body) => body.payerId,
  invalid: {
    exchange: 102001,
    payerId: 102003,
    payerAddr: 102022,
    payeeId: 102023,
    payeeAddr: 102023,
    'token.tokenId': 102002,
    'maxFee.tokenId': 102024,
    storageId: 102030,
    eddsaSignature: 104005,
    ecdsaSignature: 104005,
  },
  handle: async (call) => {
    const { body } = call;
    const ack = await acceptTransfer(call.relayer, keyAccount(call), body, call.headerSignature);
    return {
      hash: ack.hash,
      status: ack.status,
      isIdempotent: ack.isIdempotent,
      accountId: body.payerId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
    };
  },
};
