import { address } from '../protocol/index.ts';
import { BIPS } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { BALANCE_AGE_SECONDS } from './fees.ts';
import { orderHashField, positiveAmount, REQUEST_VALIDITY_SECONDS } from './intentFields.ts';
import { type Facts, FactsChanged, IntentError, type Operation } from './operation.ts';
import { amountsOf, pricedPools } from './poolPrices.ts';
import { findReplaced, orderAmounts, type ReplacedOrder, replacedRows } from './replacedOrder.ts';
import { type Outcome, outcomeOfStatus } from './settlement.ts';
import {
  executedOrder,
  type OrderBody,
  type OrderShown,
  orderSettlement,
  prepareOrder,
  reviewOrder,
  signOrder,
} from './submitOrder.ts';
import { listedSymbol } from './tokenSymbol.ts';
import type { BurnBounds } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

/** Ten-thousandths that the price may move between approval request and trade. */
const SLIPPAGE_BIPS = 300n;
/** Share that is added to the least amounts, since prices and rates move: one tenth. */
const MARGIN_DIVISOR = 10n;
/** How far a block's time may be from layer 1's (`TIMESTAMP_HALF_WINDOW_SIZE_IN_SECONDS`). */
const BLOCK_TIME_SECONDS = 7 * DAY_SECONDS;
const intent = once(() =>
  z
    .strictObject({
      account: z.optional(address()),
      /** An order of this wallet, open or cancelled: not filled, and not expired for seven days. */
      orderHash: orderHashField(),
      /** Base units of the small trade; from the pool's price and the least amounts when absent. */
      sellVolume: z.optional(positiveAmount()),
      buyVolume: z.optional(positiveAmount()),
    })
    .check(
      z.refine(({ sellVolume, buyVolume }) => (sellVolume === undefined) === (buyVolume === undefined), {
        path: ['buyVolume'],
        error: 'goes with sellVolume, and only with it',
      }),
    ),
);

export type HardCancelIntent = z.output<ReturnType<typeof intent>>;

interface Shown extends OrderShown {
  readonly replaced: ReplacedOrder;
  /** End of the order's signature, Unix seconds; drafts of earlier versions have none. */
  readonly signedUntil?: number;
  /** Measures of the small trade; drafts of earlier versions have none. */
  readonly burn?: BurnBounds;
}

/**
 * Ends an order for good. A cancellation is only a request to the relayer; one that kept the signed
 * order could still fill it. The exchange itself forgets an order only when something with a larger
 * storage id was settled in its slot, and orders are the only requests that may take an order's
 * slot. So this sells the least amount that the exchange takes, in that slot: once that little
 * trade is settled, no proof with the old order exists any more.
 */
