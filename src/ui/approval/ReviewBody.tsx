import { useId } from 'preact/hooks';
import type { NftMetadataView } from '../../messaging/views.ts';
import type { Review, ReviewField, ReviewRow, Text } from '../../operations/review.ts';
import type { ReviewChanges } from '../../operations/reviewChanges.ts';
import { isGrave } from '../../operations/severity.ts';
import { t, tCount } from '../i18n.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Icon } from '../shared/Icon.tsx';
import { isTurned, shownAmount } from '../shared/numbers.ts';
import { Phrase } from '../shared/Phrase.tsx';
import { ValueView } from '../shared/ValueView.tsx';
import { visibleText } from '../shared/visibleText.ts';
import { NftFigure } from './NftFigure.tsx';
import { Dangers, Notes, Notices } from './ReviewWarnings.tsx';

/** Longest wire value drawn, in characters; what is longer can be copied whole. */
const fieldLimit = 300;

/** What a row said before the request was prepared again; nothing when it says the same. */
function Before({ row, changes }: { readonly row: number; readonly changes: ReviewChanges | null }) {
  const changed = changes?.rows.find((one) => one.row === row);
  if (changed === undefined) return null;
  return (
    <span class="row-changed">
      {changed.before === null ? (
        t('approvalNew')
      ) : (
        <>
          {t('approvalBefore')} <ValueView value={changed.before} />
        </>
      )}
    </span>
  );
}

interface PlacedRow {
  readonly row: ReviewRow;
  /** Among all rows of the review. */
  readonly place: number;
}

/** One size for all rows of a slip: the one in which the longest number stands in one line. */
function digitsOf(rows: readonly PlacedRow[]): 'short' | 'long' | 'very-long' {
  const lengths = rows.map(({ row: { value } }) =>
    value.kind === 'amount' ? shownAmount(value).text.length + value.token.symbol.length : 0,
  );
  const longest = Math.max(...lengths);
  if (longest > 22) return 'very-long';
  return longest > 15 ? 'long' : 'short';
}

function LargeRow({ row, place, changes }: PlacedRow & { readonly changes: ReviewChanges | null }) {
  return (
    <div class={`ticket-row ticket-${row.emphasis}`}>
      <span class="ticket-label">
        <Phrase text={row.label} />
      </span>
      <ValueView value={row.value} size="large" />
      <Before row={place} changes={changes} />
      {row.emphasis === 'receive' && (
        <span class="ticket-arrow" aria-hidden="true">
          <Icon name="arrowDown" />
        </span>
      )}
      {row.note !== undefined && (
        <span class="row-note">
          <Phrase text={row.note} />
        </span>
      )}
    </div>
  );
}

function Fields({ fields }: { readonly fields: readonly ReviewField[] }) {
  return (
    <dl class="wire">
      {fields.map((field) => (
        <div key={field.path}>
          <dt>{visibleText(field.path, 80)}</dt>
          <dd>
            <span class="mono">{visibleText(field.value, fieldLimit)}</span>
            <CopyButton text={field.value} what={visibleText(field.path, 80)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Draws any review: dangers, the sentence, what is paid and received, notices, the other rows. Knows no operation.
 * @param metadata - Of the review's NFT, once there is any.
 */
export function ReviewBody({
  review,
  metadata,
  changes = null,
}: {
  readonly review: Review;
  /** What differs from the review that the user saw before. */
  readonly changes?: ReviewChanges | null;
  readonly metadata?: NftMetadataView | undefined;
}) {
  const rows = review.rows.map((row, place): PlacedRow => ({ row, place }));
  const large = rows.filter(({ row }) => row.emphasis !== undefined);
  const small = rows.filter(({ row }) => row.emphasis === undefined);
  // All prices of a window have one direction, or nobody could compare them.
  const turned = review.rows.some(({ value }) => value.kind === 'price' && isTurned(value));
  const dangersId = useId();
  const isDangerous = review.warnings.some(isGrave);
  return (
    <>
      {isDangerous && <Dangers id={dangersId} review={review} changes={changes} />}
      <h1 class="review-sentence" tabIndex={-1} aria-describedby={isDangerous ? dangersId : undefined}>
        <Phrase text={review.sentence} />
      </h1>
      {large.length > 0 && (
        <div class="ticket" data-digits={digitsOf(large)}>
          {large.map((one) => (
            <LargeRow key={one.place} {...one} changes={changes} />
          ))}
        </div>
      )}
      <Notices review={review} changes={changes} />
      {review.nft !== undefined && <NftFigure nft={review.nft} metadata={metadata} />}
      {sectionsOf(small).map(({ title, rows }) => (
        <section key={title?.key ?? ''}>
          {title !== undefined && (
            <h2 class="rows-title">
              <Phrase text={title} />
            </h2>
          )}
          <dl class="rows">
            {rows.map(({ row, place }) => (
              <div key={place} class="row">
                <dt>
                  <Phrase text={row.label} />
                </dt>
                <dd>
                  <ValueView value={row.value} turned={turned} />
                  <Before row={place} changes={changes} />
                  {row.note !== undefined && (
                    <span class="row-note">
                      <Phrase text={row.note} />
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Notes review={review} changes={changes} />
    </>
  );
}

/** Rows that follow each other under one title. */
function sectionsOf(rows: readonly PlacedRow[]): { title: Text | undefined; rows: PlacedRow[] }[] {
  const sections: { title: Text | undefined; rows: PlacedRow[] }[] = [];
  for (const placed of rows) {
    const { section } = placed.row;
    const last = sections.at(-1);
    if (last && last.title?.key === section?.key) last.rows.push(placed);
    else sections.push({ title: section, rows: [placed] });
  }
  return sections;
}

/** Everything that leaves the wallet, split by whether the signature fixes it, and the digest that goes back with the click. */
export function ReviewDetails({ review, digest }: { readonly review: Review; readonly digest: string | null }) {
  return (
    <div class="details">
      {review.bound.length > 0 && (
        <Disclosure title={tCount('approvalBound', review.bound.length)}>
          <p class="soft">{t('approvalBoundNote')}</p>
          <Fields fields={review.bound} />
        </Disclosure>
      )}
      {review.unbound.length > 0 && (
        <Disclosure title={tCount('approvalUnbound', review.unbound.length)}>
          <p class="soft">{t('approvalUnboundNote')}</p>
          <Fields fields={review.unbound} />
        </Disclosure>
      )}
      {digest !== null && (
        <Disclosure title={t('approvalDigest')}>
          <p class="soft">{t('approvalDigestNote')}</p>
          <p class="digest">
            <span class="mono">{digest}</span>
            <CopyButton text={digest} what={t('approvalDigest')} />
          </p>
        </Disclosure>
      )}
    </div>
  );
}
