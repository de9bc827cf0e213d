import { type EndpointAnswer, feeRequestTypes, MAX_AMOUNT } from '../protocol/index.ts';
import type { FeeBounds, FeeList, Fees, SignedFee } from './feeBounds.ts';
import { type Facts, IntentError } from './operation.ts';
import { pricedPools } from './poolPrices.ts';
import type { ReviewRow, Text, TokenFacts, Value } from './review.ts';
import type { FeeFacts } from './warningFacts.ts';

/** The fee that a draft allows, beside the quote that it stands on. */
export interface FeeQuote extends FeeFacts {
  /** Unix seconds. */
  readonly quotedAt: number;
}

/** Payer and purpose of a fee. */
export interface FeeSubject {
  readonly requestType: number;
  /** Amount that the request moves; absent for NFTs and keys. */
  readonly moved?: { readonly tokenId: number; readonly volume: string };
  /** Least amount of the fee token that the request itself brings. */
  readonly received?: string;
}

/** Fields of a page about the fee: the token, or token and ceiling. */
export interface FeePreference {
  /** Fee token id. */
  readonly feeTokenId?: number | undefined;
  /** Ceiling in base units; the quote when absent. */
  readonly maxFee?: string | undefined;
}

/** The relayer's quote for a request about tokens or the account. */
export const tokenFee = (
  requestType: number,
  facts: Facts,
  more: { readonly tokenSymbol?: string; readonly amount?: string } = {},
): Promise<Fees> =>
  facts.read('getOffchainFee', { query: { accountId: facts.account.accountId, requestType, ...more } });

/** The relayer's quote for a request about an NFT or its contract. */
export const contractFee = (requestType: number, tokenAddress: string | undefined, facts: Facts): Promise<Fees> =>
  facts.read('getNftOffchainFee', {
    query: {
      accountId: facts.account.accountId,
      requestType,
      ...(tokenAddress === undefined ? {} : { tokenAddress }),
    },
  });

/** A quote in each listed token that it names, as an amount that a request can have. */
export async function feeOffers({ fees }: Fees, facts: Facts): Promise<{ token: TokenFacts; volume: string }[]> {
  const offers = [];
  for (const { token: symbol, fee } of fees) {
    const token = await facts.tokenBySymbol(symbol);
    const volume = BigInt(fee);
    if (token && volume <= MAX_AMOUNT) offers.push({ token, volume: `${volume}` });
  }
  return offers;
}

/** Earlier fees that are compared. Their median moves slowly, whatever one of them was. */
const FEES_COMPARED = 9;
/** Seconds for which a balance is good enough to measure a fee or a trade by. */
export const BALANCE_AGE_SECONDS = 30;
/** Kinds whose fee is the sum of two listed ones. */
const sums: Readonly<Record<number, readonly number[]>> = {
  [feeRequestTypes.TRANSFER_AND_ACTIVATE]: [feeRequestTypes.TRANSFER, feeRequestTypes.OPEN_ACCOUNT],
  [feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE]: [feeRequestTypes.NFT_TRANSFER, feeRequestTypes.OPEN_ACCOUNT],
};

/** Exchanges list no fees of NFTs; of tokens, these kinds cost nearly as much. */
const ofTokens: Readonly<Record<number, number>> = {
  [feeRequestTypes.NFT_MINT]: feeRequestTypes.TRANSFER,
  [feeRequestTypes.NFT_TRANSFER]: feeRequestTypes.TRANSFER,
  [feeRequestTypes.NFT_WITHDRAWAL]: feeRequestTypes.WITHDRAWAL,
  [feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE]: feeRequestTypes.TRANSFER_AND_ACTIVATE,
};

/**
 * Base units of one token that are worth `volume` of another by the listed fees, which are equal in
 * value.
 */
