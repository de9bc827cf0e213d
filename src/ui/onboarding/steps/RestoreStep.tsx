import { useState } from 'preact/hooks';
import { MAX_BACKUP_LENGTH } from '../../../messaging/limits.ts';
import type { WalletState } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { FileField } from '../../shared/FileField.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';

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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null && password !== '') restore.run();
      }}
    >
      <h1 tabIndex={-1}>{t('restoreTitle')}</h1>
      <p class="lead">{t('restoreMeaning')}</p>
      <FileField
        label={t('restoreFile')}
        maxBytes={MAX_BACKUP_LENGTH}
        onText={(text) => {
          setFile(text);
          restore.clear();
        }}
      />
      <Field
        label={t('restorePassword')}
        secret="current-password"
        value={password}
        onInput={(value) => {
          setPassword(value);
          restore.clear();
        }}
      />
      <Problem error={restore.error} />
      <div class="step-buttons">
        <Button tone="quiet" onClick={onBack}>
          {t('commonBack')}
        </Button>
        <Button type="submit" tone="primary" busy={restore.busy} disabled={file === null || password === ''}>
          {t('restoreButton')}
        </Button>
      </div>
    </form>
  );
}
