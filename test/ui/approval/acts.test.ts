// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { actText } from '../../../src/ui/approval/acts.ts';
import { sentenceText } from '../../../src/ui/shared/format.ts';
import { useLanguage } from '../support/fakeBackground.ts';
import { transferReview } from '../support/fixtures.ts';

afterEach(() => useLanguage('en'));

test('names the act with its amount, after a warning as well', () => {
  useLanguage('en');
  expect(actText('transfer', transferReview, false)).toBe('Send 150 LRC');
  expect(actText('transfer', transferReview, true)).toBe('Send 150 LRC anyway');
});

test('keeps an amount together between right-to-left words, whose sides it would change otherwise', () => {
  useLanguage('ar');
  expect(actText('transfer', transferReview, false)).toBe('إرسال \u2068150 LRC\u2069');
  expect(actText('transfer', transferReview, true)).toBe('إرسال \u2068150 LRC\u2069 رغم ذلك');
});

test('tells two members of typed data apart whose long paths begin alike', () => {
  useLanguage('en');
  const label = (end: string) => {
    const path = { kind: 'document', text: `${'x'.repeat(90)}${end}` } as const;
    return sentenceText({ key: 'review_typedField', values: { path, type: { kind: 'text', text: 'bool' } } });
  };
  expect(label('A')).toBe(`${'x'.repeat(90)}A (bool)`);
  expect(label('B')).not.toBe(label('A'));
});
