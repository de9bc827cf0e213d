import { BIPS, MAX_FEE_BIPS } from '../protocol/limits.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { chainValue, isElsewhere } from './chains.ts';
import type { FeeBounds } from './feeBounds.ts';
import type { Grave } from './graveDocuments.ts';
import type { Text, TokenFacts, Value } from './review.ts';
import type { Severity } from './severity.ts';
import type { AmountLimits, Burn, FeeFacts, WarningFacts } from './warningFacts.ts';

/** Seconds after which an open order or a signed request counts as long-lived. */
const LONG_ORDER = 60 * DAY_SECONDS;
const LONG_REQUEST = 30 * DAY_SECONDS;
/** Ten-thousandths beyond which each severity begins. */
interface Steps {
  readonly notice?: number;
  readonly danger: number;
  readonly stop: number;
}
/** By how much a price may be worse than the market's. */
const PRICE_STEPS: Steps = { notice: 200, danger: 500, stop: 2500 };
/**
 * A price better than the market's by more ten-thousandths is hardly filled; often it is a mistyped
 * one.
 */
const UNLIKELY_BIPS = 1000;
/**
 * The price of what the wallet itself trades to end an order: it was taken from the market a moment
 * ago.
 */
const BURN_PRICE_STEPS: Steps = { danger: 500, stop: 2500 };
/** A fee as a share of what it is paid for: a tenth, a half, all of it. */
const MOVED_STEPS: Steps = { notice: 1000, danger: 5000, stop: 9999 };
/** A fee as a share of the balance that pays it. */
const BALANCE_STEPS: Steps = { danger: 1000, stop: 5000 };
/** A fee beyond the quote: gas prices move by a quarter within minutes. */
const QUOTE_STEPS: Steps = { notice: 0, danger: 2500, stop: Number.POSITIVE_INFINITY };
/**
 * A fee as a multiple of the usual one. Up to three times is no reason to stop: gas prices double
 * within hours.
 */
const USUAL_STEPS: Steps = { danger: 30_000, stop: 100_000 };
/** A fee for an NFT as a multiple of the one for a token: ten and a hundred times. */
const OF_TOKENS_STEPS: Steps = { danger: 100_000, stop: 1_000_000 };
/** A hard cancel that sells a share of the balance: a twentieth, a half. */
const BURN_STEPS: Steps = { danger: 500, stop: 5000 };

/** One rule: how grave it finds the facts, and what it then says with their figures. */
export interface WarningRule {
  /** Stable; pages of documentation and tests name it. */
  readonly id: string;
  /** `undefined`: nothing is said. */
  severity(facts: WarningFacts): Severity | undefined;
  /** The approval needs the password again from this severity on. A `stop` always does. */
  readonly password?: Severity;
  readonly text: Text['key'] | ((facts: WarningFacts) => Text['key']);
  /** Figures of the text. */
  values?(facts: WarningFacts): NonNullable<Text['values']>;
}

const when = (severity: Severity, holds: boolean | undefined): Severity | undefined => (holds ? severity : undefined);

function step(bips: number, { notice = Number.POSITIVE_INFINITY, danger, stop }: Steps): Severity | undefined {
  if (bips > stop) return 'stop';
  if (bips > danger) return 'danger';
  return when('notice', bips > notice);
}

const amountOf = (volume: string, { token }: { readonly token: TokenFacts }): Value => ({
  kind: 'amount',
  volume,
  token,
});
const bips = (value: number): Value => ({ kind: 'bips', bips: value });
const time = (seconds: number): Value => ({ kind: 'time', seconds });

/**
 * Ten-thousandths that an amount is of another, rounded up; of nothing as if it were the smallest
 * unit.
 */
function shareOf(volume: string, whole: string): number {
  const divisor = BigInt(whole) === 0n ? 1n : BigInt(whole);
  return Number((BigInt(volume) * BIPS + divisor - 1n) / divisor);
}

/**
 * Ten-thousandths by which the little trade gets less than the signed price of the order that it
 * ends.
 */
const burnLossBips = ({ signed, sold, bought }: Burn): number => {
  const fair = BigInt(sold.volume) * BigInt(signed.buy);
  return Number(((fair - BigInt(bought.volume) * BigInt(signed.sell)) * BIPS) / fair);
};

