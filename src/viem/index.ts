export { type CancelAllOrdersReturnType, type CancelledOrder, cancelAllOrders } from './actions/cancelAllOrders.ts';
export { type CancelOrderReturnType, cancelOrder } from './actions/cancelOrder.ts';
export { computeTokenAddress } from './actions/computeTokenAddress.ts';
export { type DeployNftReturnType, deployNft } from './actions/deployNft.ts';
export { type ExitAmmPoolReturnType, exitAmmPool } from './actions/exitAmmPool.ts';
export { getAccount } from './actions/getAccount.ts';
export { getAmmBalance } from './actions/getAmmBalance.ts';
export { getAmmBalances } from './actions/getAmmBalances.ts';
export { getAmmPools } from './actions/getAmmPools.ts';
export { getAmmPoolsStats } from './actions/getAmmPoolsStats.ts';
export { getAmmTrades } from './actions/getAmmTrades.ts';
export { getAmmTransactions } from './actions/getAmmTransactions.ts';
export { getAvailableBroker } from './actions/getAvailableBroker.ts';
export { getBalanceProof } from './actions/getBalanceProof.ts';
export { getBalances } from './actions/getBalances.ts';
export { getBlock } from './actions/getBlock.ts';
export { getBlockBytes } from './actions/getBlockBytes.ts';
export { getCandlestick } from './actions/getCandlestick.ts';
export { getCode } from './actions/getCode.ts';
export { getCounterFactualInfo } from './actions/getCounterFactualInfo.ts';
export { getDeposits } from './actions/getDeposits.ts';
export { getDepth } from './actions/getDepth.ts';
export { getExchangeInfo } from './actions/getExchangeInfo.ts';
export { getFeeInfo } from './actions/getFeeInfo.ts';
export { getLatestTokenPrices } from './actions/getLatestTokenPrices.ts';
export { getMarkets } from './actions/getMarkets.ts';
export { getMixCandlestick } from './actions/getMixCandlestick.ts';
export { getMixDepth } from './actions/getMixDepth.ts';
export { getMixMarkets } from './actions/getMixMarkets.ts';
export { getMixTicker } from './actions/getMixTicker.ts';
export { getNftBalances } from './actions/getNftBalances.ts';
export { getNftData } from './actions/getNftData.ts';
export { getNftDeposits } from './actions/getNftDeposits.ts';
export { getNftMints } from './actions/getNftMints.ts';
export { getNftOffchainFee } from './actions/getNftOffchainFee.ts';
export { getNftOrderFee } from './actions/getNftOrderFee.ts';
export { getNftOrderUserRateAmount } from './actions/getNftOrderUserRateAmount.ts';
export { getNfts } from './actions/getNfts.ts';
export { getNftTrades } from './actions/getNftTrades.ts';
export { getNftTransactions } from './actions/getNftTransactions.ts';
export { getNftTransfers } from './actions/getNftTransfers.ts';
export { getNftWithdrawals } from './actions/getNftWithdrawals.ts';
export { getOffchainFee } from './actions/getOffchainFee.ts';
export { getOrder } from './actions/getOrder.ts';
export { getOrders } from './actions/getOrders.ts';
export { getOrderUserRateAmount } from './actions/getOrderUserRateAmount.ts';
export { getPrice } from './actions/getPrice.ts';
export { getReceipt, type Receipt } from './actions/getReceipt.ts';
export { getRequest } from './actions/getRequest.ts';
export { getRequests, type OwnRequest } from './actions/getRequests.ts';
export { getStandingApprovals, type StandingApproval } from './actions/getStandingApprovals.ts';
export { getStorageId } from './actions/getStorageId.ts';
export { getTicker } from './actions/getTicker.ts';
export { getTimestamp } from './actions/getTimestamp.ts';
export { getTokens } from './actions/getTokens.ts';
export { getTrades } from './actions/getTrades.ts';
export { getTransfers } from './actions/getTransfers.ts';
export { getUserFeeRates } from './actions/getUserFeeRates.ts';
export { getUserOrderFee } from './actions/getUserOrderFee.ts';
export { getUserTrades } from './actions/getUserTrades.ts';
export { getUserTransactions } from './actions/getUserTransactions.ts';
export { getWithdrawalAgents } from './actions/getWithdrawalAgents.ts';
export { getWithdrawals } from './actions/getWithdrawals.ts';
export { type HardCancelReturnType, hardCancel } from './actions/hardCancel.ts';
export { type JoinAmmPoolReturnType, joinAmmPool } from './actions/joinAmmPool.ts';
export { limitOrder } from './actions/limitOrder.ts';
export { type MintNftReturnType, mintNft } from './actions/mintNft.ts';
export { type OrderPreview, type OrderProblem, previewOrder, type TokenText } from './actions/previewOrder.ts';
export { type ReplaceOrderReturnType, replaceOrder } from './actions/replaceOrder.ts';
export { type RequestStandingApprovalReturnType, requestStandingApproval } from './actions/requestStandingApproval.ts';
export { revokeStandingApproval } from './actions/revokeStandingApproval.ts';
export { type SignNftOrderReturnType, signNftOrder } from './actions/signNftOrder.ts';
export { type SubmitOneOfReturnType, submitOneOf } from './actions/submitOneOf.ts';
export { type SubmitOrderReturnType, submitOrder } from './actions/submitOrder.ts';
export { type OrderOutcome, type SubmitOrdersParameters, submitOrders } from './actions/submitOrders.ts';
export { subscribe } from './actions/subscribe.ts';
export { type TransferReturnType, transfer } from './actions/transfer.ts';
export { type TransferNftReturnType, transferNft } from './actions/transferNft.ts';
export { unsubscribe } from './actions/unsubscribe.ts';
export { type UpdateAccountKeyReturnType, updateAccountKey } from './actions/updateAccountKey.ts';
export { type WaitForSubmissionParameters, waitForSubmission } from './actions/waitForSubmission.ts';
export { type WatchOrdersParameters, watchOrders } from './actions/watchOrders.ts';
export { type EventSource, type WatchSubmissionParameters, watchSubmission } from './actions/watchSubmission.ts';
export { type WatchTopicParameters, watchTopic } from './actions/watchTopic.ts';
export { type WithdrawReturnType, withdraw } from './actions/withdraw.ts';
export { type WithdrawNftReturnType, withdrawNft } from './actions/withdrawNft.ts';
export { withdrawRequest } from './actions/withdrawRequest.ts';
export type { RelayerClient } from './ask.ts';
export {
  type DiscoverRelayerWalletsParameters,
  discoverRelayerWallets,
  type RelayerWallet,
} from './discoverRelayerWallets.ts';
export {
  type ApprovalErrorType,
  LimitExceededError,
  type Outcome,
  OutcomeUnknownError,
  ParameterError,
  type ReadErrorType,
  RejectedError,
  RelayerActionError,
  RelayerRefusedError,
  RelayerUnavailableError,
  UnauthorizedError,
  UnsupportedError,
  WaitTimeoutError,
} from './errors.ts';
export { type FindRelayerWalletParameters, findRelayerWallet } from './findRelayerWallet.ts';
export type * from './generated/errorTypes.ts';
export type * from './generated/methods.ts';
export type { RelayerRpcSchema } from './generated/rpcSchema.ts';
export { feeRequestTypes, type RelayerErrorName } from './generated/statuses.ts';
export { isRelayerMessage, type RelayerMessage, type TopicUpdate } from './messages.ts';
export { type LimitOrderParameters, toOrderParameters } from './orders/toOrderParameters.ts';
export { findTradedMarket, type ListedToken, type TradedMarket } from './orders/tradedMarket.ts';
export { type RelayerActions, relayerActions } from './relayerActions.ts';
export { isFinalStatus, type Submission, type SubmissionStatus } from './submission.ts';
