import type { Review, ReviewRow, Text, TokenFacts } from '../operations/review.ts';
import type { StandingShown, StandingTerms } from '../operations/standingApproval.ts';

/** What the wallet's own pages see. Plain data, no secrets; made by `background/`, drawn by `ui/`. */

export interface NetworkView {
  readonly id: string;
  readonly name: string;
  /** Base URL of the relayer, without a trailing slash. */
  readonly baseUrl: string;
  readonly chainId: number;
  /** Pinned at the first visit; a later change is refused. */
  readonly exchangeAddress: string;
}

/** What signatures on a network depend on, as it was pinned and as the relayer says now. */
export interface PinnedNetwork {
  readonly pinned: ExchangeFacts;
  readonly reported: ExchangeFacts;
  /** False: nothing is signed for this network until the relayer reports the pinned facts again. */
  readonly same: boolean;
}

export interface ExchangeFacts {
  readonly chainId: number;
  readonly exchangeAddress: string;
  /** Name and version of the EIP-712 domain that L1 signatures name. */
  readonly domain: string;
}

/** An L1 key holder. */
export interface SignerView {
  readonly id: string;
  /** Checksummed L1 address. */
  readonly address: string;
  /** `external`: the key is in another extension, which asks its own question for each signature. */
  readonly kind: 'local' | 'external';
  /** The key comes from a recovery phrase that is in the vault; `index` is its place, counted from 0. */
  readonly phrase: { readonly id: string; readonly index: number } | null;
  /** Ids of the accounts that it owns. */
  readonly accounts: readonly string[];
}

export interface AccountView {
  /** `networkId:accountId` */
  readonly id: string;
  readonly networkId: string;
  readonly accountId: number;
  /** Checksummed L1 address. */
  readonly owner: string;
  readonly label: string;
  /** The owner is a smart wallet: not deployed yet, or a contract that approves hashes on layer 1. */
  readonly smart?: 'counterfactual' | 'contract';
  /** Registered EdDSA key, 0x + 64 hex digits each. */
  readonly publicKey: { readonly x: string; readonly y: string };
}

/** What the wallet knows about the key of an account. */
export interface KeyInfo {
  readonly account: string;
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly kind: 'derived' | 'random' | 'imported';
  /** Since when this wallet holds it, Unix milliseconds; `null` when it was not written down. */
  readonly since: number | null;
  /** Signatures that this wallet made with it. */
  readonly signatures: number;
}

/**
 * What goes wrong and does not mend itself, with what can be done. `unknown`: no answer. `overdue`: taken, past its time, no end.
 * `stuck`: reserved, never signed. `slot-taken`: refused because another program used the storage id. `key-mismatch`: the relayer
 * reports another key. `key-choice`: a key update that has to be looked at again. `unfinished`: a first key was sent, and the
 * account was not added. `damaged`: an entry that cannot be read. `unreachable`: a relayer that does not answer.
 */
export type AttentionKind =
  | 'unknown'
  | 'overdue'
  | 'stuck'
  | 'slot-taken'
  | 'key-mismatch'
  | 'key-choice'
  | 'unfinished'
  | 'damaged'
  | 'unreachable';

/** `check`, `abandon`, `close`, `resync`, `dismiss` are done by `repair`; the others open a page of ours. */
export type AttentionAction =
  | 'check'
  | 'abandon'
  | 'close'
  | 'resync'
  | 'dismiss'
  | 'rotate'
  | 'set-up'
  | 'add-key'
  | 'export';

export interface AttentionItem {
  readonly id: string;
  readonly kind: AttentionKind;
  /** Id of the account it is about, if there is one. */
  readonly account: string | null;
  readonly submission: ActivityItem | null;
  /** What it is about, such as the request or the relayer's host. */
  readonly subject: Text;
  /** The first is what to try first. */
  readonly actions: readonly AttentionAction[];
}

/** A key update of an account: where it stands, and what was chosen. */
export interface RotationView {
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly key: KeyInfo;
  /** The question under way or last decided; `null` when there is none. */
  readonly approval: ApprovalView | null;
  /** Token that pays the fee, as the site that asks would have it; `null`: it names none. */
  readonly askedFeeTokenId: number | null;
  readonly newKey: {
    readonly publicKey: { readonly x: string; readonly y: string };
    readonly kind: 'derived' | 'random';
    readonly backedUp: boolean;
    /** The text that the L1 key signed for a derived one; empty for a random one. */
    readonly keySeed: string;
    /** Its secret is the account's key by now. */
    readonly inPlace: boolean;
  } | null;
}

