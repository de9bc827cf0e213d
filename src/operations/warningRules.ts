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

/** What a rule says, with the figures of its text; nothing while the severity is `undefined`. */
type Finding = readonly [severity: Severity | undefined, text: Text['key'], values?: NonNullable<Text['values']>];

/** One rule: how grave it finds the facts, and what it then says with their figures. */
export interface WarningRule {
  /** Stable; pages of documentation and tests name it. */
  readonly id: string;
  /** The approval needs the password again from this severity on. */
  readonly password: Severity;
  find(facts: WarningFacts): Finding | undefined;
}

const rule = (id: string, find: WarningRule['find'], password: Severity = 'stop'): WarningRule => ({
  id,
  password,
  find,
});

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
const address = (of: string): Value => ({ kind: 'address', address: of });
const integer = (value: number): Value => ({ kind: 'integer', value });

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
const feeRule = (
  id: string,
  steps: Steps,
  text: Text['key'],
  comparedWith: (fee: FeeFacts) => string | undefined,
  textOfNothing = 'warning_feeUnmeasured',
): WarningRule =>
  rule(
    id,
    ({ fee }) => {
      const compared = fee && comparedWith(fee);
      if (!compared) return undefined;
      const share = shareOf(fee.volume, compared);
      const severity = step(share, steps);
      const values = { fee: amountOf(fee.volume, fee) };
      // No share of nothing says anything.
      if (isNothing(compared)) return [severity, textOfNothing, values];
      return [severity, text, { ...values, compared: amountOf(compared, fee), share: bips(share) }];
    },
    'danger',
  );

/** A rule that says its text alone. */
const said = (
  id: string,
  severity: Severity,
  text: Text['key'],
  holds: (facts: WarningFacts) => boolean | undefined,
): WarningRule => rule(id, (facts) => [when(severity, holds(facts)), text]);

const grave = (id: string, severity: Severity, what: Grave, text: Text['key']) =>
  said(id, severity, text, ({ text }) => text?.graves?.includes(what));

/**
 * The relayer names who is paid for a deployment, so an address that was never paid before needs
 * the password.
 */
const paidBroker = (id: string, severity: Severity, text: Text['key'], isPaid: boolean): WarningRule =>
  rule(
    id,
    ({ broker }) =>
      broker && [
        when(severity, (broker.recipient.isPaid === true) === isPaid),
        text,
        { amount: amountOf(broker.volume, broker), address: address(broker.recipient.address) },
      ],
    'danger',
  );

const tooSmall = (limits: AmountLimits | undefined) =>
  limits?.least && BigInt(limits.amount) < BigInt(limits.least) ? limits.least : undefined;
const tooLarge = (limits: AmountLimits | undefined) =>
  limits?.largest && BigInt(limits.amount) > BigInt(limits.largest) ? limits.largest : undefined;

/** An amount beyond a limit, which is told where its token is known. */
const limitRule = (
  id: string,
  broken: (one: AmountLimits | undefined) => string | undefined,
  text: Text['key'],
  textAlone: Text['key'],
): WarningRule =>
  rule(id, ({ limits, sold }) => {
    const severity = when('danger', !!(broken(limits) ?? broken(sold)));
    for (const one of [limits, sold]) {
      const limit = broken(one);
      if (limit && one?.token) return [severity, text, { limit: amountOf(limit, { token: one.token }) }];
    }
    return [severity, textAlone];
  });

/** The rates of an order whose signature allows less than the exchange asks. */
const refusedRate = ({ limits }: WarningFacts) => {
  const { rate = 0, maxFeeBips = rate } = limits ?? {};
  return rate > maxFeeBips && !tooSmall(limits) ? { needed: bips(rate), most: bips(maxFeeBips) } : undefined;
};

