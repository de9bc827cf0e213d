import { z } from 'zod';
import { deferred } from './deferred.ts';
import {
  accountId,
  address,
  amountText,
  coordinate,
  decimalText,
  erc20TokenId,
  hashAnswer,
  milliseconds,
  nftData,
  nftId,
  storageId,
  tokenId,
} from './fields.ts';
import {
  ammLayerType,
  ammTransactionStatus,
  ammTransactionType,
  blockStatus,
  blockTransactionType,
  listedRequestStatus,
  requestStatus,
} from './statuses.ts';

/**
 * The resources of the interface document. What travels in requests is strict; the `…Answer` forms keep unknown extra
 * fields, because a running relayer sends more than the document lists.
 */

const tokenVolumeShape = () => ({
  tokenId,
  volume: amountText.describe("Volume in the token's base units, decimal text"),
});

/** TokenVolumeV3 in a request: an ERC-20 token and its volume. */
export const tokenVolumeV3 = deferred(() => z.strictObject({ ...tokenVolumeShape(), tokenId: erc20TokenId }));
export type TokenVolumeV3 = z.output<typeof tokenVolumeV3>;

/** TokenVolumeV3 in an answer. */
export const tokenVolumeV3Answer = deferred(() => z.looseObject({ ...tokenVolumeShape(), volume: decimalText }));

/** NftTokenAmountInfo: an NFT slot or an ERC-20 token, and its amount. Buying an NFT needs `nftData`. */
export const nftTokenAmountInfo = deferred(() =>
  z.strictObject({
    tokenId,
    nftData: nftData.optional(),
    amount: amountText.describe('NFT count, or base units of an ERC-20 token; decimal text'),
  }),
);
export type NftTokenAmountInfo = z.output<typeof nftTokenAmountInfo>;

/** The fee of NFT operations: `amount`, where ERC-20 operations say `volume`. */
export const nftFee = deferred(() => z.strictObject({ tokenId: erc20TokenId, amount: amountText }));
export type NftFee = z.output<typeof nftFee>;

/**
 * CounterFactualInfo: a smart wallet that is not deployed yet; its owner signs for it. Clients send the whole object that
 * the relayer gave them, so `accountId` and `wallet` may come along.
 */
export const counterFactualInfo = deferred(() =>
  z
    .strictObject({
      walletFactory: address.describe('Wallet factory contract'),
      walletOwner: address.describe('Owner of the wallet, who signs for it'),
      walletSalt: decimalText.describe('Salt of the wallet address, a uint256 as decimal text'),
      accountId: accountId.optional(),
      wallet: address.optional().describe('Wallet address, derivable from the other fields'),
    })
    .describe('How the smart wallet that owns the account is derived'),
);
export type CounterFactualInfo = z.output<typeof counterFactualInfo>;

/** PublicKey of a request: a point on the curve. */
export const publicKey = deferred(() => z.strictObject({ x: coordinate, y: coordinate }));
export type PublicKey = z.output<typeof publicKey>;

/** PublicKey of an answer: both coordinates are empty texts while the account has no key. */
export const publicKeyAnswer = deferred(() =>
  z.looseObject({
    x: z.union([coordinate, z.literal('')]).describe('Curve coordinate, empty without a key'),
    y: z.union([coordinate, z.literal('')]).describe('Curve coordinate, empty without a key'),
  }),
);

/** AmmPoolExitTokens. `burned` is a text in the interface document and an object at running relayers. */
export const ammPoolExitTokens = deferred(() =>
  z.strictObject({
    unPooled: z.array(tokenVolumeV3).length(2).describe("Least amounts to get back, in the order of the pool's tokens"),
    burned: z.union([amountText, tokenVolumeV3]).describe('LP amount to burn'),
  }),
);
export type AmmPoolExitTokens = z.output<typeof ammPoolExitTokens>;

/** The LP amount of `burned` in either form. */
export function burnedVolume(burned: string | { readonly volume: string }): string {
  return typeof burned === 'string' ? burned : burned.volume;
}

/** OrderAmountsV3: limits of order amounts of one token, base units. */
export const orderAmountsV3 = deferred(() =>
  z.looseObject({
    minimum: decimalText.describe('Least order amount'),
    maximum: decimalText.describe('Largest order amount'),
    dust: decimalText.describe('Amount below which a rest is not filled'),
  }),
);

/** OrderInfo: least amount and rates in ten-thousandths. */
export const orderInfo = deferred(() =>
  z.looseObject({
    minAmount: decimalText.optional().describe('Least amount in base units'),
    makerRate: z.int().optional().describe('Maker rate in ten-thousandths'),
    takerRate: z.int().optional().describe('Taker rate in ten-thousandths'),
  }),
);

/** TokenAmount. A running relayer may send `tradeCost` in place of `marketOrderInfo`, so neither is demanded. */
export const tokenAmount = deferred(() =>
  z.looseObject({
    tokenSymbol: z.string().optional().describe('Token symbol'),
    discount: z.number().optional().describe('Fee rate discount; 0.8 pays 80 %'),
    baseOrderInfo: orderInfo.optional().describe('Least amount at the highest fee rate (0.6 %)'),
    userOrderInfo: orderInfo.optional().describe("Least amount at the user's fee rate"),
    marketOrderInfo: orderAmountsV3.optional().describe('Limits of submitted orders'),
    tradeCost: decimalText.optional().describe('Base cost of settling a trade'),
  }),
);

