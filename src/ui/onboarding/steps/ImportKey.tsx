import { useState } from 'preact/hooks';
import { MAX_KEY_FILE_LENGTH } from '../../../messaging/limits.ts';
import type { DerivedKey } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { FileField } from '../../shared/FileField.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import { StepForm } from './StepForm.tsx';

interface ImportKeyProps {
  readonly place: { readonly networkId: string; readonly signer: string; readonly owner?: string };
  readonly onDone: (key: DerivedKey) => void;
  readonly onBack: () => void;
}

/** Takes an account key from hex digits or a file. */
export function ImportKey({ place, onDone, onBack }: ImportKeyProps) {
  const [typed, setTyped] = useState('');
  const [file, setFile] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const read = useAction(async () => {
    const key = await call('importKey', {
      ...place,
      text: file ?? typed.trim(),
      password: password === '' ? null : password,
    });
    setTyped('');
    setFile(null);
    setPassword('');
    onDone(key);
  });
  const encrypted = file?.includes('countersign-key') === true;
  return (
    <StepForm
      title="importKeyTitle"
      meaning="importKeyMeaning"
      button="importKeyButton"
      ready={(file !== null || typed.trim() !== '') && (!encrypted || password !== '')}
      {...read}
      onBack={onBack}
    >
      <Field
        label={t('importKeyField')}
        secret="key"
        mono
        value={typed}
        maxLength={80}
        focusFirst
        disabled={file !== null}
        onInput={typing(setTyped, read)}
      />
      <FileField label={t('importKeyFile')} maxBytes={MAX_KEY_FILE_LENGTH} onText={typing(setFile, read)} />
      {encrypted && (
        <Field
          label={t('importKeyPassword')}
          secret="current-password"
          value={password}
          onInput={typing(setPassword, read)}
        />
      )}
    </StepForm>
  );
}
