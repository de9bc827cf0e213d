import type { EndpointAnswer } from '../protocol/index.ts';
import { type Facts, IntentError } from './operation.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import type { FeeFacts } from './warnings.ts';

/** The fee that a draft allows, beside the quote that it stands on. */
export interface FeeQuote {
  readonly token: TokenFacts;
  /** Base units, decimal text: the `maxFee` that is signed. */
  readonly volume: string;
  /** What the relayer asked. */
  readonly quote: string;
  /** Unix seconds. */
  readonly quotedAt: number;
  readonly host: string;
}

/** What a page may say about the fee: the token, or token and ceiling. */
export interface FeeWish {
  /** Fee token id. */
  readonly feeTokenId?: number | undefined;
  /** Ceiling in base units; the quote when absent. */
  readonly maxFee?: string | undefined;
}

type Fees = Pick<EndpointAnswer<'getOffchainFee'>, 'fees'>;

/** A quote in each listed token that it names. */
export async function feeOffers({ fees }: Fees, facts: Facts): Promise<{ token: TokenFacts; volume: string }[]> {
  const offers = [];
  for (const { token: symbol, fee } of fees) {
    const token = await facts.tokenBySymbol(symbol);
    if (token) offers.push({ token, volume: fee });
  }
  return offers;
}

/**
 * Chooses fee token and ceiling from a relayer's quote; never guesses either. Without a wish the moved token pays where it
 * can, else the first token of the quote.
 * @param preferred - Token id that pays when the page names none.
 * @throws {IntentError} The token pays no fees here, or the ceiling is below the quote.
 */
export async function feeFrom(
  { fees }: Fees,
  wish: FeeWish,
  preferred: number | null,
  facts: Facts,
): Promise<FeeQuote> {
  const host = new URL(facts.baseUrl).host;
  const listed = await feeOffers({ fees }, facts);
  const offers = listed.map((offer): FeeQuote => ({ ...offer, quote: offer.volume, quotedAt: facts.now, host }));
  const byToken = (tokenId: number | null) => offers.find(({ token }) => token.tokenId === tokenId);
  const offer = wish.feeTokenId === undefined ? (byToken(preferred) ?? offers[0]) : byToken(wish.feeTokenId);
  if (!offer)
    throw new IntentError(
      'maxFee.tokenId',
      wish.feeTokenId === undefined ? 'the relayer quotes no fee' : `fees are not paid in token ${wish.feeTokenId}`,
    );
  if (wish.maxFee === undefined) return offer;
  if (BigInt(wish.maxFee) < BigInt(offer.quote))
    throw new IntentError('maxFee', `is below the relayer's quote of ${offer.quote}`);
  return { ...offer, volume: wish.maxFee };
}

/** The fee with its source and age. */
export function feeRow({ token, volume, quote, quotedAt, host }: FeeQuote): ReviewRow {
  return {
    label: { key: 'review_fee' },
    value: { kind: 'amount', volume, token },
    note: {
      key: 'review_feeNote',
      values: {
        quote: { kind: 'amount', volume: quote, token },
        host: { kind: 'text', text: host },
        time: { kind: 'time', seconds: quotedAt },
      },
    },
  };
}

/** The fee as the warning rules look at it. */
export const feeFacts = (
  { volume, quote, quotedAt, token }: FeeQuote,
  moved?: { readonly tokenId: number; readonly volume: string },
): FeeFacts => ({
  volume,
  quote,
  quotedAt,
  ...(moved?.tokenId === token.tokenId ? { moved: moved.volume } : {}),
});
