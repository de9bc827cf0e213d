import { expect, test } from 'vitest';
import type { Review } from '../../src/operations/review.ts';
import { reviewChanges } from '../../src/operations/reviewChanges.ts';
import { warningsOf } from '../../src/operations/warnings.ts';

const now = 1_800_000_000;
const withPrice = (lossBips: number) => {
  const warnings = warningsOf({ now, price: { lossBips } });
  const review: Review = { sentence: { key: 'review_cancelOrder' }, rows: [], warnings, bound: [], unbound: [] };
  return { review, reviewedAt: now };
};

test.each([
  ['appears', 0, 201, ['price-far'], []],
  ['gets graver', 201, 501, ['price-far'], []],
  ['becomes a stop', 501, 2501, ['price-far'], []],
  ['only names other figures', 501, 502, [], []],
  ['gets milder', 2501, 501, [], []],
  ['goes', 501, 0, [], ['price-far']],
])('a warning that %s', (_what, before, after, fresh, gone) => {
  const changes = reviewChanges(withPrice(before), withPrice(after));
  expect(changes.newWarnings).toEqual(fresh);
  expect(changes.goneWarnings.map(({ rule }) => rule)).toEqual(gone);
});
