import type { FeeBounds } from './feeBounds.ts';
import type { Grave } from './graveDocuments.ts';
import type { Review, Text, TokenFacts, Value, Warning } from './review.ts';

const DAY = 86_400;
/** Seconds after which an open order or a signed request counts as long-lived. */
const LONG_ORDER = 60 * DAY;
const LONG_REQUEST = 30 * DAY;
/** Ten-thousandths by which a price may be worse than the market's before it is called far. */
const FAR_PRICE_BIPS = 500;
/** A fee above this share of the moved amount is called large: one tenth. */
const LARGE_FEE_DIVISOR = 10n;
/** Above this share of the moved amount the password is asked for: one half. */
const MOST_OF_MOVED_DIVISOR = 2n;
/** So often the usual fee is still no reason to stop: gas prices double within hours. */
const USUAL_FEE_FACTOR = 3n;
/** A hard cancel that sells more than this share of the balance is large: one twentieth. */
const BURN_DIVISOR = 20n;
/** A fee above this share of the balance that pays it needs the password, unless the account has paid such fees before: one tenth. */
const BALANCE_DIVISOR = 10n;

/** How a receiving address relates to what the wallet knows. */
export interface Recipient {
  readonly address: string;
  /** Name of the user's own account there, or of the entry in the address book. */
  readonly label?: string;
  readonly isOwn?: boolean;
  /** One of the user's accounts, in the address book, or something was sent there before. */
  readonly known: boolean;
  /** A known address that begins and ends like this one, and its name. */
  readonly looksLike?: string;
  readonly looksLikeLabel?: string;
  /** Whether the relayer knows an account there; absent where none is needed. */
  readonly hasAccount?: boolean;
}

/** What a request costs, what the relayer asks for it, and what that is measured by. */
export interface FeeFacts {
  /** Base units, decimal text: the most that the signature allows. */
  readonly volume: string;
  readonly quote: string;
  readonly token: TokenFacts;
  readonly bounds?: FeeBounds;
}

/** What the little trade of a hard cancel is measured by: neither comes from a quote. */
export interface BurnBounds {
  /** Amounts of the order whose slot is taken, as the user signed them. */
  readonly signed: { readonly sell: string; readonly buy: string };
  /** Balance of the sold token; absent where it cannot be had. */
  readonly balance?: string;
}

interface Burn extends BurnBounds {
  readonly sold: { readonly volume: string; readonly token: TokenFacts };
  readonly bought: { readonly volume: string; readonly token: TokenFacts };
}

/** Least and largest order amounts, and when the relayer's numbers end, Unix milliseconds. */
export interface AmountLimits {
  readonly amount: string;
  /** Least amount at the account's usual rate, and at the highest one. */
  readonly usual?: string;
  readonly least?: string;
  readonly largest?: string;
  readonly overdueAt?: number;
}

/** What a standing approval allows. */
export interface StandingFacts {
  readonly orders: boolean;
  /** The worst price of its orders; `market` is absent where there is none to compare it with. */
  readonly price?: { readonly worst: Value; readonly market?: { readonly value: Value; readonly lossBips: number } };
}

/**
 * Everything that a rule may look at. An operation fills what it has, from draft and facts alone; a rule whose facts are
 * absent says nothing.
 */
export interface WarningFacts {
  /** Unix seconds. */
  readonly now: number;
  readonly order?: { readonly validUntil: number; readonly isPool: boolean };
  readonly request?: { readonly validUntil: number };
  /** Ten-thousandths that the user is worse off than at the reference price; negative when better. */
  readonly priceLossBips?: number;
  readonly fee?: FeeFacts;
  readonly recipient?: Recipient;
  readonly limits?: AmountLimits;
  /** The same for the amount that an order sells. */
  readonly sold?: AmountLimits;
  readonly withdrawal?: {
    readonly to: string;
    readonly owner: string;
    /** `null`: the relayer could not tell. */
    readonly isContract: boolean | null;
    readonly fast: boolean;
  };
  /** `nftData` computed from the NFT's parts differs from what the relayer says lies in the slot. */
  readonly nftDiffers?: boolean;
  readonly nftLocked?: boolean;
  readonly pool?: { readonly isRisky: boolean; readonly noMinimum: boolean };
  readonly burn?: Burn;
  /** Who is paid for a deployment, and what. */
  readonly broker?: { readonly recipient: Recipient; readonly volume: string; readonly token: TokenFacts };
  readonly standing?: StandingFacts;
  readonly changesKey?: boolean;
  /** Open orders that end with the old key; `null`: they could not be counted. */
  readonly ordersThatEnd?: number | null;
  /** The new key cannot be made again from the L1 key. */
  readonly keyIsRandom?: boolean;
  /** What a text or document of a site does that a reader may miss. */
  readonly text?: { readonly hides: boolean; readonly signsInElsewhere?: boolean; readonly graves?: readonly Grave[] };
}

