import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { useNewPassword } from '../../shared/useNewPassword.tsx';
import { StepForm } from './StepForm.tsx';

export function PasswordStep({ onDone }: { readonly onDone: () => void }) {
  const { password, isComplete, fields } = useNewPassword('passwordField', true);
  const create = useAction(async () => {
    await call('createVault', { password });
    onDone();
  });
  return (
    <StepForm title="passwordTitle" meaning="passwordMeaning" button="passwordButton" ready={isComplete} {...create}>
      {fields}
      <p class="aside">{t('passwordLost')}</p>
    </StepForm>
  );
}
