import type { ComponentChildren } from 'preact';
import { t } from '../i18n.ts';
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (() => void) | undefined;
  readonly tone?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
  readonly type?: 'button' | 'submit';
  readonly icon?: IconName;
  readonly disabled?: boolean;
  /** Work in progress: the button stays where it is, says so, and takes no second press. */
  readonly busy?: boolean;
  readonly wide?: boolean;
  readonly small?: boolean;
  /** Id of the approval that the button rejects; see `carryReject`. */
  readonly rejects?: string | null;
}

export function Button({
  children,
  onClick,
  tone = 'secondary',
  type = 'button',
  icon,
  disabled = false,
  busy = false,
  wide = false,
  small = false,
  rejects,
}: ButtonProps) {
  const classes = ['button', `button-${tone}`, wide && 'button-wide', small && 'button-small']
    .filter(Boolean)
    .join(' ');
  return (
    <button
      type={type}
      class={classes}
      disabled={disabled}
      data-rejects={rejects}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      onClick={(event) => {
        // The second press of a double click is not meant for what the first one put in the
        // button's place.
        if (busy || event.detail > 1) event.preventDefault();
        else onClick?.();
      }}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
      {busy && <span class="visually-hidden">{t('commonWorking')}</span>}
    </button>
  );
}
