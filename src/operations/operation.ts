import type { Signature } from '../crypto/index.ts';
import type {
  CounterFactualInfo,
  EndpointAnswer,
  EndpointName,
  Hex,
  RelayerErrorName,
  StorageParity,
  TypedData,
} from '../protocol/index.ts';
import type { z } from '../protocol/zod.ts';
import type { Execution } from './execution.ts';
import type { FeeList, Fees, SignedFee } from './feeBounds.ts';
import type { OwnerApproval } from './ownerApproval.ts';
import type { Pair } from './pairOf.ts';
import type { PermissionKind } from './permissionKinds.ts';
import type { ReadInput, Reads } from './reads.ts';
import type { Review, ReviewField, ReviewRow, Text, TokenFacts } from './review.ts';
import type { Settlement } from './settlement.ts';
import type { Standing } from './standing.ts';
import type { SubmittedRequest } from './submittedRequest.ts';

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
  /** Absent in drafts of earlier versions. */
  readonly quoteFilled?: string;
  /** Of an NFT order. */
  readonly nftData?: string;
}

/** An order that this wallet has signed, from its own records. */
export interface SignedOrder {
  readonly storageId: number;
  readonly sellTokenId: number;
  readonly buyTokenId: number;
  /** Base units, as signed. */
  readonly sellVolume: string;
  readonly buyVolume: string;
  /** Unix seconds. */
  readonly validUntil?: number | undefined;
  /** Hash of an open request of this wallet with a larger storage id in the same slot. */
  readonly newer?: string | undefined;
}

/**
 * A key that the user chose for an account: made or derived, and stored as pending before anything
 * else.
 */
export interface NewKey {
  /** 0x + 64 hex digits each. */
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly kind: 'derived' | 'random';
  /** The text whose L1 signature gives the key; empty for a random one. */
  readonly keySeed: string;
  /** The account's nonce for which it was made. */
  readonly nonce: number;
}

/** A receiver that this wallet knows. */
export interface KnownAddress {
  readonly address: string;
  /** Name that the user gave to an account of this wallet or to an entry of the address book. */
  readonly label?: string;
  /**
   * One of the user's accounts, an entry of the address book, an address that something was sent
   * to, one that something was withdrawn to, which is known to withdrawals alone, a broker of the
   * relayer that was paid, which is known for that alone, or a receiver that only the relayer's
   * history names, which others are compared with and which is not known itself.
   */
  readonly source: 'own' | 'book' | 'sent' | 'withdrawn' | 'broker' | 'history';
  /** Of what was sent: the account that did. */
  readonly accountId?: number;
}

/**
 * Facts that an operation may use besides the intent. Reads come from the chosen relayer; what can
 * be pinned is pinned before it gets here (exchange address, chain id, tokens), or by `checkPool`.
 */
