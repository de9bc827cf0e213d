import { address } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { type Draft, IntentError, type Operation } from './operation.ts';
import type { Review, ReviewRow, Warning } from './review.ts';
import { outcomeOfStatus } from './settlement.ts';
import {
  type OrderBody,
  type OrderShown,
  orderFields,
  orderOperation,
  prepareOrder,
  reviewOrder,
  withOrderRules,
} from './submitOrder.ts';

/** Orders of one request; more could not be read in one window. */
const MOST = 5;

const intent = once(() =>
  z.strictObject({
    account: z.optional(address()),
    /** In order of preference. All sell the same token. */
    orders: z.array(withOrderRules(z.strictObject(orderFields()))).check(z.minLength(2), z.maxLength(MOST)),
  }),
);

export type SubmitOneOfIntent = z.output<ReturnType<typeof intent>>;

/** A slot accepts rising ids: what the exchange itself does not exclude. */
const risingIds: Warning = { rule: 'one-of-rising', severity: 'note', text: { key: 'warning_oneOfRising' } };

/**
 * Every warning of every choice, whose rule is followed by the number of the choice; what holds for
 * all of them in the same words stands there once.
 */
function warningsOfChoices(choices: readonly (readonly Warning[])[]): Warning[] {
  const words = choices.map((warnings) => warnings.map((warning) => JSON.stringify(warning)));
  const isOfAll = (warning: Warning) => words.every((list) => list.includes(JSON.stringify(warning)));
  return choices.flatMap((warnings, index) =>
    warnings.flatMap((warning) => {
      if (isOfAll(warning)) return index === 0 ? [warning] : [];
      const choice = index + 1;
      return [{ ...warning, rule: `${warning.rule} ${choice}`, choice }];
    }),
  );
}

interface Shown extends OrderShown {
  /** Next orders, in order, for the case that this one has no effect. */
  readonly rest: readonly Draft<OrderBody, OrderShown>[];
}

/**
 * Several orders of which one is meant to fill. They share a slot and their storage ids rise: once
 * one has filled, the exchange takes none before it any more. It does take a later one after an
 * earlier one, so that at most one fills rests on two things: the next is signed only after the
 * relayer refused the one before or ended it with nothing filled, and the relayer does not fill
 * what it has ended. The review says so.
 */
export const submitOneOf: Operation<SubmitOneOfIntent, OrderBody, Shown> = {
  ...orderOperation,
  name: 'submitOneOf',
  method: 'relayer_submitOneOf',
  intent,

  async prepare({ account, orders }, facts) {
    const drafts: Draft<OrderBody, OrderShown>[] = [];
    for (const [index, order] of orders.entries()) {
      if (order.sellToken.tokenId !== orders[0]?.sellToken.tokenId)
        throw new IntentError(`orders.${index}.sellToken.tokenId`, 'is another token than the first order sells');
      drafts.push(await prepareOrder({ ...order, account }, facts));
    }
    const [first, ...rest] = drafts;
    if (!first) throw new IntentError('orders', 'is empty');
    return { body: first.body, shown: { ...first.shown, rest } };
  },

  review(draft, now) {
    const choices: Draft<OrderBody, OrderShown>[] = [draft, ...draft.shown.rest];
    const reviews = choices.map((choice) => reviewOrder(choice, now));
    const rows = reviews.flatMap((review, index): ReviewRow[] => [
      {
        label: { key: 'review_choice' },
        value: { kind: 'integer', value: index + 1 },
        note: { key: index === 0 ? 'review_choiceFirst' : 'review_choiceNext' },
      },
      // Only the first is drawn large; all of them are read before the click.
      ...(index === 0 ? review.rows : review.rows.map(({ emphasis: _, ...row }) => row)),
    ]);
    const numbered = (list: Review['bound'], index: number) =>
      list.map(({ path, value }) => ({ path: index === 0 ? path : `${index + 1}.${path}`, value }));
    return {
      sentence: { key: 'review_submitOneOf', values: { count: { kind: 'integer', value: choices.length } } },
      rows,
      warnings: [...warningsOfChoices(reviews.map(({ warnings }) => warnings)), risingIds],
      bound: reviews.flatMap((review, index) => numbered(review.bound, index)),
      unbound: reviews.flatMap((review, index) => numbered(review.unbound, index)),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.sellToken.tokenId, parity: 'order' }),

  alternatives: {
    next({ shown: { rest } }) {
      const [first, ...others] = rest;
      return first ? { body: first.body, shown: { ...first.shown, rest: others } } : null;
    },
    isImmediate: ({ orderType }) => orderType === 'TAKER_ONLY' || orderType === 'MAKER_ONLY' || orderType === 'AMM',
    hadNoEffect({ ack }) {
      const { baseFilled = '' } = (ack.volumes ?? {}) as { baseFilled?: string };
      return /^0+$/.test(baseFilled) && outcomeOfStatus(ack).state !== 'open' && ack.status !== 'processed';
    },
  },
};
