import { t } from '../i18n.ts';

/** A grey line in the place of what is being read; `width` in steps of a tenth. */
export const SkeletonLine = ({ width }: { readonly width: number }) => (
  <span class="skeleton-line" style={{ width: `${width}0%` }} aria-hidden="true" />
);

/** Grey lines in the place of what is being read; `lines` are widths in steps of a tenth. */
export function Skeleton({ lines }: { readonly lines: readonly (2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10)[] }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{t('commonLoading')}</span>
      {lines.map((width, index) => (
        <SkeletonLine key={index} width={width} />
      ))}
    </div>
  );
}