export interface Facts extends Reads {
  readonly chainId: number;
  readonly exchangeAddress: string;
  readonly baseUrl: string;
  readonly account: {
    readonly accountId: number;
    readonly owner: string;
    /** The owner is a smart wallet that is not deployed yet. */
    readonly counterFactualInfo?: CounterFactualInfo;
    /** The owner is a wallet contract, which approves hashes on layer 1. */
    readonly isContract?: true;
  };
  /** Key updates: what the user chose, once there is a choice. */
  readonly newKey?: NewKey;
  /** Origin of the site that asks: scheme, host and port. */
  readonly origin: string;
  /** Exchange addresses of all networks of this wallet. */
  exchanges(): Promise<readonly string[]>;
  /** Texts that account keys of this L1 key were made from, as the wallet keeps them. */
  keySeeds(): Promise<readonly string[]>;
  /**
   * @throws {IntentError} naming `field` when the relayer does not list the token; also throws
   *   while its facts differ from the pinned ones.
   */
  token(tokenId: number, field: string): Promise<TokenFacts>;
  /** Throws while the pool differs from the pinned one. */
  checkPool(pool: EndpointAnswer<'getAmmPools'>['pools'][number]): Promise<void>;
  /**
   * The NFT of a slot of the account by the last proof that the wallet has; `null` without one, and
   * for a slot that was empty in its block.
   */
  provenNft(slot: number): Promise<{ readonly nftData: string; readonly blockId: number } | null>;
  /** The market of two tokens, base first, or `null` when the relayer has none. */
  market(
    tokenA: number,
    tokenB: number,
  ): Promise<{ readonly baseTokenId: number; readonly quoteTokenId: number } | null>;
  /** `null` when the relayer knows no such order of this account. */
  order(key: { readonly hash: string } | { readonly clientOrderId: string }): Promise<KnownOrder | null>;
  /** The tokens of a market by its name; `null` also for one that `tokenBySymbol` does not give. */
  pairOf(market: string): Promise<Pair<TokenFacts>>;
  /** `null` also while the token's facts differ from the pinned ones. */
  tokenBySymbol(symbol: string): Promise<TokenFacts | null>;
  knownAddresses(): Promise<readonly KnownAddress[]>;
  /** Fees of the account's requests that the relayer took, newest first. */
  signedFees(): Promise<readonly SignedFee[]>;
  /** The exchange's fees as they were when this wallet first saw it; empty where it lists none. */
  listedFees(): Promise<FeeList>;
  /** Hashes of the open orders that the asking site has placed with this account, oldest first. */
  siteOrders(): Promise<readonly string[]>;
  /** `null` when this wallet has signed no order of the account with that hash. */
  signedOrder(hash: string): Promise<SignedOrder | null>;
  /**
   * An answer at most `maxAge` seconds old, or `null` when it cannot be had: for what makes a
   * review better and nothing worse when it is missing.
   */
  recent<N extends EndpointName>(name: N, input: ReadInput<N>, maxAge: number): Promise<EndpointAnswer<N> | null>;
}

/**
 * The complete unsigned request (`body`, without storage id and signatures) and the facts that the
 * review shows beside it. Plain JSON: it is stored, digested and read back.
 */
export interface Draft<Body, Shown> {
  readonly body: Body;
  readonly shown: Shown;
}

/**
 * The storage-id counter that a submission draws from: the token moved, and the parity of its kind.
 */
export interface Slot {
  readonly tokenId: number;
  readonly parity: StorageParity;
  /**
   * A storage id of the account whose slot is taken over, so that what it was signed for can never
   * happen any more.
   */
  readonly reuse?: number;
  /** Another token whose counter gives the same id: the request moves both. */
  readonly alsoOf?: number;
}

/** Signs what the operation computed. Key bytes stay behind this port. */
export interface Keys {
  signEddsa(message: bigint): Promise<Signature>;
  /**
   * True when the vault holds the secret of a pending key, and it opens to exactly this public key.
   */
  holdsNewKey(publicKey: NewKey['publicKey']): Promise<boolean>;
  /**
   * EIP-712 by the account's L1 signer; 65 bytes r, s, v, recovered and compared with the owner
   * before they leave.
   */
  signTypedData(typedData: TypedData): Promise<Hex>;
  /** The owner's approval of a request, in the form that the account's owner can give it. */
  approveByOwner(typedData: TypedData): Promise<OwnerApproval>;
  /** EIP-191 over the UTF-8 text by the account's L1 signer, checked like typed data. */
  signText(text: string): Promise<Hex>;
}

/** The exact bytes that are sent, and sent again after an unknown outcome. */
export interface SignedRequest {
  /** `none`: nothing is sent; the signature itself is what the page asked for. */
  readonly endpoint: EndpointName | 'none';
  readonly query?: Readonly<Record<string, string | number>>;
  readonly bodyText?: string;
  /** `X-API-SIG` */
  readonly signature?: string;
  /** Hash of the signed payload, 0x + 64 hex. */
  readonly hash: string;
}

/** Heading under which the activity list files it. */
export type OperationGroup = 'orders' | 'moves' | 'nfts' | 'pools' | 'keys' | 'texts';

/** Picture of an operation whose group has another. */
export type OperationPicture = 'withdraw' | 'cross';

/** Fields of a request that a screen knows when it shows the fee. */
interface FeeAsked {
  readonly tokenId?: number | undefined;
  readonly fast?: boolean | undefined;
  /** Contract of an NFT. */
  readonly tokenAddress?: string | undefined;
}

