import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { hrefTo } from './router.ts';

interface MenuLinkProps {
  /** Parts of the address. */
  readonly to: readonly string[];
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/** An entry of a menu that leads to another screen. */
export function MenuLink({ to, icon, children }: MenuLinkProps) {
  return (
    <a class="menu-item" href={hrefTo(...to)}>
      {icon !== undefined && <Icon name={icon} />}
      <span class="menu-text">{children}</span>
      <Icon name="forward" />
    </a>
  );
}
