import { acceptNftWithdrawal } from '../engine/accept/acceptNftWithdrawal.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const withdrawNft: Route<'withdrawNft'> = {
  invalid: bodyFields,
  handle: async ({ relayer, body, account, headerSignature }) => {
    const ack = await acceptNftWithdrawal(relayer, account, body, headerSignature);
    const { tokenId } = body.token;
    return { ...ack, accountId: body.accountId, tokenId, storageId: body.storageId, raw_data: ack };
  },
};
