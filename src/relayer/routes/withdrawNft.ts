import { acceptNftWithdrawal } from '../engine/accept/acceptNftWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';
import { withdrawalFields } from './movingFields.ts';

export const withdrawNft: Route<'withdrawNft'> = {
  invalid: withdrawalFields,
  handle: async (call) => {
    const { body } = call;
    const ack = await acceptNftWithdrawal(call.relayer, keyAccount(call), body, call.headerSignature);
    const { tokenId } = body.token;
    return { ...ack, accountId: body.accountId, tokenId, storageId: body.storageId, raw_data: ack };
  },
};
