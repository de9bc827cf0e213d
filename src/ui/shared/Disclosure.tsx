import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

/**
 * A closed part that opens in place; the browser's own element, so keyboard and readers know it.
 */
export function Disclosure({
  title,
  open = false,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** Open from the beginning. */
  readonly open?: boolean;
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="disclosure" open={open} onToggle={(event) => !event.currentTarget.open && onClose?.()}>
      <summary class="disclosure-summary">
        <span>{title}</span>
        <Icon name="down" />
      </summary>
      <div class="disclosure-body">{children}</div>
    </details>
  );
}
