import { t } from '../i18n.ts';
import { judgePassword, type Strength } from './passwordStrength.ts';

const filledBars: Readonly<Record<Strength, 1 | 2 | 3 | 4>> = { short: 1, weak: 1, fair: 2, good: 3, strong: 4 };

/** Four bars and a sentence; the space is kept while nothing is typed. */
export function StrengthMeter({ password }: { readonly password: string }) {
  const strength = password === '' ? null : judgePassword(password).strength;
  return (
    <div class="strength">
      <div class={`strength-bars strength-${strength === null ? 0 : filledBars[strength]}`} aria-hidden="true">
        <span class="strength-bar" />
        <span class="strength-bar" />
        <span class="strength-bar" />
        <span class="strength-bar" />
      </div>
      <p class="strength-text" role="status">
        {strength === null ? (
          <span class="soft">{t('strengthAdvice')}</span>
        ) : (
          <>
            <strong>{t(`strength_${strength}`)}</strong> <span class="soft">{t(`strengthMeaning_${strength}`)}</span>
          </>
        )}
      </p>
    </div>
  );
}