function worth(volume: bigint, from: number, to: number, listed: FeeList): bigint | undefined {
  if (from === to) return volume;
  for (const fees of Object.values(listed)) {
    const [one, other] = [BigInt(fees[from] ?? 0), BigInt(fees[to] ?? 0)];
    if (one > 0n && other > 0n) return (volume * other) / one;
  }
  return undefined;
}

/**
 * The same by the prices of the pools, directly or over one token between: for a token that no fee
 * is listed in.
 */
async function worthInPools(volume: bigint, from: number, to: number, facts: Facts): Promise<bigint | undefined> {
  const [balances, hasPrice] = await Promise.all([
    facts.recent('getAmmBalances', {}, BALANCE_AGE_SECONDS),
    pricedPools(facts),
  ]);
  const pools = balances?.filter(hasPrice) ?? [];
  const trades = (sold: number) =>
    pools.flatMap(({ pooled: [one, other] }) => {
      const [held, given] = one?.tokenId === sold ? [one, other] : [other, one];
      if (held?.tokenId !== sold || !given || BigInt(held.volume) === 0n) return [];
      return [{ bought: given.tokenId, sell: BigInt(held.volume), buy: BigInt(given.volume) }];
    });
  const direct = trades(from).find(({ bought }) => bought === to);
  if (direct) return (volume * direct.buy) / direct.sell;
  for (const first of trades(from)) {
    const second = trades(first.bought).find(({ bought }) => bought === to);
    if (second) return (((volume * first.buy) / first.sell) * second.buy) / second.sell;
  }
  return undefined;
}

function usualFee(
  requestType: number,
  tokenId: number,
  paid: readonly SignedFee[],
  listed: FeeList,
): FeeBounds['usual'] {
  const before = paid
    .filter((fee) => fee.requestType === requestType)
    .slice(0, FEES_COMPARED)
    .flatMap((fee) => worth(BigInt(fee.volume), fee.tokenId, tokenId, listed) ?? [])
    .toSorted((a, b) => (a < b ? -1 : 1));
  const median = before[Math.floor((before.length - 1) / 2)];
  if (median !== undefined) return { volume: median.toString(), source: 'paid' };
  const volume = listedFee(requestType, tokenId, listed);
  return volume === undefined ? undefined : { volume, source: 'listed' };
}

function listedFee(requestType: number, tokenId: number, listed: FeeList): string | undefined {
  const parts = (sums[requestType] ?? [requestType]).map((kind) => listed[kind]?.[tokenId]);
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part) => sum + BigInt(part ?? 0), 0n).toString();
}

/** Balance of a token that nothing holds, base units; negative when more is held than there is. */
export function freeOf(balances: EndpointAnswer<'getBalances'> | null, tokenId: number): bigint {
  const row = balances?.find((one) => one.tokenId === tokenId);
  return row ? BigInt(row.total) - BigInt(row.locked) : 0n;
}

/** Reads the measures of a fee in `token`. */
async function feeBounds(
  { requestType, moved, received = '0' }: FeeSubject,
  { tokenId }: Pick<TokenFacts, 'tokenId'>,
  balances: EndpointAnswer<'getBalances'> | null,
  facts: Facts,
): Promise<FeeBounds> {
  const [paid, listed] = await Promise.all([facts.signedFees(), facts.listedFees()]);
  const usual = usualFee(requestType, tokenId, paid, listed);
  const sibling = ofTokens[requestType];
  const ofSibling = sibling === undefined || usual ? undefined : listedFee(sibling, tokenId, listed);
  const free = BigInt(received) + freeOf(balances, tokenId);
  const value =
    moved &&
    (worth(BigInt(moved.volume), moved.tokenId, tokenId, listed) ??
      (await worthInPools(BigInt(moved.volume), moved.tokenId, tokenId, facts)));
  return {
    ...(usual ? { usual } : {}),
    // Nothing for a token is no measure of what something costs for an NFT.
    ...(ofSibling === undefined || BigInt(ofSibling) === 0n ? {} : { ofTokens: ofSibling }),
    ...(balances ? { balance: (free > 0n ? free : 0n).toString() } : {}),
    ...(value === undefined ? {} : { moved: value.toString() }),
  };
}

