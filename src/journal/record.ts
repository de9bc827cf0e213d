import { z } from 'zod';
import { deferred } from '../protocol/deferred.ts';
import { MAX_UINT32 } from '../protocol/limits.ts';
import type { StorageParity } from '../protocol/storageId.ts';
import { submissionStates } from './lifecycle.ts';

/** Version of the stored record. A change of meaning or shape raises it and adds a reader for the old one. */
export const recordVersion = 2;

const uint32 = deferred(() => z.int().min(0).max(MAX_UINT32));
const text = deferred(() => z.string().min(1).max(512));

/** One L2 account on one network: storage ids and counters of different ones never mix. */
const accountRef = {
  /** The configured network's id. */
  networkId: text,
  accountId: uint32,
};

export const slotSchema = deferred(() =>
  z.strictObject({
    /** Token whose storage the id belongs to; for NFTs the account's slot number (>= 32768). */
    tokenId: z.int().min(0).max(0xffff),
    /** Orders take even ids, off-chain requests odd ones. */
    parity: z.enum(['order', 'offchain'] satisfies StorageParity[]),
    storageId: uint32,
  }),
);

export const wireSchema = deferred(() =>
  z.strictObject({
    /** Name of the endpoint in the protocol's table. */
    endpoint: text,
    /** Query parameters before encoding. */
    query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    /** The body exactly as it is posted. */
    bodyText: z.string().optional(),
    /** `X-API-SIG`; removed when the submission is final, since that header can be replayed. */
    signature: z.string().optional(),
  }),
);

export const submissionErrorSchema = deferred(() =>
  z.strictObject({
    /** The relayer's code or the name of a failure of our own. */
    code: z.union([z.int(), text]),
    name: text.optional(),
    message: z.string().max(2000),
    /** What the error says about the relayer: did the request arrive? */
    outcome: z.enum(['not-sent', 'refused', 'unknown']).optional(),
  }),
);

/** What the caller hands over before anything is signed. */
export const submissionDraftSchema = deferred(() =>
  z.strictObject({
    ...accountRef,
    /** Site that asked, or the extension's own origin. */
    origin: text,
    /** The page's request number (UUID); (origin, requestId) signs at most once. */
    requestId: text,
    /** Operation name, such as `submitOrder`. */
    operation: text,
    /** The complete unsigned body, as reviewed. */
    draft: z.json(),
    /** Digest of the review that the user approved. */
    reviewDigest: text,
    /** The facts that the review showed beside the body; with them a receipt can say what was shown. */
    shown: z.json().optional(),
    /** Unix seconds for which the review was made. */
    reviewedAt: uint32.optional(),
    /** EdDSA key that signs it, which is another one after a key update. */
    publicKey: z.strictObject({ x: text, y: text }).optional(),
    /** Seconds since 1970 after which the relayer no longer takes it, when there is such a time. */
    validUntil: uint32.optional(),
  }),
);

export const submissionRecordSchema = deferred(() =>
  z.strictObject({
    /** Version 1 has neither `sends` nor `copy`. */
    version: z.union([z.literal(1), z.literal(recordVersion)]),
    id: text,
    /** Rises by one with each submission of this browser profile: the order of reservation, independent of the clock. */
    seq: z.int().min(1),
    ...submissionDraftSchema.shape,
    state: z.enum(submissionStates),
    slot: slotSchema.optional(),
    /** Standing approval that answered in the user's place. */
    rule: text.optional(),
    /** Which signature for its request this is; the first when absent. */
    copy: z.int().min(1).optional(),
    /** Times that the bytes left and may have arrived. */
    sends: z.int().min(0).optional(),
    /** Locally computed hash of the payload, `0x` and 64 hex digits. */
    hash: text.optional(),
    wire: wireSchema.optional(),
    /** The relayer's last answer about it. */
    ack: z.json().optional(),
    /** The last failure. A record that went on may still carry it. */
    error: submissionErrorSchema.optional(),
    history: z
      .array(z.strictObject({ state: z.enum(submissionStates), at: z.number(), note: z.string().optional() }))
      .min(1),
  }),
);

/** A refused submission that is still looked up, because its signature is valid. */
export const watchSchema = deferred(() => z.strictObject({ id: text, lookedAt: z.number() }));

export const cursorSchema = deferred(() =>
  z.strictObject({
    /** Version 1 has no `foreign`. */
    version: z.union([z.literal(1), z.literal(2)]),
    next: z
      .int()
      .min(0)
      .max(MAX_UINT32 + 2),
    /** Slots of open orders that the relayer showed when ids reached this turn around the slots. */
    foreign: z.strictObject({ turn: z.int().min(0), slots: z.array(z.int().min(0)) }).optional(),
  }),
);

export const slotEntrySchema = deferred(() =>
  z.strictObject({
    version: z.literal(1),
    /** Highest id ever reserved in this slot. */
    highest: uint32,
    /** Submissions in this slot that are not final. */
    open: z.array(z.string()),
  }),
);

const counters = deferred(() => z.record(z.string(), z.string().regex(/^\d{1,78}$/)));

/** The counters of a standing approval. They outlive it, so that it can never be counted anew. */
export const ruleSchema = deferred(() =>
  z.strictObject({
    version: z.literal(1),
    /** Counter name to its limit, decimal. */
    limits: counters,
    rate: z.strictObject({ most: z.int().min(1).max(1000), perMs: z.int().min(1) }),
    /** Milliseconds since 1970. */
    expiresAt: z.number(),
    /** Counter name to what was used so far, decimal. */
    amounts: counters,
    /** Submissions so far. */
    count: z.int().min(0),
    /** When the latest were counted, milliseconds since 1970; as many as the rate looks back on. */
    times: z.array(z.number()),
    /** The latest time that this rule has seen. */
    seenAt: z.number(),
    closed: z.boolean(),
  }),
);

/** As it is handed in: the schema looks whether body and facts are JSON. */
export interface SubmissionDraft extends Omit<z.input<typeof submissionDraftSchema>, 'draft' | 'shown'> {
  readonly draft: unknown;
  readonly shown?: unknown;
}
export type SubmissionRecord = z.output<typeof submissionRecordSchema>;
export type SubmissionError = z.input<typeof submissionErrorSchema>;
export type Wire = z.input<typeof wireSchema>;
export type Slot = z.output<typeof slotSchema>;