export const hardCancel: Operation<HardCancelIntent, OrderBody, Shown> = {
  name: 'hardCancel',
  method: 'relayer_hardCancel',
  permission: 'orders',
  group: 'orders',
  picture: 'cross',
  endsSlot: true,
  own: true,
  intent,
  executedAs: executedOrder,
  settle: orderSettlement(outcomeOfBurn),

  async prepare({ orderHash, sellVolume, buyVolume }, facts) {
    const { order, storageId, signed } = await findReplaced(orderHash, 'orderHash', facts);
    const { validUntil } = signed;
    if ((validUntil ?? facts.now) + BLOCK_TIME_SECONDS < facts.now)
      throw new IntentError('orderHash', 'expired over seven days ago: no block can have it', {
        key: 'problem_orderVoid',
      });
    const pair = { sell: signed.sellTokenId, buy: signed.buyTokenId };
    const volumes =
      sellVolume === undefined
        ? await leastTrade(pair, order.market.replace(/^AMM-/, ''), facts)
        : // The intent names both or none.
          { sell: sellVolume, buy: buyVolume as string };
    // The relayer names the least amount, the user has signed the order: no more than that is sold
    // unasked.
    if (sellVolume === undefined && BigInt(volumes.sell) > BigInt(signed.sellVolume))
      throw new IntentError(
        'sellVolume',
        `is missing: the exchange takes no less than ${volumes.sell}, and the order sells ${signed.sellVolume}; name both volumes`,
        {
          key: 'warning_amountBelowLimit',
          values: { limit: { kind: 'amount', volume: volumes.sell, token: await facts.token(pair.sell, 'orderHash') } },
        },
      );
    const { body, shown } = await prepareOrder(
      {
        sellToken: { tokenId: pair.sell, volume: volumes.sell },
        buyToken: { tokenId: pair.buy, volume: volumes.buy },
        orderType: 'TAKER_ONLY',
        // What does not fill at once is cancelled; nothing of it is to stay valid for long.
        validUntil: facts.now + REQUEST_VALIDITY_SECONDS,
      },
      facts,
    );
    const balances = await facts.recent(
      'getBalances',
      { query: { accountId: facts.account.accountId } },
      BALANCE_AGE_SECONDS,
    );
    const held = balances?.find(({ tokenId }) => tokenId === pair.sell)?.total;
    return {
      body,
      shown: {
        ...shown,
        replaced: { order, storageId },
        ...(validUntil === undefined ? {} : { signedUntil: validUntil }),
        burn: {
          signed: { sell: signed.sellVolume, buy: signed.buyVolume },
          ...(balances ? { balance: held ?? '0' } : {}),
        },
      },
    };
  },

  review(draft, now) {
    const { body, shown } = draft;
    const { rows, warnings, ...rest } = reviewOrder(draft, now);
    const sold = { token: shown.sell, volume: body.sellToken.volume };
    const ends = orderAmounts(shown.replaced.order, shown.sell, shown.buy);
    const outsells = BigInt(sold.volume) > BigInt(ends.pays.volume);
    const bought = { token: shown.buy, volume: body.buyToken.volume };
    return {
      sentence: {
        key: 'review_hardCancel',
        values: { pay: { kind: 'amount', volume: body.sellToken.volume, token: shown.sell } },
      },
      // The order that ends is what is decided about; the little trade is only how, unless it sells
      // more than that order.
      rows: [
        { label: { key: 'review_orderPays' }, value: ends.pays, ...(outsells ? {} : { emphasis: 'pay' }) },
        { label: { key: 'review_orderReceives' }, value: ends.receives, ...(outsells ? {} : { emphasis: 'receive' }) },
        ...replacedRows(shown.replaced),
        ...rows.map(({ emphasis, leaves, ...row }) => ({
          ...row,
          ...(outsells && emphasis ? { emphasis } : {}),
          ...(outsells && leaves ? { leaves } : {}),
          section: { key: 'review_burnTrade' } as const,
          ...(row.label.key === 'review_expires' ? { detail: true as const } : {}),
        })),
      ],
      warnings: [...warningsOf({ now, ...(shown.burn ? { burn: { ...shown.burn, sold, bought } } : {}) }), ...warnings],
      ...rest,
    };
  },

  storageSlot: ({ body, shown }) => ({
    tokenId: body.sellToken.tokenId,
    parity: 'order',
    reuse: shown.replaced.storageId,
  }),

  /** Nothing is left to end of an order that was filled meanwhile; the trade would end nothing. */
  async recheck({ body, shown: { replaced } }, reads) {
    const query = { accountId: body.accountId, orderHash: replaced.order.hash };
    const now = await reads.find('getOrder', { query }, ['ORDER_NOT_FOUND']);
    if (now?.status === 'processed')
      throw new FactsChanged('The order that was to be cancelled is filled.', { key: 'problem_orderMoved' });
  },

  sign: ({ body }, storageId, _facts, keys) => signOrder(body, storageId, keys),
};

/**
 * The slot is burned when something of the little trade was settled. Otherwise the old order is
 * cancelled and no more.
 */
function outcomeOfBurn(ack: Readonly<Record<string, unknown>>): Outcome {
  const outcome = outcomeOfStatus(ack);
  if (outcome.state === 'open' || outcome.state === 'processed') return outcome;
  const { baseFilled = '0' } = (ack.volumes ?? {}) as { baseFilled?: string };
  return /^0+$/.test(baseFilled)
    ? { state: 'failed', ack, note: 'the order is cancelled, but its slot is not burned: nothing could be traded' }
    : { state: 'processed', ack };
}

const withMargin = (volume: bigint) => volume + volume / MARGIN_DIVISOR + 1n;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** The least sale that the exchange takes, at the pool's price less what that may move. */
async function leastTrade(
  { sell, buy }: { readonly sell: number; readonly buy: number },
  market: string,
  facts: Facts,
): Promise<{ sell: string; buy: string }> {
  const { accountId } = facts.account;
  const [tokens, pools, rates, hasPrice] = await Promise.all([
    facts.read('getTokens', {}),
    facts.read('getAmmBalances', {}),
    facts.read('getOrderUserRateAmount', { query: { accountId, market } }),
    pricedPools(facts),
  ]);
  const held = amountsOf(pools.filter(hasPrice), sell, buy);
  if (!held)
    throw new IntentError(
      'sellVolume',
      'is missing: the market has no pool to take a price from, so both volumes are needed',
      { key: 'problem_noPool' },
    );
  const [sold, bought] = [BigInt(held.sell), BigInt(held.buy)];
  const boughtToken = tokens.find(({ tokenId }) => tokenId === buy);
  const leastBought = BigInt(
    rates.amounts?.find(({ tokenSymbol }) => boughtToken && tokenSymbol === listedSymbol(boughtToken))?.baseOrderInfo
      ?.minAmount ?? 0,
  );
  const leastSold = BigInt(tokens.find(({ tokenId }) => tokenId === sell)?.orderAmounts?.minimum ?? 0);
  const amount = larger(withMargin(leastSold), (withMargin(leastBought) * sold + bought - 1n) / bought);
  const fair = (amount * bought) / sold;
  const least = larger((fair * (BIPS - SLIPPAGE_BIPS)) / BIPS, 1n);
  return { sell: amount.toString(), buy: least.toString() };
}
