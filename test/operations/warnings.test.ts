import { expect, test } from 'vitest';
import type { FeeBounds } from '../../src/operations/feeBounds.ts';
import type { Grave } from '../../src/operations/graveDocuments.ts';
import { isGrave } from '../../src/operations/severity.ts';
import type { WarningFacts } from '../../src/operations/warningFacts.ts';
import { warningRules } from '../../src/operations/warningRules.ts';
import { asksPassword, warningsOf } from '../../src/operations/warnings.ts';

const now = 1_800_000_000;
const DAY = 86_400;
const recipient = { address: '0x1', known: true };
const token = { tokenId: 0, symbol: 'ETH', name: 'Ether', address: `0x${'0'.repeat(40)}`, decimals: 18 };
const fee = { volume: '10', quote: '10', token };
const burn = {
  signed: { sell: '100', buy: '5000' },
  balance: '200',
  sold: { volume: '10', token },
  bought: { volume: '500', token },
};
const { balance: _, ...unmeasuredBurn } = burn;
const broker = { recipient: { ...recipient, isPaid: true as const }, volume: '5', token };
const withdrawal = { to: '0xaB', owner: '0xAb', isContract: false, fast: false };
const limits = { amount: '100', least: '100', usual: '100', largest: '100', overdueAt: now * 1000 };

const rates = { rate: 20, maxFeeBips: 20 };

const worst = { kind: 'price', value: '1', exact: true, quote: 'ETH', base: 'LRC' } as const;
const standingAt = (lossBips: number) => ({
  standing: { orders: false, price: { worst, market: { value: worst, lossBips } } },
});
const text = (grave: Grave, graves: readonly Grave[] = [grave]) => ({ text: { hides: false, graves } });