/** What a key update ends and costs, as the relayer says now. */
export interface RotationFacts {
  /** `null`: could not be asked, as with a key that is not registered any more. */
  readonly openOrders: number | null;
  readonly standingApprovals: number;
  /** This wallet holds an API key, which the relayer forgets with the old key. */
  readonly hasApiKey: boolean;
  /** The relayer reports the key that this wallet holds. */
  readonly keyIsRegistered: boolean;
  readonly nonce: number;
  readonly fees: readonly {
    readonly token: TokenFacts;
    readonly volume: string;
    /** Base units that can be spent; `null` when unknown. */
    readonly balance: string | null;
  }[];
}

export interface Settings {
  readonly lockAfterMinutes: number;
  readonly theme: 'system' | 'light' | 'dark';
  /** `more`: strong lines and colours, whatever the system asks for. */
  readonly contrast: 'system' | 'more';
  /** `system` or a folder name of `_locales`. */
  readonly language: string;
  /** Base URL that NFT pictures and metadata are read through, ends with `/`; empty: none are read. */
  readonly ipfsGateway: string;
  /** The browser shows a note when a submission has come to its end. */
  readonly notifications: boolean;
}

export interface WalletState {
  readonly vault: 'absent' | 'locked' | 'unlocked';
  readonly networks: readonly NetworkView[];
  readonly accounts: readonly AccountView[];
  /** Account shown in the popup; `null` before the first one is added. */
  readonly selectedAccount: string | null;
  readonly openApprovals: number;
  readonly settings: Settings;
}

export type PermissionKind = 'read' | 'orders' | 'transfers' | 'withdrawals' | 'nfts' | 'pools' | 'key' | 'sign';

export interface SiteView {
  readonly origin: string;
  readonly grants: readonly { readonly account: string; readonly kinds: readonly PermissionKind[] }[];
  readonly blocked: boolean;
}

/** An entry of the address book. */
export interface ContactView {
  /** Checksummed. */
  readonly address: string;
  /** 1 to 40 characters, unique in its network. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** An address that something was sent to, without a name yet. */
export interface RecentRecipient {
  /** Checksummed. */
  readonly address: string;
  /** Unix milliseconds of the last time. */
  readonly sentAt: number;
}

/**
 * What an IPFS gateway says about an NFT: somebody's text and picture, covered by no signature. `off`: no gateway is set up.
 * `unavailable`: the gateway has nothing that can be read.
 */
export interface NftMetadataView {
  readonly status: 'off' | 'ready' | 'unavailable';
  /** At most 120 characters. */
  readonly name: string | null;
  /** At most 1,000 characters. */
  readonly description: string | null;
  /** `data:` URL of a raster picture of at most 1 MiB, checked by its bytes. */
  readonly image: string | null;
  /** Host of the gateway. */
  readonly host: string | null;
}

export interface BalanceView {
  readonly token: TokenFacts;
  /** Base units, decimal text. */
  readonly total: string;
  readonly locked: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
}

/** Journal state of a submission as a person sees it; `unknown` = signed or sent without an answer. */
export type SubmissionStatus =
  | 'approved'
  | 'reserved'
  | 'unknown'
  | 'acknowledged'
  | 'processed'
  | 'cancelled'
  | 'expired'
  | 'failed'
  | 'refused'
  | 'abandoned';

/** A standing approval that is in force, with its counters. Volumes in base units of the sold token. */
export interface StandingView {
  readonly id: string;
  readonly origin: string;
  readonly account: string;
  readonly operations: readonly string[];
  readonly sell: TokenFacts;
  readonly buy: TokenFacts;
  /** `BASE-QUOTE` */
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  /** Quote tokens for one base token, decimal text. */
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
  readonly orderVolume: string;
  readonly totalVolume: string;
  /** Signed so far, at worst. */
  readonly soldVolume: string;
  readonly rate: { readonly requests: number; readonly seconds: number };
  /** Signatures within the last `rate.seconds`, and all of them. */
  readonly recent: number;
  readonly count: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly endsWithLock: boolean;
}

export interface MarketView {
  readonly market: string;
  readonly base: TokenFacts;
  readonly quote: TokenFacts;
}

/** The journal's states: `signed` and `sent` without an answer are shown as `unknown`. */
export type SubmissionState = Exclude<SubmissionStatus, 'unknown'> | 'signed' | 'sent';

export interface ActivityItem {
  readonly id: string;
  /** The approval that it came from. */
  readonly requestId: string;
  readonly operation: string;
  readonly origin: string;
  readonly account: string;
  readonly sentence: Text;
  readonly status: SubmissionStatus;
  readonly hash: string | null;
  /** EIP-712 digest that the account's wallet contract has to approve on layer 1 before the relayer takes the request. */
  readonly approveHash: string | null;
  readonly storageId: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly problem: Text | null;
  /** The standing approval that answered in the user's place, in one phrase. */
  readonly rule?: Text;
  /** An order that the relayer holds open: its tools find it by `hash`. */
  readonly isOpenOrder?: true;
}

/** One submission with its way so far. */
export interface SubmissionView {
  readonly item: ActivityItem;
  /** Oldest first, Unix milliseconds; in the journal's own words. */
  readonly steps: readonly { readonly state: SubmissionState; readonly at: number }[];
  /** What was reviewed; `null` when that is forgotten. */
  readonly rows: readonly ReviewRow[] | null;
  readonly accountId: number;
  readonly network: NetworkView | null;
}

export interface HomeView {
  readonly account: AccountView;
  readonly balances: readonly BalanceView[];
  readonly activity: readonly ActivityItem[];
  /** Unix milliseconds of the balances; `null` when none were ever read. */
  readonly balancesAt: number | null;
  /** Why the balances are old, if they are. */
  readonly problem: Text | null;
}

/** Facts as they were last read, and how old they are. */
export interface Stored<T> {
  /** `null` when they were never read. */
  readonly data: T | null;
  /** Unix milliseconds of the reading. */
  readonly at: number | null;
  /** Why they are old, if they are. */
  readonly problem: Text | null;
}

/** An order as the relayer lists it. Amounts in base units, times in Unix milliseconds. */
export interface OrderView {
  readonly hash: string;
  readonly clientOrderId: string;
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  readonly status: 'processing' | 'processed' | 'cancelling' | 'cancelled' | 'expired' | 'failed' | 'waiting';
  /** Quote for one base, decimal text. */
  readonly price: string;
  /** `null` for a token that the relayer does not list by this symbol. */
  readonly base: TokenFacts | null;
  readonly quote: TokenFacts | null;
  readonly baseAmount: string;
  readonly quoteAmount: string;
  readonly baseFilled: string;
  readonly quoteFilled: string;
  readonly fee: string;
  readonly validFrom: number;
  readonly validUntil: number;
  readonly orderType: string;
  readonly tradeChannel: string;
  readonly storageId: number | null;
}

export interface OrdersView {
  readonly open: readonly OrderView[];
  readonly over: readonly OrderView[];
  /** The relayer has older ones. */
  readonly more: boolean;
}

/** What lies in one NFT slot of an account. */
export interface NftView {
  /** 32768 to 65535; what transfers and withdrawals sign. */
  readonly slot: number;
  readonly nftData: string;
  readonly tokenAddress: string;
  readonly nftId: string;
  /** IPFS name of the metadata, CIDv0. */
  readonly cid: string | null;
  readonly nftType: string;
  readonly total: string;
  readonly locked: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
  /** Whether the contract exists on layer 1; `null` when the relayer does not say. */
  readonly deployment: 'NOT_DEPLOYED' | 'DEPLOYING' | 'DEPLOYED' | 'DEPLOY_FAILED' | null;
  readonly minter: string | null;
}

/** The account's share of a pool. Amounts in base units. */
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
  /** In the order of the pool: what it holds, and the account's share of it. */
  readonly parts: readonly { readonly token: TokenFacts; readonly pooled: string; readonly share: string }[];
}

