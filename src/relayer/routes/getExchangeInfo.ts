import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import type { Token } from '../engine/catalog.ts';
import { fastLimit } from '../engine/fastWithdrawals.ts';
import { feeTokens, quoteFee } from '../engine/fees.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Route } from '../server/route.ts';

export const getExchangeInfo: Route<'getExchangeInfo'> = {
  handle: async ({ relayer }) => ({
    chainId: relayer.config.chainId,
    exchangeAddress: relayer.config.exchangeAddress,
    depositAddress: relayer.config.depositAddress,
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
    onchainFees: [],
  }),
};

async function feeList(relayer: Relayer, requestType: number, tokens: readonly Token[] = feeTokens(relayer)) {
  return Promise.all(
    tokens.map(async (token) => ({
      token: token.symbol,
      fee: (await quoteFee(relayer, requestType, token)).toString(),
    })),
  );
}