/** One rule: when it applies is a condition over facts, what it says is a message of the catalogs. */
export interface WarningRule {
  /** Stable; pages of documentation and tests name it. */
  readonly id: string;
  readonly severity: Warning['severity'];
  /** The approval needs the password again. */
  readonly password?: true;
  readonly text: Text['key'];
  applies(facts: WarningFacts): boolean;
  /** Figures of the text. */
  values?(facts: WarningFacts): NonNullable<Text['values']>;
}

const amountOf = (volume: string | undefined, { token }: { readonly token: TokenFacts }): Value => ({
  kind: 'amount',
  volume: volume ?? '0',
  token,
});

const exceeds = (volume: string, share: bigint, whole: string | undefined) =>
  whole !== undefined && BigInt(volume) * share > BigInt(whole);

/** Ten-thousandths by which the little trade gets less than the signed price of the order that it ends. */
const burnLossBips = ({ signed, sold, bought }: Burn): bigint => {
  const fair = BigInt(sold.volume) * BigInt(signed.buy);
  return ((fair - BigInt(bought.volume) * BigInt(signed.sell)) * 10_000n) / fair;
};

const isUnusual = ({ volume, bounds }: FeeFacts) =>
  bounds?.usual !== undefined && BigInt(volume) > USUAL_FEE_FACTOR * BigInt(bounds.usual.volume);

/** The account has paid about as much before. */
const wasPaidBefore = (fee: FeeFacts) => fee.bounds?.usual?.source === 'paid' && !isUnusual(fee);

const feeValues = ({ fee }: WarningFacts, compared: string | undefined): NonNullable<Text['values']> =>
  fee ? { fee: amountOf(fee.volume, fee), compared: amountOf(compared, fee) } : {};

const unusualFee = (source: 'paid' | 'listed', text: Text['key']): WarningRule => ({
  id: `fee-unusual-${source}`,
  severity: 'danger',
  password: true,
  text,
  applies: ({ fee }) => fee !== undefined && fee.bounds?.usual?.source === source && isUnusual(fee),
  values: (facts) => feeValues(facts, facts.fee?.bounds?.usual?.volume),
});

const grave = (id: string, severity: Warning['severity'], what: Grave, text: Text['key']): WarningRule => ({
  id,
  severity,
  text,
  applies: ({ text }) => text?.graves?.includes(what) === true,
});

/** The relayer names who is paid for a deployment, so an address that was never paid before needs the password. */
const paidBroker = (id: string, text: Text['key'], known: boolean): WarningRule => ({
  id,
  severity: 'danger',
  ...(known ? {} : { password: true as const }),
  text,
  applies: ({ broker }) => broker !== undefined && broker.recipient.known === known,
  values: ({ broker }) =>
    broker
      ? { amount: amountOf(broker.volume, broker), address: { kind: 'address', address: broker.recipient.address } }
      : {},
});