/** FeeTokenAmount of NFT orders. */
export const feeTokenAmount = deferred(() =>
  z.looseObject({
    feeTokenSymbol: z.string().describe('Symbol of the fee token'),
    minAmount: decimalText.describe('Least quote amount of an NFT order at the fee rate'),
    tradeCost: decimalText.describe('Base cost of settling a trade'),
    marketOrderInfo: orderAmountsV3.describe('Amount limits of the NFT market'),
  }),
);

/** NftFeeRate. */
export const nftFeeRate = deferred(() =>
  z.looseObject({
    nftTokenAddress: address,
    rate: z.int().describe('Fee rate in ten-thousandths'),
  }),
);

/** PendingBalance. */
export const pendingBalance = deferred(() =>
  z
    .looseObject({
      withdraw: decimalText.describe('On the way to L1'),
      deposit: decimalText.describe('On the way to L2'),
    })
    .describe('Amounts on the way between the layers'),
);

/** BlockIdInfo. */
export const blockIdInfo = deferred(() =>
  z
    .looseObject({ blockId: z.int().describe('Block number'), indexInBlock: z.int().describe('Position in the block') })
    .describe('Where the request stands in the blocks'),
);

/** StorageInfo. */
export const storageInfo = deferred(() =>
  z.looseObject({ accountId, tokenId, storageId }).describe('Storage slot that was used'),
);

/** NftTokenInfo. `royaltyPercentage` repeats `creatorFeeBips` at running relayers. */
export const nftTokenInfo = deferred(() =>
  z.looseObject({
    nftData,
    minter: address,
    nftType: z.string().describe('ERC1155 or ERC721'),
    tokenAddress: address.describe('Contract of the NFT'),
    nftId,
    creatorFeeBips: z.int().describe('Creator royalty as hashed into nftData'),
    royaltyPercentage: z.int().optional().describe('The same number under its other name'),
    status: z.boolean().describe('True while the NFT is known to the relayer'),
    nftFactory: z.string().optional().describe('Factory of the contract'),
    nftOwner: z.string().optional().describe('Owner of the contract'),
    nftBaseUri: z.string().optional().describe('Base URI, empty'),
    royaltyAddress: z.string().optional().describe('Receiver of royalties'),
    originalMinter: z.string().optional().describe('First minter'),
  }),
);
export type NftTokenInfo = z.output<typeof nftTokenInfo>;

const nftHistoryShape = () => ({
  requestId: z.int().describe("The relayer's number of the request"),
  hash: z.string().describe('Hash of the request'),
  txHash: z.string().describe('L1 transaction, empty for none'),
  accountId,
  owner: z.string().describe('Address of the account'),
  status: listedRequestStatus,
  nftData,
  amount: decimalText,
  feeTokenSymbol: z.string().describe('Symbol of the fee token'),
  feeAmount: decimalText,
  createdAt: milliseconds,
  updatedAt: milliseconds,
  blockIdInfo: blockIdInfo.optional(),
  storageInfo: storageInfo.optional(),
});

/** A row of the NFT deposit history. */
export const nftDepositData = deferred(() =>
  z.looseObject({
    ...nftHistoryShape(),
    id: z.int().describe('Id of the row'),
    memo: z.string().optional().describe('Public remark'),
    depositFrom: z.string().describe('Depositing address'),
    depositFromAccountId: accountId,
  }),
);

/** A row of the NFT transfer history. The document types `id` as text here and as integer for deposits. */
export const nftTransferData = deferred(() =>
  z.looseObject({
    ...nftHistoryShape(),
    id: z.union([z.string(), z.int()]).describe('Id of the row'),
    memo: z.string().describe('Public remark'),
    payeeId: accountId,
    payeeAddress: z.string().describe('Receiving address'),
  }),
);

/** TransferData, a row of the transfer history. */
export const transferData = deferred(() =>
  z.looseObject({
    id: z.int().describe('Id of the row'),
    hash: z.string().describe('Hash of the request'),
    txType: z.string().describe('Kind of request'),
    symbol: z.string().describe('Token symbol'),
    amount: decimalText.describe('Amount that was asked for, base units'),
    actualAmount: decimalText.optional().describe('What moved of it: the digits that a block can hold'),
    senderAddress: z.string().optional().describe('Sending address'),
    receiver: z.int().optional().describe('Receiving account id'),
    receiverAddress: z.string().optional().describe('Receiving address'),
    feeTokenSymbol: z.string().describe('Symbol of the fee token'),
    feeAmount: decimalText.describe('Fee in base units'),
    status: listedRequestStatus,
    progress: z.string().describe('Progress as a percentage text'),
    timestamp: milliseconds,
    updatedAt: milliseconds,
    memo: z.string().optional().describe('Public remark'),
    blockId: z.int().describe('Block number'),
    indexInBlock: z.int().describe('Position in the block'),
  }),
);

