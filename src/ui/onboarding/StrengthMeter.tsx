import { t } from '../i18n.ts';
import { judgePassword, type Strength } from './passwordStrength.ts';

const levels: Readonly<
  Record<Strength, { readonly filled: 1 | 2 | 3 | 4; readonly label: string; readonly meaning: string }>
> = {
  short: { filled: 1, label: 'strengthShort', meaning: 'strengthShortMeaning' },
  weak: { filled: 1, label: 'strengthWeak', meaning: 'strengthWeakMeaning' },
  fair: { filled: 2, label: 'strengthFair', meaning: 'strengthFairMeaning' },
  good: { filled: 3, label: 'strengthGood', meaning: 'strengthGoodMeaning' },
  strong: { filled: 4, label: 'strengthStrong', meaning: 'strengthStrongMeaning' },
};

/** Four bars and a sentence; the space is kept while nothing is typed. */
export function StrengthMeter({ password }: { readonly password: string }) {
  const level = password === '' ? null : levels[judgePassword(password).strength];
  return (
    <div class="strength">
      <div class={`strength-bars strength-${level?.filled ?? 0}`} aria-hidden="true">
        <span class="strength-bar" />
        <span class="strength-bar" />
        <span class="strength-bar" />
        <span class="strength-bar" />
      </div>
      <p class="strength-text" role="status">
        {level === null ? (
          <span class="soft">{t('strengthAdvice')}</span>
        ) : (
          <>
            <strong>{t(level.label)}</strong> <span class="soft">{t(level.meaning)}</span>
          </>
        )}
      </p>
    </div>
  );
}