export const warningRules: readonly WarningRule[] = [
  {
    id: 'expiry-long',
    severity: 'notice',
    text: 'warning_expiryLong',
    applies: ({ order, now }) => order !== undefined && order.validUntil - now > LONG_ORDER,
  },
  {
    id: 'validity-long',
    severity: 'notice',
    text: 'warning_validityLong',
    applies: ({ request, now }) => request !== undefined && request.validUntil - now > LONG_REQUEST,
  },
  {
    id: 'pool-unbound',
    severity: 'notice',
    text: 'warning_poolUnbound',
    applies: ({ order }) => order?.isPool === true,
  },
  {
    id: 'price-far',
    severity: 'danger',
    text: 'warning_priceFar',
    applies: ({ priceLossBips }) => priceLossBips !== undefined && priceLossBips > FAR_PRICE_BIPS,
  },
  {
    id: 'fee-above-quote',
    severity: 'danger',
    text: 'warning_feeAboveQuote',
    applies: ({ fee }) => fee !== undefined && BigInt(fee.volume) > BigInt(fee.quote),
  },
  unusualFee('paid', 'warning_feeUnusualPaid'),
  unusualFee('listed', 'warning_feeUnusualListed'),
  {
    id: 'fee-of-balance',
    severity: 'danger',
    password: true,
    text: 'warning_feeOfBalance',
    applies: ({ fee }) =>
      fee !== undefined && exceeds(fee.volume, BALANCE_DIVISOR, fee.bounds?.balance) && !wasPaidBefore(fee),
    values: (facts) => feeValues(facts, facts.fee?.bounds?.balance),
  },
  {
    id: 'fee-of-moved',
    severity: 'danger',
    password: true,
    text: 'warning_feeOfMoved',
    applies: ({ fee }) => fee !== undefined && exceeds(fee.volume, MOST_OF_MOVED_DIVISOR, fee.bounds?.moved),
    values: (facts) => feeValues(facts, facts.fee?.bounds?.moved),
  },
  {
    id: 'fee-unmeasured',
    severity: 'danger',
    password: true,
    text: 'warning_feeUnmeasured',
    applies: ({ fee }) =>
      fee?.bounds !== undefined &&
      BigInt(fee.volume) > 0n &&
      fee.bounds.usual === undefined &&
      fee.bounds.balance === undefined,
    values: ({ fee }) => (fee ? { fee: amountOf(fee.volume, fee) } : {}),
  },
  {
    id: 'fee-large',
    severity: 'notice',
    text: 'warning_feeLarge',
    applies: ({ fee }) =>
      fee !== undefined &&
      exceeds(fee.volume, LARGE_FEE_DIVISOR, fee.bounds?.moved) &&
      !exceeds(fee.volume, MOST_OF_MOVED_DIVISOR, fee.bounds?.moved),
  },
  {
    id: 'burn-large',
    severity: 'danger',
    password: true,
    text: 'warning_burnLarge',
    applies: ({ burn }) => burn !== undefined && exceeds(burn.sold.volume, BURN_DIVISOR, burn.balance),
    values: ({ burn }) =>
      burn ? { amount: amountOf(burn.sold.volume, burn.sold), balance: amountOf(burn.balance, burn.sold) } : {},
  },
  {
    id: 'burn-price',
    severity: 'danger',
    password: true,
    text: 'warning_burnPrice',
    applies: ({ burn }) => burn !== undefined && burnLossBips(burn) > BigInt(FAR_PRICE_BIPS),
    values: ({ burn }) =>
      burn
        ? {
            loss: { kind: 'bips', bips: Number(burnLossBips(burn)) },
            paid: amountOf(burn.signed.sell, burn.sold),
            received: amountOf(burn.signed.buy, burn.bought),
          }
        : {},
  },
  {
    id: 'recipient-lookalike',
    severity: 'danger',
    text: 'warning_recipientLookalike',
    applies: ({ recipient }) => recipient?.looksLike !== undefined,
  },
  {
    id: 'recipient-new',
    severity: 'notice',
    text: 'warning_recipientNew',
    applies: ({ recipient }) => recipient !== undefined && !recipient.known,
  },
  {
    id: 'recipient-without-account',
    severity: 'notice',
    text: 'warning_recipientWithoutAccount',
    applies: ({ recipient }) => recipient?.hasAccount === false,
  },
  {
    id: 'withdraw-elsewhere',
    severity: 'danger',
    text: 'warning_withdrawElsewhere',
    applies: ({ withdrawal }) =>
      withdrawal !== undefined && withdrawal.to.toLowerCase() !== withdrawal.owner.toLowerCase(),
  },
  {
    id: 'withdraw-to-contract',
    severity: 'danger',
    text: 'warning_withdrawToContract',
    applies: ({ withdrawal }) => withdrawal?.isContract === true,
  },
  {
    id: 'receiver-unchecked',
    severity: 'notice',
    text: 'warning_receiverUnchecked',
    applies: ({ withdrawal }) => withdrawal?.isContract === null,
  },
  {
    id: 'fast-unbound',
    severity: 'notice',
    text: 'warning_fastUnbound',
    applies: ({ withdrawal }) => withdrawal?.fast === true,
  },
  {
    id: 'amount-below-minimum',
    severity: 'danger',
    text: 'warning_amountBelowMinimum',
    applies: ({ limits, sold }) =>
      [limits, sold].some((one) => one?.least !== undefined && BigInt(one.amount) < BigInt(one.least)),
  },
  {
    id: 'amount-at-high-rate',
    severity: 'notice',
    text: 'warning_amountAtHighRate',
    applies: ({ limits }) =>
      limits?.usual !== undefined &&
      BigInt(limits.amount) < BigInt(limits.usual) &&
      (limits.least === undefined || BigInt(limits.amount) >= BigInt(limits.least)),
  },
  {
    id: 'amount-above-maximum',
    severity: 'danger',
    text: 'warning_amountAboveMaximum',
    applies: ({ limits, sold }) =>
      [limits, sold].some((one) => one?.largest !== undefined && BigInt(one.amount) > BigInt(one.largest)),
  },
  {
    id: 'data-overdue',
    severity: 'notice',
    text: 'warning_dataOverdue',
    applies: ({ limits, now }) => limits?.overdueAt !== undefined && limits.overdueAt < now * 1000,
  },
  {
    id: 'nft-differs',
    severity: 'danger',
    text: 'warning_nftDiffers',
    applies: ({ nftDiffers }) => nftDiffers === true,
  },
  {
    id: 'nft-locked',
    severity: 'notice',
    text: 'warning_nftLocked',
    applies: ({ nftLocked }) => nftLocked === true,
  },
  {
    id: 'pool-risky',
    severity: 'notice',
    text: 'warning_poolRisky',
    applies: ({ pool }) => pool?.isRisky === true,
  },
  {
    id: 'pool-no-minimum',
    severity: 'danger',
    text: 'warning_poolNoMinimum',
    applies: ({ pool }) => pool?.noMinimum === true,
  },
  paidBroker('pays-broker', 'warning_paysBroker', true),
  paidBroker('pays-new-broker', 'warning_paysNewBroker', false),
  {
    id: 'standing-price-far',
    severity: 'danger',
    text: 'warning_standingPriceFar',
    applies: ({ standing }) => (standing?.price?.market?.lossBips ?? 0) > FAR_PRICE_BIPS,
    values: ({ standing }) =>
      standing?.price?.market
        ? {
            worst: standing.price.worst,
            loss: { kind: 'bips', bips: standing.price.market.lossBips },
            market: standing.price.market.value,
          }
        : {},
  },
  {
    id: 'standing-no-price',
    severity: 'notice',
    text: 'warning_standingNoPrice',
    applies: ({ standing }) => standing?.price !== undefined && standing.price.market === undefined,
    values: ({ standing }) => (standing?.price ? { worst: standing.price.worst } : {}),
  },
  {
    id: 'standing-unasked',
    severity: 'notice',
    text: 'warning_standingUnasked',
    applies: ({ standing }) => standing?.orders === true,
  },
  {
    id: 'key-change',
    severity: 'danger',
    text: 'warning_keyChange',
    applies: ({ changesKey }) => changesKey === true,
  },
  {
    id: 'orders-end',
    severity: 'notice',
    text: 'warning_ordersEnd',
    applies: ({ ordersThatEnd }) => ordersThatEnd !== undefined && ordersThatEnd !== 0,
  },
  {
    id: 'key-random',
    severity: 'notice',
    text: 'warning_keyRandom',
    applies: ({ keyIsRandom }) => keyIsRandom === true,
  },
  {
    id: 'sign-in-elsewhere',
    severity: 'danger',
    text: 'warning_signInElsewhere',
    applies: ({ text }) => text?.signsInElsewhere === true,
  },
  grave('lets-spend', 'danger', 'spending', 'warning_letsSpend'),
  grave('wallet-delegatecall', 'danger', 'delegatecall', 'warning_walletDelegatecall'),
  grave('wallet-transaction', 'danger', 'wallet', 'warning_walletTransaction'),
  grave('forwards-call', 'danger', 'forward', 'warning_forwardsCall'),
  grave('signs-orders', 'danger', 'orders', 'warning_signsOrders'),
  grave('delegates-rights', 'danger', 'delegation', 'warning_delegatesRights'),
  grave('carries-call', 'notice', 'call', 'warning_carriesCall'),
  {
    id: 'text-hides',
    severity: 'danger',
    text: 'warning_textHides',
    applies: ({ text }) => text?.hides === true,
  },
];

/** The warnings of a review, in the order of the rules. */
export function warningsOf(facts: WarningFacts): Warning[] {
  return warningRules
    .filter((rule) => rule.applies(facts))
    .map(({ id, severity, password, text, values }) => ({
      rule: id,
      severity,
      ...(password ? { password } : {}),
      text: { key: text, ...(values ? { values: values(facts) } : {}) },
    }));
}

/** Whether a review may only be approved with the password. */
export const asksPassword = ({ warnings }: Pick<Review, 'warnings'>): boolean =>
  warnings.some(({ password }) => password === true);
