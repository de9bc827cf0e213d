import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksUnusual, visibleText } from '../../../src/ui/shared/visibleText.ts';

describe('text from outside', () => {
  it.each([
    ['a right-to-left override', 'abc\u202exyz', 'abc[U+202E]xyz'],
    ['an isolate', '\u2066a\u2069', '[U+2066]a[U+2069]'],
    ['a zero-width space', 'US\u200bDT', 'US[U+200B]DT'],
    ['a soft hyphen', 'US\u00adDT', 'US[U+00AD]DT'],
    ['a line break', 'one\ntwo', 'one[U+000A]two'],
    ['a null', 'a\u0000b', 'a[U+0000]b'],
    ['a no-break space', 'a\u00a0b', 'a[U+00A0]b'],
    ['a Hangul filler', 'a\u3164b', 'a[U+3164]b'],
    ['a tag character', 'a\u{e0041}b', 'a[U+E0041]b'],
    ['a variation selector', 'a\ufe0fb', 'a[U+FE0F]b'],
    ['a lone surrogate', 'a\ud800b', 'a[U+D800]b'],
    ['a mark without a letter', '\u0301abc', '[U+0301]abc'],
  ])('shows %s as its number', (_, hostile, shown) => {
    expect(visibleText(hostile)).toBe(shown);
  });

  it('shows every character that is drawn as nothing', () => {
    const passed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/\p{Default_Ignorable_Code_Point}/u.test(character) && visibleText(`a${character}b`).includes(character))
        passed.push(code.toString(16));
    }
    expect(passed).toEqual([]);
  });

  it('leaves letters of all scripts, digits, signs and pictures alone', () => {
    const plain = 'Größe ñandú 価格 цена שלום €5.00 (x-1_2) 🙂';
    expect(visibleText(plain)).toBe(plain);
  });

  it('escapes marks that pile up on one letter', () => {
    expect(visibleText('Z\u0351\u036b\u0343\u036a')).toBe('Z\u0351\u036b\u0343[U+036A]');
  });

  it('ends after the limit', () => {
    expect(visibleText('a'.repeat(121))).toBe(`${'a'.repeat(120)}…`);
    expect(visibleText('a'.repeat(120))).toBe('a'.repeat(120));
    expect(visibleText('🙂🙂🙂', 2)).toBe('🙂🙂…');
  });

  it('never lets a control, format or separator character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = visibleText(text, 40);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        // At most 40 characters of at most 10 places each, and the ellipsis.
        expect([...shown].length).toBeLessThanOrEqual(401);
      }),
      { numRuns: 500 },
    );
  });
});

describe('look-alike names', () => {
  it.each([
    'USDС',
    'ЕТН',
    'СОМР',
    'ΕΤΗ',
    'ᎬᎢᎻ',
    'ꓰꓔꓧ',
    'USDꓚ',
    'LıNK',
    'ＥＴＨ',
    'ÉTH',
    'USDT\u200d',
    'US\nDT',
    'USDT  x',
    'USDT ',
  ])('calls %j unusual', (symbol) => {
    expect(looksUnusual(symbol)).toBe(true);
  });

  it.each(['stETH', 'USDC.e', '1INCH', 'LP-LRC-ETH', '#1 LRC', 'USD₮0', '€'])('calls %j ordinary', (symbol) => {
    expect(looksUnusual(symbol)).toBe(false);
  });
});
