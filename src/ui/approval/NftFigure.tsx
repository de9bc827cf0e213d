import type { ComponentChildren } from 'preact';
import type { NftMetadataView } from '../../messaging/views.ts';
import type { ReviewNft, Text } from '../../operations/review.ts';
import { messageParts, t } from '../i18n.ts';
import { BreakableNumber } from '../shared/Amount.tsx';
import { NftCollection } from '../shared/NftCollection.tsx';
import { NftPicture } from '../shared/NftPicture.tsx';
import { localDecimal } from '../shared/numbers.ts';
import { Phrase } from '../shared/Phrase.tsx';
import { visibleText } from '../shared/visibleText.ts';

/** Longest name drawn, in characters; the box cuts what does not fit its line. */
const nameLimit = 120;

function sourceOf(metadata: NftMetadataView | undefined): string {
  if (metadata === undefined) return t('nftPictureWaiting');
  if (metadata.status === 'off' || metadata.status === 'withheld') return t('nftPictureOff');
  if (metadata.status === 'unavailable') return t('nftUnavailable');
  return t('nftFromGateway', { host: metadata.host ?? '' });
}

/**
 * The NFT of a review as a user knows it. Every part has its room before the gateway answers, so
 * that a late or missing answer moves nothing.
 */
export function NftFigure({
  nft,
  metadata,
  contract,
  label,
  count = '1',
  children,
}: {
  readonly nft: ReviewNft;
  readonly metadata: NftMetadataView | undefined;
  /** Of the NFT, as the review has it. */
  readonly contract?: string | undefined;
  /** Role of the NFT in the request, such as "You pay". */
  readonly label?: Text;
  /** How many of it, as a decimal number; one is not said. */
  readonly count?: string;
  readonly children?: ComponentChildren;
}) {
  const name = metadata?.name == null ? t('nftNameless') : visibleText(metadata.name, nameLimit);
  return (
    <figure class="nft-figure ticket-row" data-fold="nft">
      <NftPicture nftId={nft.nftId} metadata={metadata} />
      <figcaption>
        {label !== undefined && (
          <span class="ticket-label">
            <Phrase text={label} />
          </span>
        )}
        <span class="nft-figure-title">
          <strong class="nft-figure-name" dir="auto" title={name}>
            {name}
          </strong>
          {count !== '1' && (
            <strong>
              {messageParts('nftCount').map((part) =>
                typeof part === 'string' ? part : <BreakableNumber key={part.name} text={localDecimal(count)} />,
              )}
            </strong>
          )}
        </span>
        {contract !== undefined && <NftCollection name={metadata?.collection} contract={contract} />}
        <span class="nft-figure-source">{sourceOf(metadata)}</span>
        {children}
      </figcaption>
    </figure>
  );
}
