/*
 * What each relayer_* method takes, and what each read answers. Written by `npm run build:viem` from the zod schemas that
 * the wallet parses with, so that dApps get the types without the schemas; a test compares.
 */
import type { Hex } from 'viem';

/** Base units of a token: a bigint, or the decimal text that travels. */
export type Amount = bigint | string;

/** Parameters of `relayer_submitOrder`. */
export interface SubmitOrderParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  readonly sellToken: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  readonly buyToken: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  readonly allOrNone?: false | undefined;
  readonly fillAmountBOrS?: boolean | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** Highest accepted fee rate in ten-thousandths, 1 to 63 */
  readonly maxFeeBips?: number | undefined;
  /** The client's own unique order id, at most 120 bytes */
  readonly clientOrderId?: string | undefined;
  readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | 'AMM' | undefined;
  readonly tradeChannel?: 'ORDER_BOOK' | 'AMM_POOL' | 'MIXED' | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly taker?: Hex | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress?: Hex | undefined;
  readonly affiliate?: string | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_cancelOrder`. */
export interface CancelOrderParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** 32-byte hash, 0x and 64 hex digits */
  readonly orderHash?: Hex | undefined;
  readonly clientOrderId?: string | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_cancelAllOrders`. */
export interface CancelAllOrdersParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_replaceOrder`. */
export interface ReplaceOrderParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** 32-byte hash, 0x and 64 hex digits */
  readonly replaces: Hex;
  readonly sellToken: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  readonly buyToken: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  readonly allOrNone?: false | undefined;
  readonly fillAmountBOrS?: boolean | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** Highest accepted fee rate in ten-thousandths, 1 to 63 */
  readonly maxFeeBips?: number | undefined;
  /** The client's own unique order id, at most 120 bytes */
  readonly clientOrderId?: string | undefined;
  readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | 'AMM' | undefined;
  readonly tradeChannel?: 'ORDER_BOOK' | 'AMM_POOL' | 'MIXED' | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly taker?: Hex | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress?: Hex | undefined;
  readonly affiliate?: string | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_submitOneOf`. */
export interface SubmitOneOfParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  readonly orders: readonly {
    readonly sellToken: {
      /** ERC-20 token id, 0 to 32767 */
      readonly tokenId: number;
      /** Volume in the token's base units, decimal text */
      readonly volume: Amount;
    };
    readonly buyToken: {
      /** ERC-20 token id, 0 to 32767 */
      readonly tokenId: number;
      /** Volume in the token's base units, decimal text */
      readonly volume: Amount;
    };
    readonly allOrNone?: false | undefined;
    readonly fillAmountBOrS?: boolean | undefined;
    /** Time in seconds since 1970 */
    readonly validUntil?: number | undefined;
    /** Highest accepted fee rate in ten-thousandths, 1 to 63 */
    readonly maxFeeBips?: number | undefined;
    /** The client's own unique order id, at most 120 bytes */
    readonly clientOrderId?: string | undefined;
    readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | 'AMM' | undefined;
    readonly tradeChannel?: 'ORDER_BOOK' | 'AMM_POOL' | 'MIXED' | undefined;
    /** L1 address, 0x and 40 hex digits */
    readonly taker?: Hex | undefined;
    /** L1 address, 0x and 40 hex digits */
    readonly poolAddress?: Hex | undefined;
    readonly affiliate?: string | undefined;
  }[];
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_hardCancel`. */
export interface HardCancelParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** 32-byte hash, 0x and 64 hex digits */
  readonly orderHash: Hex;
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly sellVolume?: Amount | undefined;
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly buyVolume?: Amount | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_transfer`. */
export interface TransferParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  readonly maxFee?:
    | {
        /** ERC-20 token id, 0 to 32767 */
        readonly tokenId: number;
        /** Volume in the token's base units, decimal text */
        readonly volume: Amount;
      }
    | undefined;
  readonly token: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  /** L1 address, 0x and 40 hex digits */
  readonly payeeAddr: Hex;
  /** L2 account id */
  readonly payeeId?: number | undefined;
  /** Public remark, not signed */
  readonly memo?: string | undefined;
  readonly clientId?: string | undefined;
  readonly payPayeeUpdateAccount?: boolean | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_withdraw`. */
export interface WithdrawParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  readonly maxFee?:
    | {
        /** ERC-20 token id, 0 to 32767 */
        readonly tokenId: number;
        /** Volume in the token's base units, decimal text */
        readonly volume: Amount;
      }
    | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly to?: Hex | undefined;
  /** Bytes as 0x and hex; empty for none */
  readonly extraData?: string | undefined;
  readonly minGas?: number | undefined;
  readonly token: {
    /** ERC-20 token id, 0 to 32767 */
    readonly tokenId: number;
    /** Volume in the token's base units, decimal text */
    readonly volume: Amount;
  };
  readonly fastWithdrawalMode?: boolean | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_exitAmmPool`. */
export interface ExitAmmPoolParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress: Hex;
  readonly exitTokens: {
    /** Least amounts to get back, in the order of the pool's tokens */
    readonly unPooled: readonly {
      /** ERC-20 token id, 0 to 32767 */
      readonly tokenId: number;
      /** Volume in the token's base units, decimal text */
      readonly volume: Amount;
    }[];
    /** LP amount to burn */
    readonly burned:
      | Amount
      | {
          /** ERC-20 token id, 0 to 32767 */
          readonly tokenId: number;
          /** Volume in the token's base units, decimal text */
          readonly volume: Amount;
        };
  };
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly maxFee?: Amount | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_mintNft`. */
export interface MintNftParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  readonly maxFee?:
    | {
        /** ERC-20 token id, 0 to 32767 */
        readonly tokenId: number;
        /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
        readonly amount: Amount;
      }
    | undefined;
  readonly cid?: string | undefined;
  /** NFT id, a uint256 as hex: the digest of the IPFS directory */
  readonly nftId?: Hex | undefined;
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly amount: Amount;
  readonly nftType?: 0 | undefined;
  /** Creator royalty, 0 to 255, hashed unscaled */
  readonly creatorFeeBips?: number | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly nftFactory?: Hex | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly tokenAddress?: Hex | undefined;
  readonly forceToMint?: boolean | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly royaltyAddress?: Hex | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_transferNft`. */
