import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/messaging/languages.ts';
import {
  checksumAddress,
  dateTime,
  distance,
  middleShortened,
  percent,
  unitText,
} from '../../../src/ui/shared/format.ts';
import { localDecimal } from '../../../src/ui/shared/numbers.ts';
import { visibleText } from '../../../src/ui/shared/visibleText.ts';

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
    [36 * 3_600_000, 'en', 'in 1 day'],
    [-36 * 3_600_000, 'de', 'vor 1 Tag'],
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
    expect(percent(1, 'de')).toBe('0,01 %');
  });

  it.each(languages.map(({ code }) => code))('has in %s no sign that a sentence would show by its number', (tag) => {
    const texts = [
      ...[63, 1_234_567, -50].map((bips) => percent(bips, tag)),
      ...['second', 'byte', 'percent'].map((unit) => unitText(-12_345, unit, tag)),
      ...[-400, -40, -3, -0.2, 0, 0.2, 3, 40, 400].map((days) => distance(now + days * 86_400_000, now, tag)),
      dateTime(now, tag),
      localDecimal('1234567.125', tag),
    ];
    for (const text of texts) expect(visibleText(text)).toBe(text);
  });
});
