import type { ComponentChildren } from 'preact';
import { t } from '../i18n.ts';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { hrefTo } from './router.ts';
import { type ScreenName, screenNamed } from './screens.ts';

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

/** The same with name and icon of the screen. */
export function ScreenLink({ to }: { readonly to: readonly [ScreenName, ...string[]] }) {
  const { icon, label } = screenNamed(to[0]);
  return (
    <MenuLink to={to} icon={icon}>
      {t(label)}
    </MenuLink>
  );
}
