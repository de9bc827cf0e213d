import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { price as priceOf } from '../../../src/operations/price.ts';
import {
  amountNumber,
  exactDecimal,
  isTurned,
  localDecimal,
  numberPieces,
  shownAmount,
  shownPrice,
  shownValue,
  significant,
  writingOf,
} from '../../../src/ui/shared/numbers.ts';
import { eth, lrc, usdt } from '../support/fixtures.ts';

describe('amounts', () => {
  it.each([
    ['1234567', 0, 'en', '1,234,567'],
    ['1234567', 0, 'de', '1.234.567'],
    ['12499990000', 6, 'en', '12,499.99'],
    ['12499990000', 6, 'de', '12.499,99'],
    ['12499990000', 6, 'es', '12.499,99'],
    ['12499990000', 6, 'fr', '12 499,99'],
    ['12499990000', 6, 'he', '12,499.99'],
    ['12499990000', 6, 'zh', '12,499.99'],
    ['1', 6, 'en', '0.000001'],
    ['2503150000000000000', 18, 'en', '2.50315'],
    ['1', 18, 'en', '0.000000000000000001'],
    ['0', 18, 'en', '0'],
    ['000', 6, 'en', '0'],
    ['1000000000000000000', 18, 'de', '1'],
    [
      '777777777777777777777777777777777777777777777777777777777712345678901234567890',
      0,
      'en',
      '777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,712,345,678,901,234,567,890',
    ],
    [
      '777777777777777777777777777777777777777777777777777777777712345678901234567891',
      78,
      'en',
      '0.777777777777777777777777777777777777777777777777777777777712345678901234567891',
    ],
    ['1', 78, 'de', `0,${'0'.repeat(77)}1`],
  ])('writes %s with %i decimals in %s exactly', (volume, decimals, tag, shown) => {
    expect(amountNumber(volume, decimals, tag)).toBe(shown);
  });

  it('makes one format of a language for all of them, because that is slow', () => {
    expect(writingOf('sv').format).toBe(writingOf('sv').format);
  });

  it('loses no digit of any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 90n }), fc.integer({ min: 0, max: 90 }), (volume, decimals) => {
        const text = exactDecimal(volume.toString(), decimals);
        const [whole = '', fraction = ''] = (text ?? '').split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(volume);
        expect(localDecimal(text ?? '', 'en').replaceAll(',', '')).toBe(text);
      }),
    );
  });

  it('shows what is no amount as it came, escaped', () => {
    expect(amountNumber('-1', 6, 'en')).toBe('-1');
    expect(amountNumber('1e9', 6, 'en')).toBe('1e9');
    expect(amountNumber('12\u202e34', 6, 'en')).toBe('12[U+202E]34');
    expect(amountNumber('12', -1, 'en')).toBe('12');
  });
});

describe('a number over several lines', () => {
  it('breaks after its separators and never at the point', () => {
    expect(numberPieces('1,234,567.891', 'en')).toEqual(['1,', '234,', '567.891']);
    expect(numberPieces('1.234.567,891', 'de')).toEqual(['1.', '234.', '567,891']);
    expect(numberPieces('1 234 567,891', 'fr')).toEqual(['1 ', '234 ', '567,891']);
    expect(numberPieces('0.0315', 'en')).toEqual(['0.0315']);
  });
});

describe('a number with fewer digits', () => {
  it.each([
    ['18871.129999999999999999', '18871.129', '18871.13'],
    ['5.500000000000000001', '5.5', '5.5000001'],
    ['0.000355666666666666', '0.00035566666', '0.00035566667'],
    ['1499.990541156', '1499.9905', '1499.9906'],
    ['123456789.25', '123456789', '123456790'],
    ['0.999999999', '0.99999999', '1'],
    ['999.999999999', '999.99999', '1000'],
  ])('%s has eight: %s rounded down, %s rounded up', (exact, down, up) => {
    expect(significant(exact, 8, false)).toEqual({ text: down, isExact: false });
    expect(significant(exact, 8, true)).toEqual({ text: up, isExact: false });
  });

  it.each(['0', '1.5', '0.1002', '0.00031500001', '12345678', '123456789012', '1234.5678'])(
    'stays %s, which has no more than eight',
    (exact) => {
      for (const up of [false, true]) expect(significant(exact, 8, up)).toEqual({ text: exact, isExact: true });
    },
  );
});

/** What is on the screen, as a fraction of two integers. */
function read(text: string): [bigint, bigint] {
  const [number = '', power = ''] = text.replace('≈ ', '').replaceAll(',', '').split(' × 10⁻');
  const [whole = '', fraction = ''] = number.split('.');
  const places = [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join('');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length + Number(places))];
}
const digitsOf = (text: string) =>
  text
    .replace(/ × 10.*/, '')
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '').length;

const token = fc.integer({ min: 0, max: 24 }).map((decimals) => ({ ...lrc, decimals }));