/** Of each rule: facts at its edge where it is silent, and facts just beyond where it speaks. */
const edges: Readonly<Record<string, readonly [silent: Omit<WarningFacts, 'now'>, speaks: Omit<WarningFacts, 'now'>]>> =
  {
    'expiry-long': [
      { order: { validUntil: now + 60 * DAY, isPool: false } },
      { order: { validUntil: now + 60 * DAY + 1, isPool: false } },
    ],
    'validity-long': [{ request: { validUntil: now + 30 * DAY } }, { request: { validUntil: now + 30 * DAY + 1 } }],
    'pool-unbound': [{ order: { validUntil: now, isPool: false } }, { order: { validUntil: now, isPool: true } }],
    'price-far': [{ price: { lossBips: 200 } }, { price: { lossBips: 201 } }],
    'price-unlikely': [{ price: { lossBips: -1000 } }, { price: { lossBips: -1001 } }],
    'price-uncompared': [{ price: { lossBips: 0 } }, { unpriced: 'absent' }],
    'share-far': [{ shareLossBips: 200 }, { shareLossBips: 201 }],
    'fee-above-quote': [{ fee }, { fee: { ...fee, volume: '11' } }],
    'fee-unusual-paid': [
      { fee: { ...fee, bounds: { usual: { volume: '4', source: 'paid' } } } },
      { fee: { ...fee, bounds: { usual: { volume: '3', source: 'paid' } } } },
    ],
    'fee-unusual-listed': [
      { fee: { ...fee, bounds: { usual: { volume: '4', source: 'listed' }, balance: '1000' } } },
      { fee: { ...fee, bounds: { usual: { volume: '3', source: 'listed' }, balance: '1000' } } },
    ],
    'fee-unusual-nft': [
      { fee: { ...fee, volume: '10', bounds: { ofTokens: '1', balance: '1000' } } },
      { fee: { ...fee, volume: '11', quote: '11', bounds: { ofTokens: '1', balance: '1000' } } },
    ],
    'fee-of-balance': [{ fee: { ...fee, bounds: { balance: '100' } } }, { fee: { ...fee, bounds: { balance: '99' } } }],
    'fee-of-moved': [
      { fee: { ...fee, bounds: { balance: '1000', moved: '100' } } },
      { fee: { ...fee, bounds: { balance: '1000', moved: '99' } } },
    ],
    'fee-unmeasured': [{ fee: { ...fee, bounds: { balance: '1000' } } }, { fee: { ...fee, bounds: {} } }],
    'burn-large': [{ burn }, { burn: { ...burn, balance: '199' } }],
    'burn-unmeasured': [{ burn }, { burn: unmeasuredBurn }],
    'burn-price': [
      { burn: { ...burn, bought: { volume: '475', token } } },
      { burn: { ...burn, bought: { volume: '474', token } } },
    ],
    'recipient-lookalike': [{ recipient }, { recipient: { ...recipient, looksLike: '0x2' } }],
    'recipient-new': [{ recipient }, { recipient: { ...recipient, known: false } }],
    'recipient-without-account': [
      { recipient: { ...recipient, hasAccount: true } },
      { recipient: { ...recipient, hasAccount: false } },
    ],
    'withdraw-elsewhere': [{ withdrawal }, { withdrawal: { ...withdrawal, to: '0xac' } }],
    'withdraw-to-contract': [{ withdrawal }, { withdrawal: { ...withdrawal, isContract: true } }],
    'receiver-unchecked': [{ withdrawal }, { withdrawal: { ...withdrawal, isContract: null } }],
    'withdraw-other-chain': [
      { withdrawal: { ...withdrawal, chainId: 1 } },
      { withdrawal: { ...withdrawal, chainId: 2 } },
    ],
    'fast-unbound': [{ withdrawal }, { withdrawal: { ...withdrawal, fast: true } }],
    'amount-below-minimum': [{ limits }, { limits: { ...limits, least: '101', usual: '100' } }],
    'rate-refused': [{ limits: { ...limits, ...rates } }, { limits: { ...limits, ...rates, rate: 21 } }],
    'amount-at-high-rate': [{ limits }, { limits: { ...limits, usual: '101' } }],
    'amount-above-maximum': [{ limits }, { limits: { ...limits, largest: '99' } }],
    'data-overdue': [{ limits }, { limits: { ...limits, overdueAt: now * 1000 - 1 } }],
    'key-change': [{ changesKey: false }, { changesKey: true }],
    'orders-end': [{ ordersThatEnd: 0 }, { ordersThatEnd: null }],
    'key-random': [{ keyIsRandom: false }, { keyIsRandom: true }],
    'nft-differs': [{ nftDiffers: false }, { nftDiffers: true }],
    'nft-other-proven': [{}, { otherNftInBlock: 0 }],
    'nft-unsellable': [{ nft: { royalty: 63 } }, { nft: { royalty: 64 } }],
    'nft-locked': [{ nftLocked: false }, { nftLocked: true }],
    'pool-risky': [{ pool: { isRisky: false, noMinimum: false } }, { pool: { isRisky: true, noMinimum: false } }],
    'pool-named-otherwise': [
      { pool: { isRisky: false, noMinimum: false, isNamedOtherwise: false } },
      { pool: { isRisky: false, noMinimum: false, isNamedOtherwise: true } },
    ],
    'pool-no-minimum': [{ pool: { isRisky: false, noMinimum: false } }, { pool: { isRisky: false, noMinimum: true } }],
    'standing-price-far': [standingAt(200), standingAt(201)],
    'standing-no-price': [standingAt(0), { standing: { orders: false, price: { worst } } }],
    'standing-unasked': [{ standing: { orders: false } }, { standing: { orders: true } }],
    'pays-broker': [{}, { broker }],
    'pays-new-broker': [{}, { broker: { ...broker, recipient } }],
    'sign-in-elsewhere': [
      { text: { hides: false, signsInElsewhere: false } },
      { text: { hides: false, signsInElsewhere: true } },
    ],
    'lets-spend': [text('call', []), text('spending')],
    'wallet-delegatecall': [text('call', []), text('delegatecall')],
    'wallet-transaction': [text('call', []), text('wallet')],
    'forwards-call': [text('call', []), text('forward')],
    'signs-orders': [text('call', []), text('orders')],
    'delegates-rights': [text('call', []), text('delegation')],
    'carries-call': [text('call', []), text('call')],
    'text-hides': [{ text: { hides: false } }, { text: { hides: true } }],
  };

test.each(warningRules.map(({ id }) => id))('%s speaks just beyond its edge and is silent at it', (id) => {
  const [silent, speaks] = edges[id] ?? [{}, {}];
  expect(warningsOf({ now, ...silent })).toEqual([]);
  expect(warningsOf({ now, ...speaks }).map(({ rule }) => rule)).toEqual([id]);
});

/**
 * Rules that begin with more, or less, than a notice; those whose first word already needs the
 * password.
 */
