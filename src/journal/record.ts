import { MAX_UINT32 } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import type { StorageParity } from '../protocol/storageId.ts';
import { z } from '../protocol/zod.ts';
import { lifted, type Steps } from '../storage/lifted.ts';
import { submissionStates } from './lifecycle.ts';

/**
 * Version of the stored record. A change of meaning or shape raises it and adds a step for the old
 * one.
 */
export const recordVersion = 3;

/**
 * Version 1 has neither `sends` nor `copy`, version 2 no `alsoOf`, and all of them may be absent.
 */
const recordSteps: Steps = { 1: (record) => record, 2: (record) => record };

/** Version of a stored cursor. */
export const cursorVersion = 2;

/** Version 1 has no `foreign`, which may be absent. */
const cursorSteps: Steps = { 1: (cursor) => cursor };

/** Reads what an earlier version wrote as the newest one. */
const fromEarlier = <Schema extends z.ZodMiniType>(newest: number, steps: Steps, schema: Schema) =>
  z.pipe(
    z.transform((value: unknown) => lifted(value, newest, steps)),
    schema,
  );

const uint32 = once(() => z.int().check(z.minimum(0), z.maximum(MAX_UINT32)));
const text = once(() => z.string().check(z.minLength(1), z.maxLength(512)));

/** One L2 account on one network: storage ids and counters of different ones never mix. */
const accountRef = () => ({
  /** The configured network's id. */
  networkId: text(),
  accountId: uint32(),
});

const slotSchema = once(() =>
  z.strictObject({
    /** Token whose storage the id belongs to; for NFTs the account's slot number (>= 32768). */
    tokenId: z.int().check(z.minimum(0), z.maximum(0xffff)),
    /** Orders take even ids, off-chain requests odd ones. */
    parity: z.enum(['order', 'offchain'] satisfies StorageParity[]),
    storageId: uint32(),
    /** Another token whose counter gave the same id. */
    alsoOf: z.optional(z.int().check(z.minimum(0), z.maximum(0xffff))),
  }),
);

/** The tokens whose storage an id belongs to. */
export const slotTokens = ({ tokenId, alsoOf }: Pick<Slot, 'tokenId' | 'alsoOf'>): readonly number[] =>
  alsoOf === undefined ? [tokenId] : [tokenId, alsoOf];

export const wireSchema = once(() =>
  z.strictObject({
    /** Name of the endpoint in the protocol's table. */
    endpoint: text(),
    /** Query parameters before encoding. */
    query: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    /** The body exactly as it is posted. */
    bodyText: z.optional(z.string()),
    /** `X-API-SIG`; removed when the submission is final, since that header can be replayed. */
    signature: z.optional(z.string()),
  }),
);

export const submissionErrorSchema = once(() =>
  z.strictObject({
    /** The relayer's code or the name of a failure of our own. */
    code: z.union([z.int(), text()]),
    name: z.optional(text()),
    message: z.string().check(z.maxLength(2000)),
    /** Whether the request arrived at the relayer, as far as the error tells. */
    outcome: z.optional(z.enum(['not-sent', 'refused', 'unknown'])),
  }),
);

/** Facts that the caller hands over before anything is signed. */
export const submissionDraftSchema = once(() =>
  z.strictObject({
    ...accountRef(),
    /** Site that asked, or the extension's own origin. */
    origin: text(),
    /** The page's request number (UUID); (origin, requestId) signs at most once. */
    requestId: text(),
    /** Operation name, such as `submitOrder`. */
    operation: text(),
    /** The complete unsigned body, as reviewed. */
    draft: z.json(),
    /** Digest of the review that the user approved. */
    reviewDigest: text(),
    /**
     * The facts that the review showed beside the body; with them a receipt can say what was shown.
     */
    shown: z.optional(z.json()),
    /** Unix seconds for which the review was made. */
    reviewedAt: z.optional(uint32()),
    /** Account key that signs it, which is another one after a key update. */
    publicKey: z.optional(z.strictObject({ x: text(), y: text() })),
    /** Seconds since 1970 after which the relayer no longer takes it, when there is such a time. */
    validUntil: z.optional(uint32()),
  }),
);

