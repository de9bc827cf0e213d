import { useState } from 'preact/hooks';
import { MAX_KEY_FILE_LENGTH } from '../../../messaging/limits.ts';
import type { KeyUpdateView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { FileField } from '../../shared/FileField.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { useAction } from '../../shared/useAction.ts';

interface BackupStepProps {
  readonly view: KeyUpdateView;
  readonly onDone: (view: KeyUpdateView) => void;
  readonly onCancel: () => void;
}

/** A random key is written down before it is registered, and the user shows that it was. */
export function BackupStep({ view, onDone, onCancel }: BackupStepProps) {
  const { account, approval, newKey } = view;
  const [password, setPassword] = useState('');
  const [digits, setDigits] = useState<string | null>(null);
  /** The digits went out of sight, so that the last ones cannot be copied from the screen. */
  const [written, setWritten] = useState(false);
  const [saved, setSaved] = useState(false);
  const [typed, setTyped] = useState('');
  const pending = newKey?.publicKey.x ?? null;
  const show = useAction(async () => {
    setDigits((await call('exportAccountKey', { account: account.id, pending, form: 'hex', password })).text);
  });
  const save = useAction(async () => {
    const { text, fileName } = await call('exportAccountKey', { account: account.id, pending, form: 'file', password });
    saveFile(fileName, 'application/json', text);
    setSaved(true);
  });
  const proveDigits = useAction(async () => {
    onDone(await call('confirmBackup', { approval: approval?.id ?? '', shown: { lastDigits: typed } }));
  });
  const proveFile = useAction(async (file: string) => {
    onDone(await call('confirmBackup', { approval: approval?.id ?? '', shown: { file, password } }));
  });
  return (
    <div>
      <h1 tabIndex={-1}>{t('backupTitle')}</h1>
      <p class="lead">{t('backupMeaning')}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        onInput={setPassword}
        hint={t('backupPasswordHint')}
      />
      <Problem error={show.error ?? save.error} />
      <div class="step-buttons backup-ways">
        <Button icon="arrowDown" busy={save.busy} disabled={password === ''} onClick={save.run}>
          {t('backupSave')}
        </Button>
        <Button icon="eye" busy={show.busy} disabled={password === ''} onClick={show.run}>
          {t('backupShow')}
        </Button>
      </div>
      {digits !== null && !written && (
        <>
          <p class="backup-digits mono">{digits}</p>
          <div class="step-buttons">
            <Button tone="primary" onClick={() => setWritten(true)}>
              {t('backupWritten')}
            </Button>
          </div>
        </>
      )}
      {digits !== null && written && (
        <>
          <Field label={t('backupLastDigits')} value={typed} onInput={setTyped} maxLength={6} mono focusFirst />
          <Problem error={proveDigits.error} />
          <div class="step-buttons">
            <Button tone="quiet" onClick={() => setWritten(false)}>
              {t('confirmShowAgain')}
            </Button>
            <Button tone="primary" busy={proveDigits.busy} disabled={typed.length < 6} onClick={proveDigits.run}>
              {t('commonContinue')}
            </Button>
          </div>
        </>
      )}
      {saved && digits === null && (
        <>
          <FileField
            label={t('backupOpen')}
            maxBytes={MAX_KEY_FILE_LENGTH}
            onText={(text) => {
              if (text === null) proveFile.clear();
              else proveFile.run(text);
            }}
          />
          <Problem error={proveFile.error} />
        </>
      )}
      <div class="step-buttons">
        <Button tone="quiet" onClick={onCancel}>
          {t('commonCancel')}
        </Button>
      </div>
    </div>
  );
}