const begins: Readonly<Record<string, readonly string[]>> = {
  note: ['pool-unbound', 'price-uncompared', 'fast-unbound', 'amount-at-high-rate', 'standing-unasked'],
  danger: [
    ...['fee-unusual-paid', 'fee-unusual-listed', 'fee-of-balance', 'fee-unmeasured', 'burn-large', 'burn-unmeasured'],
    ...['burn-price', 'recipient-lookalike', 'withdraw-elsewhere', 'withdraw-to-contract'],
    ...['amount-below-minimum', 'rate-refused', 'amount-above-maximum', 'nft-differs', 'pays-new-broker', 'key-change'],
    ...[
      'fee-unusual-nft',
      'nft-other-proven',
      'pool-named-otherwise',
      'sign-in-elsewhere',
      'lets-spend',
      'wallet-delegatecall',
      'wallet-transaction',
      'forwards-call',
    ],
    ...['signs-orders', 'delegates-rights', 'text-hides'],
  ],
  stop: ['pool-no-minimum'],
};
const needPassword = [
  ...['fee-unusual-paid', 'fee-unusual-listed', 'fee-of-balance', 'fee-unmeasured', 'burn-large', 'burn-unmeasured'],
  ...[
    'burn-price',
    'pool-no-minimum',
    'pays-new-broker',
    'fee-unusual-nft',
    'nft-other-proven',
    'pool-named-otherwise',
  ],
];

test.each(warningRules.map(({ id }) => id))('%s begins with its severity, under a text of its name', (id) => {
  const [, speaks] = edges[id] ?? [{}, {}];
  const [warning] = warningsOf({ now, ...speaks });
  expect(warning?.severity).toBe(['note', 'danger', 'stop'].find((one) => begins[one]?.includes(id)) ?? 'notice');
  expect(warning?.password).toBe(needPassword.includes(id) ? true : undefined);
  const name = id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  expect(warning?.text.key).toContain(`warning_${name}`);
});

const other = { ...token, tokenId: 1, symbol: 'LRC' };
const amount = (volume: string, of = token) => ({ kind: 'amount', volume, token: of }) as const;
const bips = (value: number) => ({ kind: 'bips', bips: value });
const address = (of: string) => ({ kind: 'address', address: of });

/** Figures that rules name: facts beside those of the edge, and the text. */
const figures: readonly (readonly [rule: string, facts: Omit<WarningFacts, 'now'>, key: string, values: unknown])[] = [
  ['expiry-long', {}, 'warning_expiryLong', { until: { kind: 'time', seconds: now + 60 * DAY + 1 } }],
  ['validity-long', {}, 'warning_validityLong', { until: { kind: 'time', seconds: now + 30 * DAY + 1 } }],
  ['price-far', {}, 'warning_priceFarShare', { share: bips(201) }],
  [
    'price-far',
    { price: { lossBips: 201, loss: amount('5') } },
    'warning_priceFar',
    { share: bips(201), loss: amount('5') },
  ],
  [
    'price-far',
    { price: { lossBips: 201, loss: amount('5') }, unpriced: 'absent' },
    'warning_priceFarRisky',
    { share: bips(201), loss: amount('5') },
  ],
  ['price-unlikely', {}, 'warning_priceUnlikely', { share: bips(1001) }],
  ['price-uncompared', {}, 'warning_priceUncompared', undefined],
  ['price-uncompared', { unpriced: 'late' }, 'warning_priceUncomparedLate', undefined],
  ['share-far', {}, 'warning_shareFar', { share: bips(201) }],
  ['fee-above-quote', {}, 'warning_feeAboveQuote', { fee: amount('11'), quote: amount('10') }],
  ['fee-unusual-paid', {}, 'warning_feeUnusualPaid', { fee: amount('10'), compared: amount('3'), share: bips(33_334) }],
  [
    'fee-unusual-listed',
    {},
    'warning_feeUnusualListed',
    { fee: amount('10'), compared: amount('3'), share: bips(33_334) },
  ],
  ['fee-of-balance', {}, 'warning_feeOfBalance', { fee: amount('10'), compared: amount('99'), share: bips(1011) }],
  ['fee-of-moved', {}, 'warning_feeOfMoved', { fee: amount('10'), compared: amount('99'), share: bips(1011) }],
  ['fee-unmeasured', {}, 'warning_feeUnmeasured', { fee: amount('10') }],
  [
    'burn-large',
    { burn: { ...burn, sold: { volume: '10', token: other }, balance: '199' } },
    'warning_burnLarge',
    { amount: amount('10', other), balance: amount('199', other), share: bips(503) },
  ],
  ['burn-unmeasured', {}, 'warning_burnUnmeasured', { amount: amount('10') }],
  [
    'burn-price',
    { burn: { ...burn, bought: { volume: '474', token: other } } },
    'warning_burnPrice',
    { loss: bips(520), paid: amount('100'), received: amount('5000', other) },
  ],
  ['recipient-lookalike', {}, 'warning_recipientLookalike', { known: address('0x2') }],
  ['withdraw-elsewhere', {}, 'warning_withdrawElsewhere', { address: address('0xac') }],
  ['amount-below-minimum', {}, 'warning_amountBelowMinimum', undefined],
  [
    'amount-below-minimum',
    { limits: { ...limits, token }, sold: { amount: '1', least: '2', token: other } },
    'warning_amountBelowLimit',
    { limit: amount('2', other) },
  ],
  [
    'amount-below-minimum',
    { limits: { ...limits, least: '101', token }, sold: { amount: '1', least: '2', token: other } },
    'warning_amountBelowLimit',
    { limit: amount('101') },
  ],
  ['amount-above-maximum', {}, 'warning_amountAboveMaximum', undefined],
  [
    'amount-above-maximum',
    { limits, sold: { amount: '2', largest: '1', token: other } },
    'warning_amountAboveLimit',
    { limit: amount('1', other) },
  ],
  ['pays-broker', {}, 'warning_paysBroker', { amount: amount('5'), address: address('0x1') }],
  ['pays-new-broker', {}, 'warning_paysNewBroker', { amount: amount('5'), address: address('0x1') }],
  ['standing-price-far', {}, 'warning_standingPriceFar', { worst, loss: bips(201), market: worst }],
  ['standing-no-price', {}, 'warning_standingNoPrice', { worst }],
  ['orders-end', {}, 'warning_ordersEnd', undefined],
  ['orders-end', { ordersThatEnd: 3 }, 'warning_ordersEndCount', { count: { kind: 'integer', value: 3 } }],
  ['recipient-new', {}, 'warning_recipientNew', undefined],
  ['fee-unusual-nft', {}, 'warning_feeUnusualNft', { fee: amount('11'), compared: amount('1'), share: bips(110_000) }],
  ['nft-other-proven', { otherNftInBlock: 7 }, 'warning_nftOtherProven', { block: { kind: 'integer', value: 7 } }],
];

