import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/messaging/languages.ts';
import { checkAddress } from '../../../src/ui/shared/checkAddress.ts';
import { parseAmount, typedAmount } from '../../../src/ui/shared/parseAmount.ts';

const read = (text: string, tag = 'en', decimals = 6) => {
  const parsed = parseAmount(text, decimals, tag);
  return 'volume' in parsed ? parsed.volume : parsed.problem;
};

describe('a typed amount', () => {
  it.each([
    ['1', '1000000'],
    ['0.5', '500000'],
    ['.5', '500000'],
    ['5.', '5000000'],
    [' 12.345678 ', '12345678'],
    ['12.3400000000', '12340000'],
    ['007', '7000000'],
    ['0', '0'],
    ['', 'empty'],
    ['.', 'amountUnreadable'],
    ['1.2345678', 'amountTooFine'],
    ['1,5', 'amountUnreadable'],
    ['1,000', 'amountAmbiguous'],
    ['1e3', 'amountUnreadable'],
    ['-1', 'amountUnreadable'],
    ['0x10', 'amountUnreadable'],
    ['1 000', 'amountUnreadable'],
    ['1.000.000', 'amountUnreadable'],
    ['٣', 'amountUnreadable'],
  ])('%j is %s in English', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['12.5', 'ar', '12500000'],
    ['١٢٫٥', 'ar', '12500000'],
    ['٣', 'ar-EG', '3000000'],
    ['١٬٠٠٠', 'ar', 'amountUnreadable'],
    ['1,000', 'ar', 'amountAmbiguous'],
    ['١٫٥٠٠', 'ar-MA', 'amountAmbiguous'],
    ['۳', 'ar', 'amountUnreadable'],
  ])('%j is, in %s, %s', (text, tag, expected) => {
    expect(read(text, tag)).toBe(expected);
  });

  it.each([
    ['0,5', '500000'],
    ['0.5', '500000'],
    ['1.000', 'amountAmbiguous'],
    ['12.345', 'amountAmbiguous'],
    ['0.500', '500000'],
    ['1234.567', '1234567000'],
    ['1,000', '1000000'],
  ])('%j is %s in German', (text, expected) => {
    expect(read(text, 'de')).toBe(expected);
  });

  // Languages with a space between the groups, whose speakers often write a point or comma there.
  it.each([
    ['1.000', 'fr', 'amountAmbiguous'],
    ['12.345', 'fr-CA', 'amountAmbiguous'],
    ['1.000', 'de-AT', 'amountAmbiguous'],
    ['1.000', 'es-CR', 'amountAmbiguous'],
    ['0.500', 'fr', '500000'],
    ['1.5', 'fr', '1500000'],
    ['1,000', 'fr', '1000000'],
    ['1,000', 'de-CH', 'amountAmbiguous'],
  ])('%j is, in %s, %s', (text, tag, expected) => {
    expect(read(text, tag)).toBe(expected);
  });

  it('keeps every digit of a token with 78 decimals', () => {
    expect(read(`0.${'1'.repeat(78)}`, 'en', 78)).toBe('1'.repeat(78));
    expect(read('5', 'en', 0)).toBe('5');
    expect(read('5.1', 'en', 0)).toBe('amountTooFine');
  });

  it.each(languages.map(({ code }) => code))('what "Max" writes is read back as the same amount in %s', (tag) => {
    for (const volume of ['0', '1', '1000000', '1500000', '123456789012345678901234567890'])
      for (const decimals of [0, 6, 18]) expect(read(typedAmount(volume, decimals, tag), tag, decimals)).toBe(volume);
  });
});

describe('a typed address', () => {
  const good = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  it.each([
    [good, good],
    [good.toLowerCase(), good],
    [`0x${good.slice(2).toUpperCase()}`, good],
    [`  ${good}\n`, good],
    [`ethereum:${good}`, good],
    ['', 'empty'],
    [good.slice(0, -1), 'addressUnreadable'],
    [`${good}0`, 'addressUnreadable'],
    ['vitalik.eth', 'addressUnreadable'],
    [good.replace('F6F4', 'f6F4'), 'addressChecksum'],
    [`0x${'0'.repeat(40)}`, 'addressZero'],
  ])('%j is %s', (text, expected) => {
    const checked = checkAddress(text);
    expect('address' in checked ? checked.address : checked.problem).toBe(expected);
  });

  it('is no recipient when the account that pays has it, however it is written', () => {
    expect(checkAddress(good.toLowerCase(), good)).toEqual({ problem: 'addressSelf' });
    expect(checkAddress(good, good.toLowerCase())).toEqual({ problem: 'addressSelf' });
    expect(checkAddress(good.replace('0xf', '0xe').toLowerCase(), good)).toHaveProperty('address');
  });
});
