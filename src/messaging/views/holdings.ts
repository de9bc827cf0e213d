import type { Text, TokenFacts } from '../../operations/review.ts';
import type { FillTerms } from '../../operations/submitOrder.ts';
import type { ActivityItem } from './activity.ts';
import type { AccountView } from './wallet.ts';

/** Facts as they were last read, and how old they are. */
export interface Stored<T> {
  /** `null` when they were never read. */
  readonly data: T | null;
  /** Unix milliseconds of the reading. */
  readonly at: number | null;
  /** Why they are old, if they are. */
  readonly problem: Text | null;
}

export interface BalanceView {
  readonly token: TokenFacts;
  /** Base units, decimal text. */
  readonly total: string;
  readonly locked: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
}

/**
 * Why a proof of a balance is wrong. `root`: it does not lead to the root of its block. `leaf`: it
 * proves another account, owner or token. `removed`: it lacks the account, which an earlier block
 * has. `two-roots`: the relayer showed two roots for one block. `two-numbers`: it showed the root
 * before as that of another block. `exchange`: the block is another exchange's.
 */
export type ProofRule = 'root' | 'leaf' | 'removed' | 'two-roots' | 'two-numbers' | 'exchange';

/** Proof of one balance. A root is the relayer's word until layer 1 has it. */
export interface ProofView {
  readonly token: TokenFacts;
  /** NFT in the slot; `null` for a token. */
  readonly nft: Pick<NftView, 'cid' | 'nftId'> | null;
  /** Balance that is shown, base units; `null` where the exchange listed none, or none was read. */
  readonly total: string | null;
  /**
   * `changed`: the block has another balance. `other-nft`: another NFT in the slot. `other-key`:
   * this balance, with another key of the account. `unread`: the present balance was never read.
   * `none`: no proof is kept.
   */
  readonly state: 'proven' | 'changed' | 'other-nft' | 'other-key' | 'unread' | 'none';
  /** Block of the last proof that holds. */
  readonly blockId: number | null;
  /** Balance in that block, base units. */
  readonly proven: string | null;
  /** The newest proof that did not hold; `at` in Unix milliseconds. */
  readonly failure: { readonly rule: ProofRule; readonly blockId: number; readonly at: number } | null;
}

export interface ProofsView {
  /**
   * Whether the relayer gives proofs: `no`, none that can be read; `not-yet`, no block has roots
   * yet. `null`: it was not asked yet.
   */
  readonly offered: 'yes' | 'no' | 'not-yet' | null;
  readonly proofs: readonly ProofView[];
}

export interface HomeView {
  readonly account: AccountView;
  readonly balances: readonly BalanceView[];
  readonly activity: readonly ActivityItem[];
  /** Unix milliseconds of the balances; `null` when none were ever read. */
  readonly balancesAt: number | null;
  /** Why the balances are old, if they are. */
  readonly problem: Text | null;
  /** The relayer gives no proofs of balances that can be read. */
  readonly noProofs?: true;
}

/** An order as the relayer lists it. Amounts in base units, times in Unix milliseconds. */
export interface OrderView {
  readonly hash: string;
  readonly clientOrderId: string;
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  /**
   * `processing`, `waiting`, `cancelling`, `processed`, `cancelled`, `expired`, `failed`, or a word
   * that is new.
   */
  readonly status: string;
  /** Quote for one base, decimal text. */
  readonly price: string;
  /** Of an NFT order; its base is a number of NFTs. */
  readonly nftData: string | null;
  /** `null` for a market or a token that the relayer does not list. */
  readonly base: TokenFacts | null;
  readonly quote: TokenFacts | null;
  readonly baseAmount: string;
  readonly quoteAmount: string;
  readonly baseFilled: string;
  readonly quoteFilled: string;
  readonly fee: string;
  readonly validUntil: number;
  readonly storageId: number | null;
  /** Of an order that this wallet signed and still has a record of, as signed. */
  readonly terms?: FillTerms;
}

export interface OrdersView {
  readonly open: readonly OrderView[];
  readonly over: readonly OrderView[];
  /** The relayer has older open ones. */
  readonly moreOpen: boolean;
  /** The relayer has older finished ones. */
  readonly moreOver: boolean;
}

/** NFT in one slot of an account. */
export interface NftView {
  /** 32768 to 65535; what transfers and withdrawals sign. */
  readonly slot: number;
  readonly nftData: string;
  readonly tokenAddress: string;
  readonly nftId: string;
  /** IPFS name of the metadata, CIDv0. */
  readonly cid: string | null;
  readonly total: string;
  readonly locked: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
  /**
   * Whether the contract exists on layer 1: `NOT_DEPLOYED`, `DEPLOYING`, `DEPLOYED`,
   * `DEPLOY_FAILED`, or a word that is new; `null` when the relayer does not say.
   */
  readonly deployment: string | null;
  readonly minter: string | null;
}

/**
 * Answer of an IPFS gateway about an NFT: somebody's text and picture, covered by no signature.
 * `off`: no gateway is set up. `withheld`: the browser does not allow it. `unavailable`: the
 * gateway has nothing that can be read.
 */
export interface NftMetadataView {
  readonly status: 'off' | 'withheld' | 'ready' | 'unavailable';
  /** At most 120 characters. */
  readonly name: string | null;
  /** At most 1,000 characters. */
  readonly description: string | null;
  /**
   * Name of its collection in the metadata, at most 120 characters: a claim, the contract is what
   * counts.
   */
  readonly collection: string | null;
  /** `data:` URL of a raster picture of at most 1 MiB, checked by its bytes. */
  readonly image: string | null;
  /** Host of the gateway. */
  readonly host: string | null;
}

/** A pool and the account's share of it. Amounts in base units. */
export interface PoolPosition {
  readonly name: string;
  readonly market: string;
  readonly address: string;
  readonly feeBips: number;
  readonly lp: TokenFacts;
  /** LP tokens of the account, and in existence. */
  readonly total: string;
  readonly locked: string;
  readonly supply: string;
  readonly risky: boolean;
  /** True for a pool that can only be left. */
  readonly noJoins?: true;
  /** In the order of the pool: what it holds, and the account's share of it. */
  readonly parts: readonly { readonly token: TokenFacts; readonly pooled: string; readonly share: string }[];
  /** Ten-thousandths that a year of fees like those of the last 24 hours would pay. */
  readonly yearBips?: number;
  /**
   * Result in each token: the share and what came out of it, less what went in and its fees, as
   * signed texts; absent unless the history explains the whole share.
   */
  readonly result?: readonly string[];
}

/** A join or exit. */
export interface PoolMove {
  readonly hash: string;
  readonly type: 'join' | 'exit';
  /** `processing`, `processed`, `cancelled`, or a word that is new. */
  readonly status: string;
  readonly poolAddress: string;
  readonly parts: readonly { readonly token: TokenFacts; readonly volume: string }[];
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface PoolsView {
  readonly positions: readonly PoolPosition[];
  /** Pools that the account has no share of. */
  readonly others?: readonly PoolPosition[];
  readonly moves: readonly PoolMove[];
}