test.each(figures)('%s with %j says %s with its figures', (rule, facts, key, values) => {
  const [, speaks] = edges[rule] ?? [{}, {}];
  const warnings = warningsOf({ now, ...speaks, ...facts });
  expect(warnings.map((warning) => warning.rule)).toEqual([rule]);
  expect(warnings.map(({ text }) => text)).toEqual([values === undefined ? { key } : { key, values }]);
});

test.each([
  ['fee-of-balance', 'warning_feeNoBalance', { balance: '0' }],
  ['fee-unusual-paid', 'warning_feeUnmeasured', { usual: { volume: '0', source: 'paid' } }],
  ['fee-unusual-listed', 'warning_feeUnmeasured', { usual: { volume: '0', source: 'listed' } }],
  ['fee-of-moved', 'warning_feeUnmeasured', { balance: '1000', moved: '0' }],
] as const)('%s of nothing says %s and names no share of it', (rule, key, bounds) => {
  const warnings = warningsOf({ now, fee: { ...fee, volume: '11', quote: '11', bounds } });
  expect(warnings).toMatchObject([{ rule, severity: 'stop', password: true, text: { key } }]);
  expect(warnings[0]?.text.values).toEqual({ fee: amount('11') });
});

test('a fee of nothing is measured by nothing', () => {
  expect(warningsOf({ now, fee: { ...fee, volume: '0', bounds: {} } })).toEqual([]);
});

test('a withdrawal to a known address elsewhere is a notice, and no minimum at all is said once', () => {
  const elsewhere = { withdrawal: { ...withdrawal, to: '0xac' } };
  expect(warningsOf({ now, ...elsewhere, recipient: { ...recipient, known: false } })).toMatchObject([
    { rule: 'recipient-new', severity: 'notice' },
    { rule: 'withdraw-elsewhere', severity: 'danger' },
  ]);
  const pool = { isRisky: false, noMinimum: true };
  expect(warningsOf({ now, shareLossBips: 5000, pool }).map(({ rule }) => rule)).toEqual(['pool-no-minimum']);
});

