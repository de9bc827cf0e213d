import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { BalanceView, NftMetadataView } from '../../messaging/views.ts';
import type { Review, ReviewField, ReviewRow, Text, Value } from '../../operations/review.ts';
import type { ReviewChanges } from '../../operations/reviewChanges.ts';
import { isGrave } from '../../operations/severity.ts';
import { isNftToken } from '../../protocol/limits.ts';
import { t, tCount } from '../i18n.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { amountText } from '../shared/format.ts';
import { freeOf } from '../shared/free.ts';
import { Icon } from '../shared/Icon.tsx';
import { Identicon } from '../shared/Identicon.tsx';
import { isTurned, shownAmount } from '../shared/numbers.ts';
import { Phrase } from '../shared/Phrase.tsx';
import { ReviewedRow, sectionsOf } from '../shared/ReviewRows.tsx';
import { ValueView } from '../shared/ValueView.tsx';
import { visibleText } from '../shared/visibleText.ts';
import { WholeAddress } from '../shared/WholeAddress.tsx';
import { NftFigure } from './NftFigure.tsx';
import { Dangers, Notes, Notices } from './ReviewWarnings.tsx';

/** Longest wire value drawn, in characters; what is longer can be copied whole. */
const fieldLimit = 300;

/** Shows the row as it was before the request was prepared again; nothing when it is the same. */
function Before({ row, changes }: { readonly row: number; readonly changes: ReviewChanges | null }) {
  const changed = changes?.rows.find((one) => one.row === row);
  if (changed === undefined) return null;
  const { before, note } = changed;
  return (
    <span class="row-changed">
      {before === null || note === null ? (
        t('approvalNew')
      ) : (
        <>
          {t('approvalBefore')} {note === undefined ? <ValueView value={before} /> : <Phrase text={note} />}
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

type AmountValue = Extract<Value, { kind: 'amount' }>;

/** Names how many of the review's NFT move: the row that its picture stands in. */
const isOfNft = (one: PlacedRow): one is PlacedRow & { readonly row: { readonly value: AmountValue } } =>
  one.row.value.kind === 'amount' && isNftToken(one.row.value.token.tokenId);

interface LargeRowProps extends PlacedRow {
  readonly changes: ReviewChanges | null;
  readonly balances: readonly BalanceView[] | null | undefined;
}

/**
 * Shows what is available of the token after the amount has left. Has its line before the balance
 * is known, so that nothing moves.
 */
function BalanceAfter({ value, balances }: { readonly value: Value } & Pick<LargeRowProps, 'balances'>) {
  if (value.kind !== 'amount') return null;
  const available = freeOf(balances, value.token.tokenId);
  const after = available - BigInt(value.volume);
  const shown = (volume: bigint) => amountText({ volume: `${volume}`, token: value.token, least: true });
  return (
    <span class={`row-note balance-after ${balances && after < 0n ? 'balance-missing' : ''}`}>
      {!balances
        ? '\u00a0'
        : after < 0n
          ? t('approvalNotEnough', { amount: shown(available) })
          : t('approvalBalanceAfter', { amount: shown(after) })}
    </span>
  );
}

function RecipientBlock({ row, place, changes }: PlacedRow & Pick<LargeRowProps, 'changes'>) {
  if (row.value.kind !== 'address') return null;
  return (
    <div class="ticket-row ticket-recipient" data-fold="recipient">
      <Identicon address={row.value.address} />
      <span class="ticket-recipient-text">
        <span class="ticket-label">
          <Phrase text={row.label} />
          {row.note !== undefined && (
            <>
              {' · '}
              <Phrase text={row.note} />
            </>
          )}
        </span>
        <WholeAddress address={row.value.address} />
        <Before row={place} changes={changes} />
      </span>
    </div>
  );
}

function LargeRow({ row, place, changes, balances }: LargeRowProps) {
  if (row.emphasis === 'recipient') return <RecipientBlock row={row} place={place} changes={changes} />;
  return (
    <div class={`ticket-row ticket-${row.emphasis}`} data-fold={row.emphasis}>
      <span class="ticket-head">
        <span class="ticket-label">
          <Phrase text={row.label} />
        </span>
        {row.leaves && <BalanceAfter value={row.value} balances={balances} />}
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

function SmallRows({
  rows,
  changes,
  turned,
}: { rows: readonly PlacedRow[]; turned: boolean } & Pick<LargeRowProps, 'changes'>) {
  return (
    <dl class="rows">
      {rows.map(({ row, place }) => (
        <ReviewedRow key={place} row={row} turned={turned}>
          <Before row={place} changes={changes} />
        </ReviewedRow>
      ))}
    </dl>
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
 * Draws any review: dangers, the sentence, what is paid and received, notices, the other rows.
 * Knows no operation.
 * @param metadata - Of the review's NFT, once there is any.
 */
export function ReviewBody({
  review,
  title = null,
  balances,
  metadata,
  changes = null,
}: {
  readonly review: Review;
  /** In place of the sentence, whose amounts the ticket has. */
  readonly title?: Text | null;
  /** `undefined` until they are known, `null` when they cannot be had. */
  readonly balances?: readonly BalanceView[] | null | undefined;
  /** Differences from the review that the user saw before. */
  readonly changes?: ReviewChanges | null;
  readonly metadata?: NftMetadataView | undefined;
}) {
  const rows = placed(review);
  const large = rows.filter(({ row }) => row.emphasis !== undefined);
  const small = rows.filter(({ row }) => row.emphasis === undefined && !row.detail);
  const turned = hasTurned(review);
  const contract = review.rows.find(({ label }) => label.key === 'review_nftContract')?.value;
  const nftContract = contract?.kind === 'address' ? contract.address : undefined;
  const dangersId = useId();
  const isDangerous = review.warnings.some(isGrave);
  return (
    <>
      {isDangerous && <Dangers id={dangersId} review={review} changes={changes} />}
      <h1 class="review-sentence" tabIndex={-1} aria-describedby={isDangerous ? dangersId : undefined}>
        {title === null ? (
          <Phrase text={review.sentence} />
        ) : (
          // The amounts stand once on the screen, in the ticket; a screen reader begins with the
          // whole sentence.
          <>
            <span aria-hidden="true">
              <Phrase text={title} />
            </span>
            <span class="visually-hidden">
              <Phrase text={review.sentence} />
            </span>
          </>
        )}
      </h1>
      {large.length > 0 && (
        <div
          class="ticket"
          data-digits={digitsOf(review.nft === undefined ? large : large.filter((one) => !isOfNft(one)))}
        >
          {review.nft !== undefined && !large.some(isOfNft) && (
            <NftFigure nft={review.nft} metadata={metadata} contract={nftContract} />
          )}
          {large.map((one) =>
            review.nft !== undefined && isOfNft(one) ? (
              <NftFigure
                key={one.place}
                nft={review.nft}
                metadata={metadata}
                contract={nftContract}
                label={one.row.label}
                count={one.row.value.volume}
              >
                <Before row={one.place} changes={changes} />
              </NftFigure>
            ) : (
              <LargeRow key={one.place} {...one} changes={changes} balances={balances} />
            ),
          )}
        </div>
      )}
      <Notices review={review} changes={changes} />
      {sectionsOf(small).map(({ title, rows }) => (
        <section key={title?.key ?? ''}>
          {title !== undefined && (
            <h2 class="rows-title">
              <Phrase text={title} />
            </h2>
          )}
          <SmallRows rows={rows} changes={changes} turned={turned} />
        </section>
      ))}
    </>
  );
}

const placed = (review: Review) => review.rows.map((row, place): PlacedRow => ({ row, place }));

/** All prices of a window have one direction, or nobody could compare them. */
const hasTurned = (review: Review) => review.rows.some(({ value }) => value.kind === 'price' && isTurned(value));

/**
 * Everything that leaves the wallet, split by whether the signature fixes it, and the digest that
 * goes back with the click.
 */
export function ReviewDetails({
  review,
  changes = null,
  digest,
  worth = null,
}: {
  readonly review: Review;
  readonly changes?: ReviewChanges | null;
  readonly digest: string | null;
  /** Value of what leaves in the currency of the settings, which is no part of the review. */
  readonly worth?: ComponentChildren;
}) {
  const rows = placed(review).filter(({ row }) => row.detail);
  const hasNotes = review.warnings.some(({ severity }) => severity === 'note');
  // What differs from the request that was read before is never folded away.
  const isChanged = rows.some(({ place }) => changes?.rows.some((one) => one.row === place));
  return (
    <div class="details">
      {(rows.length > 0 || hasNotes || worth !== null) && (
        <Disclosure title={t('approvalDetails')} open={isChanged}>
          {rows.length > 0 && <SmallRows rows={rows} changes={changes} turned={hasTurned(review)} />}
          <Notes review={review} changes={changes} />
          {worth}
        </Disclosure>
      )}
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
