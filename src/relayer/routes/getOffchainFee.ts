import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import { findAccount } from '../engine/accounts.ts';
import type { Token } from '../engine/catalog.ts';
import { fastRoom } from '../engine/fastWithdrawals.ts';
import { feeTokens, hasFee, quoteFee, requestShare } from '../engine/fees.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getOffchainFee: Route<'getOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    const owner = (await findAccount(relayer.db, query.accountId))?.owner ?? '';
    if (!hasFee(query.requestType))
      throw new Refusal('INVALID_ARGUMENT', `requestType ${query.requestType} has no fee here`);
    const moved = query.tokenSymbol === undefined ? undefined : relayer.catalog.tokenBySymbol(query.tokenSymbol);
    if (query.tokenSymbol !== undefined && !moved)
      throw new Refusal('FEE_TOKEN_NOT_ACCEPTED', `tokenSymbol ${query.tokenSymbol} is not listed`);
    const tokens =
      query.requestType === feeRequestTypes.FAST_WITHDRAWAL
        ? await fastFeeTokens(relayer, moved, BigInt(query.amount ?? 0))
        : feeTokens(relayer, query.requestType);
    return feeAnswer(relayer, query.requestType, owner, tokens);
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

/**
 * What a request of this kind costs the owner now, in each of the tokens.
 * @param units - of a kind whose cost is estimated.
 */
export const feeAnswer = async (
  relayer: Relayer,
  requestType: Parameters<typeof quoteFee>[1],
  owner: string,
  tokens: readonly Token[],
  units?: bigint,
) => ({
  gasPrice: (await currentGasPrice(relayer)).wei.toString(),
  fees: await Promise.all(
    tokens.map(async (token) => ({
      token: token.symbol,
      fee: (await quoteFee(relayer, requestType, token, owner, units)).toString(),
      discount: requestShare(relayer, requestType, owner) / 100,
    })),
  ),
});
