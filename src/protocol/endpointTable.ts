import type { Endpoint } from './endpoint.ts';
import { cancelOrder } from './endpoints/cancelOrder.ts';
import { cancelOrdersByClientOrderId } from './endpoints/cancelOrdersByClientOrderId.ts';
import { cancelOrdersByHash } from './endpoints/cancelOrdersByHash.ts';
import { computeTokenAddress } from './endpoints/computeTokenAddress.ts';
import { deployTokenAddress } from './endpoints/deployTokenAddress.ts';
import { exitAmmPool } from './endpoints/exitAmmPool.ts';
import { getAccount } from './endpoints/getAccount.ts';
import { getAmmBalance } from './endpoints/getAmmBalance.ts';
import { getAmmBalances } from './endpoints/getAmmBalances.ts';
import { getAmmPools } from './endpoints/getAmmPools.ts';
import { getAmmPoolsStats } from './endpoints/getAmmPoolsStats.ts';
import { getAmmTrades } from './endpoints/getAmmTrades.ts';
import { getAmmTransactions } from './endpoints/getAmmTransactions.ts';
import { getApiKey } from './endpoints/getApiKey.ts';
import { getAvailableBroker } from './endpoints/getAvailableBroker.ts';
import { getBalanceProof } from './endpoints/getBalanceProof.ts';
import { getBalances } from './endpoints/getBalances.ts';
import { getBlock } from './endpoints/getBlock.ts';
import { getBlockBytes } from './endpoints/getBlockBytes.ts';
import { getCandlestick } from './endpoints/getCandlestick.ts';
import { getCode } from './endpoints/getCode.ts';
import { getCounterFactualInfo } from './endpoints/getCounterFactualInfo.ts';
import { getDeposits } from './endpoints/getDeposits.ts';
import { getDepth } from './endpoints/getDepth.ts';
import { getExchangeInfo } from './endpoints/getExchangeInfo.ts';
import { getFeeInfo } from './endpoints/getFeeInfo.ts';
import { getLatestTokenPrices } from './endpoints/getLatestTokenPrices.ts';
import { getMarkets } from './endpoints/getMarkets.ts';
import { getMixCandlestick } from './endpoints/getMixCandlestick.ts';
import { getMixDepth } from './endpoints/getMixDepth.ts';
import { getMixMarkets } from './endpoints/getMixMarkets.ts';
import { getMixTicker } from './endpoints/getMixTicker.ts';
import { getNftBalances } from './endpoints/getNftBalances.ts';
import { getNftData } from './endpoints/getNftData.ts';
import { getNftDeposits } from './endpoints/getNftDeposits.ts';
import { getNftMints } from './endpoints/getNftMints.ts';
import { getNftOffchainFee } from './endpoints/getNftOffchainFee.ts';
import { getNftOrderFee } from './endpoints/getNftOrderFee.ts';
import { getNftOrderUserRateAmount } from './endpoints/getNftOrderUserRateAmount.ts';
import { getNfts } from './endpoints/getNfts.ts';
import { getNftTrades } from './endpoints/getNftTrades.ts';
import { getNftTransactions } from './endpoints/getNftTransactions.ts';
import { getNftTransfers } from './endpoints/getNftTransfers.ts';
import { getNftWithdrawals } from './endpoints/getNftWithdrawals.ts';
import { getOffchainFee } from './endpoints/getOffchainFee.ts';
import { getOrder } from './endpoints/getOrder.ts';
import { getOrders } from './endpoints/getOrders.ts';
import { getOrderUserRateAmount } from './endpoints/getOrderUserRateAmount.ts';
import { getPrice } from './endpoints/getPrice.ts';
import { getSocketKey } from './endpoints/getSocketKey.ts';
import { getStorageId } from './endpoints/getStorageId.ts';
import { getTicker } from './endpoints/getTicker.ts';
import { getTimestamp } from './endpoints/getTimestamp.ts';
import { getTokens } from './endpoints/getTokens.ts';
import { getTrades } from './endpoints/getTrades.ts';
import { getTransfers } from './endpoints/getTransfers.ts';
import { getUserFeeRates } from './endpoints/getUserFeeRates.ts';
import { getUserOrderFee } from './endpoints/getUserOrderFee.ts';
import { getUserTrades } from './endpoints/getUserTrades.ts';
import { getUserTransactions } from './endpoints/getUserTransactions.ts';
import { getWithdrawalAgents } from './endpoints/getWithdrawalAgents.ts';
import { getWithdrawals } from './endpoints/getWithdrawals.ts';
import { joinAmmPool } from './endpoints/joinAmmPool.ts';
import { mintNft } from './endpoints/mintNft.ts';
import { resetApiKey } from './endpoints/resetApiKey.ts';
import { submitOrder } from './endpoints/submitOrder.ts';
import { submitOrders } from './endpoints/submitOrders.ts';
import { submitTransfer } from './endpoints/submitTransfer.ts';
import { submitWithdrawal } from './endpoints/submitWithdrawal.ts';
import { tradeNft } from './endpoints/tradeNft.ts';
import { transferNft } from './endpoints/transferNft.ts';
import { updateAccount } from './endpoints/updateAccount.ts';
import { validateOrder } from './endpoints/validateOrder.ts';
import { withdrawNft } from './endpoints/withdrawNft.ts';
import type { z } from './zod.ts';

