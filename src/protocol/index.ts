export { CidError, cidFromNftId, nftIdFromCid } from './cid.ts';
export { type CounterFactualWallet, counterFactualWalletAddress } from './counterFactualWallet.ts';
export { cloneCreationCode, create2Address } from './create2.ts';
export type { Endpoint, HeaderSignature } from './endpoint.ts';
export { endpoint } from './endpoint.ts';
export { FIRST_UPDATE_PAID } from './endpoints/getAccount.ts';
export { apiKeyText } from './endpoints/getApiKey.ts';
export { feeRequestTypes } from './endpoints/getOffchainFee.ts';
export {
  type EndpointAnswer,
  type EndpointBody,
  type EndpointName,
  type EndpointQuery,
  endpoints,
} from './endpointTable.ts';
export {
  type RelayerErrorEntry,
  type RelayerErrorName,
  type RetryRule,
  relayerErrorNamed,
  relayerErrors,
  SUCCESS_CODE,
} from './errors.ts';
export {
  accountId,
  address,
  allOrNone,
  amountText,
  booleanField,
  bytesText,
  clientOrderId,
  coordinate,
  DEFAULT_LIMIT,
  decimalText,
  ecdsaSignature,
  eddsaSignature,
  erc20TokenId,
  fillAmountBOrS,
  type Hex,
  hash32,
  hashApproved,
  MAX_LIMIT,
  maxFeeBips,
  memo,
  milliseconds,
  nftData,
  nftId,
  nftTokenId,
  nonce,
  offchainStorageId,
  orderStorageId,
  queryInteger,
  royalty,
  seconds,
  splitList,
  storageId,
  tokenId,
} from './fields.ts';
export {
  decodeFloat,
  encodeFloat,
  Float16,
  Float24,
  type FloatEncoding,
  roundToFloat,
  roundUpToFloat,
} from './floats.ts';
export { formatHash } from './formatHash.ts';
export { API_KEY_HEADER, API_SIGNATURE_HEADER } from './headers.ts';
export {
  KeyDerivationError,
  type KeyDerivationErrorCode,
  keySeedText,
  matchSignatureToKey,
  secretKeyFromSignature,
} from './keyDerivation.ts';
export { isExactKeySeed, isKeySeedLike } from './keySeedGuard.ts';
export {
  CIRCUIT_MAX_FEE_BIPS,
  MAX_AMOUNT,
  MAX_CLIENT_ORDER_ID_BYTES,
  MAX_FEE_BIPS,
  MAX_ROYALTY,
  MAX_TOKEN_ID,
  MAX_UINT32,
  MIN_NFT_TOKEN_ID,
  STORAGE_SLOTS,
  ZERO_ADDRESS,
} from './limits.ts';
export { computeNftAddress, type NftContractOrigin, nftFactories } from './nftAddress.ts';
export { openApiDocument } from './openapi.ts';
export {
  type AccountUpdatePayload,
  accountUpdateBoundFields,
  accountUpdateHash,
  accountUpdateIdentifier,
} from './payloads/accountUpdate.ts';
export { type AmmExitPayload, ammExitBoundFields, ammExitScalar } from './payloads/ammExit.ts';
export { type AmmJoinPayload, ammJoinBoundFields, ammJoinScalar } from './payloads/ammJoin.ts';
export { type NftIdentity, type NftRoyalty, nftDataHash, royaltyOf } from './payloads/nftData.ts';
export { type NftMintPayload, nftMintBoundFields, nftMintHash } from './payloads/nftMint.ts';
export { type NftOrderPayload, nftOrderBoundFields, nftOrderHash } from './payloads/nftOrder.ts';
export { nftTradeHash } from './payloads/nftTrade.ts';
export { type NftTransferPayload, nftTransferBoundFields, nftTransferHash } from './payloads/nftTransfer.ts';
export { type NftWithdrawalPayload, nftWithdrawalBoundFields, nftWithdrawalHash } from './payloads/nftWithdrawal.ts';
export { type OnchainData, onchainDataHash } from './payloads/onchainData.ts';
export { type OrderPayload, orderBoundFields, orderHash } from './payloads/order.ts';
export { PayloadError, type PayloadErrorCode } from './payloads/payloadError.ts';
export { type TransferPayload, transferBoundFields, transferHash } from './payloads/transfer.ts';
export { type WithdrawalPayload, withdrawalBoundFields, withdrawalHash } from './payloads/withdrawal.ts';
export {
  closeCodes,
  MAX_PUSHED_SLOTS,
  MAX_TOPICS,
  PING,
  PONG,
  PushRefusal,
  type PushTopic,
  type PushTopicInput,
  type PushTopicName,
  privateTopics,
  pushErrors,
  pushTopicNames,
  pushTopicSchemas,
  readTopic,
  SOCKET_KEY_PARAMETER,
  SOCKET_PATH,
  topicKey,
} from './push.ts';
export { refusalBody } from './refusal.ts';
export {
  acceptedRequestMessages,
  bodyText,
  requestHash,
  requestMessage,
  type SignedRequest,
} from './requestSignature.ts';
export { burnedVolume } from './resourceReaders.ts';
export {
  type AmmPoolExitTokens,
  ammPoolExitTokens,
  ammPoolJoinTokens,
  type CounterFactualInfo,
  counterFactualInfo,
  type NftFee,
  type NftTokenAmountInfo,
  type NftTokenInfo,
  nftFee,
  nftTokenAmountInfo,
  type OffchainAck,
  type PublicKey,
  publicKey,
  type TokenVolumeV3,
  tokenVolumeV3,
} from './resources.ts';
export { scaledText } from './scaledText.ts';
export {
  type AmmTransactionStatus,
  ammLayerType,
  ammTransactionStatus,
  ammTransactionType,
  type BlockStatus,
  blockStatus,
  blockTransactionType,
  type DeploymentStatus,
  deploymentStatus,
  finalStatuses,
  type ListedOrderStatus,
  listedOrderStatus,
  listedRequestStatus,
  type OrderStatus,
  type OrderType,
  orderSide,
  orderStatus,
  orderType,
  type RequestStatus,
  requestStatus,
  type TradeChannel,
  tradeChannel,
} from './statuses.ts';
export {
  type StorageParity,
  storageParity,
  storageSlot,
} from './storageId.ts';
export {
  accountUpdateTypedData,
  domainSeparator,
  EXCHANGE_DOMAIN_NAME,
  exchangeDomain,
  legacyMintTypedData,
  POOL_VERSION,
  type PoolIdentity,
  poolDomain,
  poolExitTypedData,
  poolJoinTypedData,
  type RelayerTypedData,
  type TypedData,
  type TypedDataDomain,
  transferTypedData,
  typedDataDigest,
  typedDataTypes,
  withdrawalTypedData,
} from './typedData.ts';
export { readTypedData, type TypedDataDocument, TypedDataError, type TypedLeaf } from './typedDataDocument.ts';
