import { useId } from 'preact/hooks';
import type { UiResults } from '../../../messaging/uiMethods.ts';
import { isolated, t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { amountText, symbolText } from '../../shared/format.ts';
import { Problem } from '../../shared/Problem.tsx';
import { SkeletonLine } from '../../shared/Skeleton.tsx';

type FeeOffers = UiResults['getFees'];

interface FeeLineProps {
  readonly offers: FeeOffers | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Token id that pays; one of the offers. */
  readonly chosen: number | null;
  readonly onChoose: (tokenId: number) => void;
  readonly short: boolean;
}

/** Shows the relayer's fee, in the token that the user picks among those it takes. */
export function FeeLine({ offers, error, onRetry, chosen, onChoose, short }: FeeLineProps) {
  const id = useId();
  const offer = offers?.find(({ token }) => token.tokenId === chosen);
  if (offers?.length === 0)
    return (
      <Banner tone="notice" role="alert" onRetry={onRetry}>
        {t('moveFeeNone')}
      </Banner>
    );
  return (
    <div class="fee-line">
      <div class="fee-row">
        <span id={id} class="soft">
          {t('moveFee')}
        </span>
        {offers === undefined || offer === undefined ? (
          <SkeletonLine width={4} />
        ) : offers.length === 1 ? (
          <Amount volume={offer.volume} token={offer.token} />
        ) : (
          <select
            aria-labelledby={id}
            value={String(chosen)}
            onChange={(event) => onChoose(Number(event.currentTarget.value))}
          >
            {offers.map(({ token, volume }) => (
              <option key={token.tokenId} value={String(token.tokenId)}>
                {isolated(amountText({ volume, token }))}
              </option>
            ))}
          </select>
        )}
      </div>
      <Problem error={error} onRetry={onRetry} />
      {short && offer !== undefined && (
        <p class="field-error" role="alert">
          {t('moveFeeShort', { token: symbolText(offer.token) })}
        </p>
      )}
    </div>
  );
}
