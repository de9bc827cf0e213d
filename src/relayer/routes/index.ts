import type { EndpointName } from '../../protocol/endpointTable.ts';
import type { Route } from '../server/route.ts';
import { cancelOrder } from './cancelOrder.ts';
import { cancelOrdersByClientOrderId } from './cancelOrdersByClientOrderId.ts';
import { cancelOrdersByHash } from './cancelOrdersByHash.ts';
import { computeTokenAddress } from './computeTokenAddress.ts';
import { deployTokenAddress } from './deployTokenAddress.ts';
import { exitAmmPool } from './exitAmmPool.ts';
import { getAccount } from './getAccount.ts';
import { getAmmBalance } from './getAmmBalance.ts';
import { getAmmBalances } from './getAmmBalances.ts';
import { getAmmPools } from './getAmmPools.ts';
import { getAmmPoolsStats } from './getAmmPoolsStats.ts';
import { getAmmTrades } from './getAmmTrades.ts';
import { getAmmTransactions } from './getAmmTransactions.ts';
import { getApiKey } from './getApiKey.ts';
import { getAvailableBroker } from './getAvailableBroker.ts';
import { getBalanceProof } from './getBalanceProof.ts';
import { getBalances } from './getBalances.ts';
import { getBlock } from './getBlock.ts';
import { getBlockBytes } from './getBlockBytes.ts';
import { getCandlestick } from './getCandlestick.ts';
import { getCode } from './getCode.ts';
import { getCounterFactualInfo } from './getCounterFactualInfo.ts';
import { getDeposits } from './getDeposits.ts';
import { getDepth } from './getDepth.ts';
import { getExchangeInfo } from './getExchangeInfo.ts';
import { getFeeInfo } from './getFeeInfo.ts';
import { getLatestTokenPrices } from './getLatestTokenPrices.ts';
import { getMarkets } from './getMarkets.ts';
import { getMixCandlestick } from './getMixCandlestick.ts';
import { getMixDepth } from './getMixDepth.ts';
import { getMixMarkets } from './getMixMarkets.ts';
import { getMixTicker } from './getMixTicker.ts';
import { getNftBalances } from './getNftBalances.ts';
import { getNftData } from './getNftData.ts';
import { getNftDeposits } from './getNftDeposits.ts';
import { getNftMints } from './getNftMints.ts';
import { getNftOffchainFee } from './getNftOffchainFee.ts';
import { getNftOrderFee } from './getNftOrderFee.ts';
import { getNftOrderUserRateAmount } from './getNftOrderUserRateAmount.ts';
import { getNfts } from './getNfts.ts';
import { getNftTrades } from './getNftTrades.ts';
import { getNftTransactions } from './getNftTransactions.ts';
import { getNftTransfers } from './getNftTransfers.ts';
import { getNftWithdrawals } from './getNftWithdrawals.ts';
import { getOffchainFee } from './getOffchainFee.ts';
import { getOrder } from './getOrder.ts';
import { getOrders } from './getOrders.ts';
import { getOrderUserRateAmount } from './getOrderUserRateAmount.ts';
import { getPrice } from './getPrice.ts';
import { getSocketKey } from './getSocketKey.ts';
import { getStorageId } from './getStorageId.ts';
import { getTicker } from './getTicker.ts';
import { getTimestamp } from './getTimestamp.ts';
import { getTokens } from './getTokens.ts';
import { getTrades } from './getTrades.ts';
import { getTransfers } from './getTransfers.ts';
import { getUserFeeRates } from './getUserFeeRates.ts';
import { getUserOrderFee } from './getUserOrderFee.ts';
import { getUserTrades } from './getUserTrades.ts';
import { getUserTransactions } from './getUserTransactions.ts';
import { getWithdrawalAgents } from './getWithdrawalAgents.ts';
import { getWithdrawals } from './getWithdrawals.ts';
import { joinAmmPool } from './joinAmmPool.ts';
import { mintNft } from './mintNft.ts';
import { resetApiKey } from './resetApiKey.ts';
import { submitOrder } from './submitOrder.ts';
import { submitOrders } from './submitOrders.ts';
import { submitTransfer } from './submitTransfer.ts';
import { submitWithdrawal } from './submitWithdrawal.ts';
import { tradeNft } from './tradeNft.ts';
import { transferNft } from './transferNft.ts';
import { updateAccount } from './updateAccount.ts';
import { validateOrder } from './validateOrder.ts';
import { withdrawNft } from './withdrawNft.ts';

/** One route for every endpoint of the table; a missing one does not compile. */
export const routes: { readonly [N in EndpointName]: Route<N> } = {
  cancelOrder,
  cancelOrdersByClientOrderId,
  cancelOrdersByHash,
  computeTokenAddress,
  deployTokenAddress,
  exitAmmPool,
  getAccount,
  getAmmBalance,
  getAmmBalances,
  getAmmPools,
  getAmmTransactions,
  getCandlestick,
  getMixCandlestick,
  getTrades,
  getAmmTrades,
  getDepth,
  getMixDepth,
  getTicker,
  getMixTicker,
  getPrice,
  getLatestTokenPrices,
  getAmmPoolsStats,
  getFeeInfo,
  getUserFeeRates,
  getUserOrderFee,
  getWithdrawalAgents,
  getApiKey,
  getAvailableBroker,
  getBalances,
  getBlock,
  getBlockBytes,
  getBalanceProof,
  getCode,
  getCounterFactualInfo,
  getDeposits,
  getExchangeInfo,
  getMarkets,
  getMixMarkets,
  getNftBalances,
  getNftData,
  getNftDeposits,
  getNftMints,
  getNftOffchainFee,
  getNftOrderFee,
  getNftOrderUserRateAmount,
  getNftTrades,
  getNftTransactions,
  getNftTransfers,
  getNftWithdrawals,
  getNfts,
  getOffchainFee,
  getOrder,
  getOrderUserRateAmount,
  getOrders,
  getSocketKey,
  getStorageId,
  getTimestamp,
  getTokens,
  getTransfers,
  getUserTrades,
  getUserTransactions,
  getWithdrawals,
  joinAmmPool,
  mintNft,
  resetApiKey,
  submitOrder,
  submitOrders,
  submitTransfer,
  submitWithdrawal,
  tradeNft,
  transferNft,
  updateAccount,
  validateOrder,
  withdrawNft,
};