/** AmmTransferDataV3. */
export const ammTransferDataV3 = deferred(() =>
  z.looseObject({
    tokenId,
    amount: decimalText,
    actualAmount: decimalText.describe('Amount after rounding to the float precision'),
    feeAmount: decimalText,
  }),
);

/** AmmTransactionDataV3. */
export const ammTransactionDataV3 = deferred(() =>
  z.looseObject({
    hash: z.string().describe('Hash of the request'),
    txType: ammTransactionType.describe('Kind of request'),
    txStatus: ammTransactionStatus.describe('Status of the join or exit'),
    ammPoolAddress: address,
    ammLayerType,
    poolTokens: z.array(ammTransferDataV3).describe("Amounts in the order of the pool's tokens"),
    lpToken: ammTransferDataV3.describe('LP tokens minted or burned'),
    createdAt: milliseconds,
    updatedAt: milliseconds,
    blockId: z.int().describe('Block number'),
    indexInBlock: z.int().describe('Position in the block'),
    storageInfo: z.array(storageInfo).optional().describe('Storage slots that were used'),
  }),
);

/** _Token of a block transaction. */
export const blockToken = deferred(() =>
  z.looseObject({
    tokenId: tokenId.optional(),
    tokenAddress: z.string().optional().describe('Contract of the token'),
    nftData: z.string().optional().describe('L2 identifier of the NFT, empty for none'),
    nftId: z.string().optional().describe('NFT id'),
    amount: z.string().optional().describe('Amount in base units'),
  }),
);

/** _Order of a block transaction. `nftData` is set for NFT orders and empty otherwise. */
export const blockOrder = deferred(() =>
  z.looseObject({
    storageID: storageId,
    accountID: accountId,
    amountS: decimalText,
    amountB: decimalText,
    tokenS: tokenId,
    tokenB: tokenId,
    validUntil: z.int().describe('Deadline in seconds since 1970'),
    taker: z.string().describe('Only allowed taker, empty for anyone'),
    feeBips: z.int().describe('Highest accepted fee rate in ten-thousandths'),
    isAmm: z.boolean().describe('True for the order of a pool'),
    nftData: z.string().describe('L2 identifier of the NFT, empty for none'),
    fillS: z.union([z.number(), decimalText]).describe('Filled amount, an integer; readers keep large ones as text'),
  }),
);

/** TransactionBlock; which fields are set depends on `txType`. */
export const transactionBlock = deferred(() =>
  z.looseObject({
    txType: blockTransactionType,
    accountId: accountId.optional(),
    owner: z.string().optional().describe('Address of the account'),
    token: blockToken.optional().describe('Token that moves'),
    toToken: blockToken.optional().describe('Token of the receiving side'),
    fee: blockToken.optional().describe('Fee paid'),
    validUntil: z.int().optional().describe('Deadline in seconds since 1970'),
    toAccountId: accountId.optional(),
    toAccountAddress: z.string().optional().describe('Receiving address'),
    storageId: storageId.optional(),
    orderA: blockOrder.optional().describe('First order of a trade'),
    orderB: blockOrder.optional().describe('Second order of a trade'),
    valid: z.boolean().optional().describe('False when the block counts it as void'),
    nonce: z.int().optional().describe('Account nonce'),
    minterAccountId: accountId.optional(),
    minter: z.string().optional().describe('Minter address'),
    nftToken: blockToken.optional().describe('The NFT'),
    nftType: z.string().optional().describe('NFT standard'),
    fromAddress: z.string().optional().describe('Sending address'),
    toAddress: z.string().optional().describe('Receiving address'),
  }),
);

/** Block. */
export const block = deferred(() =>
  z.looseObject({
    blockId: z.int().describe('Block number'),
    blockSize: z.int().describe('Size of the block in transactions'),
    exchange: address,
    txHash: z.string().describe('L1 transaction, empty for none'),
    status: blockStatus,
    createdAt: milliseconds,
    transactions: z.array(transactionBlock).describe('Transactions in the order of the block'),
  }),
);

/** OffchainAck: the acknowledgement of an asynchronous request. */
export const offchainAck = deferred(() =>
  z.looseObject({
    hash: hashAnswer,
    status: requestStatus,
    isIdempotent: z.boolean().describe('True when the same request was already held'),
    accountId: accountId.optional(),
    tokenId: tokenId.optional(),
    storageId: storageId.optional(),
  }),
);
export type OffchainAck = z.output<typeof offchainAck>;

/**
 * `hash` plus `raw_data` becomes flat: running relayers answer flat, the interface document shows the wrapper of a client
 * library. Flat fields win.
 */
export function flattenRawData(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('raw_data' in answer)) return answer;
  return { ...(answer.raw_data as object), ...answer };
}

/** Acknowledgement of an NFT transfer or withdrawal, flat or with `raw_data`. */
export const nftAck = deferred(() => z.preprocess(flattenRawData, offchainAck));

/** Rows of a history with their number. */
export const totalNum = deferred(() => z.int().min(0).describe('Rows that match, on all pages'));
