import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import type { Token } from '../engine/catalog.ts';
import { fastLimit } from '../engine/fastWithdrawals.ts';
import { feeTokens, quoteFee } from '../engine/fees.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getExchangeInfo: Route<'getExchangeInfo'> = {
  handle: async ({ relayer }) => ({
    chainId: relayer.config.chainId,
    exchangeAddress: relayer.config.exchangeAddress,
    depositAddress: relayer.config.depositAddress,
    ...(await feeLists(relayer)),
    onchainFees: [],
  }),
};

/**
 * Nothing without a gas price: clients need the addresses also for what has no fee, such as
 * cancelling.
 */
async function feeLists(relayer: Relayer) {
  try {
    return {
      ammExitFees: await feeList(relayer, feeRequestTypes.AMM_EXIT),
      fastWithdrawalFees: await feeList(
        relayer,
        feeRequestTypes.FAST_WITHDRAWAL,
        feeTokens(relayer).filter((token) => fastLimit(relayer, token) > 0n),
      ),
      openAccountFees: await feeList(relayer, feeRequestTypes.OPEN_ACCOUNT),
      transferFees: await feeList(relayer, feeRequestTypes.TRANSFER),
      updateFees: await feeList(relayer, feeRequestTypes.ACCOUNT_UPDATE),
      withdrawalFees: await feeList(relayer, feeRequestTypes.WITHDRAWAL),
    };
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'GAS_PRICE_UNAVAILABLE') return {};
    throw error;
  }
}

async function feeList(
  relayer: Relayer,
  requestType: number,
  tokens: readonly Token[] = feeTokens(relayer, requestType),
) {
  return Promise.all(
    tokens.map(async (token) => ({
      token: token.symbol,
      fee: (await quoteFee(relayer, requestType, token)).toString(),
    })),
  );
}
