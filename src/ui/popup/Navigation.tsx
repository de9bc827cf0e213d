import { t } from '../i18n.ts';
import { Icon, Mark } from '../shared/Icon.tsx';
import { hrefTo } from './router.ts';
import { type Screen, screens } from './screens.ts';

/**
 * A bar below the screen, or a column beside it when the window is wide; there "More" gives way to
 * what is behind it.
 */
export function Navigation({ current }: { readonly current: Screen }) {
  const marked = current.place === 'inner' ? (current.parent ?? 'home') : current.name;
  const behindMore = screens.some(({ name, place }) => name === marked && place === 'more');
  return (
    <nav class="tabs" aria-label={t('popupTabs')}>
      <span class="tabs-mark" aria-hidden="true">
        <Mark />
        Countersign
      </span>
      {screens
        .filter(({ place }) => place !== 'inner')
        .map(({ name, label, icon, place }) => {
          const isMarked = name === marked || (name === 'more' && behindMore);
          return (
            <a
              key={name}
              class={`tab-button ${name === 'more' ? 'tab-narrow' : place === 'more' ? 'tab-wide' : ''}`}
              href={hrefTo(name)}
              aria-current={isMarked ? 'page' : undefined}
            >
              <Icon name={icon} />
              <span>{t(label)}</span>
            </a>
          );
        })}
    </nav>
  );
}
