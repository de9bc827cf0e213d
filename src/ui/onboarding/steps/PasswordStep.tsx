import { useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { judgePassword } from '../../shared/passwordStrength.ts';
import { StrengthMeter } from '../../shared/StrengthMeter.tsx';
import { useAction } from '../../shared/useAction.ts';
import { StepForm } from './StepForm.tsx';

export function PasswordStep({ onDone }: { readonly onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [compared, setCompared] = useState(false);
  const create = useAction(async () => {
    await call('createVault', { password });
    onDone();
  });
  const differs = compared && repeated !== '' && repeated !== password;
  const ready = judgePassword(password).strength !== 'short' && repeated === password;
  return (
    <StepForm title="passwordTitle" meaning="passwordMeaning" button="passwordButton" ready={ready} {...create}>
      <Field
        label={t('passwordField')}
        secret="new-password"
        value={password}
        focusFirst
        onInput={setPassword}
        hint={<StrengthMeter password={password} />}
      />
      <Field
        label={t('passwordRepeat')}
        secret="new-password"
        value={repeated}
        error={differs ? t('passwordDiffers') : null}
        onInput={(value) => {
          setRepeated(value);
          setCompared(value.length >= password.length);
        }}
      />
      <p class="aside">{t('passwordLost')}</p>
    </StepForm>
  );
}
