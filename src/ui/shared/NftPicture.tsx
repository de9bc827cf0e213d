import type { NftMetadataView } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { visibleText } from './visibleText.ts';

/**
 * Rings whose sizes come from the NFT's own number: the same NFT always looks the same, and nobody
 * takes it for the picture.
 */
function Placeholder({ nftId }: { readonly nftId: string }) {
  const digits = [...nftId.replace(/^0x/, '').slice(-12)].map((digit) => Number.parseInt(digit, 16) || 0);
  const rings = [0, 1, 2, 3].map((index) => ({
    radius: 8 + index * 9 + (digits[index] ?? 0) / 3,
    dash: 6 + (digits[index + 4] ?? 0) * 3,
    turn: (digits[index + 8] ?? 0) * 22.5,
  }));
  return (
    <svg
      class="nft-placeholder"
      style={{ '--hue': ((digits[0] ?? 0) % 12) * 30 }}
      viewBox="0 0 100 100"
      aria-hidden="true"
      focusable="false"
    >
      {rings.map(({ radius, dash, turn }) => (
        <circle
          key={radius}
          cx="50"
          cy="50"
          r={radius}
          stroke-dasharray={`${dash} ${Math.max(4, 40 - dash / 2)}`}
          transform={`rotate(${turn} 50 50)`}
        />
      ))}
    </svg>
  );
}

interface NftPictureProps {
  readonly nftId: string;
  readonly metadata: NftMetadataView | undefined;
}

/**
 * The picture that the gateway gave, or a drawing that is clearly none. Both take the same room, so
 * that nothing jumps.
 */
export function NftPicture({ nftId, metadata }: NftPictureProps) {
  return (
    <span class="nft-picture">
      {metadata?.image != null ? (
        <img
          src={metadata.image}
          alt={metadata.name === null ? t('nftPicture') : visibleText(metadata.name, 120)}
          decoding="async"
        />
      ) : (
        <Placeholder nftId={nftId} />
      )}
    </span>
  );
}
