import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getBalanceProof: Route<'getBalanceProof'> = {
  handle: async ({ relayer, query: { accountId, tokenId } }) => {
    const proven = await relayer.state.prove(accountId, tokenId);
    if (!proven) throw new Refusal('INVALID_ARGUMENT', 'no block has roots yet');
    const { proof, ...block } = proven;
    if (!proof)
      throw new Refusal(
        'TOKEN_UNSUPPORTED',
        `tokenId: slot ${tokenId} of account ${accountId} is empty, and has no proof`,
      );
    return { ...block, proof };
  },
};
