import { expect, test } from 'vitest';
import { type BenchRow, summaryOf, tableOf } from './report.ts';

const rows: readonly BenchRow[] = [
  { what: 'no goal', ours: 1, unit: 'ms' },
  { what: 'twice as fast', ours: 2, unit: 'ms', beside: 'a peer', theirs: 4, ratio: 2, goal: 1.5 },
  { what: 'slower than native', ours: 1.24, unit: 'ms', beside: 'C', theirs: 1, ratio: 1 / 1.24, atMost: 1.1 },
  { what: 'orders', ours: 1_580, unit: '/s', bound: ['≥', 2_200] },
  { what: 'answer', ours: 60, unit: 'ms', bound: ['≤', 60] },
  { what: 'page', ours: 0.1, unit: 'ms', verdict: 'within noise', held: true },
  { what: 'a remark', ours: 3, unit: 'orders/s', verdict: 'fullest: engine' },
];

test('a table says of each goal whether it is held', () => {
  expect(tableOf(rows)).toMatchInlineSnapshot(`
    "what                ours           beside  theirs   ratio    by CPU time  goal
    no goal             1.00 ms
    twice as fast       2.00 ms        a peer  4.00 ms  2.00 ×                ≥ 1.5 × held
    slower than native  1.24 ms        C       1.00 ms  0.806 ×               ≤ 1.1 × theirs missed
    orders              1580 /s                                               ≥ 2200 /s missed
    answer              60.0 ms                                               ≤ 60 ms held
    page                0.100 ms                                              within noise held
    a remark            3.00 orders/s                                         fullest: engine"
  `);
});

test('the summary has the rows with a goal alone, and counts them', () => {
  expect(summaryOf(rows)).toMatchInlineSnapshot(`
    "what                beside  now            goal
    twice as fast       a peer  2.00 ×         ≥ 1.5 ×         held
    slower than native  C       1.24 × theirs  ≤ 1.1 × theirs  missed
    orders                      1580 /s        ≥ 2200 /s       missed
    answer                      60.0 ms        ≤ 60 ms         held
    page                        0.100 ms       within noise    held

    3 goals held, 2 missed"
  `);
});

test('values of an earlier run stand beside those of the same name, in the terms of the goal of now', () => {
  const before: BenchRow[] = [
    { what: 'slower than native (at most 2 ×)', ours: 1, unit: 'ms', beside: 'C', theirs: 0.5, ratio: 0.5, goal: 0.5 },
    { what: 'orders', ours: 1_000, unit: '/s' },
    { what: 'answer', ours: 9, unit: 'ms', beside: 'another side' },
  ];
  expect(summaryOf(rows, before)).toMatchInlineSnapshot(`
    "what                beside  before         now            goal
    twice as fast       a peer                 2.00 ×         ≥ 1.5 ×         held
    slower than native  C       2.00 × theirs  1.24 × theirs  ≤ 1.1 × theirs  missed
    orders                      1000 /s        1580 /s        ≥ 2200 /s       missed
    answer                                     60.0 ms        ≤ 60 ms         held
    page                                       0.100 ms       within noise    held

    3 goals held, 2 missed"
  `);
});