/** Every state that a submission was in, the first one first. */
export const historySchema = once(() =>
  z
    .array(z.strictObject({ state: z.enum(submissionStates), at: z.number(), note: z.optional(z.string()) }))
    .check(z.minLength(1)),
);

export const submissionRecordSchema = once(() =>
  fromEarlier(
    recordVersion,
    recordSteps,
    z.strictObject({
      version: z.literal(recordVersion),
      id: text(),
      /**
       * Rises by one with each submission of this browser profile: the order of reservation,
       * independent of the clock.
       */
      seq: z.int().check(z.minimum(1)),
      ...submissionDraftSchema().shape,
      state: z.enum(submissionStates),
      slot: z.optional(slotSchema()),
      /** Submission before it, of the same approval: it is not forgotten while that one is kept. */
      after: z.optional(text()),
      /** Standing approval that answered in the user's place. */
      rule: z.optional(text()),
      /** Number of this signature among those for its request; 1 when absent. */
      copy: z.optional(z.int().check(z.minimum(1))),
      /** Copies of the bytes that the relayer may have. */
      sends: z.optional(z.int().check(z.minimum(0))),
      /** Locally computed hash of the payload, `0x` and 64 hex digits. */
      hash: z.optional(text()),
      wire: z.optional(wireSchema()),
      /** The relayer's last answer about it; empty when it was too long. */
      ack: z.optional(z.unknown()),
      /** The last failure. A record that went on may still carry it. */
      error: z.optional(submissionErrorSchema()),
      history: historySchema(),
    }),
  ),
);

/**
 * A submission of which nothing came, or that its site has, and that is still looked up, because
 * its signature is valid.
 */
export const watchSchema = once(() => z.strictObject({ id: text(), lookedAt: z.number() }));

export const cursorSchema = once(() =>
  fromEarlier(
    cursorVersion,
    cursorSteps,
    z.strictObject({
      version: z.literal(cursorVersion),
      next: z.int().check(z.minimum(0), z.maximum(MAX_UINT32 + 2)),
      /**
       * Slots of open orders that the relayer showed at the first use. Counts in turn 0 alone;
       * earlier versions kept it for later turns too.
       */
      foreign: z.optional(
        z.strictObject({ turn: z.int().check(z.minimum(0)), slots: z.array(z.int().check(z.minimum(0))) }),
      ),
    }),
  ),
);

export const slotEntrySchema = once(() =>
  z.strictObject({
    version: z.literal(1),
    /** Highest id ever reserved in this slot. */
    highest: uint32(),
    /** Submissions in this slot that are not final. */
    open: z.array(z.string()),
    /** Seconds since 1970 until which a site can use a final submission in this slot. */
    heldUntil: z.optional(uint32()),
  }),
);

const counters = once(() => z.record(z.string(), z.string().check(z.regex(/^\d{1,78}$/))));

/** The counters of a standing approval. They outlive it, so that it can never be counted anew. */
export const ruleSchema = once(() =>
  z.strictObject({
    version: z.literal(1),
    /** Counter name to its limit, decimal. */
    limits: counters(),
    rate: z.strictObject({ most: z.int().check(z.minimum(1), z.maximum(1000)), perMs: z.int().check(z.minimum(1)) }),
    /** Milliseconds since 1970. */
    expiresAt: z.number(),
    /** Counter name to what was used so far, decimal. */
    amounts: counters(),
    /** Submissions so far. */
    count: z.int().check(z.minimum(0)),
    /** When the latest were counted, milliseconds since 1970; as many as the rate looks back on. */
    times: z.array(z.number()),
    /** The latest time that this rule has seen. */
    seenAt: z.number(),
    closed: z.boolean(),
  }),
);

/** As it is handed in: the schema looks whether body and facts are JSON. */
export interface SubmissionDraft extends Omit<z.input<ReturnType<typeof submissionDraftSchema>>, 'draft' | 'shown'> {
  readonly draft: unknown;
  readonly shown?: unknown;
}
export type SubmissionRecord = z.output<ReturnType<typeof submissionRecordSchema>>;
export type SubmissionError = z.input<ReturnType<typeof submissionErrorSchema>>;
export type Wire = z.input<ReturnType<typeof wireSchema>>;
export type Slot = z.output<ReturnType<typeof slotSchema>>;
