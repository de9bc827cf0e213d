import { t } from '../i18n.ts';
import { Icon, Mark } from './Icon.tsx';

interface RailProps {
  /** Keys of the steps' names, in order. */
  readonly labels: readonly string[];
  /** Index of the present step; those before it are done. */
  readonly at: number;
}

/** Names the steps of a page, and marks the present one and those that are done. */
export function Rail({ labels, at }: RailProps) {
  return (
    <nav class="rail" aria-label={t('stepsLabel')}>
      <p class="brand">
        <Mark />
        <span>Countersign</span>
      </p>
      <ol>
        {labels.map((label, index) => (
          <li
            key={label}
            class={index < at ? 'rail-past' : index === at ? 'rail-here' : 'rail-ahead'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span class="rail-mark" aria-hidden="true">
              {index < at ? <Icon name="check" /> : index + 1}
            </span>
            <span>{t(label)}</span>
            {index < at && <span class="visually-hidden">{t('stepsPast')}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
