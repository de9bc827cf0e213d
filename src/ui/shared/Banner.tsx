import type { ComponentChildren } from 'preact';
import { t } from '../i18n.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';

export type Tone = 'neutral' | 'good' | 'notice' | 'danger';
/** `stop`: a danger that nobody may overlook. */
type BannerTone = Tone | 'stop';

const icons: Readonly<Record<BannerTone, IconName>> = {
  neutral: 'info',
  good: 'check',
  notice: 'info',
  danger: 'warning',
  stop: 'warning',
};

interface BannerProps {
  readonly tone: BannerTone;
  readonly title?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** `alert` is read out at once, `status` when the reader pauses. */
  readonly role?: 'alert' | 'status';
  readonly action?: ComponentChildren;
  /** Tries again what failed; offered in place of `action`. */
  readonly onRetry?: (() => unknown) | undefined;
}

export function Banner({ tone, title, children, role, action, onRetry }: BannerProps) {
  const offered = onRetry ? (
    <Button small icon="refresh" onClick={() => void onRetry()}>
      {t('commonTryAgain')}
    </Button>
  ) : (
    action
  );
  return (
    <div class={`banner banner-${tone}`} role={role}>
      <Icon name={icons[tone]} />
      <div class="banner-text">
        {title !== undefined && <p class="banner-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {offered !== undefined && <div class="banner-action">{offered}</div>}
      </div>
    </div>
  );
}
