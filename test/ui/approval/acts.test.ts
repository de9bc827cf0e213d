// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { actText } from '../../../src/ui/approval/acts.ts';
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
