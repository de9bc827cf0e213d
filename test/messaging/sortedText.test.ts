import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortText } from '../../scripts/build/sortText.ts';
import { restoreText } from '../../src/messaging/sortedText.ts';

test.each([
  '',
  'a',
  'aaaa',
  'abab',
  'banana',
  'a|b||c',
  'ä€漢字|עברית',
  String.fromCharCode(...Array.from({ length: 1500 }, (_, i) => 0x4e00 + ((i * 7919) % 1500))),
  `${'x'.repeat(1000)}y`,
])('a text comes back as it was: %j', (text) => {
  expect(restoreText(sortText(text))).toBe(text);
});

test('any text comes back, of few letters with long runs and of many', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', '|'), maxLength: 300 });
  const many = fc
    .array(fc.integer({ min: 0x20, max: 0xd7ff }), { maxLength: 300 })
    .map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(fc.oneof(few, many), (text) => {
      expect(restoreText(JSON.parse(JSON.stringify(sortText(text))))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('a letter beyond the basic plane is refused', () => {
  expect(() => sortText('a 😀')).toThrow('beyond the basic plane');
});
