import type { ComponentChildren } from 'preact';
import { t } from '../i18n.ts';
import { Icon } from '../shared/Icon.tsx';
import { hrefTo } from './router.ts';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Parts of the address that the arrow leads to; no arrow when absent. */
  readonly back?: readonly string[];
  readonly action?: ComponentChildren;
}

/** Title of a screen, with the way back and at most one action. */
export function PageHead({ title, back, action }: PageHeadProps) {
  return (
    <div class="page-head">
      {back !== undefined && (
        <a class="icon-button page-back" href={hrefTo(...back)} aria-label={t('commonBack')} title={t('commonBack')}>
          <Icon name="back" />
        </a>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {action}
    </div>
  );
}
