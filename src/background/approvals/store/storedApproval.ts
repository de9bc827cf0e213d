import { z } from 'zod';
import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { permissionKinds } from '../../../operations/permissionKinds.ts';
import type { Review, Text } from '../../../operations/review.ts';

/**
 * `waiting`: facts are still to be read (or the password is missing). `unavailable`: they could not be read. `ready`: the
 * question is complete. `choosing`: the person has to choose something in the wallet's pages before it can be completed. `approved`: the user said yes and the work goes on, whatever stops in between. `done`, `closed`: over.
 */
const stage = z.enum(['waiting', 'unavailable', 'choosing', 'ready', 'approved', 'done', 'closed']);

export type ApprovalStage = z.infer<typeof stage>;

const kinds = z.array(z.enum(permissionKinds));

const point = z.object({ x: z.string(), y: z.string() });

/** The person's choice for a key update; public facts, the secret is a pending record of the vault. */
const newKeyChoice = z.object({
  publicKey: point,
  kind: z.enum(['derived', 'random']),
  keySeed: z.string(),
  nonce: z.number(),
  /** A random key was written down, and the person showed it. */
  backedUp: z.boolean(),
});
export type NewKeyChoice = z.infer<typeof newKeyChoice>;

export const storedApproval = z.object({
  version: z.literal(1),
  id: z.string(),
  /** `unlock`: a connected site waits for the unlock, and nothing is decided. */
  kind: z.enum(['connect', 'unlock', 'operation', 'standing']),
  stage,
  origin: z.string(),
  /** Page requests that this answers; identical ones join. */
  requestIds: z.array(z.string()),
  createdAt: z.number(),
  decidedAt: z.number().optional(),
  /** Digest of what was asked: equal open questions of one origin are one. */
  askedDigest: z.string(),
  /** The site's own name for the request: a second one under it is the same request, also when it is over. */
  idempotencyKey: z.string().optional(),
  kinds: kinds.optional(),
  /** Connections that move the site to another network: its id. */
  switchTo: z.string().optional(),
  /** Connections: asked for as permissions, which the answer lists; else it lists the accounts. */
  answers: z.literal('permissions').optional(),
  /** Connections: what the user chose. */
  chosen: z.object({ accounts: z.array(z.string()), kinds }).optional(),
  operation: z.string().optional(),
  account: z.string().optional(),
  intent: z.unknown().optional(),
  /** Key updates: the key that the person chose. */
  choice: newKeyChoice.optional(),
  draft: z.object({ body: z.unknown(), shown: z.unknown() }).optional(),
  /** Unix seconds at which the review was made. */
  reviewedAt: z.number().optional(),
  review: z.custom<Review>().optional(),
  /** The review that the user saw before it was prepared again, Unix seconds of that one. */
  first: z.object({ review: z.custom<Review>(), reviewedAt: z.number() }).optional(),
  digest: z.string().optional(),
  problem: z.custom<Text>().optional(),
  submissionId: z.string().optional(),
  /** Standing approval that answered in the user's place. */
  rule: z.string().optional(),
  /** Approved before and not signed: when, Unix milliseconds, and why it is asked again. */
  again: z.object({ approvedAt: z.number(), why: z.custom<Text>() }).optional(),
  /** No standing approval answers it any more: the limits were reached, or a signature was made, while it was carried out. */
  byHand: z.literal(true).optional(),
  /** Signatures that the user's clicks allow in all; 1 when absent. */
  copies: z.number().optional(),
  /** Asked again: what was signed for it before. */
  signedBefore: z.object({ copies: z.number(), validUntil: z.number().nullable() }).optional(),
  /** Asked again: the relayer named a storage id far ahead of the last known one. */
  idJump: z.object({ known: z.number(), named: z.number() }).optional(),
});

export type StoredApproval = z.infer<typeof storedApproval>;

export const isOpen = ({ stage }: Pick<StoredApproval, 'stage'>): boolean =>
  stage === 'waiting' || stage === 'unavailable' || stage === 'choosing' || stage === 'ready';

export const isOver = ({ stage }: Pick<StoredApproval, 'stage'>): boolean => stage === 'done' || stage === 'closed';

/** Asked from outside: the approval window shows it. What the wallet's own screens ask they show themselves. */
export const isForWindow = ({ origin }: { readonly origin: string }) => origin !== OWN_ORIGIN;

/** An approval without what was prepared, shown and decided: as it was asked. Earlier signatures of it stay known. */
export function unprepared(approval: StoredApproval): StoredApproval {
  const {
    draft: _,
    review: __,
    digest: ___,
    reviewedAt: ____,
    problem: _____,
    decidedAt: ______,
    ...others
  } = approval;
  const { first: _______, again: ________, chosen: _________, ...rest } = others;
  return rest;
}

/** Whether accounts of a network can be chosen. */
export const offers = ({ switchTo }: StoredApproval, networkId: string) =>
  switchTo === undefined || switchTo === networkId;
