import { acceptNftMint } from '../engine/accept/acceptNftMint.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const mintNft: Route<'mintNft'> = {
  accountId: (_query, body) => body.minterId,
  invalid: { ...bodyFields, ecdsaSignature: 'INVALID_ARGUMENT' },
  handle: async ({ relayer, body, account }) => {
    const ack = await acceptNftMint(relayer, account, body);
    // The document's form, beside the flat one of running relayers.
    return { ...ack, accountId: body.minterId, storageId: body.storageId, raw_data: ack };
  },
};
