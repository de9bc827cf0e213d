export * from './actions/index.ts';
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
