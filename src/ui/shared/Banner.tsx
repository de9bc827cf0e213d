import type { ComponentChildren } from 'preact';
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
}

export function Banner({ tone, title, children, role, action }: BannerProps) {
  return (
    <div class={`banner banner-${tone}`} role={role}>
      <Icon name={icons[tone]} />
      <div class="banner-text">
        {title !== undefined && <p class="banner-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && <div class="banner-action">{action}</div>}
      </div>
    </div>
  );
}
