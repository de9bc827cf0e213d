import type { TokenFacts } from '../../operations/review.ts';

export interface NetworkView {
  readonly id: string;
  readonly name: string;
  /** Base URL of the relayer, without a trailing slash. */
  readonly baseUrl: string;
  readonly chainId: number;
  /** Pinned at the first visit; a later change is refused. */
  readonly exchangeAddress: string;
}

/** The pinned facts of a network, compared with what the relayer reports now. */
export interface PinnedNetwork {
  readonly reported: { readonly chainId: number; readonly exchangeAddress: string };
  /** False: nothing is signed for this network until the relayer reports the pinned facts again. */
  readonly same: boolean;
}

/** An exchange that a site named, for the setup to offer. */
export interface ProposedExchange {
  readonly origin: string;
  readonly baseUrl: string;
}

/** The pool that a token is a share of: what is signed of it, and its tokens in their order. */
export interface PoolFacts {
  readonly address: string;
  readonly name: string;
  /** Token ids. A signature of the pool holds amounts by their place. */
  readonly pooled: readonly number[];
}

/** A token, and for the LP token of a pool that pool. */
export interface DescribedToken extends TokenFacts {
  readonly pool?: PoolFacts | undefined;
}

/**
 * A token that the relayer describes otherwise than it was pinned. `name` of `before` is empty when
 * it is not known; its `pool` is absent when none is known, or none that the relayer also gives to
 * another token.
 */
export interface TokenChange {
  readonly before: DescribedToken;
  readonly now: DescribedToken;
}

export interface AccountView {
  /** `networkId:accountId` */
  readonly id: string;
  readonly networkId: string;
  readonly accountId: number;
  /** Checksummed L1 address. */
  readonly owner: string;
  readonly label: string;
  /**
   * The owner is a smart wallet: not deployed yet, or a contract that approves hashes on layer 1.
   */
  readonly smart?: 'counterfactual' | 'contract';
  /** Registered account key, 0x + 64 hex digits each. */
  readonly publicKey: { readonly x: string; readonly y: string };
}

export interface Settings {
  readonly lockAfterMinutes: number;
  readonly theme: 'system' | 'light' | 'dark';
  /** `more`: strong lines and colours, whatever the system asks for. */
  readonly contrast: 'system' | 'more';
  /** `system` or the code of a language. */
  readonly language: string;
  /**
   * Base URL that NFT pictures and metadata are read through, ends with `/`; empty: none are read.
   */
  readonly ipfsGateway: string;
  /** The browser shows a notification when a submission is settled. */
  readonly notifications: boolean;
  /**
   * Currency of values: a legal currency or the symbol of a token; empty: no values, and nobody is
   * asked for prices.
   */
  readonly currency: string;
}

export interface WalletState {
  readonly vault: 'absent' | 'locked' | 'unlocked';
  /** The configuration could not be read: no exchange and no account, default settings. */
  readonly isUnread?: true;
  readonly networks: readonly NetworkView[];
  readonly accounts: readonly AccountView[];
  /** Account shown in the popup; `null` before the first one is added. */
  readonly selectedAccount: string | null;
  readonly openApprovals: number;
  readonly settings: Settings;
}
