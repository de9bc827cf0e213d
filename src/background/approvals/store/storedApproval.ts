import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import type { ApprovalStage } from '../../../messaging/views/approvals.ts';
import { permissionKinds } from '../../../operations/permissionKinds.ts';
import type { Review, Text } from '../../../operations/review.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { isRecord } from '../../../storage/lenient.ts';

const kinds = () => z.array(z.enum(permissionKinds));

/**
 * The user's choice for a key update; public facts, the secret is a pending record of the vault.
 */
const newKeyChoice = once(() =>
  z.object({
    publicKey: z.object({ x: z.string(), y: z.string() }),
    kind: z.enum(['derived', 'random']),
    keySeed: z.string(),
    nonce: z.number(),
    /** A random key was written down, and the user showed it. */
    backedUp: z.boolean(),
  }),
);
export type NewKeyChoice = z.infer<ReturnType<typeof newKeyChoice>>;

/** Of every approval. */
const common = once(() => ({
  version: z.literal(1),
  id: z.string(),
  origin: z.string(),
  /** Page requests that this answers; identical ones join. */
  requestIds: z.array(z.string()),
  createdAt: z.number(),
  /** Digest of what was asked: equal pending approvals of one origin are one. */
  askedDigest: z.string(),
  /**
   * The site's own name for the request: a second one under it is the same request, also when it is
   * over.
   */
  idempotencyKey: z.optional(z.string()),
  problem: z.optional(z.custom<Text>()),
  /** Closed because every page that waited for it was closed or left. */
  left: z.optional(z.literal(true)),
  /** Closed because its site took it back. */
  withdrawn: z.optional(z.literal(true)),
  /** Approved before and not signed: when, Unix milliseconds, and why it is asked again. */
  again: z.optional(z.object({ approvedAt: z.number(), why: z.custom<Text>() })),
}));

/** A connected site waits for the unlock, and nothing is decided. */
const unlock = once(() => ({ ...common(), kind: z.literal('unlock') }));

const connection = once(() => ({
  ...common(),
  kind: z.literal('connect'),
  kinds: kinds(),
  /** Moves the site to another network: its id. */
  switchTo: z.optional(z.string()),
  /** Asked for as permissions, which the answer lists; else it lists the accounts. */
  answers: z.optional(z.literal('permissions')),
  /** Request of the site that needs this permission: put to the user next, under the same id. */
  next: z.optional(z.object({ method: z.string(), params: z.unknown() })),
  /** The only account that can be chosen. */
  account: z.optional(z.string()),
}));

/** Accounts and permissions that the user gave to a site. */
const chosen = () => z.object({ accounts: z.array(z.string()), kinds: kinds() });

/**
 * Something with a draft and a review. `standing`: a standing approval; nothing is signed for it.
 */
const request = once(() => ({
  ...common(),
  kind: z.enum(['operation', 'standing']),
  operation: z.string(),
  account: z.string(),
  intent: z.optional(z.unknown()),
  /** Its connection or permission was approved just before, in the same window. */
  connectedFirst: z.optional(z.literal(true)),
  /** Key updates: the key that the user chose. */
  choice: z.optional(newKeyChoice()),
  /** The review that the user saw before it was prepared again, Unix seconds of that one. */
  first: z.optional(z.object({ review: z.custom<Review>(), reviewedAt: z.number() })),
  /**
   * No standing approval answers it any more: the limits were reached, or a signature was made,
   * while it was carried out.
   */
  byHand: z.optional(z.literal(true)),
  /** Signatures that the user's clicks allow in all; 1 when absent. */
  copies: z.optional(z.number()),
  /**
   * The attempt that they are signatures of; the first when absent, and of each other attempt there
   * may be one.
   */
  copiesFor: z.optional(z.string()),
  /** Asked again: what was signed for it before; no copies where nobody knows. */
  signedBefore: z.optional(z.object({ copies: z.number(), validUntil: z.nullable(z.number()) })),
  /** Asked again: the relayer named a storage id far ahead of the last known one. */
  idJump: z.optional(z.object({ known: z.number(), named: z.number() })),
}));

const prepared = once(() => ({
  draft: z.object({ body: z.unknown(), shown: z.unknown() }),
  review: z.custom<Review>((value) => typeof value === 'object' && value !== null),
  /** Unix seconds at which the review was made. */
  reviewedAt: z.number(),
  digest: z.string(),
}));

/** Standing approval that answered in the user's place. */
const rule = () => z.optional(z.string());
/** Unix milliseconds. */
const decidedAt = () => z.number();

/**
 * Where an approval stands. `waiting`: it is still to be prepared, or the password is missing.
 * `unavailable`: it could not be prepared. `choosing`: the user has to choose something in the
 * wallet's pages before it can be. `ready`: it is complete and can be decided. `approved`: the user
 * said yes and the work goes on, whatever stops in between. `done`, `closed`: over.
 */
const waiting = () => z.literal('waiting');
const unprepared = () => z.enum(['waiting', 'unavailable', 'choosing']);
const ready = () => z.literal('ready');
const approved = () => z.literal('approved');
const over = () => z.enum(['done', 'closed']);

const unlocks = once(() =>
  z.discriminatedUnion('stage', [
    z.object({ ...unlock(), stage: waiting() }),
    z.object({ ...unlock(), stage: over(), decidedAt: z.optional(decidedAt()) }),
  ]),
);

const connections = once(() =>
  z.discriminatedUnion('stage', [
    z.object({ ...connection(), stage: waiting() }),
    z.object({ ...connection(), stage: ready(), digest: z.string() }),
    z.object({ ...connection(), stage: approved(), digest: z.string(), chosen: chosen(), decidedAt: decidedAt() }),
    z.object({
      ...connection(),
      stage: over(),
      digest: z.optional(z.string()),
      chosen: z.optional(chosen()),
      decidedAt: z.optional(decidedAt()),
    }),
  ]),
);

