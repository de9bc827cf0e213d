import { useState } from 'preact/hooks';
import { PRIVATE_KEY } from '../../../messaging/limits.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';
import { StepForm } from './StepForm.tsx';

interface ImportSignerProps {
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

export function ImportSigner({ onDone, onBack }: ImportSignerProps) {
  const [key, setKey] = useState('');
  const wellFormed = PRIVATE_KEY.test(key.trim());
  const add = useAction(async () => {
    const signer = await call('importSigner', { privateKey: key.trim() });
    setKey('');
    onDone(signer);
  });
  return (
    <StepForm
      title="importTitle"
      meaning="importMeaning"
      button="importButton"
      ready={wellFormed}
      {...add}
      onBack={onBack}
    >
      <Field
        label={t('importField')}
        secret="key"
        mono
        value={key}
        maxLength={80}
        focusFirst
        hint={t('importHint')}
        error={key.trim().length >= 64 && !wellFormed ? t('importMalformed') : null}
        onInput={typing(setKey, add)}
      />
    </StepForm>
  );
}
