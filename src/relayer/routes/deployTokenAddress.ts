import { acceptNftDeployment } from '../engine/accept/acceptNftDeployment.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const deployTokenAddress: Route<'deployTokenAddress'> = {
  accountId: (_query, body) => body.transfer.payerId,
  invalid: {
    ...Object.fromEntries(Object.entries(bodyFields).map(([field, code]) => [`transfer.${field}`, code])),
    'transfer.token.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    'transfer.maxFee.tokenId': 'FEE_TOKEN_INCONSISTENT',
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