export interface TransferNftParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  readonly maxFee?:
    | {
        /** ERC-20 token id, 0 to 32767 */
        readonly tokenId: number;
        /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
        readonly amount: Amount;
      }
    | undefined;
  readonly token: {
    /** NFT slot, 32768 to 65535 */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
    readonly amount: Amount;
  };
  /** L1 address, 0x and 40 hex digits */
  readonly toAddress: Hex;
  /** L2 account id */
  readonly toAccountId?: number | undefined;
  /** Public remark, not signed */
  readonly memo?: string | undefined;
  readonly payPayeeUpdateAccount?: boolean | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_withdrawNft`. */
export interface WithdrawNftParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  readonly maxFee?:
    | {
        /** ERC-20 token id, 0 to 32767 */
        readonly tokenId: number;
        /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
        readonly amount: Amount;
      }
    | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly to?: Hex | undefined;
  /** Bytes as 0x and hex; empty for none */
  readonly extraData?: string | undefined;
  readonly minGas?: number | undefined;
  readonly token: {
    /** NFT slot, 32768 to 65535 */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
    readonly amount: Amount;
  };
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_deployNft`. */
export interface DeployNftParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData: Hex;
  /** L1 address, 0x and 40 hex digits */
  readonly tokenAddress: Hex;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_signNftOrder`. */
export interface SignNftOrderParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  readonly sellToken: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData?: Hex | undefined;
    /** NFT count, or base units of an ERC-20 token; decimal text */
    readonly amount: Amount;
  };
  readonly buyToken: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData?: Hex | undefined;
    /** NFT count, or base units of an ERC-20 token; decimal text */
    readonly amount: Amount;
  };
  readonly allOrNone?: false | undefined;
  readonly fillAmountBOrS?: boolean | undefined;
  /** Time in seconds since 1970 */
  readonly validUntil?: number | undefined;
  /** Highest accepted fee rate in ten-thousandths, 1 to 63 */
  readonly maxFeeBips?: number | undefined;
  /** The client's own unique order id, at most 120 bytes */
  readonly clientOrderId?: string | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly taker?: Hex | undefined;
  readonly affiliate?: string | undefined;
  readonly validate?: boolean | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_updateAccountKey`. */
export interface UpdateAccountKeyParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly feeTokenId?: number | undefined;
  /** The site's own name for the request, up to 120 characters; a repeat under it joins the first */
  readonly idempotencyKey?: string | undefined;
}

/** Parameters of `relayer_getTimestamp`. */
export interface GetTimestampParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getTimestamp`: The relayer's clock. */
export interface GetTimestampReturnType {
  /** Time in milliseconds since 1970 */
  readonly timestamp: number;
}

/** Parameters of `relayer_getExchangeInfo`. */
export interface GetExchangeInfoParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getExchangeInfo`: Chain id, exchange and deposit address. */
export interface GetExchangeInfoReturnType {
  /** L1 chain id */
  readonly chainId: number;
  /** Exchange contract; its letter case enters the key seed */
  readonly exchangeAddress: Hex;
  /** Deposit contract */
  readonly depositAddress: Hex;
  /** Fees of pool exits */
  readonly ammExitFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of fast withdrawals */
  readonly fastWithdrawalFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of new accounts */
  readonly openAccountFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of transfers */
  readonly transferFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of key updates */
  readonly updateFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of withdrawals */
  readonly withdrawalFees?:
    | readonly {
        /** Symbol of the fee token */
        readonly token: string;
        /** Fee in base units */
        readonly fee: string;
      }[]
    | undefined;
  /** Fees of L1 requests */
  readonly onchainFees?:
    | readonly {
        /** Kind of L1 request */
        readonly type: string;
        /** Fee in wei */
        readonly fee: string;
      }[]
    | undefined;
}

/** Parameters of `relayer_getTokens`. */
export interface GetTokensParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getTokens`: The listed tokens. */
export type GetTokensReturnType = readonly {
  /** ETH, ERC20, … */
  readonly type: string;
  /** ERC-20 token id, 0 to 32767 */
  readonly tokenId: number;
  /** Symbol; pool tokens start with LP- */
  readonly symbol: string;
  /** Name */
  readonly name: string;
  /** L1 contract; the zero address is the native coin */
  readonly address: Hex;
  /** Decimal places between base units and the shown amount */
  readonly decimals: number;
  /** Digits shown */
  readonly precision?: number | undefined;
  /** Digits used in orders */
  readonly precisionForOrder?: number | undefined;
  /** Limits of order amounts */
  readonly orderAmounts?:
    | {
        /** Least order amount */
        readonly minimum: string;
        /** Largest order amount */
        readonly maximum: string;
        /** Amount below which a rest is not filled */
        readonly dust: string;
      }
    | undefined;
  /** Limits of gift amounts */
  readonly luckyTokenAmounts?:
    | {
        /** Least order amount */
        readonly minimum: string;
        /** Largest order amount */
        readonly maximum: string;
        /** Amount below which a rest is not filled */
        readonly dust: string;
      }
    | undefined;
  /** Largest fast withdrawal in base units */
  readonly fastWithdrawLimit?: string | undefined;
  /** Gas of L1 payouts and deposits */
  readonly gasAmounts?:
    | {
        /** Non-negative integer, decimal text */
        readonly distribution: string;
        /** Non-negative integer, decimal text */
        readonly deposit: string;
      }
    | undefined;
  /** Deposits and withdrawals allowed */
  readonly enabled?: boolean | undefined;
}[];

/** Parameters of `relayer_getMarkets`. */
export interface GetMarketsParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getMarkets`: The order book markets. */
export interface GetMarketsReturnType {
  /** Trading pairs */
  readonly markets: readonly {
    /** BASE-QUOTE by symbol; AMM-… for pools */
    readonly market: string;
    /** ERC-20 token id, 0 to 32767 */
    readonly baseTokenId: number;
    /** ERC-20 token id, 0 to 32767 */
    readonly quoteTokenId: number;
    /** Digits of a price */
    readonly precisionForPrice?: number | undefined;
    /** Levels of price aggregation in the order book */
    readonly orderbookAggLevels?: number | undefined;
    /** Open for orders */
    readonly enabled: boolean;
    /** Bit 0: has a pool; bit 1: has an order book */
    readonly status?: number | undefined;
    /** Time in milliseconds since 1970 */
    readonly createdAt?: number | string | undefined;
  }[];
}

/** Parameters of `relayer_getMixMarkets`. */
export interface GetMixMarketsParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getMixMarkets`: Markets with an order book or a pool. */
export interface GetMixMarketsReturnType {
  /** Trading pairs */
  readonly markets: readonly {
    /** BASE-QUOTE by symbol; AMM-… for pools */
    readonly market: string;
    /** ERC-20 token id, 0 to 32767 */
    readonly baseTokenId: number;
    /** ERC-20 token id, 0 to 32767 */
    readonly quoteTokenId: number;
    /** Digits of a price */
    readonly precisionForPrice?: number | undefined;
    /** Levels of price aggregation in the order book */
    readonly orderbookAggLevels?: number | undefined;
    /** Open for orders */
    readonly enabled: boolean;
    /** Bit 0: has a pool; bit 1: has an order book */
    readonly status?: number | undefined;
    /** Time in milliseconds since 1970 */
    readonly createdAt?: number | string | undefined;
  }[];
}

/** Parameters of `relayer_getAmmPools`. */
export interface GetAmmPoolsParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAmmPools`: The AMM pools. */
export interface GetAmmPoolsReturnType {
  /** The pools */
  readonly pools: readonly {
    /** Pool name, enters its EIP-712 domain */
    readonly name: string;
    /** Trading pair, BASE-QUOTE */
    readonly market: string;
    /** Pool contract */
    readonly address: Hex;
    /** EIP-712 domain version */
    readonly version: string;
    /** Token ids */
    readonly tokens: {
      /** Pooled tokens; pool requests keep this order */
      readonly pooled: readonly number[];
      /** LP token */
      readonly lp: number;
    };
    /** Pool fee in ten-thousandths */
    readonly feeBips: number;
    /** Digits shown */
    readonly precisions?:
      | {
          /** Digits of a price */
          readonly price: number;
          /** Digits of an amount */
          readonly amount: number;
        }
      | undefined;
    /** Time in milliseconds since 1970 */
    readonly createdAt?: number | string | undefined;
    /** Bits of what is enabled */
    readonly status?: number | undefined;
    /** Compare with the one computed from name, chain and address */
    readonly domainSeparator?: Hex | undefined;
  }[];
}

