import { described, field } from './described.ts';
import { doc } from './doc.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Any word beside the known ones; not `string`, which would swallow those in a union. */
type OtherWord = string & Record<never, never>;

/**
 * A set of words in answers that the document leaves open: the known words, or another one. Rows
 * take these, because one new word must not cost the whole page; nothing treats an unknown word as
 * final. The relayer itself writes known words only. Names that every object has, such as
 * `constructor`, are no such words, because tables are read by them.
 */
const open = <Known extends string>(known: z.ZodMiniType<Known>) =>
  z.union([
    known,
    described(
      z.string().check(
        z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not a word'),
        z.refine((word) => !(word in {}), 'is not a word'),
      ),
      doc?.({ 'x-open': true }),
    ),
  ]) as unknown as z.ZodMiniType<Known | OtherWord, Known>;

/**
 * Status in the acknowledgement of an asynchronous request. `received` and `processing` are not
 * final.
 */
export const requestStatus = field(
  () => z.enum(['received', 'processing', 'processed', 'failed']),
  doc?.('Status of the request'),
);
export type RequestStatus = z.output<ReturnType<typeof requestStatus>>;

/** Status of a request in history rows. */
export const listedRequestStatus = field(() => open(requestStatus()), doc?.('Status of the request'));

/** Status of an order in submit and cancel answers. */
export const orderStatus = field(
  () => z.enum(['processing', 'processed', 'cancelling', 'cancelled', 'expired', 'failed']),
  doc?.('Status of the order'),
);
export type OrderStatus = z.output<ReturnType<typeof orderStatus>>;

/**
 * Status of an order in lists: a running relayer also reports `waiting` (accepted, not yet in the
 * book).
 */
export const listedOrderStatus = field(
  () => open(z.enum([...orderStatus().options, 'waiting'])),
  doc?.('Status of the order'),
);
export type ListedOrderStatus = z.input<ReturnType<typeof listedOrderStatus>>;

/** Status of an AMM join or exit. */
export const ammTransactionStatus = once(() => open(z.enum(['processing', 'cancelled', 'processed'])));
export type AmmTransactionStatus = z.input<ReturnType<typeof ammTransactionStatus>>;

export const ammLayerType = field(() => open(z.enum(['layer_1', 'layer_2'])), doc?.('Where it happened'));

const ammTransactionWords: Readonly<Record<string, string>> = { AMM_JOIN: 'join', AMM_EXIT: 'exit' };

/**
 * Kind of AMM transaction. Relayers also write `AMM_JOIN` and `AMM_EXIT`, which are read as the
 * words of the document.
 */
export const ammTransactionType = once(() =>
  z.pipe(
    z.transform((word: unknown) => ammTransactionWords[String(word)] ?? word),
    open(z.enum(['join', 'exit'])),
  ),
);

/** Acknowledgement of a contract deployment. */
export const deployStatus = field(() => z.enum(['SEND_TX_SUCCESS']), doc?.('The L1 transaction was sent'));

/**
 * Life of a block. The document shows `pending`; the block query also names `confirmed` and
 * `finalized`.
 */
export const blockStatus = field(
  () => open(z.enum(['pending', 'confirmed', 'finalized'])),
  doc?.('Status of the block'),
);
export type BlockStatus = z.input<ReturnType<typeof blockStatus>>;

export const blockTransactionType = field(
  () =>
    open(
      z.enum([
        'Noop',
        'Deposit',
        'Withdraw',
        'Transfer',
        'SpotTrade',
        'AccountUpdate',
        'AmmUpdate',
        'JoinAmm',
        'ExitAmm',
        'SignatureVerification',
        'NftMint',
        'NftData',
      ]),
    ),
  doc?.('Kind of transaction'),
);

/** How an order may meet the book. `AMM` trades against the pool named by `poolAddress`. */
export const orderType = once(() => z.enum(['LIMIT_ORDER', 'TAKER_ONLY', 'MAKER_ONLY', 'AMM']));
export type OrderType = z.output<ReturnType<typeof orderType>>;

/** Where an order may be filled. */
export const tradeChannel = once(() => z.enum(['ORDER_BOOK', 'AMM_POOL', 'MIXED']));
export type TradeChannel = z.output<ReturnType<typeof tradeChannel>>;

/** Side of an order as seen from the base token of its market. */
export const orderSide = once(() => z.enum(['BUY', 'SELL']));

/** Side of an order in answers; relayers write it in any case. */
export const listedOrderSide = once(() =>
  z.pipe(
    z.transform((word: unknown) => (typeof word === 'string' ? word.toUpperCase() : word)),
    orderSide(),
  ),
);

/** Whether the contract of an NFT exists on L1. */
export const deploymentStatus = once(() => open(z.enum(['NOT_DEPLOYED', 'DEPLOYING', 'DEPLOYED', 'DEPLOY_FAILED'])));
export type DeploymentStatus = z.input<ReturnType<typeof deploymentStatus>>;

/** Statuses after which nothing changes any more, per status set. */
export const finalStatuses = {
  request: ['processed', 'failed'],
  order: ['processed', 'cancelled', 'expired', 'failed'],
  ammTransaction: ['cancelled', 'processed'],
} as const satisfies {
  request: readonly RequestStatus[];
  order: readonly OrderStatus[];
  ammTransaction: readonly AmmTransactionStatus[];
};
