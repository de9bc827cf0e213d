import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountNumber,
  checksumAddress,
  distance,
  exactDecimal,
  localDecimal,
  middleShortened,
  numberPieces,
  percent,
} from '../../../src/ui/shared/format.ts';

describe('amounts', () => {
  it.each([
    ['1234567', 0, 'en', '1,234,567'],
    ['1234567', 0, 'de', '1.234.567'],
    ['12499990000', 6, 'en', '12,499.99'],
    ['12499990000', 6, 'de', '12.499,99'],
    ['12499990000', 6, 'es', '12.499,99'],
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
    expect(numberPieces('0.0315', 'en')).toEqual(['0.0315']);
  });
});

describe('addresses', () => {
  it('are checksummed as EIP-55 says', () => {
    for (const address of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(checksumAddress(address.toLowerCase())).toBe(address);
    }
  });

  it('keep both ends when shortened', () => {
    expect(middleShortened('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('0x5aAeb6…1BeAed');
    expect(middleShortened('0x1234')).toBe('0x1234');
  });
});

describe('time and share', () => {
  const now = Date.UTC(2026, 10, 21);
  it.each([
    [30 * 86_400_000, 'en', 'in 30 days'],
    [36 * 3_600_000, 'en', 'tomorrow'],
    [35 * 3_600_000, 'en', 'in 35 hours'],
    [-120_000, 'de', 'vor 2 Minuten'],
    [90 * 60_000, 'es', 'dentro de 1 hora'],
    [20_000, 'en', 'now'],
    [800 * 86_400_000, 'en', 'in 2 years'],
  ])('says how far %i ms is in %s', (away, tag, shown) => {
    expect(distance(now + away, now, tag)).toBe(shown);
  });

  it('writes ten-thousandths as per cent', () => {
    expect(percent(63, 'en')).toBe('0.63%');
    expect(percent(1, 'de')).toBe('0,01\u00a0%');
  });
});