/** Parameters of `relayer_getAmmBalances`. */
export interface GetAmmBalancesParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAmmBalances`: Tokens inside all pools. */
export type GetAmmBalancesReturnType = readonly {
  /** Pool name, enters its EIP-712 domain */
  readonly poolName: string;
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress: Hex;
  /** Amounts in the order of the pool's tokens */
  readonly pooled: readonly {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** Non-negative integer, decimal text */
    readonly volume: string;
  }[];
  /** LP tokens in existence */
  readonly lp: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** Non-negative integer, decimal text */
    readonly volume: string;
  };
  /** True when the pool is small and slippage large */
  readonly risky: boolean;
}[];

/** Parameters of `relayer_getAmmBalance`. */
export interface GetAmmBalanceParameters {
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress: Hex;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAmmBalance`: Tokens inside a pool. */
export interface GetAmmBalanceReturnType {
  /** Pool name, enters its EIP-712 domain */
  readonly poolName: string;
  /** L1 address, 0x and 40 hex digits */
  readonly poolAddress: Hex;
  /** Amounts in the order of the pool's tokens */
  readonly pooled: readonly {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** Non-negative integer, decimal text */
    readonly volume: string;
  }[];
  /** LP tokens in existence */
  readonly lp: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** Non-negative integer, decimal text */
    readonly volume: string;
  };
  /** True when the pool is small and slippage large */
  readonly risky: boolean;
}

