import { acceptNftTransfer } from '../engine/accept/acceptNftTransfer.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const transferNft: Route<'transferNft'> = {
  accountId: (_query, body) => body.fromAccountId,
  invalid: bodyFields,
  handle: async ({ relayer, body, account, headerSignature }) => {
    const ack = await acceptNftTransfer(relayer, account, body, headerSignature);
    const { tokenId } = body.token;
    return { ...ack, accountId: body.fromAccountId, tokenId, storageId: body.storageId, raw_data: ack };
  },
};
