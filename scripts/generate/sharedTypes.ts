import type { Direction } from './printType.ts';

/** A place in the parameters or the answer of a method; `[]` stands for the items of a list. */
export type Place = readonly [Direction, method: string, ...way: string[]];

type Shared = Readonly<Record<string, readonly [description: string, ...Place]>>;

/**
 * Names of the objects that stand in several types, each by one of its places. Parts come before
 * what they are in.
 */
export const sharedTypes: Shared = {
  TokenVolumeInput: ['An ERC-20 token and its volume.', 'parameters', 'submitOrder', 'sellToken'],
  NftTokenAmountInput: ['An NFT or an ERC-20 token, and its amount.', 'parameters', 'signNftOrder', 'sellToken'],
  NftAmountInput: ['An NFT and its amount.', 'parameters', 'transferNft', 'token'],
  NftFeeInput: ['The fee of an NFT request.', 'parameters', 'transferNft', 'maxFee'],
  TokenVolume: ['A token and its volume.', 'answer', 'getAmmBalance', 'lp'],
  BlockIdInfo: ['A place in the blocks.', 'answer', 'getNftMints', 'transfers', '[]', 'blockIdInfo'],
  StorageInfo: ['A storage slot.', 'answer', 'getNftMints', 'transfers', '[]', 'storageInfo'],
  OrderAmounts: ['Limits of order amounts of one token, base units.', 'answer', 'getTokens', '[]', 'orderAmounts'],
  FeeAmount: ['A fee in one token.', 'answer', 'getExchangeInfo', 'transferFees', '[]'],
  OffchainFees: ['Fees of off-chain requests.', 'answer', 'getOffchainFee'],
  MarketRates: ['Fee rates of a market.', 'answer', 'getUserFeeRates', '[]'],
  TradingFees: ['Fee rates by tier.', 'answer', 'getFeeInfo', 'AMM_TRADING_FEES'],
  MarketInfo: ['A market.', 'answer', 'getMarkets', 'markets', '[]'],
  Ticker: ['Prices of markets in the last 24 hours.', 'answer', 'getTicker'],
  Candles: ['Candles of a market.', 'answer', 'getCandlestick'],
  Depth: ['The order book of a market.', 'answer', 'getDepth'],
  Order: ['An order of an account.', 'answer', 'getOrder'],
  UserTransaction: ['A request in the history of an account.', 'answer', 'getDeposits', 'transactions', '[]'],
  PoolTransfer: [
    'Amount of one token that a join or an exit moves.',
    'answer',
    'getAmmTransactions',
    'transactions',
    '[]',
    'lpToken',
  ],
  PoolBalance: ['Holdings of a pool.', 'answer', 'getAmmBalance'],
  PoolTrade: ['A trade of a pool.', 'answer', 'getAmmTrades', 'trades', '[]'],
  PendingBalance: ['Amounts on the way between the layers.', 'answer', 'getBalances', '[]', 'pending'],
  NftTokenInfo: ['An NFT.', 'answer', 'getNftData'],
  NftTransaction: ['An NFT request in the history of an account.', 'answer', 'getNftMints', 'transfers', '[]'],
  BlockToken: ['A token in a block.', 'answer', 'getBlock', 'transactions', '[]', 'token'],
  BlockOrder: ['An order in a block.', 'answer', 'getBlock', 'transactions', '[]', 'orderA'],
};

/** Parameters that several methods take beside their own. */
export const sharedParameters: Shared = {
  OrderInput: ['Terms of an order.', 'parameters', 'submitOneOf', 'orders', '[]'],
  HistoryInput: ['Which rows of a history are asked for.', 'parameters', 'getDeposits'],
  NftHistoryInput: ['Which rows of an NFT history are asked for.', 'parameters', 'getNftDeposits'],
  CandlestickInput: ['Which candles are asked for.', 'parameters', 'getCandlestick'],
};
