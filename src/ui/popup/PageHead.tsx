import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Icon } from '../shared/Icon.tsx';
import { namePage } from '../shared/namePage.ts';
import { hrefTo } from './router.ts';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Parts of the address that the arrow leads to; no arrow when absent. */
  readonly back?: readonly string[];
  readonly action?: ComponentChildren;
}

/** Title of a screen and of its page, with the way back and at most one action. */
export function PageHead({ title, back, action }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    namePage(heading.current?.textContent ?? '');
  });
  return (
    <div class="page-head">
      {back !== undefined && (
        <a class="icon-button page-back" href={hrefTo(...back)} aria-label={t('commonBack')} title={t('commonBack')}>
          <Icon name="back" />
        </a>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {action}
    </div>
  );
}

interface PageProps extends PageHeadProps {
  /** Class of this screen, besides that of all. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A screen with its title. */
export function Page({ class: own, children, ...head }: PageProps) {
  return (
    <main class={own === undefined ? 'tab' : `tab ${own}`}>
      <PageHead {...head} />
      {children}
    </main>
  );
}
