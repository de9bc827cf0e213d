import { describe, expect, test } from 'vitest';
import type { Review, ReviewRow, Text, Value } from '../../src/operations/review.ts';
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

test('a warning in the place of another one that was as grave is new, and the other one is gone', () => {
  const warned = (rule: string) => {
    const { review, reviewedAt } = withPrice(0);
    const warnings = [{ rule, severity: 'danger', text: { key: 'review_nonce' } }] as Review['warnings'];
    return { review: { ...review, warnings }, reviewedAt };
  };
  const changes = reviewChanges(warned('first'), warned('second'));
  expect(changes.newWarnings).toEqual(['second']);
  expect(changes.goneWarnings.map(({ rule }) => rule)).toEqual(['first']);
});

describe('a row', () => {
  const integer = (value: number): Value => ({ kind: 'integer', value });
  const time = (seconds: number): Value => ({ kind: 'time', seconds });
  const row = (key: string, value: Value, note?: Text): ReviewRow =>
    ({ label: { key }, value, ...(note ? { note } : {}) }) as ReviewRow;
  const dated = (rows: readonly ReviewRow[], reviewedAt = now) => ({
    review: { sentence: { key: 'review_cancelOrder' }, rows, warnings: [], bound: [], unbound: [] } satisfies Review,
    reviewedAt,
  });
  const rowsOf = (before: readonly ReviewRow[], after: readonly ReviewRow[], elapsed = 0) =>
    reviewChanges(dated(before), dated(after, now + elapsed)).rows;

  test('with another value is marked, with the value before', () => {
    const rows = [row('review_fee', integer(1)), row('review_nonce', integer(2))];
    expect(rowsOf(rows, [rows[0] as ReviewRow, row('review_nonce', integer(3))])).toEqual([
      { row: 1, label: { key: 'review_nonce' }, before: integer(2) },
    ]);
    expect(rowsOf(rows, rows)).toEqual([]);
  });

  test('with another kind of value is marked, also where one of them is a time', () => {
    for (const [before, after] of [
      [time(5), integer(5)],
      [integer(5), time(5)],
    ] as const)
      expect(rowsOf([row('review_expires', before)], [row('review_expires', after)])).toMatchObject([
        { row: 0, before },
      ]);
  });

  test('with the same value is marked with the note before, if there was one', () => {
    const noted = (key?: string) => [row('review_fee', integer(1), key === undefined ? key : { key })];
    expect(rowsOf(noted('before'), noted('after'))).toMatchObject([{ before: integer(1), note: { key: 'before' } }]);
    expect(rowsOf(noted(), noted('after'))).toMatchObject([{ before: integer(1), note: null }]);
  });

  test('that is new, and one that is gone, are marked', () => {
    const fee = row('review_fee', integer(1));
    expect(rowsOf([], [fee])).toEqual([{ row: 0, label: fee.label, before: null }]);
    expect(rowsOf([fee], [])).toEqual([{ row: null, label: fee.label, before: integer(1) }]);
  });

  test('of several with one label is compared with the one at its place', () => {
    const rows = (values: readonly number[]) => values.map((value) => row('review_nonce', integer(value)));
    expect(rowsOf(rows([1, 2, 3]), rows([1, 5, 3]))).toMatchObject([{ row: 1, before: integer(2) }]);
    expect(rowsOf(rows([1, 2]), rows([1, 2, 3]))).toMatchObject([{ row: 2, before: null }]);
    expect(rowsOf(rows([1, 2, 3]), rows([1, 2]))).toMatchObject([{ row: null, before: integer(3) }]);
  });

  test('with an end that moves with the clock, give or take a quarter of a minute, or stays, is the same', () => {
    const marked = (seconds: number, elapsed: number) =>
      rowsOf([row('review_expires', time(1_000))], [row('review_expires', time(seconds))], elapsed).length > 0;
    for (const seconds of [1_000, 1_085, 1_100, 1_115]) expect(marked(seconds, 100), String(seconds)).toBe(false);
    for (const seconds of [999, 1_001, 1_084, 1_116]) expect(marked(seconds, 100), String(seconds)).toBe(true);
  });

  test('with another note is marked, whatever the times in it', () => {
    const noted = (key: string, values: Text['values'] = {}) => row('review_fee', integer(1), { key, values } as Text);
    const at = (seconds: number, bips = 1) => ({ time: time(seconds), rate: { kind: 'bips', bips } }) as Text['values'];
    expect(rowsOf([noted('a', at(1))], [noted('a', at(2))])).toEqual([]);
    expect(rowsOf([noted('a', at(1))], [noted('a', at(1, 2))])).toHaveLength(1);
    expect(rowsOf([noted('a')], [noted('b')])).toHaveLength(1);
    expect(rowsOf([noted('a')], [row('review_fee', integer(1))])).toHaveLength(1);
    expect(rowsOf([row('review_fee', integer(1))], [noted('a')])).toHaveLength(1);
  });

  test('another sentence is told with the one before', () => {
    const before = dated([]);
    const after = { ...before, review: { ...before.review, sentence: { key: 'review_firstKey' } as Text } };
    expect(reviewChanges(before, after).sentence).toEqual({ key: 'review_cancelOrder' });
    expect(reviewChanges(before, before).sentence).toBeNull();
  });
});
