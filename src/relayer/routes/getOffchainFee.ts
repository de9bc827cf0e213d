import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import { feeTokens, hasFee, quoteFee } from '../engine/fees.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getOffchainFee: Route<'getOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    if (!hasFee(query.requestType))
      throw new Refusal('INVALID_ARGUMENT', `requestType ${query.requestType} has no fee here`);
    const moved = query.tokenSymbol === undefined ? undefined : relayer.catalog.tokenBySymbol(query.tokenSymbol);
    if (query.tokenSymbol !== undefined && !moved)
      throw new Refusal('FEE_TOKEN_NOT_ACCEPTED', `tokenSymbol ${query.tokenSymbol} is not listed`);
    // A fast withdrawal is paid in the token that is withdrawn.
    const tokens = feeTokens(relayer).filter(
      (token) => query.requestType !== feeRequestTypes.FAST_WITHDRAWAL || moved === undefined || token === moved,
    );
    return {
      gasPrice: (await currentGasPrice(relayer)).wei.toString(),
      fees: await Promise.all(
        tokens.map(async (token) => ({
          token: token.symbol,
          fee: (await quoteFee(relayer, query.requestType, token)).toString(),
          discount: 1,
        })),
      ),
    };
  },
};
