import type { SubmissionState, SubmissionStatus } from '../../journal/lifecycle.ts';
import type { OperationGroup, OperationPicture } from '../../operations/operation.ts';
import type { ReviewField, ReviewRow, Text, TokenFacts } from '../../operations/review.ts';
import type { NetworkView } from './wallet.ts';

export type { SubmissionState, SubmissionStatus };

/** What a wallet contract has to approve: `approveTransaction(owner, hash)` of the exchange. */
export interface HashToApprove {
  /** EIP-712 digest. */
  readonly hash: string;
  readonly owner: string;
  readonly exchange: string;
  readonly chainId: number;
  /** End of the request, Unix seconds. */
  readonly validUntil: number;
}

export interface ActivityItem {
  readonly id: string;
  /** The approval that it came from. */
  readonly requestId: string;
  readonly operation: string;
  /** `null`: of an operation that this version does not have. */
  readonly group: OperationGroup | null;
  /** Of the operation, where its group has another. */
  readonly picture?: OperationPicture;
  /** Its signed request may be in other hands and can be used, also when it is `processed`. */
  readonly handsOver?: true;
  /** Once `processed`, it has left the exchange and is not paid on layer 1 yet. */
  readonly leavesExchange?: true;
  /** Its account was removed before anybody said how it ended. */
  readonly isEndUnknown?: true;
  readonly origin: string;
  readonly account: string;
  readonly sentence: Text;
  readonly status: SubmissionStatus;
  readonly hash: string | null;
  /** Of a request that the relayer takes once the account's wallet contract has approved it. */
  readonly approveHash: HashToApprove | null;
  readonly storageId: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly problem: Text | null;
  /** The standing approval that answered in the user's place, in one phrase. */
  readonly standing?: Text;
  /** An order that the relayer holds open: its tools find it by `hash`. */
  readonly isOpenOrder?: true;
}

/** Base units, decimal text. */
interface TokenVolume {
  readonly token: TokenFacts;
  readonly volume: string;
}

/**
 * Something that happened to the account, as the exchange tells it: who started it does not matter.
 */
export interface HistoryEvent {
  /** Unique in the list; begins with its `HistorySource`. */
  readonly id: string;
  readonly kind: 'received' | 'deposited' | 'minted' | 'sent' | 'withdrew' | 'bought' | 'sold';
  readonly sentence: Text;
  /** Of the request; of a fill, that of the order. */
  readonly hash: string;
  /** `received`, `processing`, `processed`, `failed`, or a word that is new. */
  readonly status: string;
  /**
   * Amount that came or left, of a fill the base token; without `token` a number of NFTs, or of a
   * fill base units in a market that is not known.
   */
  readonly amount: { readonly token: TokenFacts | null; readonly volume: string };
  /** Identifies the NFT. */
  readonly nftData?: string;
  readonly fee: TokenVolume | null;
  /** Remark of the sender. */
  readonly memo: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly block: number | null;
}

/**
 * A list of the exchange that events come from: requests for tokens, fills of orders, requests for
 * NFTs.
 */
export type HistorySource = 'request' | 'fill' | 'nft';

/** How far a list was read. */
interface HistoryReach {
  /** Rows before the next page; `null` when all were read. */
  readonly next: number | null;
  /** Unix milliseconds of the oldest row that was read. */
  readonly oldest: number | null;
}

/** One page of one list. */
export interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  readonly reach: HistoryReach;
}

/** The newest page of each list. */
export interface HistoryView {
  /** Newest first. */
  readonly events: readonly HistoryEvent[];
  readonly reached: Readonly<Record<HistorySource, HistoryReach>>;
}

/** One submission with its way so far. */
export interface SubmissionView {
  readonly item: ActivityItem;
  /** Oldest first, Unix milliseconds; in the journal's own words. */
  readonly steps: readonly { readonly state: SubmissionState; readonly at: number }[];
  /** Rows of the review; `null` where the record lacks what they are made from. */
  readonly rows: readonly ReviewRow[] | null;
  readonly accountId: number;
  readonly network: NetworkView | null;
}

/**
 * Fault of the blocks of a receipt. `hash`: the bytes have another one; `bytes`: they are no block;
 * `exchange`, `root`: of another exchange, or with another state after it; `absent`: one does not
 * hold the request; `terms`: it holds it otherwise than it was signed.
 */
export type BlockFault = 'hash' | 'bytes' | 'exchange' | 'root' | 'absent' | 'terms';

/**
 * Why a receipt holds no block, or not all of them. `noBlocks`: the exchange publishes none that
 * can be read; `notYet`: it named none, or had not published it; `unread`: it could not be asked;
 * `size`: more than fits into the file; a fault of what it published.
 */
export type BlockReason = 'noBlocks' | 'notYet' | 'unread' | 'size' | BlockFault;

/**
 * One check of a receipt. `form`: it can be read; `request`: what was sent is the draft, signed;
 * `hash`: that of the draft; `eddsa`, `ecdsa`: the signatures; `review`: what was shown follows
 * from the draft; `digest`: what the click carried; `block`: the request is what stands in the
 * blocks.
 */
export interface ReceiptCheck {
  readonly name: 'form' | 'request' | 'hash' | 'eddsa' | 'ecdsa' | 'review' | 'digest' | 'block';
  /**
   * `none`: there is nothing of the kind; `notKept`: there was, and the wallet keeps it no longer.
   */
  readonly outcome: 'holds' | 'fails' | 'none' | 'notKept';
  /** Of `block`: why it fails, or why blocks are missing. */
  readonly reason?: BlockReason;
}

export interface ReceiptFinding {
  /** Nothing in it contradicts anything else. */
  readonly valid: boolean;
  /** It carries a signature of the account over the request, which holds. */
  readonly signed: boolean;
  readonly checks: readonly ReceiptCheck[];
  /**
   * Paths that no signature covers: the wallet's own record, which its owner could have written
   * otherwise.
   */
  readonly unproven: readonly string[];
  /** `null` when it is no receipt. */
  readonly receipt: {
    /** As the file names it. */
    readonly operation: string;
    /**
     * Operation that the signed bytes are of. An order is the same bytes whether it was placed,
     * replaced another one or blocks its slot; `operation` is then a statement of the file.
     */
    readonly signedAs: string;
    readonly origin: string;
    /** The account key that the file names, hex. */
    readonly publicKey: { readonly x: string; readonly y: string };
    /**
     * Fields that the signature covers, as they were signed: base units and token ids. Empty where
     * it covers nothing.
     */
    readonly covered: readonly ReviewField[];
    /** Further statement of the file, which its owner could have written differently. */
    readonly sentence: Text | null;
    readonly hash: string | null;
    readonly owner: string;
    readonly status: string;
    /** Unix milliseconds. */
    readonly createdAt: number;
    /** As the file names them. */
    readonly blocks: readonly { readonly blockId: number; readonly root: string; readonly publicDataHash: string }[];
  } | null;
}
