import { t } from '../i18n.ts';
import { Icon } from './Icon.tsx';
import { Ago } from './Time.tsx';

interface FreshnessProps {
  /** Unix milliseconds of the reading. */
  readonly at: number | null;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
}

/** How old what is shown is, and the button that asks again. */
export function Freshness({ at, refreshing, onRefresh }: FreshnessProps) {
  return (
    <span class="soft section-note">
      {at !== null && <Ago milliseconds={at} />}
      <button
        type="button"
        class={`icon-button ${refreshing ? 'icon-turning' : ''}`}
        aria-label={t('homeRefresh')}
        title={t('homeRefresh')}
        onClick={onRefresh}
      >
        <Icon name="refresh" />
      </button>
    </span>
  );
}
