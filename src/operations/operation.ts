import type { z } from 'zod';
import type { Signature } from '../crypto/index.ts';
import type { EndpointName, StorageParity } from '../protocol/index.ts';
import type { Review, ReviewField, TokenFacts } from './review.ts';

/** Rights that a site can hold on an account. */
export type PermissionKind = 'read' | 'orders' | 'transfers' | 'withdrawals' | 'nfts' | 'pools' | 'key';

/** An order of the account as the relayer reports it. */
export interface KnownOrder {
  readonly hash: string;
  readonly clientOrderId: string;
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  readonly status: string;
  readonly baseAmount: string;
  readonly quoteAmount: string;
  readonly baseFilled: string;
}

/**
 * What an operation may know besides the intent. Reads come from the chosen relayer; what can be pinned is pinned before it
 * gets here (exchange address, chain id, tokens).
 */
export interface Facts {
  /** Unix seconds of this machine. */
  readonly now: number;
  readonly exchangeAddress: string;
  readonly baseUrl: string;
  readonly account: { readonly accountId: number; readonly owner: string };
  /** @throws {IntentError} naming `field` when the relayer does not list the token. */
  token(tokenId: number, field: string): Promise<TokenFacts>;
  /** The market of two tokens, base first, or `null` when the relayer has none. */
  market(
    tokenA: number,
    tokenB: number,
  ): Promise<{ readonly baseTokenId: number; readonly quoteTokenId: number } | null>;
  /** `null` when the relayer knows no such order of this account. */
  order(key: { readonly hash: string } | { readonly clientOrderId: string }): Promise<KnownOrder | null>;
  tokenBySymbol(symbol: string): Promise<TokenFacts | null>;
}

/**
 * The complete unsigned request (`body`, without storage id and signatures) and the facts that the review shows beside it.
 * Plain JSON: it is stored, digested and read back.
 */
export interface Draft<Body, Shown> {
  readonly body: Body;
  readonly shown: Shown;
}

/** The storage-id counter that a submission draws from: the token moved, and the parity of its kind. */
export interface Slot {
  readonly tokenId: number;
  readonly parity: StorageParity;
}

/** Signs what the operation computed. Key bytes stay behind this port. */
export interface Keys {
  signEddsa(message: bigint): Promise<Signature>;
}

/** The exact bytes that are sent, and sent again after an unknown outcome. */
export interface SignedRequest {
  readonly endpoint: EndpointName;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly bodyText?: string;
  /** `X-API-SIG` */
  readonly signature?: string;
  /** Hash that the relayer should report, 0x + 64 hex; `null` where it reports another identifier. */
  readonly hash: string | null;
}

/** What the relayer acknowledged, as far as all operations share it. */
export interface Acknowledgement {
  readonly hash: string;
  readonly status: string;
  readonly isIdempotent: boolean;
  readonly clientOrderId?: string | undefined;
}

/**
 * One thing that a person can approve. `prepare` and `review` never sign, `sign` never reads anything but the draft that
 * was reviewed; whoever drives them (the background) stores between each two.
 */
export interface Operation<Intent, Body, Shown> {
  readonly name: string;
  /** Method by which a page asks for it. */
  readonly method: `relayer_${string}`;
  readonly permission: PermissionKind;
  /** What a page may ask, strict. */
  readonly intent: z.ZodType<Intent>;
  /** Completes the intent; fills what the document fixes and never guesses. @throws {IntentError} */
  prepare(intent: Intent, facts: Facts): Promise<Draft<Body, Shown>>;
  /** Sentence, rows, warnings and the bound/unbound split, from the draft alone. `now` in Unix seconds. */
  review(draft: Draft<Body, Shown>, now: number): Review;
  /** `null` when the request uses no storage id. */
  slot(draft: Draft<Body, Shown>): Slot | null;
  /** Recomputes the hash from the draft and signs it. */
  sign(draft: Draft<Body, Shown>, storageId: number | null, facts: SigningFacts, keys: Keys): Promise<SignedRequest>;
  /** How the final status is found: by the order's hash, or the acknowledgement is all there is. */
  readonly settle: 'order' | 'acknowledgement';
}

/** What signing needs besides the draft: the base URL is part of a request signature. */
export interface SigningFacts {
  readonly baseUrl: string;
}

/** The page asked for something that cannot be done as asked; `field` is the path inside the intent. */
export class IntentError extends Error {
  override readonly name = 'IntentError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field}: ${rule}`);
    this.field = field;
  }
}

/** All leaf fields of a body with their wire paths, in order. */
export function leafFields(body: unknown, prefix = ''): ReviewField[] {
  if (typeof body !== 'object' || body === null) return [{ path: prefix, value: String(body) }];
  return Object.entries(body).flatMap(([key, value]) =>
    value === undefined ? [] : leafFields(value, prefix ? `${prefix}.${key}` : key),
  );
}

/** Splits the fields of a body by what the signature covers. A path is covered when it or a parent is listed. */
export function splitFields(
  body: unknown,
  boundPaths: readonly string[],
): { readonly bound: ReviewField[]; readonly unbound: ReviewField[] } {
  const isBound = ({ path }: ReviewField) => boundPaths.some((bound) => path === bound || path.startsWith(`${bound}.`));
  const fields = leafFields(body);
  return { bound: fields.filter(isBound), unbound: fields.filter((field) => !isBound(field)) };
}