/** One thing that a page can put to a user. Nothing here signs. */
export interface Approvable<Intent, Body, Shown> {
  readonly name: string;
  /** Method by which a page asks for it. */
  readonly method: `relayer_${string}` | 'personal_sign' | 'eth_signTypedData_v4';
  readonly permission: PermissionKind;
  /** `password`: asked for again with the approval, however long the wallet is unlocked. */
  readonly confirm?: 'password';
  /**
   * The layer-1 owner approves it too: by a signature, or, of a wallet contract, by a transaction
   * on layer 1.
   */
  readonly ownerApproves?: true;
  /**
   * Where the user decides on a request of the wallet's own pages: a wizard; the approval window
   * when absent.
   */
  readonly shownBy?: 'wizard';
  /**
   * Refusals after which the same approval request is put again, from fresh facts; so is one that
   * failed before its signature.
   */
  readonly reapproveOn?: readonly RelayerErrorName[];
  /** Schema of a page's request, strict. */
  readonly intent: () => z.ZodMiniType<Intent>;
  /**
   * Completes the intent; fills what the document fixes and never guesses.
   * @throws {IntentError} {ChoiceNeeded}
   */
  prepare(intent: Intent, facts: Facts): Promise<Draft<Body, Shown>>;
  /**
   * Sentence, rows, warnings and the bound/unbound split, from the draft alone. `now` in Unix
   * seconds.
   */
  review(draft: Draft<Body, Shown>, now: number): Review;
}

/**
 * One thing that a user can approve and that is then signed. `prepare` and `review` never sign,
 * `sign` never reads anything but the draft that was reviewed; whoever drives them (the background)
 * stores between each two.
 */
export interface Operation<Intent, Body, Shown> extends Approvable<Intent, Body, Shown> {
  readonly group: OperationGroup;
  /** The wallet's own screens can ask for it. */
  readonly own?: true;
  /**
   * A site may not ask for it before it has the permission: the two are too grave for one decision.
   */
  readonly permissionFirst?: true;
  /**
   * It registers another key of the account, which `keyUpdate/` of the background takes over at its
   * end.
   */
  readonly changesKey?: true;
  /** All that it is for is to end the order in its slot: once it is settled, that one cannot be. */
  readonly endsSlot?: true;
  /** Hashes of the orders that it was to cancel and that had ended before, by its last answer. */
  tooLateFor?(submitted: SubmittedRequest): readonly string[];
  /** Hashes of the orders that it has cancelled, by its last answer. */
  cancelled?(submitted: SubmittedRequest): readonly string[];
  /** Its signed request may be handed to somebody else, such as the other side of a trade. */
  readonly handsOver?: true;
  /** It is paid out on layer 1: settled here is not arrived there. */
  readonly leavesExchange?: true;
  /** Picture of it in the activity list; that of its group when absent. */
  readonly picture?: OperationPicture;
  /** Its signature is an order of the user's choice at the relayer. */
  readonly placesOrder?: true;
  /** How a standing approval answers it; none does when absent. */
  readonly standing?: Standing<Intent, Body, Shown>;
  /**
   * The relayer's quote for a request of this kind before the rest of it is known; absent where no
   * screen shows one.
   */
  feeQuote?(asked: FeeAsked, facts: Facts): Promise<Fees>;
  /** `null` when the request uses no storage id. */
  storageSlot(draft: Draft<Body, Shown>): Slot | null;
  /**
   * Checks once more, right before signing, what the signature does not cover but the review
   * showed.
   * @throws {FactsChanged} It is not what was shown any more.
   */
  recheck?(draft: Draft<Body, Shown>, reads: Reads): Promise<void>;
  /**
   * Facts of `shown` that `sign` uses: public ones, which a receipt needs so that the hash can be
   * computed again.
   */
  readonly signs?: readonly (keyof Shown & string)[];
  /** Recomputes the hash from the draft and signs it. */
  sign(draft: Draft<Body, Shown>, storageId: number | null, facts: SigningFacts, keys: Keys): Promise<SignedRequest>;
  /** How its end is found. */
  readonly settle: Settlement;
  /** How a block carries it out; absent when no block transaction does. */
  executedAs?(body: Body, storageId: number | null): Execution;
  /** Unix seconds after which the relayer takes it no longer; `body.validUntil` when absent. */
  validUntil?(body: Body): number | undefined;
  /** Address that receives something by this request. */
  recipient?(body: Body): string;
  /** The relayer names that address, as its broker: having paid it does not make it a known one. */
  readonly paysBroker?: true;
  /** The fee that a body allows. */
  fee?(body: Body): SignedFee;
  /** Builds the page's result in place of hash, status and storage id. */
  answer?(submitted: SubmittedRequest): unknown;
  /** For several requests in one slot, of which one can happen. */
  readonly alternatives?: Alternatives<Body, Shown>;
  /** Adds members to the page's result besides hash, status and storage id. */
  result?(submitted: SubmittedRequest): Readonly<Record<string, unknown>>;
}

