import { useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';

interface ImportSignerProps {
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

export function ImportSigner({ onDone, onBack }: ImportSignerProps) {
  const [key, setKey] = useState('');
  const wellFormed = /^(0x)?[0-9a-fA-F]{64}$/.test(key.trim());
  const add = useAction(async () => {
    const signer = await call('importSigner', { privateKey: key.trim() });
    setKey('');
    onDone(signer);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wellFormed) add.run();
      }}
    >
      <h1 tabIndex={-1}>{t('importTitle')}</h1>
      <p class="lead">{t('importMeaning')}</p>
      <Field
        label={t('importField')}
        secret="key"
        mono
        value={key}
        maxLength={80}
        focusFirst
        hint={t('importHint')}
        error={key.trim().length >= 64 && !wellFormed ? t('importMalformed') : null}
        onInput={(value) => {
          setKey(value);
          add.clear();
        }}
      />
      <Problem error={add.error} />
      <div class="step-buttons">
        <Button tone="quiet" onClick={onBack}>
          {t('commonBack')}
        </Button>
        <Button type="submit" tone="primary" busy={add.busy} disabled={!wellFormed}>
          {t('importButton')}
        </Button>
      </div>
    </form>
  );
}
