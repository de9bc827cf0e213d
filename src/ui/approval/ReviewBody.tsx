import { useId } from 'preact/hooks';
import type { NftMetadataView } from '../../messaging/views.ts';
import type { Review, ReviewField, ReviewRow } from '../../operations/review.ts';
import { t, tCount } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { CopyButton } from '../shared/CopyButton.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Icon } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { ValueView } from '../shared/ValueView.tsx';
import { visibleText } from '../shared/visibleText.ts';
import { NftFigure } from './NftFigure.tsx';

/** Longest wire value drawn, in characters; what is longer can be copied whole. */
const fieldLimit = 300;

function LargeRow({ row }: { readonly row: ReviewRow }) {
  return (
    <div class={`ticket-row ticket-${row.emphasis}`}>
      <span class="ticket-label">
        <Phrase text={row.label} />
      </span>
      <ValueView value={row.value} size="large" />
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
 * Dangers stand first, where no length of what a site wrote can push them out of sight.
 * @param metadata - Of the review's NFT, once there is any.
 */
export function ReviewBody({
  review,
  metadata,
}: {
  readonly review: Review;
  readonly metadata?: NftMetadataView | undefined;
}) {
  const large = review.rows.filter((row) => row.emphasis !== undefined);
  const small = review.rows.filter((row) => row.emphasis === undefined);
  const dangersId = useId();
  const dangers = review.warnings.filter(({ severity }) => severity === 'danger');
  return (
    <>
      {dangers.length > 0 && (
        <div class="dangers" id={dangersId}>
          {dangers.map(({ rule, text }) => (
            <Banner key={rule} tone="danger">
              <Phrase text={text} />
            </Banner>
          ))}
        </div>
      )}
      <h1 class="review-sentence" tabIndex={-1} aria-describedby={dangers.length > 0 ? dangersId : undefined}>
        <Phrase text={review.sentence} />
      </h1>
      {large.length > 0 && (
        <div class="ticket">
          {large.map((row, index) => (
            <LargeRow key={index} row={row} />
          ))}
        </div>
      )}
      {review.warnings
        .filter(({ severity }) => severity === 'notice')
        .map(({ rule, text }) => (
          <Banner key={rule} tone="notice">
            <Phrase text={text} />
          </Banner>
        ))}
      {review.nft !== undefined && <NftFigure nft={review.nft} metadata={metadata} />}
      {small.length > 0 && (
        <dl class="rows">
          {small.map((row, index) => (
            <div key={index} class="row">
              <dt>
                <Phrase text={row.label} />
              </dt>
              <dd>
                <ValueView value={row.value} />
                {row.note !== undefined && (
                  <span class="row-note">
                    <Phrase text={row.note} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
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
