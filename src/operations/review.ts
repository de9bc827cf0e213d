/**
 * The text that a user reads before approving, made from the draft alone. Texts are keys of the
 * message catalogs in `public/texts`, so that every language says the same; values are typed and
 * drawn by `ui/`, never pre-formatted here.
 */

import type { Severity } from './severity.ts';

/** A sentence of the catalogs with its named values (`$name$` in the catalog). */
export interface Text {
  readonly key: string;
  readonly values?: Readonly<Record<string, Value>>;
}

/** A token as the wallet pinned it. */
export interface TokenFacts {
  readonly tokenId: number;
  readonly symbol: string;
  readonly name: string;
  /** Checksummed contract address; the zero address for the native coin. */
  readonly address: string;
  readonly decimals: number;
}

export type Value =
  /**
   * `volume` in base units, decimal text. Where fewer digits are shown, `least`, what arrives or is
   * held, is rounded down; everything else, what leaves or is needed, up.
   */
  | { readonly kind: 'amount'; readonly volume: string; readonly token: TokenFacts; readonly least?: true }
  /**
   * Decimal text of quote units for one base unit, e.g. `0.00021` `ETH` per `LRC`; cut when `exact`
   * is false. `paid`: the user pays it, so it is rounded up. `keep`: a limit that is never turned
   * over to `LRC` per `ETH`.
   */
  | {
      readonly kind: 'price';
      readonly value: string;
      readonly exact: boolean;
      readonly quote: string;
      readonly base: string;
      readonly paid?: boolean;
      readonly keep?: true;
    }
  /** Unix seconds. */
  | { readonly kind: 'time'; readonly seconds: number }
  /** Ten-thousandths. */
  | { readonly kind: 'bips'; readonly bips: number }
  /** `whole`: with all its digits at once, where the user decides by them. */
  | { readonly kind: 'address'; readonly address: string; readonly whole?: true }
  /** Hash or other hex, shown shortened with the whole on demand; `whole`: with all its digits. */
  | { readonly kind: 'hex'; readonly hex: string; readonly whole?: true }
  /** Free text from outside; escaped and cut when drawn. */
  | { readonly kind: 'text'; readonly text: string }
  /**
   * Text from outside that is shown whole, with its lines; hidden characters are drawn as numbers.
   */
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  /** Another message of the catalogs, e.g. the name of an order type. */
  | { readonly kind: 'message'; readonly key: string };

export type PriceValue = Extract<Value, { kind: 'price' }>;

export interface ReviewRow {
  /** Title of the group that the row stands in; rows of one group follow each other. */
  readonly section?: Text;
  readonly label: Text;
  readonly value: Value;
  /** One sentence that explains the row, shown below it. */
  readonly note?: Text;
  /** The signature does not cover it: the relayer could do otherwise. */
  readonly unsigned?: true;
  /** Rows that carry the decision stand in the ticket, the amounts large; the others below. */
  readonly emphasis?: 'pay' | 'receive' | 'recipient';
  /** The amount leaves the account: shown with what is left of it. */
  readonly leaves?: true;
  /** Decides nothing: stands under the details. */
  readonly detail?: true;
}

export interface Warning {
  /** Stable id of the rule, e.g. `expiry-long`; no other warning of the review has it. */
  readonly rule: string;
  /** Which of several orders it is about, from 1; absent when it is about all. */
  readonly choice?: number;
  readonly severity: Severity;
  /** The approval needs the password again, however long the wallet is unlocked. */
  readonly password?: true;
  readonly text: Text;
}

/**
 * A field of the body that is sent, by its wire path (`sellToken.volume`), with the value as sent.
 */
export interface ReviewField {
  readonly path: string;
  readonly value: string;
}

/**
 * The NFT that a review is about, for its picture; name and picture are no part of what is signed.
 */
export interface ReviewNft {
  /** 0x + 64 hex digits. */
  readonly nftId: string;
  /** Where the signature names a slot of the account and not the NFT, 32768 to 65535. */
  readonly slot?: number;
}

export interface Review {
  /** The one sentence that a user has to understand. */
  readonly sentence: Text;
  readonly rows: readonly ReviewRow[];
  readonly nft?: ReviewNft;
  readonly warnings: readonly Warning[];
  /** Fields fixed by the signature. */
  readonly bound: readonly ReviewField[];
  /** Fields that the relayer could still change. */
  readonly unbound: readonly ReviewField[];
}
