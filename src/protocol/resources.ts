import { described, field } from './described.ts';
import { doc } from './doc.ts';
import {
  accountId,
  address,
  amountText,
  coordinate,
  decimalText,
  erc20TokenId,
  looseHash,
  milliseconds,
  nftData,
  nftId,
  storageId,
  tokenId,
} from './fields.ts';
import { once } from './once.ts';
import { flattenRawData } from './resourceReaders.ts';
import {
  ammLayerType,
  ammTransactionStatus,
  ammTransactionType,
  blockStatus,
  blockTransactionType,
  listedRequestStatus,
  requestStatus,
} from './statuses.ts';
import { z } from './zod.ts';

/**
 * The resources of the interface document. What travels in requests is strict; the `…Answer` forms
 * keep unknown extra fields, because a running relayer sends more than the document lists.
 */

const tokenVolumeShape = () => ({
  tokenId: tokenId(),
  volume: described(amountText(), doc?.("Volume in the token's base units, decimal text")),
});

/** TokenVolumeV3 in a request: an ERC-20 token and its volume. */
export const tokenVolumeV3 = once(() => z.strictObject({ ...tokenVolumeShape(), tokenId: erc20TokenId() }));

/** TokenVolumeV3 in an answer. */
export const tokenVolumeV3Answer = once(() => z.looseObject({ ...tokenVolumeShape(), volume: decimalText() }));

/**
 * NftTokenAmountInfo: an NFT slot or an ERC-20 token, and its amount. Buying an NFT needs
 * `nftData`.
 */
export const nftTokenAmountInfo = once(() =>
  z.strictObject({
    tokenId: tokenId(),
    nftData: z.optional(nftData()),
    amount: described(amountText(), doc?.('NFT count, or base units of an ERC-20 token; decimal text')),
  }),
);

/** The fee of NFT operations: `amount`, where ERC-20 operations say `volume`. */
export const nftFee = once(() => z.strictObject({ tokenId: erc20TokenId(), amount: amountText() }));

/**
 * CounterFactualInfo: a smart wallet that is not deployed yet; its owner signs for it. Clients send
 * the whole object that the relayer gave them, so `accountId` and `wallet` may come along.
 */
export const counterFactualInfo = field(
  () =>
    z.strictObject({
      walletFactory: described(address(), doc?.('Wallet factory contract')),
      walletOwner: described(address(), doc?.('Owner of the wallet, who signs for it')),
      walletSalt: described(decimalText(), doc?.('Salt of the wallet address, a uint256 as decimal text')),
      accountId: z.optional(accountId()),
      wallet: described(z.optional(address()), doc?.('Wallet address, derivable from the other fields')),
    }),
  doc?.('How the smart wallet that owns the account is derived'),
);
export type CounterFactualInfo = z.output<ReturnType<typeof counterFactualInfo>>;

/** PublicKey of a request: a point on the curve. */
export const publicKey = once(() => z.strictObject({ x: coordinate(), y: coordinate() }));
export type PublicKey = z.output<ReturnType<typeof publicKey>>;

/** PublicKey of an answer: both coordinates are empty texts while the account has no key. */
export const publicKeyAnswer = once(() =>
  z.looseObject({
    x: described(z.union([coordinate(), z.literal('')]), doc?.('Curve coordinate, empty without a key')),
    y: described(z.union([coordinate(), z.literal('')]), doc?.('Curve coordinate, empty without a key')),
  }),
);

/** Amounts that go into a pool, and the LP tokens that come back. */
export const ammPoolJoinTokens = once(() =>
  z.strictObject({
    pooled: described(
      z.array(tokenVolumeV3()).check(z.length(2)),
      doc?.("Amounts to put in, in the order of the pool's tokens"),
    ),
    minimumLp: described(tokenVolumeV3(), doc?.('Least LP amount to get')),
  }),
);

/**
 * AmmPoolExitTokens. `burned` is a text in the interface document and an object at running
 * relayers.
 */
export const ammPoolExitTokens = once(() =>
  z.strictObject({
    unPooled: described(
      z.array(tokenVolumeV3()).check(z.length(2)),
      doc?.("Least amounts to get back, in the order of the pool's tokens"),
    ),
    burned: described(z.union([amountText(), tokenVolumeV3()]), doc?.('LP amount to burn')),
  }),
);

