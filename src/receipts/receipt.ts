import { historySchema, submissionErrorSchema, submissionStates, wireSchema } from '../journal/index.ts';
import type { BlockReason } from '../messaging/views.ts';
import type { Review } from '../operations/review.ts';
import { publishedBytes } from '../protocol/endpoints/getBlockBytes.ts';
import { once } from '../protocol/once.ts';
import { LAST_TIME } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';

const text = once(() => z.string().check(z.maxLength(2000)));
const word = once(() => z.string().check(z.regex(/^0x[0-9a-f]{64}$/)));

const reasons = [
  'noBlocks',
  'notYet',
  'unread',
  'size',
  'hash',
  'bytes',
  'exchange',
  'root',
  'absent',
  'terms',
] as const;

/** Published blocks in which the request stands. */
const inclusionSchema = once(() =>
  z.strictObject({
    blocks: z
      .array(
        z.strictObject({
          /** As the relayer numbers it; not part of its bytes. */
          blockId: z.int().check(z.minimum(0)),
          /** State after the block, as the wallet saw it first. */
          root: word(),
          /** SHA-256 of the bytes, as layer 1 keeps it. */
          publicDataHash: word(),
          /** The whole block: no part of it could be checked against that hash. */
          data: publishedBytes(),
        }),
      )
      .check(
        z.refine((blocks) =>
          blocks.every(({ blockId }, index) => index === 0 || blockId > (blocks[index - 1]?.blockId ?? 0)),
        ),
      ),
    missing: z.nullable(z.enum(reasons) satisfies z.ZodMiniType<BlockReason>),
  }),
);
export type Inclusion = z.output<ReturnType<typeof inclusionSchema>>;

/**
 * Record of one request, for keeping outside the wallet. It holds no key, no API key and, in the
 * site's copy, nothing that a site does not know; `verifyReceipt` says what of it is proven. A
 * change of shape or meaning raises `version`: 2 has `inclusion`, which the site's copy and
 * requests without a block transaction do not have.
 */
export const receiptSchema = once(() =>
  z
    .strictObject({
      format: z.literal('countersign-receipt'),
      version: z.literal([1, 2]),
      /** Unix milliseconds. */
      exportedAt: z.number(),
      /** The wallet's number of the submission, and of the request that it answers. */
      id: text(),
      requestId: text(),
      operation: text(),
      /** Site that asked, or the wallet itself. */
      origin: text(),
      /** Standing approval that answered in the user's place; `null` when the user did. */
      rule: z.nullable(text()),
      network: z.strictObject({ id: text(), chainId: z.int(), exchange: text(), relayer: text() }),
      account: z.strictObject({
        /** `networkId:accountId`; both ids are those of the exchange in the site's copy. */
        id: text(),
        owner: text(),
        /** Account key that signed. */
        publicKey: z.strictObject({ x: text(), y: text() }),
      }),
      /** The complete unsigned request. */
      draft: z.json(),
      /** Facts shown beside it; in the site's copy those alone that a signature was made from. */
      shown: z.optional(z.json()),
      /**
       * What the user read, which can be made again from `draft`, `shown` and `reviewedAt`. Not in
       * the site's copy.
       */
      review: z.optional(z.custom<Review>((value) => typeof value === 'object' && value !== null)),
      /** Unix seconds for which the review was made. */
      reviewedAt: z.optional(z.number()),
      /** Digest that the click carried: over draft, facts, site, account and exchange. */
      digest: text(),
      storageId: z.nullable(z.int()),
      /** Hash that was signed; `null` without `request`. */
      hash: z.nullable(text()),
      /**
       * The sent request, byte for byte; `null` when nothing was signed or, in the site's copy,
       * when it has not left the wallet. A header's signature is not kept for ever.
       */
      request: z.nullable(wireSchema()),
      status: z.enum(submissionStates),
      /** The relayer's last answer, empty when it was very long, and the last refusal. */
      answer: z.optional(z.unknown()),
      error: z.optional(submissionErrorSchema()),
      /** Every state with its time, Unix milliseconds. */
      history: historySchema().check(z.refine((states) => states.every(({ at }) => Math.abs(at) <= LAST_TIME))),
      inclusion: z.optional(inclusionSchema()),
    })
    .check(
      z.refine(({ version, inclusion }) => (version === 2) === (inclusion !== undefined)),
      // A review without what it is made from could be compared with nothing.
      z.refine(
        ({ review, shown, reviewedAt }) =>
          (review === undefined) === (reviewedAt === undefined) && (review === undefined || shown !== undefined),
      ),
    ),
);

export type Receipt = z.output<ReturnType<typeof receiptSchema>>;
