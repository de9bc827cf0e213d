import { useState } from 'preact/hooks';
import { MAX_BACKUP_LENGTH } from '../../../messaging/limits.ts';
import type { WalletState } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { FileField } from '../../shared/FileField.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import { StepForm } from './StepForm.tsx';

interface RestoreStepProps {
  readonly onDone: (wallet: WalletState) => void;
  readonly onBack: () => void;
}

/** Opens a backup in this browser. */
export function RestoreStep({ onDone, onBack }: RestoreStepProps) {
  const [file, setFile] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const restore = useAction(async () => {
    if (file === null) return;
    const state = await call('restoreBackup', { file, password });
    setPassword('');
    onDone(state);
  });
  return (
    <StepForm
      title="restoreTitle"
      meaning="restoreMeaning"
      button="restoreButton"
      ready={file !== null && password !== ''}
      {...restore}
      onBack={onBack}
    >
      <FileField label={t('restoreFile')} maxBytes={MAX_BACKUP_LENGTH} onText={typing(setFile, restore)} />
      <Field
        label={t('restorePassword')}
        secret="current-password"
        value={password}
        onInput={typing(setPassword, restore)}
      />
    </StepForm>
  );
}