/** Parameters of `relayer_getAccount`. */
export interface GetAccountParameters {
  /** Owner address */
  readonly owner?: Hex | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAccount`: The L2 account of an owner, by address or id. */
export interface GetAccountReturnType {
  /** L2 account id */
  readonly accountId: number;
  /** L1 address, 0x and 40 hex digits */
  readonly owner: Hex;
  /** True while a key update is under way */
  readonly frozen: boolean;
  /** The account's current public key */
  readonly publicKey: {
    /** Curve coordinate, empty without a key */
    readonly x: Hex | '';
    /** Curve coordinate, empty without a key */
    readonly y: Hex | '';
  };
  /** Comma-separated tags, such as FirstUpdateAccountPaid */
  readonly tags?: string | undefined;
  /** Account nonce, grows by one with each key update */
  readonly nonce: number;
  /** Historic */
  readonly keyNonce?: number | undefined;
  /** Text whose signature yields the L2 key; empty: the default text */
  readonly keySeed: string;
}

/** Parameters of `relayer_getCounterFactualInfo`. */
export interface GetCounterFactualInfoParameters {
  /** L1 address, 0x and 40 hex digits */
  readonly address?: Hex | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getCounterFactualInfo`: How the smart wallet of an account is derived. */
export interface GetCounterFactualInfoReturnType {
  /** L2 account id */
  readonly accountId: number;
  /** Wallet address; recompute it before walletOwner is trusted */
  readonly wallet: Hex;
  /** L1 address, 0x and 40 hex digits */
  readonly walletFactory: Hex;
  /** uint256 as decimal text */
  readonly walletSalt: string;
  /** L1 address, 0x and 40 hex digits */
  readonly walletOwner: Hex;
}

/** Parameters of `relayer_getStorageId`. */
export interface GetStorageIdParameters {
  /** Token whose counter is asked: sold, moved, or the fee token of a mint */
  readonly sellTokenId: number;
  /** True: the greatest next ids, with everything above them free */
  readonly maxNext?: boolean | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getStorageId`: The next storage ids of an account and token. */
export interface GetStorageIdReturnType {
  /** Next id for orders, even */
  readonly orderId?: number | undefined;
  /** Next id for off-chain requests, odd */
  readonly offchainId?: number | undefined;
}

/** Parameters of `relayer_getBalances`. */
export interface GetBalancesParameters {
  /** Comma-separated token ids; all when absent */
  readonly tokens?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getBalances`: Token balances of an account. */
export type GetBalancesReturnType = readonly {
  /** L2 account id */
  readonly accountId?: number | undefined;
  /** Token id, 0 to 65535; from 32768 on an NFT slot */
  readonly tokenId: number;
  /** Whole balance */
  readonly total: string;
  /** Part of the total held by orders and pending withdrawals */
  readonly locked: string;
  /** Amounts on the way between the layers */
  readonly pending: {
    /** On the way to L1 */
    readonly withdraw: string;
    /** On the way to L2 */
    readonly deposit: string;
  };
}[];

/** Parameters of `relayer_getOffchainFee`. */
export interface GetOffchainFeeParameters {
  /** Kind of request, see feeRequestTypes */
  readonly requestType: number;
  /** Token that is moved; types 0, 1, 4, 6, 8 */
  readonly tokenSymbol?: string | undefined;
  /** Amount in base units; type 4 */
  readonly amount?: Amount | undefined;
  /** Trading pair, BASE-QUOTE */
  readonly market?: string | undefined;
  /** Kind of extra request; type 24 */
  readonly extraType?: number | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getOffchainFee`: Fees of off-chain requests. */
export interface GetOffchainFeeReturnType {
  /** Gas price in wei */
  readonly gasPrice: string;
  /** One entry per fee token */
  readonly fees: readonly {
    /** Symbol of the fee token */
    readonly token: string;
    /** Fee in base units, used unchanged */
    readonly fee: string;
    /** 0.8 pays 80 %; for display */
    readonly discount?: number | undefined;
  }[];
}

/** Parameters of `relayer_getOrder`. */
export interface GetOrderParameters {
  /** 32-byte hash, 0x and 64 hex digits */
  readonly orderHash: Hex;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getOrder`: One order by its hash. */
export interface GetOrderReturnType {
  /** Hash, 0x and up to 64 hex digits; leading zeros may be missing */
  readonly hash: Hex;
  /** The client's own id, empty for none */
  readonly clientOrderId: string;
  /** Seen from the base token of the market */
  readonly side: 'BUY' | 'SELL';
  /** Trading pair, BASE-QUOTE */
  readonly market: string;
  /** Quote per base, decimal text */
  readonly price: string;
  /** Base units */
  readonly volumes: {
    /** Non-negative integer, decimal text */
    readonly baseAmount: string;
    /** Non-negative integer, decimal text */
    readonly quoteAmount: string;
    /** Non-negative integer, decimal text */
    readonly baseFilled: string;
    /** Non-negative integer, decimal text */
    readonly quoteFilled: string;
    /** Non-negative integer, decimal text */
    readonly fee: string;
  };
  /** Seconds since 1970 */
  readonly validity: {
    /** Valid from, s */
    readonly start: number;
    /** Valid until, s */
    readonly end: number;
  };
  /** How the order meets the book */
  readonly orderType: string;
  /** Where the order may be filled */
  readonly tradeChannel: string;
  /** Status of the order */
  readonly status: 'processing' | 'processed' | 'cancelling' | 'cancelled' | 'expired' | 'failed' | 'waiting';
  /** Storage slot that was used */
  readonly storageInfo?:
    | {
        /** L2 account id */
        readonly accountId: number;
        /** Token id, 0 to 65535; from 32768 on an NFT slot */
        readonly tokenId: number;
        /** Storage id; the slot is the id modulo 16384 */
        readonly storageId: number;
      }
    | undefined;
  /** Stop orders only */
  readonly extraOrderInfo?:
    | {
        /** True once the stop price was met */
        readonly isTriggered?: boolean | undefined;
        /** Price that triggers the order */
        readonly stopPrice?: string | undefined;
        /** Side from which the price has to come */
        readonly stopSide?: string | undefined;
      }
    | undefined;
}

/** Parameters of `relayer_getOrders`. */
export interface GetOrdersParameters {
  /** Trading pair, BASE-QUOTE */
  readonly market?: string | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Seen from the base token of the market */
  readonly side?: 'BUY' | 'SELL' | undefined;
  /** Comma-separated order statuses */
  readonly status?: string | readonly (string | number)[] | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Comma-separated words */
  readonly orderTypes?: string | readonly (string | number)[] | undefined;
  /** Comma-separated words */
  readonly tradeChannels?: string | readonly (string | number)[] | undefined;
  /** Comma-separated words */
  readonly extraOrderTypes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getOrders`: Orders of an account. */
export interface GetOrdersReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of orders */
  readonly orders: readonly {
    /** Hash, 0x and up to 64 hex digits; leading zeros may be missing */
    readonly hash: Hex;
    /** The client's own id, empty for none */
    readonly clientOrderId: string;
    /** Seen from the base token of the market */
    readonly side: 'BUY' | 'SELL';
    /** Trading pair, BASE-QUOTE */
    readonly market: string;
    /** Quote per base, decimal text */
    readonly price: string;
    /** Base units */
    readonly volumes: {
      /** Non-negative integer, decimal text */
      readonly baseAmount: string;
      /** Non-negative integer, decimal text */
      readonly quoteAmount: string;
      /** Non-negative integer, decimal text */
      readonly baseFilled: string;
      /** Non-negative integer, decimal text */
      readonly quoteFilled: string;
      /** Non-negative integer, decimal text */
      readonly fee: string;
    };
    /** Seconds since 1970 */
    readonly validity: {
      /** Valid from, s */
      readonly start: number;
      /** Valid until, s */
      readonly end: number;
    };
    /** How the order meets the book */
    readonly orderType: string;
    /** Where the order may be filled */
    readonly tradeChannel: string;
    /** Status of the order */
    readonly status: 'processing' | 'processed' | 'cancelling' | 'cancelled' | 'expired' | 'failed' | 'waiting';
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Stop orders only */
    readonly extraOrderInfo?:
      | {
          /** True once the stop price was met */
          readonly isTriggered?: boolean | undefined;
          /** Price that triggers the order */
          readonly stopPrice?: string | undefined;
          /** Side from which the price has to come */
          readonly stopSide?: string | undefined;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getOrderUserRateAmount`. */
export interface GetOrderUserRateAmountParameters {
  /** Trading pair, BASE-QUOTE */
  readonly market: string;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getOrderUserRateAmount`: Fee rate and least amounts of orders in a market. */
export interface GetOrderUserRateAmountReturnType {
  /** Gas price in wei */
  readonly gasPrice?: string | undefined;
  /** One entry per token */
  readonly amounts?:
    | readonly {
        /** Token symbol */
        readonly tokenSymbol?: string | undefined;
        /** Fee rate discount; 0.8 pays 80 % */
        readonly discount?: number | undefined;
        /** Least amount at the highest fee rate (0.6 %) */
        readonly baseOrderInfo?:
          | {
              /** Least amount in base units */
              readonly minAmount?: string | undefined;
              /** Maker rate in ten-thousandths */
              readonly makerRate?: number | undefined;
              /** Taker rate in ten-thousandths */
              readonly takerRate?: number | undefined;
            }
          | undefined;
        /** Least amount at the user's fee rate */
        readonly userOrderInfo?:
          | {
              /** Least amount in base units */
              readonly minAmount?: string | undefined;
              /** Maker rate in ten-thousandths */
              readonly makerRate?: number | undefined;
              /** Taker rate in ten-thousandths */
              readonly takerRate?: number | undefined;
            }
          | undefined;
        /** Limits of submitted orders */
        readonly marketOrderInfo?:
          | {
              /** Least order amount */
              readonly minimum: string;
              /** Largest order amount */
              readonly maximum: string;
              /** Amount below which a rest is not filled */
              readonly dust: string;
            }
          | undefined;
        /** Base cost of settling a trade */
        readonly tradeCost?: string | undefined;
      }[]
    | undefined;
  /** When these numbers are refreshed */
  readonly cacheOverdueAt?: number | undefined;
}

/** Parameters of `relayer_getTransfers`. */
export interface GetTransfersParameters {
  /** Created at or after, ms; 0 for no bound */
  readonly start?: number | undefined;
  /** Created at or before, ms; 0 for no bound */
  readonly end?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Comma-separated request statuses */
  readonly status?: string | readonly (string | number)[] | undefined;
  /** All tokens when absent */
  readonly tokenSymbol?: string | undefined;
  /** Comma-separated words */
  readonly transferTypes?: string | readonly (string | number)[] | undefined;
  /** Comma-separated hashes */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getTransfers`: Transfers of an account. */
export interface GetTransfersReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Id of the row */
    readonly id: number;
    /** Hash of the request */
    readonly hash: string;
    /** Kind of request */
    readonly txType: string;
    /** Token symbol */
    readonly symbol: string;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Sending address */
    readonly senderAddress?: string | undefined;
    /** Receiving account id */
    readonly receiver?: number | undefined;
    /** Receiving address */
    readonly receiverAddress?: string | undefined;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Fee in base units */
    readonly feeAmount: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** Progress as a percentage text */
    readonly progress: string;
    /** Time in milliseconds since 1970 */
    readonly timestamp: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Block number */
    readonly blockId: number;
    /** Position in the block */
    readonly indexInBlock: number;
  }[];
}

/** Parameters of `relayer_getWithdrawals`. */
export interface GetWithdrawalsParameters {
  /** Created at or after, ms; 0 for no bound */
  readonly start?: number | undefined;
  /** Created at or before, ms; 0 for no bound */
  readonly end?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** All tokens when absent */
  readonly tokenSymbol?: string | undefined;
  /** deposit, transfer, offchain_withdrawal, onchain_withdrawal, change_password, … */
  readonly types?: string | readonly (string | number)[] | undefined;
  /** Comma-separated request statuses */
  readonly status?: string | readonly (string | number)[] | undefined;
  /** Comma-separated hashes */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getWithdrawals`: Withdrawals of an account. */
export interface GetWithdrawalsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Id of the row */
    readonly id: number;
    /** Hash of the request */
    readonly hash: string;
    /** Kind of request */
    readonly txType: string;
    /** Token symbol */
    readonly symbol: string;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Sending address */
    readonly senderAddress?: string | undefined;
    /** Receiving account id */
    readonly receiver?: number | undefined;
    /** Receiving address */
    readonly receiverAddress?: string | undefined;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Fee in base units */
    readonly feeAmount: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** Progress as a percentage text */
    readonly progress: string;
    /** Time in milliseconds since 1970 */
    readonly timestamp: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Block number */
    readonly blockId: number;
    /** Position in the block */
    readonly indexInBlock: number;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Payout of a withdrawal */
    readonly withdrawalInfo?:
      | {
          /** L1 receiver */
          readonly recipient?: string | undefined;
          /** L1 transaction that paid out */
          readonly distributeHash?: string | undefined;
          /** Status of a fast withdrawal */
          readonly fastStatus?: string | undefined;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getDeposits`. */
export interface GetDepositsParameters {
  /** Created at or after, ms; 0 for no bound */
  readonly start?: number | undefined;
  /** Created at or before, ms; 0 for no bound */
  readonly end?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** All tokens when absent */
  readonly tokenSymbol?: string | undefined;
  /** deposit, transfer, offchain_withdrawal, onchain_withdrawal, change_password, … */
  readonly types?: string | readonly (string | number)[] | undefined;
  /** Comma-separated request statuses */
  readonly status?: string | readonly (string | number)[] | undefined;
  /** Comma-separated hashes */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getDeposits`: Deposits of an account. */
export interface GetDepositsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Id of the row */
    readonly id: number;
    /** Hash of the request */
    readonly hash: string;
    /** Kind of request */
    readonly txType: string;
    /** Token symbol */
    readonly symbol: string;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Sending address */
    readonly senderAddress?: string | undefined;
    /** Receiving account id */
    readonly receiver?: number | undefined;
    /** Receiving address */
    readonly receiverAddress?: string | undefined;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Fee in base units */
    readonly feeAmount: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** Progress as a percentage text */
    readonly progress: string;
    /** Time in milliseconds since 1970 */
    readonly timestamp: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Block number */
    readonly blockId: number;
    /** Position in the block */
    readonly indexInBlock: number;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Payout of a withdrawal */
    readonly withdrawalInfo?:
      | {
          /** L1 receiver */
          readonly recipient?: string | undefined;
          /** L1 transaction that paid out */
          readonly distributeHash?: string | undefined;
          /** Status of a fast withdrawal */
          readonly fastStatus?: string | undefined;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getUserTransactions`. */
export interface GetUserTransactionsParameters {
  /** Created at or after, ms; 0 for no bound */
  readonly start?: number | undefined;
  /** Created at or before, ms; 0 for no bound */
  readonly end?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** All tokens when absent */
  readonly tokenSymbol?: string | undefined;
  /** deposit, transfer, offchain_withdrawal, onchain_withdrawal, change_password, … */
  readonly types?: string | readonly (string | number)[] | undefined;
  /** Comma-separated request statuses */
  readonly status?: string | readonly (string | number)[] | undefined;
  /** Comma-separated hashes */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getUserTransactions`: All requests of an account. */
export interface GetUserTransactionsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Id of the row */
    readonly id: number;
    /** Hash of the request */
    readonly hash: string;
    /** Kind of request */
    readonly txType: string;
    /** Token symbol */
    readonly symbol: string;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Sending address */
    readonly senderAddress?: string | undefined;
    /** Receiving account id */
    readonly receiver?: number | undefined;
    /** Receiving address */
    readonly receiverAddress?: string | undefined;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Fee in base units */
    readonly feeAmount: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** Progress as a percentage text */
    readonly progress: string;
    /** Time in milliseconds since 1970 */
    readonly timestamp: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Block number */
    readonly blockId: number;
    /** Position in the block */
    readonly indexInBlock: number;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Payout of a withdrawal */
    readonly withdrawalInfo?:
      | {
          /** L1 receiver */
          readonly recipient?: string | undefined;
          /** L1 transaction that paid out */
          readonly distributeHash?: string | undefined;
          /** Status of a fast withdrawal */
          readonly fastStatus?: string | undefined;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getUserTrades`. */
export interface GetUserTradesParameters {
  /** Trading pair, BASE-QUOTE */
  readonly market?: string | undefined;
  /** 32-byte hash, 0x and 64 hex digits */
  readonly orderHash?: Hex | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated words */
  readonly fillTypes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getUserTrades`: Trades of an account. */
export interface GetUserTradesReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly trades: readonly (readonly string[])[];
}

/** Parameters of `relayer_getAmmTransactions`. */
export interface GetAmmTransactionsParameters {
  /** Created at or after, ms; 0 for no bound */
  readonly start?: number | undefined;
  /** Created at or before, ms; 0 for no bound */
  readonly end?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Comma-separated AMM transaction types */
  readonly txTypes?: string | readonly (string | number)[] | undefined;
  /** Comma-separated AMM statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L1 address, 0x and 40 hex digits */
  readonly ammPoolAddress?: Hex | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAmmTransactions`: Joins and exits of an account. */
export interface GetAmmTransactionsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Hash of the request */
    readonly hash: string;
    /** Kind of request */
    readonly txType: 'join' | 'exit';
    /** Status of the join or exit */
    readonly txStatus: 'processing' | 'cancelled' | 'processed';
    /** L1 address, 0x and 40 hex digits */
    readonly ammPoolAddress: Hex;
    /** Where it happened */
    readonly ammLayerType: 'layer_1' | 'layer_2';
    /** Amounts in the order of the pool's tokens */
    readonly poolTokens: readonly {
      /** Token id, 0 to 65535; from 32768 on an NFT slot */
      readonly tokenId: number;
      /** Non-negative integer, decimal text */
      readonly amount: string;
      /** Amount after rounding to the float precision */
      readonly actualAmount: string;
      /** Non-negative integer, decimal text */
      readonly feeAmount: string;
    }[];
    /** LP tokens minted or burned */
    readonly lpToken: {
      /** Token id, 0 to 65535; from 32768 on an NFT slot */
      readonly tokenId: number;
      /** Non-negative integer, decimal text */
      readonly amount: string;
      /** Amount after rounding to the float precision */
      readonly actualAmount: string;
      /** Non-negative integer, decimal text */
      readonly feeAmount: string;
    };
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Block number */
    readonly blockId: number;
    /** Position in the block */
    readonly indexInBlock: number;
    /** Storage slots that were used */
    readonly storageInfo?:
      | readonly {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }[]
      | undefined;
  }[];
}

/** Parameters of `relayer_computeTokenAddress`. */
export interface ComputeTokenAddressParameters {
  /** Official NFT factory */
  readonly nftFactory: Hex;
  /** Contract owner, the only minter on L2 */
  readonly nftOwner: Hex;
  /** Base URI; currently unsupported, sent empty */
  readonly nftBaseUri?: string | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_computeTokenAddress`: Address of an NFT contract before it is deployed. */
export interface ComputeTokenAddressReturnType {
  /** Counterfactual contract address */
  readonly tokenAddress: Hex;
}

/** Parameters of `relayer_getCode`. */
export interface GetCodeParameters {
  /** NFT contract address */
  readonly address: Hex;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getCode`: L1 code of an NFT contract; 0x while it is not deployed. */
export interface GetCodeReturnType {
  /** Id of the row */
  readonly id: number;
  /** 2.0 */
  readonly jsonrpc: string;
  /** Deployed code as hex; 0x: not deployed */
  readonly result: Hex;
}

/** Parameters of `relayer_getAvailableBroker`. */
export interface GetAvailableBrokerParameters {
  /** 0 NFT deployment (default), 1 forced withdrawal */
  readonly type?: number | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getAvailableBroker`: Address that receives the fee transfer of a deployment. */
export interface GetAvailableBrokerReturnType {
  /** Receiver of the fee transfer */
  readonly broker: Hex;
}

/** Parameters of `relayer_getNftOffchainFee`. */
export interface GetNftOffchainFeeParameters {
  /** 9 mint, 10 withdrawal, 11 transfer, 13 deployment, 19 transfer with activation */
  readonly requestType: number;
  /** NFT contract; types 9, 10, 13 */
  readonly tokenAddress?: Hex | undefined;
  /** With 10: the fee includes the deployment */
  readonly deployInWithdraw?: boolean | undefined;
  /** NFT count */
  readonly amount?: Amount | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftOffchainFee`: Fees of NFT requests. */
export interface GetNftOffchainFeeReturnType {
  /** Gas price in wei */
  readonly gasPrice: string;
  /** One entry per fee token */
  readonly fees: readonly {
    /** Symbol of the fee token */
    readonly token: string;
    /** Fee in base units, used unchanged */
    readonly fee: string;
    /** 0.8 pays 80 %; for display */
    readonly discount?: number | undefined;
  }[];
}

/** Parameters of `relayer_getNftData`. */
export interface GetNftDataParameters {
  /** L1 address, 0x and 40 hex digits */
  readonly minter: Hex;
  /** L1 address, 0x and 40 hex digits */
  readonly tokenAddress: Hex;
  /** NFT id, a uint256 as hex: the digest of the IPFS directory */
  readonly nftId: Hex;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftData`: What identifies an NFT on L2. */
export interface GetNftDataReturnType {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData: Hex;
  /** L1 address, 0x and 40 hex digits */
  readonly minter: Hex;
  /** ERC1155 or ERC721 */
  readonly nftType: string;
  /** Contract of the NFT */
  readonly tokenAddress: Hex;
  /** NFT id, a uint256 as hex: the digest of the IPFS directory */
  readonly nftId: Hex;
  /** Creator royalty as hashed into nftData */
  readonly creatorFeeBips: number;
  /** The same number under its other name */
  readonly royaltyPercentage?: number | undefined;
  /** True while the NFT is known to the relayer */
  readonly status: boolean;
  /** Factory of the contract */
  readonly nftFactory?: string | undefined;
  /** Owner of the contract */
  readonly nftOwner?: string | undefined;
  /** Base URI, empty */
  readonly nftBaseUri?: string | undefined;
  /** Receiver of royalties */
  readonly royaltyAddress?: string | undefined;
  /** First minter */
  readonly originalMinter?: string | undefined;
}

/** Parameters of `relayer_getNfts`. */
export interface GetNftsParameters {
  /** Comma-separated hashes */
  readonly nftDatas: string | readonly (string | number)[];
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNfts`: What identifies several NFTs. */
export type GetNftsReturnType = readonly {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData: Hex;
  /** L1 address, 0x and 40 hex digits */
  readonly minter: Hex;
  /** ERC1155 or ERC721 */
  readonly nftType: string;
  /** Contract of the NFT */
  readonly tokenAddress: Hex;
  /** NFT id, a uint256 as hex: the digest of the IPFS directory */
  readonly nftId: Hex;
  /** Creator royalty as hashed into nftData */
  readonly creatorFeeBips: number;
  /** The same number under its other name */
  readonly royaltyPercentage?: number | undefined;
  /** True while the NFT is known to the relayer */
  readonly status: boolean;
  /** Factory of the contract */
  readonly nftFactory?: string | undefined;
  /** Owner of the contract */
  readonly nftOwner?: string | undefined;
  /** Base URI, empty */
  readonly nftBaseUri?: string | undefined;
  /** Receiver of royalties */
  readonly royaltyAddress?: string | undefined;
  /** First minter */
  readonly originalMinter?: string | undefined;
}[];

/** Parameters of `relayer_getNftBalances`. */
export interface GetNftBalancesParameters {
  /** Comma-separated hashes */
  readonly nftDatas?: string | readonly (string | number)[] | undefined;
  /** Comma-separated addresses */
  readonly tokenAddrs?: string | readonly (string | number)[] | undefined;
  /** Slots */
  readonly tokenIds?: string | readonly (string | number)[] | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Only slots that hold something; true when absent */
  readonly nonZero?: boolean | undefined;
  /** With metadata; false when absent */
  readonly metadata?: boolean | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftBalances`: NFTs of an account. */
export interface GetNftBalancesReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly data: readonly {
    /** L2 account id */
    readonly accountId: number;
    /** Slot that transfers, withdrawals and sales sign */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** L1 address, 0x and 40 hex digits */
    readonly tokenAddress: Hex;
    /** NFT id, a uint256 as hex: the digest of the IPFS directory */
    readonly nftId: Hex;
    /** NFT standard */
    readonly nftType: string;
    /** Non-negative integer, decimal text */
    readonly total: string;
    /** Non-negative integer, decimal text */
    readonly locked: string;
    /** Amounts on the way between the layers */
    readonly pending: {
      /** On the way to L1 */
      readonly withdraw: string;
      /** On the way to L2 */
      readonly deposit: string;
    };
    /** Whether the contract exists on L1 */
    readonly deploymentStatus?: 'NOT_DEPLOYED' | 'DEPLOYING' | 'DEPLOYED' | 'DEPLOY_FAILED' | undefined;
    /** True for contracts of the official factory */
    readonly isCounterFactualNFT?: boolean | undefined;
    /** Minter address */
    readonly minter?: string | undefined;
  }[];
}

/** Parameters of `relayer_getNftOrderUserRateAmount`. */
export interface GetNftOrderUserRateAmountParameters {
  /** Contract of the NFT */
  readonly nftTokenAddress: Hex;
  /** Fee token; all when absent */
  readonly feeTokenSymbol?: string | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftOrderUserRateAmount`: Fee rate and amount limits of NFT orders. */
export interface GetNftOrderUserRateAmountReturnType {
  /** L1 address, 0x and 40 hex digits */
  readonly nftTokenAddress: Hex;
  /** Fee rate in ten-thousandths */
  readonly feeRate: number;
  /** One entry per token */
  readonly amounts: readonly {
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Least quote amount of an NFT order at the fee rate */
    readonly minAmount: string;
    /** Base cost of settling a trade */
    readonly tradeCost: string;
    /** Amount limits of the NFT market */
    readonly marketOrderInfo: {
      /** Least order amount */
      readonly minimum: string;
      /** Largest order amount */
      readonly maximum: string;
      /** Amount below which a rest is not filled */
      readonly dust: string;
    };
  }[];
  /** Gas price in wei */
  readonly gasPrice: string;
  /** When these numbers are refreshed */
  readonly cacheOverdueAt: number;
}

/** Parameters of `relayer_getNftOrderFee`. */
export interface GetNftOrderFeeParameters {
  /** Contract of the NFT */
  readonly nftTokenAddress: Hex;
  /** Quote token of the market */
  readonly quoteToken: number;
  /** Quote amount of the order in base units */
  readonly quoteAmount: Amount;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftOrderFee`: Fee rate of one NFT order. */
export interface GetNftOrderFeeReturnType {
  /** Fee rate of the order */
  readonly feeRate?:
    | {
        /** L1 address, 0x and 40 hex digits */
        readonly nftTokenAddress: Hex;
        /** Fee rate in ten-thousandths */
        readonly rate: number;
      }
    | undefined;
  /** Non-negative integer, decimal text */
  readonly gasPrice?: string | undefined;
}

/** Parameters of `relayer_getNftDeposits`. */
export interface GetNftDepositsParameters {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData?: Hex | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Rows with this id and older ones */
  readonly startId?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated request statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L2 hashes; L1 transaction hashes for deposits */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftDeposits`: NFT deposits of an account. */
export interface GetNftDepositsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly deposits: readonly {
    /** The relayer's number of the request */
    readonly requestId: number;
    /** Hash of the request */
    readonly hash: string;
    /** L1 transaction, empty for none */
    readonly txHash: string;
    /** L2 account id */
    readonly accountId: number;
    /** Address of the account */
    readonly owner: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Non-negative integer, decimal text */
    readonly feeAmount: string;
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Id of the row */
    readonly id: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Depositing address */
    readonly depositFrom: string;
    /** L2 account id */
    readonly depositFromAccountId: number;
  }[];
}

/** Parameters of `relayer_getNftTransfers`. */
export interface GetNftTransfersParameters {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData?: Hex | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Rows with this id and older ones */
  readonly startId?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated request statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L2 hashes; L1 transaction hashes for deposits */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftTransfers`: NFT transfers of an account. */
export interface GetNftTransfersReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transfers: readonly {
    /** The relayer's number of the request */
    readonly requestId: number;
    /** Hash of the request */
    readonly hash: string;
    /** L1 transaction, empty for none */
    readonly txHash: string;
    /** L2 account id */
    readonly accountId: number;
    /** Address of the account */
    readonly owner: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Non-negative integer, decimal text */
    readonly feeAmount: string;
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
    /** Id of the row */
    readonly id: string | number;
    /** Public remark */
    readonly memo: string;
    /** L2 account id */
    readonly payeeId: number;
    /** Receiving address */
    readonly payeeAddress: string;
  }[];
}

/** Parameters of `relayer_getNftTransactions`. */
export interface GetNftTransactionsParameters {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData?: Hex | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Rows with this id and older ones */
  readonly startId?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated request statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L2 hashes; L1 transaction hashes for deposits */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** deposit, transfer, withdrawal, mint */
  readonly types?: string | readonly (string | number)[] | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftTransactions`: NFT requests of an account. */
export interface GetNftTransactionsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transactions: readonly {
    /** Id of the row */
    readonly id: string | number;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Hash of the request */
    readonly hash: string;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** L2 account id */
    readonly accountId: number;
    /** Address of the account */
    readonly owner: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Non-negative integer, decimal text */
    readonly feeAmount: string;
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getNftMints`. */
export interface GetNftMintsParameters {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData?: Hex | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Rows with this id and older ones */
  readonly startId?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated request statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L2 hashes; L1 transaction hashes for deposits */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftMints`: NFT mints of an account. */
export interface GetNftMintsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly transfers: readonly {
    /** Id of the row */
    readonly id: string | number;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Hash of the request */
    readonly hash: string;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** L2 account id */
    readonly accountId: number;
    /** Address of the account */
    readonly owner: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Non-negative integer, decimal text */
    readonly feeAmount: string;
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getNftWithdrawals`. */
export interface GetNftWithdrawalsParameters {
  /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
  readonly nftData?: Hex | undefined;
  /** Created at or after, ms */
  readonly start?: number | undefined;
  /** Created at or before, ms */
  readonly end?: number | undefined;
  /** Rows with this id and older ones */
  readonly startId?: number | undefined;
  /** Rows to return; 20 when absent */
  readonly limit?: number | undefined;
  /** Comma-separated request statuses */
  readonly txStatus?: string | readonly (string | number)[] | undefined;
  /** L2 hashes; L1 transaction hashes for deposits */
  readonly hashes?: string | readonly (string | number)[] | undefined;
  /** Rows to skip */
  readonly offset?: number | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getNftWithdrawals`: NFT withdrawals of an account. */
export interface GetNftWithdrawalsReturnType {
  /** Rows that match, on all pages */
  readonly totalNum: number;
  /** One page of rows */
  readonly withdrawals: readonly {
    /** Id of the row */
    readonly id: string | number;
    /** The relayer's number of the request */
    readonly requestId?: number | undefined;
    /** Hash of the request */
    readonly hash: string;
    /** L1 transaction, empty for none */
    readonly txHash?: string | undefined;
    /** L2 account id */
    readonly accountId: number;
    /** Address of the account */
    readonly owner: string;
    /** Status of the request */
    readonly status: 'received' | 'processing' | 'processed' | 'failed';
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData: Hex;
    /** Non-negative integer, decimal text */
    readonly amount: string;
    /** Symbol of the fee token */
    readonly feeTokenSymbol: string;
    /** Non-negative integer, decimal text */
    readonly feeAmount: string;
    /** Time in milliseconds since 1970 */
    readonly createdAt: number;
    /** Time in milliseconds since 1970 */
    readonly updatedAt: number;
    /** Public remark */
    readonly memo?: string | undefined;
    /** Where the request stands in the blocks */
    readonly blockIdInfo?:
      | {
          /** Block number */
          readonly blockId: number;
          /** Position in the block */
          readonly indexInBlock: number;
        }
      | undefined;
    /** Storage slot that was used */
    readonly storageInfo?:
      | {
          /** L2 account id */
          readonly accountId: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId: number;
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageId: number;
        }
      | undefined;
  }[];
}

/** Parameters of `relayer_getBlock`. */
export interface GetBlockParameters {
  /** finalized (default), confirmed, or a block number */
  readonly id?: 'finalized' | 'confirmed' | number | undefined;
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Answer of `relayer_getBlock`: A block by number, or the latest of a status. */
export interface GetBlockReturnType {
  /** Block number */
  readonly blockId: number;
  /** Size of the block in transactions */
  readonly blockSize: number;
  /** L1 address, 0x and 40 hex digits */
  readonly exchange: Hex;
  /** L1 transaction, empty for none */
  readonly txHash: string;
  /** Status of the block */
  readonly status: 'pending' | 'confirmed' | 'finalized';
  /** Time in milliseconds since 1970 */
  readonly createdAt: number;
  /** Transactions in the order of the block */
  readonly transactions: readonly {
    /** Kind of transaction */
    readonly txType:
      | 'Noop'
      | 'Deposit'
      | 'Withdraw'
      | 'Transfer'
      | 'SpotTrade'
      | 'AccountUpdate'
      | 'AmmUpdate'
      | 'JoinAmm'
      | 'ExitAmm'
      | 'SignatureVerification'
      | 'NftMint'
      | 'NftData';
    /** L2 account id */
    readonly accountId?: number | undefined;
    /** Address of the account */
    readonly owner?: string | undefined;
    /** Token that moves */
    readonly token?:
      | {
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId?: number | undefined;
          /** Contract of the token */
          readonly tokenAddress?: string | undefined;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData?: string | undefined;
          /** NFT id */
          readonly nftId?: string | undefined;
          /** Amount in base units */
          readonly amount?: string | undefined;
        }
      | undefined;
    /** Token of the receiving side */
    readonly toToken?:
      | {
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId?: number | undefined;
          /** Contract of the token */
          readonly tokenAddress?: string | undefined;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData?: string | undefined;
          /** NFT id */
          readonly nftId?: string | undefined;
          /** Amount in base units */
          readonly amount?: string | undefined;
        }
      | undefined;
    /** Fee paid */
    readonly fee?:
      | {
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId?: number | undefined;
          /** Contract of the token */
          readonly tokenAddress?: string | undefined;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData?: string | undefined;
          /** NFT id */
          readonly nftId?: string | undefined;
          /** Amount in base units */
          readonly amount?: string | undefined;
        }
      | undefined;
    /** Deadline in seconds since 1970 */
    readonly validUntil?: number | undefined;
    /** L2 account id */
    readonly toAccountId?: number | undefined;
    /** Receiving address */
    readonly toAccountAddress?: string | undefined;
    /** Storage id; the slot is the id modulo 16384 */
    readonly storageId?: number | undefined;
    /** First order of a trade */
    readonly orderA?:
      | {
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageID: number;
          /** L2 account id */
          readonly accountID: number;
          /** Non-negative integer, decimal text */
          readonly amountS: string;
          /** Non-negative integer, decimal text */
          readonly amountB: string;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenS: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenB: number;
          /** Deadline in seconds since 1970 */
          readonly validUntil: number;
          /** Only allowed taker, empty for anyone */
          readonly taker: string;
          /** Highest accepted fee rate in ten-thousandths */
          readonly feeBips: number;
          /** True for the order of a pool */
          readonly isAmm: boolean;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData: string;
          /** Filled amount; text above the safe integers */
          readonly fillS: number | string;
        }
      | undefined;
    /** Second order of a trade */
    readonly orderB?:
      | {
          /** Storage id; the slot is the id modulo 16384 */
          readonly storageID: number;
          /** L2 account id */
          readonly accountID: number;
          /** Non-negative integer, decimal text */
          readonly amountS: string;
          /** Non-negative integer, decimal text */
          readonly amountB: string;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenS: number;
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenB: number;
          /** Deadline in seconds since 1970 */
          readonly validUntil: number;
          /** Only allowed taker, empty for anyone */
          readonly taker: string;
          /** Highest accepted fee rate in ten-thousandths */
          readonly feeBips: number;
          /** True for the order of a pool */
          readonly isAmm: boolean;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData: string;
          /** Filled amount; text above the safe integers */
          readonly fillS: number | string;
        }
      | undefined;
    /** False when the block counts it as void */
    readonly valid?: boolean | undefined;
    /** Account nonce */
    readonly nonce?: number | undefined;
    /** L2 account id */
    readonly minterAccountId?: number | undefined;
    /** Minter address */
    readonly minter?: string | undefined;
    /** The NFT */
    readonly nftToken?:
      | {
          /** Token id, 0 to 65535; from 32768 on an NFT slot */
          readonly tokenId?: number | undefined;
          /** Contract of the token */
          readonly tokenAddress?: string | undefined;
          /** L2 identifier of the NFT, empty for none */
          readonly nftData?: string | undefined;
          /** NFT id */
          readonly nftId?: string | undefined;
          /** Amount in base units */
          readonly amount?: string | undefined;
        }
      | undefined;
    /** NFT standard */
    readonly nftType?: string | undefined;
    /** Sending address */
    readonly fromAddress?: string | undefined;
    /** Receiving address */
    readonly toAddress?: string | undefined;
  }[];
}

/** Parameters of `relayer_getRequests`. */
export interface GetRequestsParameters {
  readonly limit?: number | undefined;
}

/** Parameters of `relayer_withdrawRequest`. */
export interface WithdrawRequestParameters {
  readonly requestId: string;
}

/** Parameters of `relayer_requestStandingApproval`. */
export interface RequestStandingApprovalParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
  readonly operations?: readonly ('submitOrder' | 'cancelOrder')[] | undefined;
  /** ERC-20 token id, 0 to 32767 */
  readonly sellTokenId: number;
  /** ERC-20 token id, 0 to 32767 */
  readonly buyTokenId: number;
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly orderVolume: Amount;
  /** Amount in the token's base units, decimal text, 0 to 2^96 - 1 */
  readonly totalVolume: Amount;
  readonly rate: {
    readonly requests: number;
    readonly seconds: number;
  };
  /** Time in seconds since 1970 */
  readonly validUntil: number;
}

/** Parameters of `relayer_getStandingApprovals`. */
export interface GetStandingApprovalsParameters {
  /** Owner address of one of the accounts that the site sees; the client's account, else the first */
  readonly account?: Hex | undefined;
}

/** Parameters of `relayer_revokeStandingApproval`. */
export interface RevokeStandingApprovalParameters {
  readonly id: string;
}

/** Parameters of `relayer_getReceipt`. */
export interface GetReceiptParameters {
  readonly requestId: string;
}

/** A signed NFT order, as `POST /api/v3/nft/validateOrder` and the site that matches it take it. */
export interface SignedNftOrder {
  /** Exchange that processes the order */
  readonly exchange: Hex;
  /** L2 account id */
  readonly accountId: number;
  /** Storage id of an order, even */
  readonly storageId: number;
  /** Whole fill or none; only false is supported */
  readonly allOrNone: false | 'false';
  /** true: filled up to the buy amount; false: up to the sell amount */
  readonly fillAmountBOrS: true | false | 'true' | 'false';
  /** Expiry in seconds since 1970 */
  readonly validUntil: number;
  /** Highest accepted fee rate in ten-thousandths, 1 to 63 */
  readonly maxFeeBips: number;
  /** EdDSA signature: 0x, then Rx, Ry and S as 64 hex digits each */
  readonly eddsaSignature: Hex;
  /** The client's own unique order id, at most 120 bytes */
  readonly clientOrderId?: string | undefined;
  /** LIMIT_ORDER when absent */
  readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | 'AMM' | undefined;
  /** MIXED when absent */
  readonly tradeChannel?: 'ORDER_BOOK' | 'AMM_POOL' | 'MIXED' | undefined;
  /** Only this owner may take the order; absent, empty or the zero address: anyone */
  readonly taker?: Hex | '' | undefined;
  /** Account id that receives a share of the fee, decimal text */
  readonly affiliate?: string | undefined;
  /** Source tag of the client, not signed */
  readonly channelId?: string | undefined;
  /** What is sold */
  readonly sellToken: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData?: Hex | undefined;
    /** NFT count, or base units of an ERC-20 token; decimal text */
    readonly amount: string;
  };
  /** What is bought; an NFT needs its nftData */
  readonly buyToken: {
    /** Token id, 0 to 65535; from 32768 on an NFT slot */
    readonly tokenId: number;
    /** L2 identifier of the NFT, hash of contract, NFT id, minter and royalty */
    readonly nftData?: Hex | undefined;
    /** NFT count, or base units of an ERC-20 token; decimal text */
    readonly amount: string;
  };
}