/** Whether a contract receives on layer 1, or without an account; `null`: nobody could tell. */
const isContract = ({ withdrawal, recipient }: WarningFacts) => (withdrawal ?? recipient)?.isContract;

/** The account has paid about as much before, and can pay it now. */
const isPaidAsBefore = ({ volume, bounds }: FeeFacts) =>
  bounds?.usual?.source === 'paid' &&
  shareOf(volume, bounds.usual.volume) <= USUAL_STEPS.danger &&
  BigInt(volume) <= BigInt(bounds.balance ?? 0);

/**
 * The list of fees is the relayer's own word, as the quote is: without a balance or an amount
 * beside it, it measures nothing. A first key is registered before balances can be read, and key
 * updates ask for the password anyway.
 */
const isUnmeasured = ({ usual, balance, moved }: FeeBounds, changesKey = false) =>
  balance === undefined &&
  // Another rule says so.
  !isNothing(usual?.volume) &&
  (usual === undefined || (usual.source === 'listed' && moved === undefined && !changesKey));

const isNothing = (volume: string | undefined): boolean => volume !== undefined && BigInt(volume) === 0n;

/**
 * A fee beside something that it is measured by.
 * @param textOfNothing - Said of a fee where that is nothing.
 */
function feeRule(
  id: string,
  steps: Steps,
  password: Severity,
  text: Text['key'],
  comparedWith: (fee: FeeFacts) => string | undefined,
  textOfNothing = 'warning_feeUnmeasured',
): WarningRule {
  const measured = ({ fee }: WarningFacts) => {
    const compared = fee && comparedWith(fee);
    return fee && compared ? { fee, compared, share: shareOf(fee.volume, compared) } : undefined;
  };
  return {
    id,
    severity: (facts) => {
      const found = measured(facts);
      return found && step(found.share, steps);
    },
    password,
    text: (facts) => (isNothing(measured(facts)?.compared) ? textOfNothing : text),
    values: (facts) => {
      const found = measured(facts);
      if (!found) return {};
      const fee = amountOf(found.fee.volume, found.fee);
      // No share of nothing says anything.
      if (isNothing(found.compared)) return { fee };
      return { fee, compared: amountOf(found.compared, found.fee), share: bips(found.share) };
    },
  };
}

/** A rule that says its text alone. */
const said = (
  id: string,
  severity: Severity,
  text: Text['key'],
  holds: (facts: WarningFacts) => boolean | undefined,
): WarningRule => ({ id, severity: (facts) => when(severity, holds(facts)), text });

const grave = (id: string, severity: Severity, what: Grave, text: Text['key']) =>
  said(id, severity, text, ({ text }) => text?.graves?.includes(what));

/**
 * The relayer names who is paid for a deployment, so an address that was never paid before needs
 * the password.
 */
const paidBroker = (id: string, severity: Severity, text: Text['key'], isPaid: boolean): WarningRule => ({
  id,
  severity: ({ broker }) => when(severity, broker && (broker.recipient.isPaid === true) === isPaid),
  password: 'danger',
  text,
  values: ({ broker }) =>
    broker
      ? { amount: amountOf(broker.volume, broker), address: { kind: 'address', address: broker.recipient.address } }
      : {},
});

const alike = ({ recipient, broker, nft }: WarningFacts) =>
  [recipient, broker?.recipient, nft].find((one) => one?.looksLike);

const tooSmall = (limits: AmountLimits | undefined) =>
  limits?.least && BigInt(limits.amount) < BigInt(limits.least) ? limits.least : undefined;
const tooLarge = (limits: AmountLimits | undefined) =>
  limits?.largest && BigInt(limits.amount) > BigInt(limits.largest) ? limits.largest : undefined;

/** An amount beyond a limit, which is told where its token is known. */
function limitRule(
  id: string,
  broken: (one: AmountLimits | undefined) => string | undefined,
  text: Text['key'],
  textAlone: Text['key'],
): WarningRule {
  const values = ({ limits, sold }: WarningFacts): NonNullable<Text['values']> => {
    for (const one of [limits, sold]) {
      const limit = broken(one);
      if (limit && one?.token) return { limit: amountOf(limit, { token: one.token }) };
    }
    return {};
  };
  return {
    id,
    severity: ({ limits, sold }) => when('danger', !!(broken(limits) ?? broken(sold))),
    text: (facts) => (values(facts).limit ? text : textAlone),
    values,
  };
}