/** OrderAmountsV3: limits of order amounts of one token, base units. */
export const orderAmountsV3 = once(() =>
  z.looseObject({
    minimum: described(decimalText(), doc?.('Least order amount')),
    maximum: described(decimalText(), doc?.('Largest order amount')),
    dust: described(decimalText(), doc?.('Amount below which a rest is not filled')),
  }),
);

/** OrderInfo: least amount and rates in ten-thousandths. */
export const orderInfo = once(() =>
  z.looseObject({
    minAmount: described(z.optional(decimalText()), doc?.('Least amount in base units')),
    makerRate: described(z.optional(z.int()), doc?.('Maker rate in ten-thousandths')),
    takerRate: described(z.optional(z.int()), doc?.('Taker rate in ten-thousandths')),
  }),
);

/**
 * TokenAmount. A running relayer may send `tradeCost` in place of `marketOrderInfo`, so neither is
 * demanded.
 */
export const tokenAmount = once(() =>
  z.looseObject({
    tokenSymbol: described(z.optional(z.string()), doc?.('Token symbol')),
    discount: described(z.optional(z.number()), doc?.('Fee rate discount; 0.8 pays 80 %')),
    baseOrderInfo: described(z.optional(orderInfo()), doc?.('Least amount at the highest fee rate (0.6 %)')),
    userOrderInfo: described(z.optional(orderInfo()), doc?.("Least amount at the user's fee rate")),
    marketOrderInfo: described(z.optional(orderAmountsV3()), doc?.('Limits of submitted orders')),
    tradeCost: described(z.optional(decimalText()), doc?.('Base cost of settling a trade')),
  }),
);

/** FeeTokenAmount of NFT orders. */
export const feeTokenAmount = once(() =>
  z.looseObject({
    feeTokenSymbol: described(z.string(), doc?.('Symbol of the fee token')),
    minAmount: described(decimalText(), doc?.('Least quote amount of an NFT order at the fee rate')),
    tradeCost: described(decimalText(), doc?.('Base cost of settling a trade')),
    marketOrderInfo: described(orderAmountsV3(), doc?.('Amount limits of the NFT market')),
  }),
);

export const nftFeeRate = once(() =>
  z.looseObject({
    nftTokenAddress: address(),
    rate: described(z.int(), doc?.('Fee rate in ten-thousandths')),
  }),
);

export const pendingBalance = field(
  () =>
    z.looseObject({
      withdraw: described(decimalText(), doc?.('On the way to L1')),
      deposit: described(decimalText(), doc?.('On the way to L2')),
    }),
  doc?.('Amounts on the way between the layers'),
);

export const blockIdInfo = field(
  () =>
    z.looseObject({
      blockId: described(z.int(), doc?.('Block number')),
      indexInBlock: described(z.int(), doc?.('Position in the block')),
    }),
  doc?.('Where the request stands in the blocks'),
);

export const storageInfo = field(
  () => z.looseObject({ accountId: accountId(), tokenId: tokenId(), storageId: storageId() }),
  doc?.('Storage slot that was used'),
);

/** NftTokenInfo. `royaltyPercentage` repeats `creatorFeeBips` at running relayers. */
export const nftTokenInfo = once(() =>
  z.looseObject({
    nftData: nftData(),
    minter: address(),
    nftType: described(z.string(), doc?.('ERC1155 or ERC721')),
    tokenAddress: described(address(), doc?.('Contract of the NFT')),
    nftId: nftId(),
    creatorFeeBips: described(z.int(), doc?.('Creator royalty as hashed into nftData')),
    royaltyPercentage: described(z.optional(z.int()), doc?.('The same number under its other name')),
    status: described(z.boolean(), doc?.('True once a mint or deposit of the NFT was settled')),
    nftFactory: described(z.optional(z.string()), doc?.('Factory of the contract')),
    nftOwner: described(z.optional(z.string()), doc?.('Owner of the contract')),
    nftBaseUri: described(z.optional(z.string()), doc?.('Base URI, empty')),
    royaltyAddress: described(z.optional(z.string()), doc?.('Receiver of royalties')),
    originalMinter: described(z.optional(z.string()), doc?.('First minter')),
  }),
);
export type NftTokenInfo = z.output<ReturnType<typeof nftTokenInfo>>;

