import { acceptNftMint } from '../engine/accept/acceptNftMint.ts';
import { keyAccount, type Route } from '../server/route.ts';

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
  handle: async (call) => {
    const ack = await acceptNftMint(call.relayer, keyAccount(call), call.body);
    // The document's form, beside the flat one of running relayers.
    return { ...ack, accountId: call.body.minterId, storageId: call.body.storageId, raw_data: ack };
  },
};
