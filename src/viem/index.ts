export type { CancelAllOrdersReturnType, CancelledOrder } from './actions/cancelAllOrders.ts';
export type { CancelOrderReturnType } from './actions/cancelOrder.ts';
export type { DeployNftReturnType } from './actions/deployNft.ts';
export type { ExitAmmPoolReturnType } from './actions/exitAmmPool.ts';
export type { Receipt } from './actions/getReceipt.ts';
export type { OwnRequest } from './actions/getRequests.ts';
export type { StandingApproval } from './actions/getStandingApprovals.ts';
export type { HardCancelReturnType } from './actions/hardCancel.ts';
export * from './actions/index.ts';
export type { JoinAmmPoolReturnType } from './actions/joinAmmPool.ts';
export type { MintNftReturnType } from './actions/mintNft.ts';
export type { OrderPreview, OrderProblem, TokenText } from './actions/previewOrder.ts';
export type { ReplaceOrderReturnType } from './actions/replaceOrder.ts';
export type { RequestStandingApprovalReturnType } from './actions/requestStandingApproval.ts';
export type { SignNftOrderReturnType } from './actions/signNftOrder.ts';
export type { SubmitOneOfReturnType } from './actions/submitOneOf.ts';
export type { SubmitOrderReturnType } from './actions/submitOrder.ts';
export type { OrderOutcome, SubmitOrdersParameters } from './actions/submitOrders.ts';
export type { TransferReturnType } from './actions/transfer.ts';
export type { TransferNftReturnType } from './actions/transferNft.ts';
export type { UpdateAccountKeyReturnType } from './actions/updateAccountKey.ts';
export type { WaitForSubmissionParameters } from './actions/waitForSubmission.ts';
export type { WatchOrdersParameters } from './actions/watchOrders.ts';
export type { EventSource, WatchSubmissionParameters } from './actions/watchSubmission.ts';
export type { WatchTopicParameters } from './actions/watchTopic.ts';
export type { WithdrawReturnType } from './actions/withdraw.ts';
export type { WithdrawNftReturnType } from './actions/withdrawNft.ts';
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
  RequestExpiredError,
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
export { isFinalStatus, type OrderSubmission, type Submission, type SubmissionStatus } from './submission.ts';
