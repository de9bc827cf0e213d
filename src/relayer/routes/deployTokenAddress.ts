import { acceptNftDeployment } from '../engine/accept/acceptNftDeployment.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const deployTokenAddress: Route<'deployTokenAddress'> = {
  accountId: (_query, body) => body.transfer.payerId,
  invalid: {
    'transfer.exchange': 102001,
    'transfer.payerId': 102003,
    'transfer.payerAddr': 102022,
    'transfer.payeeAddr': 102023,
    'transfer.payeeId': 102023,
    'transfer.token.tokenId': 102024,
    'transfer.maxFee.tokenId': 102025,
    'transfer.storageId': 102030,
    'transfer.eddsaSignature': 104005,
    'transfer.ecdsaSignature': 104005,
  },
  handle: async (call) => {
    const { txHash, isIdempotent } = await acceptNftDeployment(call.relayer, keyAccount(call), call.body);
    const { transfer } = call.body;
    return {
      hash: txHash,
      status: 'SEND_TX_SUCCESS',
      isIdempotent,
      accountId: transfer.payerId,
      tokenId: transfer.token.tokenId,
      storageId: transfer.storageId,
    };
  },
};