/** A join or exit. */
export interface PoolMove {
  readonly hash: string;
  readonly type: 'join' | 'exit';
  readonly status: 'processing' | 'processed' | 'cancelled';
  readonly poolAddress: string;
  readonly parts: readonly { readonly token: TokenFacts; readonly volume: string }[];
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface PoolsView {
  readonly positions: readonly PoolPosition[];
  readonly moves: readonly PoolMove[];
}

/** What a question would show, or the field of the intent that cannot be. */
export interface PreviewView {
  readonly review: Review | null;
  readonly refused: { readonly field: string; readonly reason: string } | null;
}

/**
 * Where an approval stands. `locked`: the password comes first. `approved-locked`: decided, and goes on after the password. `preparing`: facts are being read. `unavailable`: facts
 * could not be read, `problem` says why, can be tried again. `choosing`: the person chooses in another page of the wallet first. `ready`: can be decided. `executing`: approved, being signed and sent.
 * `done`: has a result. `closed`: rejected, withdrawn or superseded.
 */
export type ApprovalStage =
  | 'locked'
  | 'approved-locked'
  | 'preparing'
  | 'unavailable'
  | 'choosing'
  | 'ready'
  | 'executing'
  | 'done'
  | 'closed';

export interface ApprovalView {
  readonly id: string;
  readonly kind: 'connect' | 'operation' | 'standing';
  readonly stage: ApprovalStage;
  /** Scheme, host and port of the asking page, from the browser. */
  readonly origin: string;
  readonly createdAt: number;
  /** Number of approvals that wait behind this one. */
  readonly waiting: number;
  readonly account: AccountView | null;
  readonly network: NetworkView | null;
  /** SHA-256 over the draft and its surroundings, 0x + 64 hex; goes back with the click. `null` until `ready`. */
  readonly digest: string | null;
  readonly operation: string | null;
  readonly review: Review | null;
  /** After the yes, the account's wallet contract has to approve the hash on layer 1. */
  readonly approvesOnL1: boolean;
  /** For `connect`: what the site asks to do, and the accounts that can be chosen. */
  readonly connect: {
    readonly kinds: readonly PermissionKind[];
    readonly accounts: readonly AccountView[];
    /** A connected site goes on with accounts of `network`. */
    readonly isSwitch: boolean;
  } | null;
  /** For `standing`: the limits as they would be counted. */
  readonly standing: { readonly terms: StandingTerms; readonly shown: StandingShown } | null;
  readonly problem: Text | null;
  /** After approval. */
  readonly result: ActivityItem | null;
}

/** The owner is no ordinary address: a smart wallet that is not deployed yet, or a contract. */
type SmartOwner = { readonly smart: 'counterfactual' | 'contract' | null };

export type AccountLookup =
  | { readonly status: 'absent'; readonly owner: string }
  | (SmartOwner & {
      readonly status: 'unregistered';
      readonly owner: string;
      readonly accountId: number;
      readonly nonce: number;
      /** What the relayer asks for registering the first key; `maxFee` of the request that `activateAccount` signs. */
      readonly activationFee: { readonly token: TokenFacts; readonly volume: string };
    })
  | (SmartOwner & {
      readonly status: 'registered';
      readonly owner: string;
      readonly accountId: number;
      readonly nonce: number;
      readonly publicKey: { readonly x: string; readonly y: string };
    });

export interface DerivedKey {
  readonly accountId: number;
  readonly kind: 'derived' | 'random' | 'imported';
  /** The exact text that the L1 key signed; empty unless the key is derived. */
  readonly keySeed: string;
  readonly derived: { readonly x: string; readonly y: string };
  readonly registered: { readonly x: string; readonly y: string } | null;
  readonly matches: boolean;
}

/** A passkey that opens the vault. */
export interface PasskeyView {
  /** WebAuthn credential id, base64url. */
  readonly credentialId: string;
  /** Input of the PRF extension, base64 of 32 bytes. */
  readonly prfSalt: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** An address of a recovery phrase, and what the relayer knows of it. */
export interface PhraseAccount {
  /** Place in the phrase, counted from 0. */
  readonly index: number;
  readonly address: string;
  readonly status: AccountLookup['status'];
  readonly accountId: number | null;
}

/** A question that waits for an answer. */
export interface QueuedApproval {
  readonly id: string;
  readonly kind: ApprovalView['kind'];
  readonly origin: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly operation: string | null;
  /** Id of the account that it is about; `null` for a connection. */
  readonly account: string | null;
}

/** The journal of an account in numbers, for people who look for a fault. */
export interface Diagnostics {
  readonly cursors: readonly {
    readonly tokenId: number;
    /** `null` for tokens that the relayer no longer lists, and for NFT slots. */
    readonly symbol: string | null;
    readonly parity: 'order' | 'offchain';
    /** Id that the next request gets. */
    readonly next: number;
  }[];
  /** Records by state, most first. */
  readonly states: readonly { readonly status: SubmissionStatus; readonly count: number }[];
}

/** How a relayer answers at the moment. */
export interface RelayerHealth {
  readonly baseUrl: string;
  /** Milliseconds until the answer; `null` when there was none. */
  readonly milliseconds: number | null;
  /** How far this computer's clock is ahead of the relayer's, milliseconds; half of the way there and back is taken off. */
  readonly clockAhead: number | null;
  readonly problem: Text | null;
}

/**
 * One check of a receipt. `form`: it can be read; `request`: what was sent is the draft, signed; `hash`: that of the draft;
 * `eddsa`, `ecdsa`: the signatures; `review`: what was shown follows from the draft; `digest`: what the click carried.
 */
export interface ReceiptCheck {
  readonly name: 'form' | 'request' | 'hash' | 'eddsa' | 'ecdsa' | 'review' | 'digest';
  /** `none`: there is nothing of the kind; `notKept`: there was, and the wallet keeps it no longer. */
  readonly outcome: 'holds' | 'fails' | 'none' | 'notKept';
}

export interface ReceiptFinding {
  /** Nothing in it contradicts anything else. */
  readonly valid: boolean;
  /** It carries a signature of the account over the request, which holds. */
  readonly signed: boolean;
  readonly checks: readonly ReceiptCheck[];
  /** Paths that no signature covers: the wallet's own record, which its owner could have written otherwise. */
  readonly unproven: readonly string[];
  /** `null` when it is no receipt. */
  readonly receipt: {
    readonly operation: string;
    readonly origin: string;
    readonly sentence: Text | null;
    readonly hash: string | null;
    readonly owner: string;
    readonly status: string;
    /** Unix milliseconds. */
    readonly createdAt: number;
  } | null;
}