describe('an amount on the screen', () => {
  it('is never more than what arrives and never less than what leaves', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), token, (volume, token) => {
        const [least, atLeastScale] = read(shownAmount({ volume: `${volume}`, token, least: true }, 'en').text);
        const [most, mostScale] = read(shownAmount({ volume: `${volume}`, token }, 'en').text);
        const unit = 10n ** BigInt(token.decimals);
        expect(least * unit <= volume * atLeastScale).toBe(true);
        expect(most * unit >= volume * mostScale).toBe(true);
        // Off by less than one part in ten million.
        expect((volume * atLeastScale - least * unit) * 10_000_000n <= volume * atLeastScale).toBe(true);
        expect((most * unit - volume * mostScale) * 10_000_000n <= volume * mostScale).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('says by a sign that digits were left out, and only then', () => {
    const amount = (volume: string, least?: true) =>
      shownAmount({ volume, token: eth, ...(least ? { least } : {}) }, 'en').text;
    expect(amount('99568740000000001')).toBe('≈ 0.099568741');
    expect(amount('99568740000000001', true)).toBe('≈ 0.09956874');
    expect(amount('99568740000000000', true)).toBe('0.09956874');
    expect(amount('not a number')).toBe('not a number');
  });
});

describe('a price on the screen', () => {
  const plain = { exact: true, quote: 'ETH', base: 'LRC' } as const;

  it.each([
    ['0.0000666666666', false, '≈ 15,001 LRC per ETH'],
    ['0.00021', true, '≈ 4,762 LRC per ETH'],
    ['0.0001', true, '10,000 LRC per ETH'],
    ['0.001', true, '0.001 ETH per LRC'],
    ['1800.255', true, '≈ 1,800.2 ETH per LRC'],
    ['123456.7', true, '≈ 123,456 ETH per LRC'],
    ['0', true, '0 ETH per LRC'],
    [`0.${'0'.repeat(12)}123456789`, true, '≈ 8,100,000,073,711 LRC per ETH'],
    [`0.${'0'.repeat(38)}123456789`, true, '≈ 1.2345 × 10⁻³⁹ ETH per LRC'],
    [`0.${'0'.repeat(13)}1`, true, '1 × 10⁻¹⁴ ETH per LRC'],
  ])('%s is %s', (value, exact, expected) => {
    const { text, quote, base } = shownPrice({ ...plain, value, exact }, undefined, 'en');
    expect(`${text} ${quote} per ${base}`).toBe(expected);
  });

  it('keeps the direction of a limit', () => {
    expect(isTurned({ ...plain, value: '0.0004', keep: true })).toBe(false);
    expect(shownPrice({ ...plain, value: '0.000412345', keep: true }, undefined, 'en').text).toBe('≈ 0.00041234');
    expect(shownPrice({ ...plain, value: '0.000412345', keep: true, paid: true }, undefined, 'en').text).toBe(
      '≈ 0.00041235',
    );
  });

  it('never flatters the user, whichever way round it stands', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.boolean(),
        fc.boolean(),
        (quote, base, paid, turned) => {
          const value = priceOf(quote, base, { ...usdt, decimals: 6 }, { ...lrc, decimals: 9 }, paid);
          if (!/[1-9]/.test(value.value)) return;
          const { text, isExact } = shownPrice(value, turned, 'en');
          const [shown, scale] = read(text);
          // The exact price is `numerator / denominator`, in the direction that is shown.
          const [numerator, denominator] = turned
            ? [base * 10n ** 6n, quote * 10n ** 9n]
            : [quote * 10n ** 9n, base * 10n ** 6n];
          const difference = shown * denominator - numerator * scale;
          if (paid !== turned) expect(difference >= 0n).toBe(true);
          else expect(difference <= 0n).toBe(true);
          if (isExact) expect(difference).toBe(0n);
          expect(text.startsWith('≈')).toBe(!isExact);
          if (!isExact && text.includes('.')) expect(digitsOf(text)).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('values', () => {
  const one = 10n ** 30n;
  it.each([
    [(one * 123_456n) / 100n, 'USD', false, 'en', '1,234.56'],
    [(one * 1_234_567n) / 1_000n, 'USD', false, 'en', '1,234.56'],
    [(one * 1_234_567n) / 1_000n, 'USD', true, 'en', '1,234.57'],
    [(one * 1_234_567n) / 1_000n, 'EUR', true, 'de', '1.234,57'],
    [(one * 1_234_567n) / 1_000n, 'JPY', false, 'en', '1,234'],
    [one * 5n, 'USD', false, 'en', '5.00'],
    [one * 987_654_321n, 'USD', false, 'en', '987,654,321.00'],
    [0n, 'USD', false, 'en', '0.00'],
    [one / 234n, 'USD', false, 'en', '0.0042'],
    [one / 234n, 'USD', true, 'en', '0.0043'],
    [1n, 'USD', false, 'en', '0.00'],
    [1n, 'USD', true, 'en', '0.01'],
    [(one * 123_456_789n) / 1_000_000n, 'ETH', false, 'en', '123.45'],
    [one / 15_000n, 'ETH', false, 'en', '0.000066666'],
    [one * 1_234_567n, 'LRC', false, 'en', '1,234,567'],
  ])('writes %s of %s', (value, currency, up, tag, expected) => {
    expect(shownValue(value, currency, up, tag)).toBe(expected);
  });
});