test('what an order sells has a least and a largest amount as well', () => {
  const rulesFor = (amount: string) =>
    warningsOf({ now, limits, sold: { amount, least: '50', largest: '60' } }).map(({ rule }) => rule);
  expect(['49', '50', '60', '61'].map(rulesFor)).toEqual([['amount-below-minimum'], [], [], ['amount-above-maximum']]);
});

test('an amount that would be too little at a high rate is noted without a least amount too', () => {
  expect(warningsOf({ now, limits: { amount: '100', usual: '101' } }).map(({ rule }) => rule)).toEqual([
    'amount-at-high-rate',
  ]);
});

test('an amount below both minima is called too small once', () => {
  const both = { ...limits, least: '200', usual: '300' };
  expect(warningsOf({ now, limits: both }).map(({ rule }) => rule)).toEqual(['amount-below-minimum']);
});

test('an order that does not allow the rate that it needs is not noted as a small one, nor called so if too small', () => {
  const refused = { ...limits, ...rates, rate: 40, usual: '101' };
  expect(warningsOf({ now, limits: refused })).toEqual([
    {
      rule: 'rate-refused',
      severity: 'danger',
      text: { key: 'warning_rateRefused', values: { needed: bips(40), most: bips(20) } },
    },
  ]);
  expect(warningsOf({ now, limits: { ...refused, least: '101' } }).map(({ rule }) => rule)).toEqual([
    'amount-below-minimum',
  ]);
});

test('rules have ids of their own, and nothing is said without facts', () => {
  expect(new Set(warningRules.map(({ id }) => id)).size).toBe(warningRules.length);
  expect(warningsOf({ now })).toEqual([]);
});

test('a share of the balance is no danger for an account that has paid such a fee before', () => {
  const rules = (source: 'paid' | 'listed') =>
    warningsOf({ now, fee: { ...fee, bounds: { usual: { volume: '8', source }, balance: '11' } } }).map(
      ({ rule }) => rule,
    );
  expect(rules('paid')).toEqual([]);
  expect(rules('listed')).toEqual(['fee-of-balance']);
  const paidBefore = (volume: string) =>
    warningsOf({
      now,
      fee: { ...fee, volume, quote: volume, bounds: { usual: { volume: '3', source: 'paid' }, balance: '11' } },
    }).map(({ rule }) => rule);
  expect(paidBefore('9')).toEqual([]);
  expect(paidBefore('10')).toEqual(['fee-unusual-paid', 'fee-of-balance']);
});

test.each([
  ['9', ['fee-of-balance']],
  ['10', []],
])('a fee of 10 that the account has paid before, with %s available', (balance, rules) => {
  const bounds = { usual: { volume: '10', source: 'paid' as const }, balance };
  expect(warningsOf({ now, fee: { ...fee, bounds } }).map(({ rule }) => rule)).toEqual(rules);
});

test('a list of fees alone measures no fee: it is the word of who names the fee', () => {
  const usual = { volume: '10', source: 'listed' } as const;
  const rules = (bounds: FeeBounds, changesKey = false) =>
    warningsOf({ now, fee: { ...fee, bounds }, ...(changesKey ? { changesKey } : {}) }).map(({ rule }) => rule);
  expect(rules({ usual })).toEqual(['fee-unmeasured']);
  expect(rules({ usual, balance: '1000' })).toEqual([]);
  expect(rules({ usual, moved: '1000' })).toEqual([]);
  expect(rules({ usual: { ...usual, source: 'paid' } })).toEqual([]);
  expect(rules({ usual }, true)).toEqual(['key-change']);
});