/**
 * How the requests of one approval request follow each other. The next is signed only when the one
 * before came to nothing.
 */
interface Alternatives<Body, Shown> {
  /** `null` when this was the last. */
  next(draft: Draft<Body, Shown>): Draft<Body, Shown> | null;
  /** The relayer ends such a request at once when nothing comes of it, so its end is waited for. */
  isImmediate(body: Body): boolean;
  /** It has ended, and nothing of it happened. */
  hadNoEffect(submitted: SubmittedRequest): boolean;
}

/** Facts that signing needs besides the draft: the base URL is part of a request signature. */
interface SigningFacts {
  readonly baseUrl: string;
  readonly chainId: number;
}

/** Facts that were shown have changed; nothing was signed. */
export class FactsChanged extends Error {
  override readonly name = 'FactsChanged';

  constructor(
    message: string,
    /** The same for a user. */
    readonly text: Text,
  ) {
    super(message);
  }
}

/**
 * This machine's clock is so far behind the relayer's that the request would have expired on
 * arrival; nothing was signed.
 */
export class ClockBehind extends Error {
  override readonly name = 'ClockBehind';

  /** @param seconds - How far. */
  constructor(readonly seconds: number) {
    super(`The clock of this machine is ${seconds} s behind the relayer's.`);
  }
}

/**
 * Nothing is wrong, but the user has to choose something in the wallet's own pages before the
 * approval request is complete.
 */
export class ChoiceNeeded extends Error {
  override readonly name = 'ChoiceNeeded';
}

/**
 * The page asked for something that cannot be done as asked; `field` is the path inside the intent.
 */
export class IntentError extends Error {
  override readonly name = 'IntentError';
  readonly field: string;

  constructor(
    field: string,
    rule: string,
    /** The same for a user; the rule itself when absent. */
    readonly text?: Text,
  ) {
    super(`${field}: ${rule}`);
    this.field = field;
  }

  /** @param key - Sentence with a `reason`, for an error without its own text. */
  textIn(key: string): Text {
    return this.text ?? { key, values: { reason: { kind: 'text', text: this.message } } };
  }
}

/** All leaf fields of a body with their wire paths, in order. */
export function leafFields(body: unknown, prefix = ''): ReviewField[] {
  if (typeof body !== 'object' || body === null) return [{ path: prefix, value: String(body) }];
  return Object.entries(body).flatMap(([key, value]) =>
    value === undefined ? [] : leafFields(value, prefix ? `${prefix}.${key}` : key),
  );
}

/**
 * Splits the fields of a body by what the signature covers. A path is covered when it or a parent
 * is listed.
 */
export function splitFields(
  body: unknown,
  boundPaths: readonly string[],
): { readonly bound: ReviewField[]; readonly unbound: ReviewField[] } {
  const isBound = ({ path }: ReviewField) => boundPaths.some((bound) => path === bound || path.startsWith(`${bound}.`));
  const fields = leafFields(body);
  return { bound: fields.filter(isBound), unbound: fields.filter((field) => !isBound(field)) };
}

/** The id that the site gave an order. */
export const clientOrderIdRow = ({ clientOrderId }: { readonly clientOrderId?: string | undefined }): ReviewRow[] =>
  clientOrderId
    ? [{ label: { key: 'review_clientOrderId' }, value: { kind: 'text', text: clientOrderId }, detail: true }]
    : [];
