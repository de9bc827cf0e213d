import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import type { Token } from '../engine/catalog.ts';
import { fastRoom } from '../engine/fastWithdrawals.ts';
import { feeTokens, hasFee, quoteFees } from '../engine/fees.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getOffchainFee: Route<'getOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    if (!hasFee(query.requestType))
      throw new Refusal('INVALID_ARGUMENT', `requestType ${query.requestType} has no fee here`);
    const moved = query.tokenSymbol === undefined ? undefined : relayer.catalog.tokenBySymbol(query.tokenSymbol);
    if (query.tokenSymbol !== undefined && !moved)
      throw new Refusal('FEE_TOKEN_NOT_ACCEPTED', `tokenSymbol ${query.tokenSymbol} is not listed`);
    const tokens =
      query.requestType === feeRequestTypes.FAST_WITHDRAWAL
        ? await fastFeeTokens(relayer, moved, BigInt(query.amount ?? 0))
        : feeTokens(relayer, query.requestType);
    return quoteFees(relayer, query.accountId, query.requestType, tokens);
  },
};

/**
 * A fast withdrawal is paid in the token that is withdrawn, and offered while the amount fits the
 * token's limit.
 */
async function fastFeeTokens(relayer: Relayer, moved: Token | undefined, amount: bigint): Promise<Token[]> {
  const tokens = feeTokens(relayer).filter((token) => moved === undefined || token === moved);
  const rooms = await Promise.all(tokens.map((token) => fastRoom(relayer, relayer.db, token)));
  return tokens.filter((_, index) => (rooms[index] ?? 0n) > 0n && (rooms[index] ?? 0n) >= amount);
}