const requests = once(() =>
  z.discriminatedUnion('stage', [
    z.object({
      ...request(),
      stage: unprepared(),
      // What the user saw before, to be compared with what is prepared next.
      review: z.optional(prepared().review),
      reviewedAt: z.optional(prepared().reviewedAt),
    }),
    z.object({ ...request(), ...prepared(), stage: ready() }),
    z.object({ ...request(), ...prepared(), stage: approved(), decidedAt: decidedAt(), rule: rule() }),
    z.object({
      ...request(),
      ...z.partial(z.object(prepared())).shape,
      stage: over(),
      decidedAt: z.optional(decidedAt()),
      rule: rule(),
      submissionId: z.optional(z.string()),
    }),
  ]),
);

type Keys<Union> = Union extends unknown ? keyof Union : never;
/** Each member of a union, with the keys of the others as absent, so that they can be asked for. */
type Complete<Union, All extends PropertyKey = Keys<Union>> = Union extends unknown
  ? Union & { [Key in Exclude<All, keyof Union>]?: never }
  : never;

type Form = ReturnType<typeof unlocks | typeof connections | typeof requests>;
export type StoredApproval = Complete<z.infer<Form>>;

/** The schema for a stored value, by its kind: a start builds those that it meets alone. */
export function storedApproval(value: unknown) {
  const kind = isRecord(value) && value.kind;
  const form: () => Form = kind === 'unlock' ? unlocks : kind === 'connect' ? connections : requests;
  return form() as z.ZodMiniType<StoredApproval>;
}

/** An approval request with a draft. */
export type RequestApproval = Extract<StoredApproval, { kind: 'operation' | 'standing' }>;
export type StoredDraft = NonNullable<RequestApproval['draft']>;
export type ReadyRequest = Extract<RequestApproval, { stage: 'ready' }>;
export type ApprovedRequest = Extract<RequestApproval, { stage: 'approved' }>;
/** Not decided yet. */
export type Pending = Extract<StoredApproval, { stage: 'waiting' | 'unavailable' | 'choosing' | 'ready' }>;
export type PendingRequest = ReadyRequest | Extract<RequestApproval, { stage: 'waiting' | 'unavailable' | 'choosing' }>;
export type Connection = Extract<StoredApproval, { kind: 'connect' }>;
export type ReadyConnection = Extract<Connection, { stage: 'ready' }>;
export type ApprovedConnection = Extract<Connection, { stage: 'approved' }>;
export type Approved = ApprovedRequest | ApprovedConnection;

/** Stages that may follow each stage, besides itself; drawn in docs/architecture.md. */
export const stages: Readonly<Record<ApprovalStage, readonly ApprovalStage[]>> = {
  waiting: ['ready', 'choosing', 'unavailable', 'approved', 'done', 'closed'],
  unavailable: ['ready', 'choosing', 'waiting', 'approved', 'done', 'closed'],
  choosing: ['waiting', 'done', 'closed'],
  ready: ['approved', 'waiting', 'choosing', 'unavailable', 'done', 'closed'],
  approved: ['waiting', 'choosing', 'done', 'closed'],
  done: [],
  closed: [],
};

export const isRequest = (approval: StoredApproval): approval is RequestApproval =>
  approval.kind === 'operation' || approval.kind === 'standing';

export const isOpen = ({ stage }: Pick<StoredApproval, 'stage'>): boolean =>
  stage === 'waiting' || stage === 'unavailable' || stage === 'choosing' || stage === 'ready';

export const isSettled = ({ stage }: Pick<StoredApproval, 'stage'>): boolean => stage === 'done' || stage === 'closed';

/**
 * Asked from outside: the approval window shows it. What the wallet's own screens ask they show
 * themselves.
 */
export const isForWindow = ({ origin }: { readonly origin: string }) => origin !== OWN_ORIGIN;

/**
 * A request without what was prepared, shown and decided: as it was asked. Earlier signatures of it
 * stay known.
 */
export function requestAsAsked(request: RequestApproval, stage: 'waiting' | 'choosing'): PendingRequest {
  const { draft: _, review: __, digest: ___, reviewedAt: ____, rule: _____, submissionId: ______, ...asked } = request;
  const { problem: _______, decidedAt: ________, first: _________, again: __________, ...rest } = asked;
  return { ...rest, stage };
}

/** The same of a connection. */
export function connectionAsAsked(connection: Connection): Extract<Connection, { stage: 'waiting' }> {
  const { digest: _, chosen: __, decidedAt: ___, problem: ____, again: _____, ...rest } = connection;
  return { ...rest, stage: 'waiting' };
}

/** An approval as it is when it is over. */
export function ended(
  current: StoredApproval,
  stage: 'done' | 'closed',
  { submissionId, ...how }: { problem?: Text; decidedAt?: number; submissionId?: string } = {},
): StoredApproval {
  if (!isRequest(current)) return { ...current, ...how, stage };
  return { ...current, ...how, ...(submissionId === undefined ? {} : { submissionId }), stage };
}

/** Nobody knows whether it was signed: the journal was lost after the approval. */
export const isPerhapsSigned = ({ signedBefore }: Pick<StoredApproval, 'signedBefore'>): boolean =>
  signedBefore?.copies === 0;

/** Whether an account can be chosen. */
export const offers = (
  { switchTo, account }: StoredApproval,
  { id, networkId }: { readonly id: string; readonly networkId: string },
) => (switchTo === undefined || switchTo === networkId) && (account === undefined || account === id);
