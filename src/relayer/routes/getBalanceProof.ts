import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getBalanceProof: Route<'getBalanceProof'> = {
  handle: async ({ relayer, query: { accountId, tokenId, blockId } }) => {
    const proven = await relayer.state.prove(accountId, tokenId, blockId);
    if (!proven) throw new Refusal('INVALID_ARGUMENT', 'no block has roots yet');
    if (proven === 'behind')
      throw new Refusal('INVALID_ARGUMENT', 'the relayer still reads its earlier blocks; ask again in a minute');
    if ('oldest' in proven)
      throw new Refusal(
        'INVALID_ARGUMENT',
        `blockId: balances are proven at blocks ${proven.oldest} to ${proven.newest}, not at ${blockId}`,
      );
    const { proof, ...block } = proven;
    if (!proof)
      throw new Refusal(
        'TOKEN_UNSUPPORTED',
        `tokenId: slot ${tokenId} of account ${accountId} is empty, and has no proof`,
      );
    return { ...block, proof };
  },
};