/**
 * Chooses fee token and ceiling from a relayer's quote; never guesses either. Without a preference
 * the moved token pays where its balance covers both, else the first token of the quote whose
 * balance covers the fee. Where none does, the approval warns of the moved token, or of the first.
 * @throws {IntentError} The token pays no fees here, or the ceiling is below the quote.
 */
export async function feeFrom(
  fees: Fees,
  { feeTokenId, maxFee }: FeePreference,
  subject: FeeSubject,
  facts: Facts,
): Promise<FeeQuote> {
  const [offers, balances] = await Promise.all([
    feeOffers(fees, facts),
    facts.recent('getBalances', { query: { accountId: facts.account.accountId } }, BALANCE_AGE_SECONDS),
  ]);
  const { moved } = subject;
  const byToken = (tokenId: number | undefined) => offers.filter(({ token }) => token.tokenId === tokenId);
  const covered = ({ token: { tokenId }, volume }: (typeof offers)[number]) =>
    freeOf(balances, tokenId) - BigInt(tokenId === moved?.tokenId ? moved.volume : 0) >= BigInt(volume);
  const wanted = feeTokenId === undefined ? [...byToken(moved?.tokenId), ...offers] : byToken(feeTokenId);
  const offer = wanted.find(covered) ?? wanted[0];
  if (!offer) {
    const field = 'maxFee.tokenId';
    if (feeTokenId === undefined) throw new IntentError(field, 'the relayer quotes no fee');
    // A changed token is refused as such.
    await facts.token(feeTokenId, field);
    throw new IntentError(field, `fees are not paid in token ${feeTokenId}`);
  }
  const { token, volume: quote } = offer;
  if (maxFee !== undefined && BigInt(maxFee) < BigInt(quote))
    throw new IntentError('maxFee', `is below the relayer's quote of ${quote}`);
  const bounds = await feeBounds(subject, token, balances, facts);
  return { token, volume: maxFee ?? quote, quote, quotedAt: facts.now, bounds };
}

/** Notes the exchange's quote and its time, where the request allows another amount. */
export const quoteNote = ({ token, volume, quote, quotedAt }: FeeQuote): { note?: Text } =>
  volume === quote
    ? {}
    : {
        note: {
          key: 'review_feeNote',
          values: {
            quote: { kind: 'amount', volume: quote, token },
            time: { kind: 'time', seconds: quotedAt },
          },
        },
      };

/** The highest fee. */
export const feeRow = (fee: FeeQuote): ReviewRow => ({
  label: { key: 'review_fee' },
  value: { kind: 'amount', volume: fee.volume, token: fee.token },
  ...quoteNote(fee),
});

/** Gives the most that leaves the account, where the fee is paid in the moved token. */
export function totalWith(
  { token, volume }: Pick<FeeQuote, 'token' | 'volume'>,
  moved: { readonly tokenId: number; readonly volume: string },
): Extract<Value, { kind: 'amount' }> | undefined {
  if (token.tokenId !== moved.tokenId || BigInt(volume) === 0n) return undefined;
  return { kind: 'amount', volume: (BigInt(moved.volume) + BigInt(volume)).toString(), token };
}

/**
 * Builds the row of the amount that leaves the account: with the fee where it is paid in the same
 * token.
 */
export const moveRows = (
  label: Text['key'],
  moved: Value,
  { token, volume }: Pick<FeeQuote, 'token' | 'volume'>,
  total: Value | undefined,
): ReviewRow[] =>
  total === undefined
    ? [{ label: { key: label }, value: moved, emphasis: 'pay', leaves: true }]
    : [
        {
          label: { key: 'review_leaves' },
          value: total,
          emphasis: 'pay',
          leaves: true,
          note: { key: 'review_withFee', values: { gross: moved, fee: { kind: 'amount', volume, token } } },
        },
      ];
