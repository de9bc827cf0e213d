import { expect, test } from 'vitest';
import { documentParts } from '../../../src/ui/shared/documentParts.ts';

const LAST = 'I also agree to the sentence at the end.';

test.each([
  ['newlines', '\n'],
  ['newlines of Windows', '\r\n'],
  ['lines of spaces and tabs', '\n \t '],
])('3,000 %s before the last sentence are one part that counts them', (_what, line) => {
  expect(documentParts(`Welcome.${line.repeat(3_000)}\n${LAST}`)).toEqual([
    { lines: ['Welcome.'] },
    { blankLines: 3_000 },
    { lines: [LAST] },
  ]);
});

test('two blank lines stay as they are, three are counted, at the ends too', () => {
  expect(documentParts('a\n\n\nb')).toEqual([{ lines: ['a', '', '', 'b'] }]);
  expect(documentParts('a\n\n\n\nb')).toEqual([{ lines: ['a'] }, { blankLines: 3 }, { lines: ['b'] }]);
  expect(documentParts('\n\n\na')).toEqual([{ blankLines: 3 }, { lines: ['a'] }]);
  expect(documentParts('a\n\n\n')).toEqual([{ lines: ['a'] }, { blankLines: 3 }]);
});

test('blank lines between many short lines hide no line', () => {
  const text = Array.from({ length: 50 }, (_, index) => `line ${index}${'\n'.repeat(index % 6)}`).join('\n');
  const shown = documentParts(text).flatMap((part) => ('lines' in part ? part.lines : []));
  expect(shown.filter((line) => line !== '')).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index}`));
});