/** The rates of an order whose signature allows less than the exchange asks. */
const refusedRate = ({ limits }: WarningFacts) => {
  const { rate = 0, maxFeeBips = rate } = limits ?? {};
  return rate > maxFeeBips && !tooSmall(limits) ? { needed: bips(rate), most: bips(maxFeeBips) } : undefined;
};

export const warningRules: readonly WarningRule[] = [
  {
    id: 'expiry-long',
    severity: ({ order, now }) => when('notice', order && order.validUntil - now > LONG_ORDER),
    text: 'warning_expiryLong',
    values: ({ order }) => (order ? { until: time(order.validUntil) } : {}),
  },
  {
    id: 'validity-long',
    severity: ({ request, now }) => when('notice', request && request.validUntil - now > LONG_REQUEST),
    text: 'warning_validityLong',
    values: ({ request }) => (request ? { until: time(request.validUntil) } : {}),
  },
  said('pool-unbound', 'note', 'warning_poolUnbound', ({ order }) => order?.isPool),
  {
    id: 'price-far',
    severity: ({ price }) => price && step(price.lossBips, PRICE_STEPS),
    text: ({ price, unpriced }) => {
      if (!price?.loss) return 'warning_priceFarShare';
      // A pool that gives no fair price is a risky one.
      return unpriced ? 'warning_priceFarRisky' : 'warning_priceFar';
    },
    values: ({ price }) => (price ? { share: bips(price.lossBips), ...(price.loss ? { loss: price.loss } : {}) } : {}),
  },
  {
    id: 'price-unlikely',
    severity: ({ price, unpriced }) => when('notice', price && !unpriced && -price.lossBips > UNLIKELY_BIPS),
    text: 'warning_priceUnlikely',
    values: ({ price }) => (price ? { share: bips(-price.lossBips) } : {}),
  },
  {
    id: 'price-uncompared',
    // Whoever delays the pools must not gain by it; markets without one are ordinary.
    severity: ({ price, unpriced }) => {
      if (unpriced === 'late') return 'danger';
      return when('note', unpriced && !step(price?.lossBips ?? 0, PRICE_STEPS));
    },
    text: ({ unpriced }) => (unpriced === 'late' ? 'warning_priceUncomparedLate' : 'warning_priceUncompared'),
  },
  {
    id: 'share-far',
    // No least amount at all is said by a rule of its own.
    severity: ({ shareLossBips, pool }) =>
      shareLossBips === undefined || pool?.noMinimum ? undefined : step(shareLossBips, PRICE_STEPS),
    text: 'warning_shareFar',
    values: ({ shareLossBips }) => ({ share: bips(shareLossBips ?? 0) }),
  },
  {
    id: 'fee-above-quote',
    severity: ({ fee }) => fee && step(shareOf(fee.volume, fee.quote) - Number(BIPS), QUOTE_STEPS),
    text: 'warning_feeAboveQuote',
    values: ({ fee }) => (fee ? { fee: amountOf(fee.volume, fee), quote: amountOf(fee.quote, fee) } : {}),
  },
  feeRule('fee-unusual-paid', USUAL_STEPS, 'danger', 'warning_feeUnusualPaid', ({ bounds }) =>
    bounds?.usual?.source === 'paid' ? bounds.usual.volume : undefined,
  ),
  feeRule('fee-unusual-listed', USUAL_STEPS, 'danger', 'warning_feeUnusualListed', ({ bounds }) =>
    bounds?.usual?.source === 'listed' ? bounds.usual.volume : undefined,
  ),
  feeRule('fee-unusual-nft', OF_TOKENS_STEPS, 'danger', 'warning_feeUnusualNft', ({ bounds }) => bounds?.ofTokens),
  feeRule(
    'fee-of-balance',
    BALANCE_STEPS,
    'danger',
    'warning_feeOfBalance',
    (fee) => (isPaidAsBefore(fee) ? undefined : fee.bounds?.balance),
    'warning_feeNoBalance',
  ),
  feeRule('fee-of-moved', MOVED_STEPS, 'danger', 'warning_feeOfMoved', ({ bounds }) => bounds?.moved),
  {
    id: 'fee-unmeasured',
    severity: ({ fee, changesKey }) =>
      when('danger', fee?.bounds !== undefined && BigInt(fee.volume) > 0n && isUnmeasured(fee.bounds, changesKey)),
    password: 'danger',
    text: 'warning_feeUnmeasured',
    values: ({ fee }) => (fee ? { fee: amountOf(fee.volume, fee) } : {}),
  },
  {
    id: 'burn-large',
    severity: ({ burn }) =>
      burn?.balance === undefined ? undefined : step(shareOf(burn.sold.volume, burn.balance), BURN_STEPS),
    password: 'danger',
    text: 'warning_burnLarge',
    values: ({ burn }) =>
      burn?.balance
        ? {
            amount: amountOf(burn.sold.volume, burn.sold),
            balance: amountOf(burn.balance, burn.sold),
            share: bips(shareOf(burn.sold.volume, burn.balance)),
          }
        : {},
  },
  {
    id: 'burn-unmeasured',
    severity: ({ burn }) => when('danger', burn && burn.balance === undefined),
    password: 'danger',
    text: 'warning_burnUnmeasured',
    values: ({ burn }) => (burn ? { amount: amountOf(burn.sold.volume, burn.sold) } : {}),
  },
  {
    id: 'burn-price',
    severity: ({ burn }) => burn && step(burnLossBips(burn), BURN_PRICE_STEPS),
    password: 'danger',
    text: 'warning_burnPrice',
    values: ({ burn }) =>
      burn
        ? {
            loss: bips(burnLossBips(burn)),
            paid: amountOf(burn.signed.sell, burn.sold),
            received: amountOf(burn.signed.buy, burn.bought),
          }
        : {},
  },
  {
    id: 'recipient-lookalike',
    severity: (facts) => when('danger', alike(facts) !== undefined),
    text: (facts) => {
      const { looksLikeLabel, looksLikeListed } = alike(facts) ?? {};
      if (looksLikeListed) return 'warning_recipientLookalikeListed';
      return looksLikeLabel === undefined ? 'warning_recipientLookalike' : 'warning_recipientLookalikeNamed';
    },
    values: (facts) => {
      const { looksLike, looksLikeLabel } = alike(facts) ?? {};
      if (looksLikeLabel !== undefined) return { name: { kind: 'text', text: looksLikeLabel } };
      return looksLike === undefined ? {} : { known: { kind: 'address', address: looksLike } };
    },
  },
  said('recipient-new', 'notice', 'warning_recipientNew', ({ recipient }) => recipient && !recipient.known),
  said(
    'recipient-without-account',
    'notice',
    'warning_recipientWithoutAccount',
    ({ recipient }) => recipient?.hasAccount === false,
  ),
  {
    id: 'withdraw-elsewhere',
    severity: ({ withdrawal, recipient }) =>
      withdrawal === undefined || withdrawal.to.toLowerCase() === withdrawal.owner.toLowerCase()
        ? undefined
        : recipient?.known
          ? 'notice'
          : 'danger',
    text: 'warning_withdrawElsewhere',
    values: ({ withdrawal }) => (withdrawal ? { address: { kind: 'address', address: withdrawal.to } } : {}),
  },
  said('withdraw-to-contract', 'danger', 'warning_withdrawToContract', (facts) => isContract(facts) === true),
  said('receiver-unchecked', 'notice', 'warning_receiverUnchecked', (facts) => isContract(facts) === null),
  {
    id: 'withdraw-other-chain',
    severity: ({ withdrawal }) => when('notice', withdrawal && isElsewhere(withdrawal)),
    text: 'warning_withdrawOtherChain',
    values: ({ withdrawal }) => (withdrawal ? { chain: chainValue(withdrawal) } : {}),
  },
  said('fast-unbound', 'note', 'warning_fastUnbound', ({ withdrawal }) => withdrawal?.fast),
  limitRule('amount-below-minimum', tooSmall, 'warning_amountBelowLimit', 'warning_amountBelowMinimum'),
  {
    id: 'rate-refused',
    severity: (facts) => when('danger', !!refusedRate(facts)),
    text: 'warning_rateRefused',
    values: (facts) => refusedRate(facts) ?? {},
  },
  said('amount-at-high-rate', 'note', 'warning_amountAtHighRate', (facts) => {
    const { amount = 0, usual = 0 } = facts.limits ?? {};
    return BigInt(amount) < BigInt(usual) && !tooSmall(facts.limits) && !refusedRate(facts);
  }),
  limitRule('amount-above-maximum', tooLarge, 'warning_amountAboveLimit', 'warning_amountAboveMaximum'),
  said(
    'data-overdue',
    'notice',
    'warning_dataOverdue',
    ({ limits, now }) => limits?.overdueAt !== undefined && limits.overdueAt < now * 1000,
  ),
  said('nft-differs', 'danger', 'warning_nftDiffers', ({ nftDiffers }) => nftDiffers),
  {
    id: 'nft-other-proven',
    severity: ({ otherNftInBlock }) => when('danger', otherNftInBlock !== undefined),
    password: 'danger',
    text: 'warning_nftOtherProven',
    values: ({ otherNftInBlock }) =>
      otherNftInBlock === undefined ? {} : { block: { kind: 'integer', value: otherNftInBlock } },
  },
  // An order's fee, at most this rate, has to cover the royalty.
  said('nft-unsellable', 'notice', 'warning_nftUnsellable', ({ nft }) => (nft?.royalty ?? 0) > MAX_FEE_BIPS),
  said('nft-locked', 'notice', 'warning_nftLocked', ({ nftLocked }) => nftLocked),
  said('pool-risky', 'notice', 'warning_poolRisky', ({ pool }) => pool?.isRisky),
  said('pool-no-minimum', 'stop', 'warning_poolNoMinimum', ({ pool }) => pool?.noMinimum),
  {
    id: 'pool-named-otherwise',
    severity: ({ pool }) => when('danger', pool?.isNamedOtherwise),
    password: 'danger',
    text: 'warning_poolNamedOtherwise',
  },
  paidBroker('pays-broker', 'notice', 'warning_paysBroker', true),
  paidBroker('pays-new-broker', 'danger', 'warning_paysNewBroker', false),
  {
    id: 'standing-price-far',
    severity: ({ standing }) => step(standing?.price?.market?.lossBips ?? 0, PRICE_STEPS),
    text: 'warning_standingPriceFar',
    values: ({ standing }) =>
      standing?.price?.market
        ? {
            worst: standing.price.worst,
            loss: bips(standing.price.market.lossBips),
            market: standing.price.market.value,
          }
        : {},
  },
  {
    id: 'standing-no-price',
    severity: ({ standing }) => when('notice', standing?.price && !standing.price.market),
    text: 'warning_standingNoPrice',
    values: ({ standing }) => (standing?.price ? { worst: standing.price.worst } : {}),
  },
  said('standing-unasked', 'note', 'warning_standingUnasked', ({ standing }) => standing?.orders),
  said('key-change', 'danger', 'warning_keyChange', ({ changesKey }) => changesKey),
  {
    id: 'orders-end',
    severity: ({ ordersThatEnd }) => when('notice', ordersThatEnd !== undefined && ordersThatEnd !== 0),
    text: ({ ordersThatEnd }) => (ordersThatEnd === null ? 'warning_ordersEnd' : 'warning_ordersEndCount'),
    values: ({ ordersThatEnd }) =>
      typeof ordersThatEnd === 'number' ? { count: { kind: 'integer', value: ordersThatEnd } } : {},
  },
  said('key-random', 'notice', 'warning_keyRandom', ({ keyIsRandom }) => keyIsRandom),
  said('sign-in-elsewhere', 'danger', 'warning_signInElsewhere', ({ text }) => text?.signsInElsewhere),
  grave('lets-spend', 'danger', 'spending', 'warning_letsSpend'),
  grave('wallet-delegatecall', 'danger', 'delegatecall', 'warning_walletDelegatecall'),
  grave('wallet-transaction', 'danger', 'wallet', 'warning_walletTransaction'),
  grave('forwards-call', 'danger', 'forward', 'warning_forwardsCall'),
  grave('signs-orders', 'danger', 'orders', 'warning_signsOrders'),
  grave('delegates-rights', 'danger', 'delegation', 'warning_delegatesRights'),
  grave('carries-call', 'notice', 'call', 'warning_carriesCall'),
  said('text-hides', 'danger', 'warning_textHides', ({ text }) => text?.hides),
];