export const warningRules: readonly WarningRule[] = [
  rule(
    'expiry-long',
    ({ order, now }) =>
      order && [
        when('notice', order.validUntil - now > LONG_ORDER),
        'warning_expiryLong',
        { until: time(order.validUntil) },
      ],
  ),
  rule(
    'validity-long',
    ({ request, now }) =>
      request && [
        when('notice', request.validUntil - now > LONG_REQUEST),
        'warning_validityLong',
        { until: time(request.validUntil) },
      ],
  ),
  said('pool-unbound', 'note', 'warning_poolUnbound', ({ order }) => order?.isPool),
  rule('price-far', ({ price, unpriced }) => {
    if (!price) return undefined;
    const [severity, share] = [step(price.lossBips, PRICE_STEPS), bips(price.lossBips)];
    if (!price.loss) return [severity, 'warning_priceFarShare', { share }];
    // A pool that gives no fair price is a risky one.
    const text = unpriced ? 'warning_priceFarRisky' : 'warning_priceFar';
    return [severity, text, { share, loss: price.loss }];
  }),
  rule(
    'price-unlikely',
    ({ price, unpriced }) =>
      price && [
        when('notice', !unpriced && -price.lossBips > UNLIKELY_BIPS),
        'warning_priceUnlikely',
        { share: bips(-price.lossBips) },
      ],
  ),
  rule('price-uncompared', ({ price, unpriced }) =>
    // Whoever delays the pools must not gain by it; markets without one are ordinary.
    unpriced === 'late'
      ? ['danger', 'warning_priceUncomparedLate']
      : [when('note', unpriced && !step(price?.lossBips ?? 0, PRICE_STEPS)), 'warning_priceUncompared'],
  ),
  rule('share-far', ({ shareLossBips, pool }) =>
    // No least amount at all is said by a rule of its own.
    shareLossBips === undefined || pool?.noMinimum
      ? undefined
      : [step(shareLossBips, PRICE_STEPS), 'warning_shareFar', { share: bips(shareLossBips) }],
  ),
  rule(
    'fee-above-quote',
    ({ fee }) =>
      fee && [
        step(shareOf(fee.volume, fee.quote) - Number(BIPS), QUOTE_STEPS),
        'warning_feeAboveQuote',
        { fee: amountOf(fee.volume, fee), quote: amountOf(fee.quote, fee) },
      ],
  ),
  feeRule('fee-unusual-paid', USUAL_STEPS, 'warning_feeUnusualPaid', ({ bounds }) =>
    bounds?.usual?.source === 'paid' ? bounds.usual.volume : undefined,
  ),
  feeRule('fee-unusual-listed', USUAL_STEPS, 'warning_feeUnusualListed', ({ bounds }) =>
    bounds?.usual?.source === 'listed' ? bounds.usual.volume : undefined,
  ),
  feeRule('fee-unusual-nft', OF_TOKENS_STEPS, 'warning_feeUnusualNft', ({ bounds }) => bounds?.ofTokens),
  feeRule(
    'fee-of-balance',
    BALANCE_STEPS,
    'warning_feeOfBalance',
    (fee) => (isPaidAsBefore(fee) ? undefined : fee.bounds?.balance),
    'warning_feeNoBalance',
  ),
  feeRule('fee-of-moved', MOVED_STEPS, 'warning_feeOfMoved', ({ bounds }) => bounds?.moved),
  rule(
    'fee-unmeasured',
    ({ fee, changesKey }) =>
      fee?.bounds && [
        when('danger', BigInt(fee.volume) > 0n && isUnmeasured(fee.bounds, changesKey)),
        'warning_feeUnmeasured',
        { fee: amountOf(fee.volume, fee) },
      ],
    'danger',
  ),
  rule(
    'burn-large',
    ({ burn }) => {
      if (burn?.balance === undefined) return undefined;
      const share = shareOf(burn.sold.volume, burn.balance);
      return [
        step(share, BURN_STEPS),
        'warning_burnLarge',
        {
          amount: amountOf(burn.sold.volume, burn.sold),
          balance: amountOf(burn.balance, burn.sold),
          share: bips(share),
        },
      ];
    },
    'danger',
  ),
  rule(
    'burn-unmeasured',
    ({ burn }) =>
      burn && [
        when('danger', burn.balance === undefined),
        'warning_burnUnmeasured',
        { amount: amountOf(burn.sold.volume, burn.sold) },
      ],
    'danger',
  ),
  rule(
    'burn-price',
    ({ burn }) =>
      burn && [
        step(burnLossBips(burn), BURN_PRICE_STEPS),
        'warning_burnPrice',
        {
          loss: bips(burnLossBips(burn)),
          paid: amountOf(burn.signed.sell, burn.sold),
          received: amountOf(burn.signed.buy, burn.bought),
        },
      ],
    'danger',
  ),
  rule('recipient-lookalike', ({ recipient, broker, nft }) => {
    const { looksLike, looksLikeLabel, looksLikeListed } =
      [recipient, broker?.recipient, nft].find((one) => one?.looksLike) ?? {};
    if (!looksLike) return undefined;
    const known = { known: address(looksLike) };
    if (looksLikeListed) return ['danger', 'warning_recipientLookalikeListed', known];
    if (looksLikeLabel === undefined) return ['danger', 'warning_recipientLookalike', known];
    return ['danger', 'warning_recipientLookalikeNamed', { name: { kind: 'text', text: looksLikeLabel } }];
  }),
  said('recipient-new', 'notice', 'warning_recipientNew', ({ recipient }) => recipient && !recipient.known),
  said(
    'recipient-without-account',
    'notice',
    'warning_recipientWithoutAccount',
    ({ recipient }) => recipient?.hasAccount === false,
  ),
  rule('withdraw-elsewhere', ({ withdrawal, recipient }) =>
    withdrawal && withdrawal.to.toLowerCase() !== withdrawal.owner.toLowerCase()
      ? [recipient?.known ? 'notice' : 'danger', 'warning_withdrawElsewhere', { address: address(withdrawal.to) }]
      : undefined,
  ),
  said('withdraw-to-contract', 'danger', 'warning_withdrawToContract', (facts) => isContract(facts) === true),
  said('receiver-unchecked', 'notice', 'warning_receiverUnchecked', (facts) => isContract(facts) === null),
  rule(
    'withdraw-other-chain',
    ({ withdrawal }) =>
      withdrawal && [
        when('notice', isElsewhere(withdrawal)),
        'warning_withdrawOtherChain',
        { chain: chainValue(withdrawal) },
      ],
  ),
  said('fast-unbound', 'note', 'warning_fastUnbound', ({ withdrawal }) => withdrawal?.fast),
  limitRule('amount-below-minimum', tooSmall, 'warning_amountBelowLimit', 'warning_amountBelowMinimum'),
  rule('rate-refused', (facts) => {
    const values = refusedRate(facts);
    return values && ['danger', 'warning_rateRefused', values];
  }),
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
  rule(
    'nft-other-proven',
    ({ otherNftInBlock }) =>
      otherNftInBlock === undefined
        ? undefined
        : ['danger', 'warning_nftOtherProven', { block: integer(otherNftInBlock) }],
    'danger',
  ),
  // An order's fee, at most this rate, has to cover the royalty.
  said('nft-unsellable', 'notice', 'warning_nftUnsellable', ({ nft }) => (nft?.royalty ?? 0) > MAX_FEE_BIPS),
  said('nft-locked', 'notice', 'warning_nftLocked', ({ nftLocked }) => nftLocked),
  said('pool-risky', 'notice', 'warning_poolRisky', ({ pool }) => pool?.isRisky),
  said('pool-no-minimum', 'stop', 'warning_poolNoMinimum', ({ pool }) => pool?.noMinimum),
  rule(
    'pool-named-otherwise',
    ({ pool }) => [when('danger', pool?.isNamedOtherwise), 'warning_poolNamedOtherwise'],
    'danger',
  ),
  paidBroker('pays-broker', 'notice', 'warning_paysBroker', true),
  paidBroker('pays-new-broker', 'danger', 'warning_paysNewBroker', false),
  rule('standing-price-far', ({ standing }) => {
    const { worst, market } = standing?.price ?? {};
    if (!worst || !market) return undefined;
    return [
      step(market.lossBips, PRICE_STEPS),
      'warning_standingPriceFar',
      { worst, loss: bips(market.lossBips), market: market.value },
    ];
  }),
  rule('standing-no-price', ({ standing }) => {
    const { worst, market } = standing?.price ?? {};
    return worst && [when('notice', !market), 'warning_standingNoPrice', { worst }];
  }),
  said('standing-unasked', 'note', 'warning_standingUnasked', ({ standing }) => standing?.orders),
  said('key-change', 'danger', 'warning_keyChange', ({ changesKey }) => changesKey),
  rule('orders-end', ({ ordersThatEnd }) => {
    if (ordersThatEnd === null) return ['notice', 'warning_ordersEnd'];
    if (!ordersThatEnd) return undefined;
    return ['notice', 'warning_ordersEndCount', { count: integer(ordersThatEnd) }];
  }),
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
