import type { OnChain } from './chains.ts';
import type { FeeBounds } from './feeBounds.ts';
import type { Grave } from './graveDocuments.ts';
import type { TokenFacts, Value } from './review.ts';

/** How a receiving address relates to what the wallet knows. */
export interface Recipient {
  readonly address: string;
  /** Name of the user's own account there, or of the entry in the address book. */
  readonly label?: string;
  readonly isOwn?: boolean;
  /** One of the user's accounts, in the address book, or something was sent there before. */
  readonly known: boolean;
  /** The account itself has sent something there before. */
  readonly isPaid?: true;
  /** A known address that begins and ends like this one, and its name. */
  readonly looksLike?: string;
  readonly looksLikeLabel?: string;
  /** Only the relayer's history names that address. */
  readonly looksLikeListed?: true;
  /** Whether the relayer knows an account there; absent where none is needed. */
  readonly hasAccount?: boolean;
  /** Of one without an account: as that of a withdrawal. */
  readonly isContract?: boolean | null;
}

/** Fee of a request, the relayer's quote for it, and the measures of that quote. */
export interface FeeFacts {
  readonly token: TokenFacts;
  /** Base units, decimal text: the `maxFee` that is signed. */
  readonly volume: string;
  /** Fee that the relayer asked. */
  readonly quote: string;
  /** Measures of the fee; drafts of earlier versions have none. */
  readonly bounds?: FeeBounds;
}

/** Measures of the small trade of a hard cancel: neither comes from a quote. */
export interface BurnBounds {
  /** Amounts of the order whose slot is taken, as the user signed them. */
  readonly signed: { readonly sell: string; readonly buy: string };
  /** Balance of the sold token; absent where it cannot be had. */
  readonly balance?: string;
}

export interface Burn extends BurnBounds {
  readonly sold: { readonly volume: string; readonly token: TokenFacts };
  readonly bought: { readonly volume: string; readonly token: TokenFacts };
}

/** Least and largest order amounts, and when the relayer's numbers end, Unix milliseconds. */
export interface AmountLimits {
  readonly amount: string;
  /** Token of the amounts; drafts of earlier versions have none. */
  readonly token?: TokenFacts;
  /** Least amount at the account's usual rate, and at the highest one. */
  readonly usual?: string;
  readonly least?: string;
  readonly largest?: string;
  /** Fee rate that the exchange asks of the order, and the highest that is signed, both bips. */
  readonly rate?: number;
  readonly maxFeeBips?: number;
  readonly overdueAt?: number;
}

/** A price beside the market's. */
interface PriceFacts {
  /** Ten-thousandths that the user gets less than at the market's price; negative when more. */
  readonly lossBips: number;
  /** The same as an amount of what is bought. */
  readonly loss?: Value;
}

/** Limits of a standing approval. */
export interface StandingFacts {
  readonly orders: boolean;
  /** The worst price of its orders; `market` is absent where there is none to compare it with. */
  readonly price?: { readonly worst: Value; readonly market?: { readonly value: Value; readonly lossBips: number } };
}

/**
 * Everything that a rule may read. An operation fills what it has, from draft and facts alone; a
 * rule whose facts are absent says nothing.
 */
export interface WarningFacts {
  /** Unix seconds. */
  readonly now: number;
  readonly order?: { readonly validUntil: number; readonly isPool: boolean };
  readonly request?: { readonly validUntil: number };
  readonly price?: PriceFacts;
  /**
   * Why an order's price cannot be a fair one: the pools came too late, or none is a measure of it.
   */
  readonly unpriced?: 'late' | 'absent';
  /** Ten-thousandths by which the least amounts of a pool exit lie below the share's worth. */
  readonly shareLossBips?: number;
  readonly fee?: FeeFacts;
  readonly recipient?: Recipient;
  readonly limits?: AmountLimits;
  /** The same for the amount that an order sells. */
  readonly sold?: AmountLimits;
  readonly withdrawal?: OnChain & {
    readonly to: string;
    readonly owner: string;
    /** `null`: the relayer could not tell. */
    readonly isContract: boolean | null;
    readonly fast: boolean;
  };
  /**
   * `nftData` computed from the NFT's parts differs from what the relayer says lies in the slot.
   */
  readonly nftDiffers?: boolean;
  readonly nftLocked?: boolean;
  /** An NFT that the account gets: its royalty, and the known address that its contract is like. */
  readonly nft?: Pick<Recipient, 'looksLike' | 'looksLikeLabel' | 'looksLikeListed'> & { readonly royalty?: number };
  /** The block by whose proof another NFT lies in the slot that is signed. */
  readonly otherNftInBlock?: number;
  readonly pool?: {
    readonly isRisky: boolean;
    readonly noMinimum: boolean;
    /** Its name, which is signed, is that of other tokens than those shown. */
    readonly isNamedOtherwise?: boolean;
  };
  readonly burn?: Burn;
  /** Broker who is paid for a deployment, and the amount. */
  readonly broker?: { readonly recipient: Recipient; readonly volume: string; readonly token: TokenFacts };
  readonly standing?: StandingFacts;
  readonly changesKey?: boolean;
  /** Open orders that end with the old key; `null`: they could not be counted. */
  readonly ordersThatEnd?: number | null;
  /** The new key cannot be made again from the L1 key. */
  readonly keyIsRandom?: boolean;
  /** Properties of a site's text or document that a reader may miss. */
  readonly text?: { readonly hides: boolean; readonly signsInElsewhere?: boolean; readonly graves?: readonly Grave[] };
}
