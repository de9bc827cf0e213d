import { expect, test } from 'vitest';
import type { Grave } from '../../src/operations/graveDocuments.ts';
import { type WarningFacts, warningRules, warningsOf } from '../../src/operations/warnings.ts';

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
const broker = { recipient, volume: '5', token };
const withdrawal = { to: '0xaB', owner: '0xAb', isContract: false, fast: false };
const limits = { amount: '100', least: '100', usual: '100', largest: '100', overdueAt: now * 1000 };

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
    'price-far': [{ priceLossBips: 500 }, { priceLossBips: 501 }],
    'fee-above-quote': [{ fee }, { fee: { ...fee, volume: '11' } }],
    'fee-unusual-paid': [
      { fee: { ...fee, bounds: { usual: { volume: '4', source: 'paid' } } } },
      { fee: { ...fee, bounds: { usual: { volume: '3', source: 'paid' } } } },
    ],
    'fee-unusual-listed': [
      { fee: { ...fee, bounds: { usual: { volume: '4', source: 'listed' } } } },
      { fee: { ...fee, bounds: { usual: { volume: '3', source: 'listed' } } } },
    ],
    'fee-of-balance': [{ fee: { ...fee, bounds: { balance: '100' } } }, { fee: { ...fee, bounds: { balance: '99' } } }],
    'fee-of-moved': [
      { fee: { ...fee, bounds: { balance: '1000' } } },
      { fee: { ...fee, bounds: { balance: '1000', moved: '19' } } },
    ],
    'fee-unmeasured': [{ fee: { ...fee, bounds: { balance: '1000' } } }, { fee: { ...fee, bounds: {} } }],
    'burn-large': [{ burn }, { burn: { ...burn, balance: '199' } }],
    'burn-price': [
      { burn: { ...burn, bought: { volume: '475', token } } },
      { burn: { ...burn, bought: { volume: '474', token } } },
    ],
    'fee-large': [
      { fee: { ...fee, bounds: { balance: '1000', moved: '100' } } },
      { fee: { ...fee, bounds: { balance: '1000', moved: '99' } } },
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
    'fast-unbound': [{ withdrawal }, { withdrawal: { ...withdrawal, fast: true } }],
    'amount-below-minimum': [{ limits }, { limits: { ...limits, least: '101', usual: '100' } }],
    'amount-at-high-rate': [{ limits }, { limits: { ...limits, usual: '101' } }],
    'amount-above-maximum': [{ limits }, { limits: { ...limits, largest: '99' } }],
    'data-overdue': [{ limits }, { limits: { ...limits, overdueAt: now * 1000 - 1 } }],
    'key-change': [{ changesKey: false }, { changesKey: true }],
    'orders-end': [{ ordersThatEnd: 0 }, { ordersThatEnd: null }],
    'key-random': [{ keyIsRandom: false }, { keyIsRandom: true }],
    'nft-differs': [{ nftDiffers: false }, { nftDiffers: true }],
    'nft-locked': [{ nftLocked: false }, { nftLocked: true }],
    'pool-risky': [{ pool: { isRisky: false, noMinimum: false } }, { pool: { isRisky: true, noMinimum: false } }],
    'pool-no-minimum': [{ pool: { isRisky: false, noMinimum: false } }, { pool: { isRisky: false, noMinimum: true } }],
    'standing-price-far': [standingAt(500), standingAt(501)],
    'standing-no-price': [standingAt(0), { standing: { orders: false, price: { worst } } }],
    'standing-unasked': [{ standing: { orders: false } }, { standing: { orders: true } }],
    'pays-broker': [{}, { broker }],
    'pays-new-broker': [{}, { broker: { ...broker, recipient: { ...recipient, known: false } } }],
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

test('what an order sells has a least and a largest amount as well', () => {
  const rulesFor = (amount: string) =>
    warningsOf({ now, limits, sold: { amount, least: '50', largest: '60' } }).map(({ rule }) => rule);
  expect(['49', '50', '60', '61'].map(rulesFor)).toEqual([['amount-below-minimum'], [], [], ['amount-above-maximum']]);
});

test('an amount below both minima is called too small once', () => {
  const both = { ...limits, least: '200', usual: '300' };
  expect(warningsOf({ now, limits: both }).map(({ rule }) => rule)).toEqual(['amount-below-minimum']);
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
});

test('a fee of more than half of what moves is a danger, and no notice beside it', () => {
  const of = (moved: string) => warningsOf({ now, fee: { ...fee, bounds: { balance: '1000', moved } } });
  expect(of('20').map(({ rule }) => rule)).toEqual(['fee-large']);
  expect(of('19')).toEqual([
    {
      rule: 'fee-of-moved',
      severity: 'danger',
      password: true,
      text: {
        key: 'warning_feeOfMoved',
        values: {
          fee: { kind: 'amount', volume: '10', token },
          compared: { kind: 'amount', volume: '19', token },
        },
      },
    },
  ]);
});