const nftHistoryShape = () => ({
  requestId: described(z.int(), doc?.("The relayer's number of the request")),
  hash: described(z.string(), doc?.('Hash of the request')),
  txHash: described(z.string(), doc?.('L1 transaction, empty for none')),
  accountId: accountId(),
  owner: described(z.string(), doc?.('Address of the account')),
  status: listedRequestStatus(),
  nftData: nftData(),
  amount: decimalText(),
  feeTokenSymbol: described(z.string(), doc?.('Symbol of the fee token')),
  feeAmount: decimalText(),
  createdAt: milliseconds(),
  updatedAt: milliseconds(),
  blockIdInfo: z.optional(blockIdInfo()),
  storageInfo: z.optional(storageInfo()),
});

/** A row of the histories of NFT requests. What its kind adds is kept. */
export const nftTransaction = once(() =>
  z.looseObject({
    ...nftHistoryShape(),
    id: described(z.union([z.string(), z.int()]), doc?.('Id of the row')),
    requestId: described(z.optional(z.int()), doc?.("The relayer's number of the request")),
    txHash: described(z.optional(z.string()), doc?.('L1 transaction, empty for none')),
    memo: described(z.optional(z.string()), doc?.('Public remark')),
  }),
);

/** A row of the NFT deposit history. */
export const nftDepositData = once(() =>
  z.looseObject({
    ...nftHistoryShape(),
    id: described(z.int(), doc?.('Id of the row')),
    memo: described(z.optional(z.string()), doc?.('Public remark')),
    depositFrom: described(z.string(), doc?.('Depositing address')),
    depositFromAccountId: accountId(),
  }),
);

/**
 * A row of the NFT transfer history. The document types `id` as text here and as integer for
 * deposits.
 */
export const nftTransferData = once(() =>
  z.looseObject({
    ...nftHistoryShape(),
    id: described(z.union([z.string(), z.int()]), doc?.('Id of the row')),
    memo: described(z.string(), doc?.('Public remark')),
    payeeId: accountId(),
    payeeAddress: described(z.string(), doc?.('Receiving address')),
  }),
);

/** TransferData, a row of the transfer history. */
export const transferData = once(() =>
  z.looseObject({
    id: described(z.int(), doc?.('Id of the row')),
    hash: described(z.string(), doc?.('Hash of the request')),
    txType: described(z.string(), doc?.('Kind of request')),
    symbol: described(z.string(), doc?.('Token symbol')),
    amount: described(decimalText(), doc?.('Amount that was asked for, base units')),
    actualAmount: described(z.optional(decimalText()), doc?.('Amount that moved: the digits that a block can hold')),
    senderAddress: described(z.optional(z.string()), doc?.('Sending address')),
    receiver: described(z.optional(z.int()), doc?.('Receiving account id')),
    receiverAddress: described(z.optional(z.string()), doc?.('Receiving address')),
    feeTokenSymbol: described(z.string(), doc?.('Symbol of the fee token')),
    feeAmount: described(decimalText(), doc?.('Fee in base units')),
    status: listedRequestStatus(),
    progress: described(z.string(), doc?.('Progress as a percentage text')),
    timestamp: milliseconds(),
    updatedAt: milliseconds(),
    memo: described(z.optional(z.string()), doc?.('Public remark')),
    blockId: described(z.int(), doc?.('Block number')),
    indexInBlock: described(z.int(), doc?.('Position in the block')),
  }),
);

export const ammTransferDataV3 = once(() =>
  z.looseObject({
    tokenId: tokenId(),
    amount: decimalText(),
    actualAmount: described(decimalText(), doc?.('Amount after rounding to the float precision')),
    feeAmount: decimalText(),
  }),
);

export const ammTransactionDataV3 = once(() =>
  z.looseObject({
    hash: described(z.string(), doc?.('Hash of the request')),
    txType: described(ammTransactionType(), doc?.('Kind of request')),
    txStatus: described(ammTransactionStatus(), doc?.('Status of the join or exit')),
    ammPoolAddress: address(),
    ammLayerType: ammLayerType(),
    poolTokens: described(z.array(ammTransferDataV3()), doc?.("Amounts in the order of the pool's tokens")),
    lpToken: described(ammTransferDataV3(), doc?.('LP tokens minted or burned')),
    createdAt: milliseconds(),
    updatedAt: milliseconds(),
    blockId: described(z.int(), doc?.('Block number')),
    indexInBlock: described(z.int(), doc?.('Position in the block')),
    storageInfo: described(z.optional(z.array(storageInfo())), doc?.('Storage slots that were used')),
  }),
);

