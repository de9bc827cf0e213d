import { t } from '../i18n.ts';

/** Grey rows in the form of a list that is being read, so that nothing moves when it comes. */
export function SkeletonList({ rows, picture = false }: { readonly rows: number; readonly picture?: boolean }) {
  return (
    <div class="skeleton-list" role="status">
      <span class="visually-hidden">{t('commonLoading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="skeleton-row" aria-hidden="true">
          {picture && <span class="skeleton-line skeleton-dot" />}
          <span class="skeleton-texts">
            <span class="skeleton-line" style={{ width: '40%' }} />
            <span class="skeleton-line skeleton-small" style={{ width: '30%' }} />
          </span>
          <span class="skeleton-line" style={{ width: '20%' }} />
        </span>
      ))}
    </div>
  );
}