/** Facts of a size in the middle of each rule that grows, by the severity that they have. */
const sizes: readonly (readonly [
  rule: string,
  facts: Omit<WarningFacts, 'now'>,
  severity: string,
  password: boolean,
])[] = [
  ['fee-of-moved', { fee: { ...fee, bounds: { balance: '1000', moved: '20' } } }, 'notice', false],
  ['fee-of-moved', { fee: { ...fee, bounds: { balance: '1000', moved: '19' } } }, 'danger', true],
  ['fee-of-moved', { fee: { ...fee, bounds: { balance: '1000', moved: '11' } } }, 'danger', true],
  ['fee-of-moved', { fee: { ...fee, bounds: { balance: '1000', moved: '10' } } }, 'stop', true],
  ['fee-of-moved', { fee: { ...fee, bounds: { balance: '1000', moved: '0' } } }, 'stop', true],
  ['fee-of-balance', { fee: { ...fee, bounds: { balance: '20' } } }, 'danger', true],
  ['fee-of-balance', { fee: { ...fee, bounds: { balance: '19' } } }, 'stop', true],
  ['fee-unusual-paid', { fee: { ...fee, bounds: { usual: { volume: '1', source: 'paid' } } } }, 'danger', true],
  [
    'fee-unusual-listed',
    {
      fee: { ...fee, volume: '11', quote: '11', bounds: { usual: { volume: '1', source: 'listed' }, balance: '1000' } },
    },
    'stop',
    true,
  ],
  ['fee-above-quote', { fee: { ...fee, volume: '12' } }, 'notice', false],
  ['fee-above-quote', { fee: { ...fee, volume: '13' } }, 'danger', false],
  ['price-far', { price: { lossBips: 500 } }, 'notice', false],
  ['price-far', { price: { lossBips: 501 } }, 'danger', false],
  ['price-far', { price: { lossBips: 2500 } }, 'danger', false],
  ['price-far', { price: { lossBips: 2501 } }, 'stop', true],
  ['price-uncompared', { unpriced: 'late' }, 'danger', false],
  ['share-far', { shareLossBips: 501 }, 'danger', false],
  ['share-far', { shareLossBips: 2501 }, 'stop', true],
  ['standing-price-far', standingAt(500), 'notice', false],
  ['standing-price-far', standingAt(501), 'danger', false],
  ['standing-price-far', standingAt(2501), 'stop', true],
  ['burn-large', { burn: { ...burn, balance: '20' } }, 'danger', true],
  ['burn-large', { burn: { ...burn, balance: '19' } }, 'stop', true],
  ['pool-no-minimum', { pool: { isRisky: false, noMinimum: true } }, 'stop', true],
  ['pays-broker', { broker }, 'notice', false],
  ['pays-new-broker', { broker: { ...broker, recipient: { ...recipient, known: false } } }, 'danger', true],
  ['withdraw-elsewhere', { withdrawal: { ...withdrawal, to: '0xac' } }, 'danger', false],
  ['withdraw-elsewhere', { withdrawal: { ...withdrawal, to: '0xac' }, recipient }, 'notice', false],
];

test.each(sizes)('%s rises with the size: %j is a %s', (rule, facts, severity, password) => {
  expect(warningsOf({ now, ...facts })).toEqual([
    expect.objectContaining({ rule, severity, ...(password ? { password: true } : {}) }),
  ]);
  expect(asksPassword({ warnings: warningsOf({ now, ...facts }) })).toBe(password);
});

test('one warning that asks for the password is enough', () => {
  const warnings = warningsOf({ now, price: { lossBips: 500 }, shareLossBips: 2501 });
  expect(warnings.map(({ password }) => password)).toEqual([undefined, true]);
  expect(asksPassword({ warnings })).toBe(true);
});

test('what the signature leaves open, and other plain facts, are notes', () => {
  const facts: WarningFacts = {
    now,
    order: { validUntil: now, isPool: true },
    withdrawal: { ...withdrawal, fast: true },
    limits: { ...limits, usual: '101' },
    standing: { orders: true },
  };
  expect(warningsOf(facts).map(({ rule, severity }) => [rule, severity])).toEqual([
    ['pool-unbound', 'note'],
    ['fast-unbound', 'note'],
    ['amount-at-high-rate', 'note'],
    ['standing-unasked', 'note'],
  ]);
  expect(warningsOf(facts).some(isGrave)).toBe(false);
});

test('a warning names its figures', () => {
  const loss = { kind: 'amount', volume: '33', token } as const;
  const texts = warningsOf({
    now,
    price: { lossBips: 5050, loss },
    fee: { ...fee, bounds: { balance: '1000', moved: '6' } },
    limits: { ...limits, least: '101', token },
    recipient: { ...recipient, looksLike: '0x2', looksLikeLabel: 'Ana' },
  }).map(({ text }) => text);
  expect(texts).toEqual([
    { key: 'warning_priceFar', values: { share: { kind: 'bips', bips: 5050 }, loss } },
    {
      key: 'warning_feeOfMoved',
      values: {
        fee: { kind: 'amount', volume: '10', token },
        compared: { kind: 'amount', volume: '6', token },
        share: { kind: 'bips', bips: 16_667 },
      },
    },
    { key: 'warning_recipientLookalikeNamed', values: { name: { kind: 'text', text: 'Ana' } } },
    { key: 'warning_amountBelowLimit', values: { limit: { kind: 'amount', volume: '101', token } } },
  ]);
});
