import { acceptNftMint } from '../engine/accept/acceptNftMint.ts';
import type { Route } from '../server/route.ts';

export const mintNft: Route<'mintNft'> = {
  accountId: (_query, body) => body.minterId,
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    minterId: 'ACCOUNT_ID_INVALID',
    minterAddress: 'SENDER_INVALID',
    toAccountId: 'RECEIVER_INVALID',
    toAddress: 'RECEIVER_INVALID',
    'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    storageId: 'STORAGE_ID_INVALID',
    eddsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async ({ relayer, body, account }) => {
    const ack = await acceptNftMint(relayer, account, body);
    // The document's form, beside the flat one of running relayers.
    return { ...ack, accountId: body.minterId, storageId: body.storageId, raw_data: ack };
  },
};