/** _Token of a block transaction. */
export const blockToken = once(() =>
  z.looseObject({
    tokenId: z.optional(tokenId()),
    tokenAddress: described(z.optional(z.string()), doc?.('Contract of the token')),
    nftData: described(z.optional(z.string()), doc?.('L2 identifier of the NFT, empty for none')),
    nftId: described(z.optional(z.string()), doc?.('NFT id')),
    amount: described(z.optional(z.string()), doc?.('Amount in base units')),
  }),
);

/** _Order of a block transaction. `nftData` is set for NFT orders and empty otherwise. */
export const blockOrder = once(() =>
  z.looseObject({
    storageID: storageId(),
    accountID: accountId(),
    amountS: decimalText(),
    amountB: decimalText(),
    tokenS: tokenId(),
    tokenB: tokenId(),
    validUntil: described(z.int(), doc?.('Deadline in seconds since 1970')),
    taker: described(z.string(), doc?.('Only allowed taker, empty for anyone')),
    feeBips: described(z.int(), doc?.('Fee rate that this fill paid, in ten-thousandths; 0 in a trade with a pool')),
    isAmm: described(z.boolean(), doc?.('True for the order of a pool')),
    nftData: described(z.string(), doc?.('L2 identifier of the NFT, empty for none')),
    fillS: described(
      z.union([z.number(), decimalText()]),
      doc?.('Filled amount, an integer; readers keep large ones as text'),
    ),
  }),
);

/** TransactionBlock; which fields are set depends on `txType`. */
export const transactionBlock = once(() =>
  z.looseObject({
    txType: blockTransactionType(),
    accountId: z.optional(accountId()),
    owner: described(z.optional(z.string()), doc?.('Address of the account')),
    token: described(z.optional(blockToken()), doc?.('Token that moves')),
    toToken: described(z.optional(blockToken()), doc?.('Token of the receiving side')),
    fee: described(z.optional(blockToken()), doc?.('Fee paid')),
    validUntil: described(z.optional(z.int()), doc?.('Deadline in seconds since 1970')),
    toAccountId: z.optional(accountId()),
    toAccountAddress: described(z.optional(z.string()), doc?.('Receiving address')),
    storageId: z.optional(storageId()),
    orderA: described(z.optional(blockOrder()), doc?.('First order of a trade')),
    orderB: described(z.optional(blockOrder()), doc?.('Second order of a trade')),
    valid: described(z.optional(z.boolean()), doc?.('False when the block counts it as void')),
    nonce: described(z.optional(z.int()), doc?.('Account nonce')),
    minterAccountId: z.optional(accountId()),
    minter: described(z.optional(z.string()), doc?.('Minter address')),
    nftToken: described(z.optional(blockToken()), doc?.('The NFT')),
    nftType: described(z.optional(z.string()), doc?.('NFT standard')),
    fromAddress: described(z.optional(z.string()), doc?.('Sending address')),
    toAddress: described(z.optional(z.string()), doc?.('Receiving address')),
  }),
);

export const block = once(() =>
  z.looseObject({
    blockId: described(z.int(), doc?.('Block number')),
    blockSize: described(z.int(), doc?.('Size of the block in transactions')),
    exchange: address(),
    txHash: described(z.string(), doc?.('L1 transaction, empty for none')),
    status: blockStatus(),
    createdAt: milliseconds(),
    transactions: described(z.array(transactionBlock()), doc?.('Transactions in the order of the block')),
  }),
);

/** OffchainAck: the acknowledgement of an asynchronous request. */
export const offchainAck = once(() =>
  z.looseObject({
    hash: looseHash(),
    status: requestStatus(),
    isIdempotent: described(
      z.boolean(),
      doc?.('True when the same request had come before; `status` says what became of it'),
    ),
    accountId: z.optional(accountId()),
    tokenId: z.optional(tokenId()),
    storageId: z.optional(storageId()),
  }),
);

/** Acknowledgement of an NFT transfer or withdrawal, flat or with `raw_data`. */
export const nftAck = once(() => z.pipe(z.transform(flattenRawData), offchainAck()));

/** Rows of a history with their number. */
export const totalNum = field(
  () => z.int().check(z.minimum(0)),
  doc?.('Rows that match, on all pages; in lists of an account never more than its pages can reach, 20,050'),
);
