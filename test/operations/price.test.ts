import { expect, test } from 'vitest';
import { price } from '../../src/operations/price.ts';
import { token } from './facts.ts';

test.each([
  [1n, 3n, 0, 0, '0.333333333', false],
  [2n, 1n, 0, 0, '2', true],
  [123_456_789_123n, 1_000n, 0, 0, '123456789', false],
  [1n, 10n ** 18n, 6, 18, '0.000001', true],
  [5n, 4n, 18, 18, '1.25', true],
  [0n, 4n, 0, 0, '0', true],
  [20n, 2n, 0, 0, '10', true],
  [100n, 1n, 0, 0, '100', true],
  // Nine digits count from the first that is not zero, and what follows is cut, not rounded.
  [1_999_999_999_999n, 10n ** 15n, 0, 0, '0.00199999999', false],
  [1_000_000_001n, 10n ** 9n, 0, 0, '1.00000000', false],
  [10_000_000_019n, 10n, 0, 0, '1000000001', false],
  [1_000_000_009n, 10n, 0, 0, '100000000', false],
  [10_000_000_009n, 1_000n, 0, 0, '10000000.0', false],
  [12_345_678n, 10n, 0, 0, '1234567.8', true],
  [10n ** 9n + 1n, 10n ** 18n, 0, 0, '0.00000000100000000', false],
  [123_456_789n, 10n ** 9n, 0, 0, '0.123456789', true],
  [1_234_567_891n, 10n ** 10n, 0, 0, '0.123456789', false],
])('price of %s quote for %s base', (quote, base, quoteDecimals, baseDecimals, value, exact) => {
  const result = price(quote, base, token(0, 'Q', quoteDecimals), token(1, 'B', baseDecimals));
  expect(result).toEqual({ kind: 'price', value, exact, quote: 'Q', base: 'B' });
});

test('a price that the user pays says so', () => {
  const [quote, base] = [token(0, 'Q', 0), token(1, 'B', 0)];
  expect(price(1n, 2n, quote, base, true)).toStrictEqual({
    ...{ kind: 'price', value: '0.5', exact: true, quote: 'Q', base: 'B' },
    paid: true,
  });
  expect(price(1n, 2n, quote, base)).not.toHaveProperty('paid');
});
