import type { Review, ReviewRow, Text, Value, Warning } from './review.ts';
import { isAtLeast, type Severity } from './severity.ts';

/** Differences between two reviews of one request. */
export interface ReviewChanges {
  /** The sentence before, where it differs. */
  readonly sentence: Text | null;
  /**
   * `row`: its place among the rows of the later review, `null` when it is gone; `before`: `null`
   * when it is new; `note`: where only the note differs, the note before, or `null`.
   */
  readonly rows: readonly {
    readonly row: number | null;
    readonly label: Text;
    readonly before: Value | null;
    readonly note?: Text | null;
  }[];
  /** Rules whose warnings are new, or graver than before. */
  readonly newWarnings: readonly string[];
  readonly goneWarnings: readonly Warning[];
}

export interface DatedReview {
  readonly review: Review;
  /** Unix seconds. */
  readonly reviewedAt: number;
}

/**
 * A time that the wallet fills in lies a fixed span ahead; between two reviews it moves as far as
 * the clock, give or take these seconds.
 */
const SLACK_SECONDS = 15;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The note of a row without its times: when a price or fee was read is always new. */
const withoutTimes = (note: Text | undefined) => [
  note?.key,
  Object.entries(note?.values ?? {}).filter(([, { kind }]) => kind !== 'time'),
];

function isSameRow(before: ReviewRow, after: ReviewRow, elapsed: number): boolean {
  const [old, now] = [before.value, after.value];
  if (old.kind === 'time' && now.kind === 'time')
    return now.seconds === old.seconds || Math.abs(now.seconds - old.seconds - elapsed) <= SLACK_SECONDS;
  return isSame(old, now) && isSame(withoutTimes(before.note), withoutTimes(after.note));
}

/** Rows with the same label are told apart by their order. */
const named = (rows: readonly ReviewRow[]): ReadonlyMap<string, ReviewRow> => {
  const count = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const number = (count.get(row.label.key) ?? 0) + 1;
      count.set(row.label.key, number);
      return [`${row.label.key} ${number}`, row] as const;
    }),
  );
};

/** Compares a review with the one before it. */
export function reviewChanges(before: DatedReview, after: DatedReview): ReviewChanges {
  const elapsed = after.reviewedAt - before.reviewedAt;
  const [old, now] = [named(before.review.rows), named(after.review.rows)];
  const changed = [...now].flatMap(([name, row], place) => {
    const earlier = old.get(name);
    if (earlier && isSameRow(earlier, row, elapsed)) return [];
    return [
      {
        row: place,
        label: row.label,
        before: earlier?.value ?? null,
        ...(earlier && isSame(earlier.value, row.value) ? { note: earlier.note ?? null } : {}),
      },
    ];
  });
  const gone = [...old]
    .filter(([name]) => !now.has(name))
    .map(([, { label, value }]) => ({ row: null, label, before: value }));
  const has = ({ warnings }: Review, { rule }: Warning, least: Severity = 'note') =>
    warnings.some((other) => other.rule === rule && isAtLeast(other.severity, least));
  return {
    sentence: isSame(before.review.sentence, after.review.sentence) ? null : before.review.sentence,
    rows: [...changed, ...gone],
    newWarnings: after.review.warnings.filter((one) => !has(before.review, one, one.severity)).map(({ rule }) => rule),
    goneWarnings: before.review.warnings.filter((one) => !has(after.review, one)),
  };
}