/** Gives each endpoint the name under which it stands in the table. */
function named<Table extends Record<string, Omit<Endpoint, 'name'>>>(table: Table) {
  // Not copied: the schemas are built when they are first read.
  for (const [name, endpoint] of Object.entries(table)) Object.assign(endpoint, { name });
  return table as { readonly [Name in keyof Table]: Table[Name] & { readonly name: Name } };
}

/**
 * Every endpoint by name: the wallet's client, the relayer's routes, the OpenAPI document and the
 * tests read this.
 */
export const endpoints = named({
  getTimestamp,
  getExchangeInfo,
  getTokens,
  getMarkets,
  getMixMarkets,
  getAmmPools,
  getAmmBalances,
  getAmmBalance,
  getDepth,
  getMixDepth,
  getTicker,
  getMixTicker,
  getCandlestick,
  getMixCandlestick,
  getTrades,
  getAmmTrades,
  getPrice,
  getLatestTokenPrices,
  getAmmPoolsStats,
  getFeeInfo,
  getWithdrawalAgents,
  getUserFeeRates,
  getUserOrderFee,
  getSocketKey,
  getAccount,
  updateAccount,
  getApiKey,
  resetApiKey,
  getCounterFactualInfo,
  getStorageId,
  getBalances,
  getOffchainFee,
  submitOrder,
  submitOrders,
  cancelOrder,
  cancelOrdersByHash,
  cancelOrdersByClientOrderId,
  getOrder,
  getOrders,
  getOrderUserRateAmount,
  submitTransfer,
  getTransfers,
  submitWithdrawal,
  getWithdrawals,
  getDeposits,
  getUserTransactions,
  getUserTrades,
  joinAmmPool,
  exitAmmPool,
  getAmmTransactions,
  computeTokenAddress,
  getCode,
  getAvailableBroker,
  deployTokenAddress,
  getNftOffchainFee,
  mintNft,
  transferNft,
  withdrawNft,
  validateOrder,
  tradeNft,
  getNftTrades,
  getNftData,
  getNfts,
  getNftBalances,
  getNftOrderUserRateAmount,
  getNftOrderFee,
  getNftDeposits,
  getNftTransfers,
  getNftTransactions,
  getNftMints,
  getNftWithdrawals,
  getBlock,
  getBlockBytes,
  getBalanceProof,
});

export type EndpointName = keyof typeof endpoints;

/** Query of an endpoint as a caller writes it; the client turns numbers and booleans into text. */
export type EndpointQuery<N extends EndpointName> = z.input<(typeof endpoints)[N]['query']>;

/** Body of an endpoint as a caller writes it. */
export type EndpointBody<N extends EndpointName> = z.input<(typeof endpoints)[N]['body']>;

/** Answer of an endpoint after it was checked. */
export type EndpointAnswer<N extends EndpointName> = z.output<(typeof endpoints)[N]['answer']>;
