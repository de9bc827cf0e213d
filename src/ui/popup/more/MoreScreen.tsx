import { t } from '../../i18n.ts';
import { Icon } from '../../shared/Icon.tsx';
import { openFullTab } from '../../shared/openFullTab.ts';
import { ScreenLink } from '../MenuLink.tsx';
import { hasSidePanel, openSidePanel } from '../openPages.ts';
import { Page } from '../PageHead.tsx';
import { screens } from '../screens.ts';

const groups: (typeof screens)[number][][] = [[]];
for (const screen of screens.filter(({ place }) => place === 'more')) {
  if ('starts' in screen) groups.push([]);
  groups.at(-1)?.push(screen);
}

/** Everything that has no place of its own in the narrow navigation. */
export function MoreScreen() {
  const inPopup = document.documentElement.dataset.view === 'popup';
  return (
    <Page title={t('tabMore')}>
      {groups.map((group) => (
        <ul key={group[0]?.name} class="menu">
          {group.map(({ name }) => (
            <li key={name}>
              <ScreenLink to={[name]} />
            </li>
          ))}
        </ul>
      ))}
      {inPopup && (
        <ul class="menu">
          {hasSidePanel() && (
            <li>
              <button type="button" class="menu-item" onClick={() => void openSidePanel()}>
                <Icon name="panel" />
                <span class="menu-text">{t('moreSidePanel')}</span>
              </button>
            </li>
          )}
          <li>
            <button type="button" class="menu-item" onClick={() => void openFullTab()}>
              <Icon name="external" />
              <span class="menu-text">{t('moreFullTab')}</span>
            </button>
          </li>
        </ul>
      )}
    </Page>
  );
}
