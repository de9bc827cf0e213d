import { acceptNftDeployment } from '../engine/accept/acceptNftDeployment.ts';
import type { Route } from '../server/route.ts';

export const deployTokenAddress: Route<'deployTokenAddress'> = {
  accountId: (_query, body) => body.transfer.payerId,
  invalid: {
    'transfer.exchange': 'EXCHANGE_ID_INCORRECT',
    'transfer.payerId': 'ACCOUNT_ID_INVALID',
    'transfer.payerAddr': 'SENDER_INVALID',
    'transfer.payeeAddr': 'RECEIVER_INVALID',
    'transfer.payeeId': 'RECEIVER_INVALID',
    'transfer.token.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    'transfer.maxFee.tokenId': 'FEE_TOKEN_INCONSISTENT',
    'transfer.storageId': 'STORAGE_ID_INVALID',
    'transfer.eddsaSignature': 'SIGNATURE_WRONG',
    'transfer.ecdsaSignature': 'SIGNATURE_WRONG',
  },
  handle: async ({ relayer, body, account }) => {
    const { txHash, isIdempotent } = await acceptNftDeployment(relayer, account, body);
    const { transfer } = body;
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
