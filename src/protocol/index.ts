export { CidError, cidFromNftId, nftIdFromCid } from './cid.ts';
export { isContractCode } from './contractCode.ts';
export { counterFactualWalletAddress } from './counterFactualWallet.ts';
export { cloneCreationCode, create2Address } from './create2.ts';
export type { Endpoint } from './endpoint.ts';
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
export { type RelayerErrorName, relayerErrorNamed, relayerErrors, remedyFor } from './errors.ts';
export {
  accountId,
  address,
  amountText,
  booleanField,
  bytesText,
  clientOrderId,
  erc20TokenId,
  type Hex,
  MAX_LIMIT,
  maxFeeBips,
  memo,
  nftData,
  nftId,
  nftTokenId,
  royalty,
  seconds,
} from './fields.ts';
export { decodeFloat, encodeFloat, Float16, Float24, roundToFloat, roundUpToFloat } from './floats.ts';
export { formatHash } from './formatHash.ts';
export { API_KEY_HEADER, API_SIGNATURE_HEADER } from './headers.ts';
export {
  KeyDerivationError,
  keySeedText,
  matchSignatureToKey,
  secretKeyFromSignature,
  V_FORMS,
} from './keyDerivation.ts';
export { isExactKeySeed, isKeySeed, isKeySeedLike } from './keySeedGuard.ts';
export {
  MAX_AMOUNT,
  MAX_FEE_BIPS,
  MAX_KEY_SEED,
  MAX_UINT32,
  MIN_NFT_TOKEN_ID,
  STORAGE_SLOTS,
  ZERO_ADDRESS,
} from './limits.ts';
export { computeNftAddress, nftFactories } from './nftAddress.ts';
export { openApiDocument } from './openapi.ts';
export {
  type AccountUpdatePayload,
  accountUpdateBoundFields,
  accountUpdateHash,
  accountUpdateIdentifier,
} from './payloads/accountUpdate.ts';
export { type AmmExitPayload, ammExitBoundFields, ammExitScalar } from './payloads/ammExit.ts';
export { type AmmJoinPayload, ammJoinBoundFields, ammJoinScalar } from './payloads/ammJoin.ts';
export { type NftIdentity, nftDataHash, royaltyOf } from './payloads/nftData.ts';
export { type NftMintPayload, nftMintBoundFields, nftMintHash } from './payloads/nftMint.ts';
export { type NftOrderPayload, nftOrderBoundFields, nftOrderHash } from './payloads/nftOrder.ts';
export { nftTradeHash } from './payloads/nftTrade.ts';
export { type NftTransferPayload, nftTransferBoundFields, nftTransferHash } from './payloads/nftTransfer.ts';
export { type NftWithdrawalPayload, nftWithdrawalBoundFields, nftWithdrawalHash } from './payloads/nftWithdrawal.ts';
export { onchainDataHash } from './payloads/onchainData.ts';
export { type OrderPayload, orderBoundFields, orderHash } from './payloads/order.ts';
export { PayloadError } from './payloads/payloadError.ts';
export { type TransferPayload, transferBoundFields, transferHash } from './payloads/transfer.ts';
export { type WithdrawalPayload, withdrawalBoundFields, withdrawalHash } from './payloads/withdrawal.ts';
export { poolTakes } from './poolStatus.ts';
export {
  MAX_TOPICS,
  PING,
  PONG,
  type PushTopic,
  type PushTopicInput,
  privateTopics,
  pushErrors,
  pushTopicSchemas,
  readTopic,
  SOCKET_KEY_PARAMETER,
  SOCKET_PATH,
  topicKey,
} from './push.ts';
export {
  acceptedRequestMessages,
  bodyText,
  requestHash,
  requestMessage,
  type SignedRequest,
  sortedQuery,
} from './requestSignature.ts';
export { burnedVolume } from './resourceReaders.ts';
export {
  ammPoolExitTokens,
  ammPoolJoinTokens,
  type CounterFactualInfo,
  type NftTokenInfo,
  nftFee,
  nftTokenAmountInfo,
  tokenVolumeV3,
} from './resources.ts';
export { scaledText } from './scaledText.ts';
export { finalStatuses, orderType, tradeChannel } from './statuses.ts';
export { type StorageParity, storageParity, storageSlot } from './storageId.ts';
export {
  accountUpdateTypedData,
  domainSeparator,
  EXCHANGE_DOMAIN_NAME,
  exchangeDomain,
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
