import { useState } from 'preact/hooks';
import type { DerivedKey } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { CopyButton } from '../../shared/CopyButton.tsx';
import { Field } from '../../shared/Field.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { AskPassword } from './AskPassword.tsx';

/** Last characters of the key that are typed back, to show that the backup is at hand. */
const confirmedCharacters = 8;

interface RandomKeyProps {
  readonly place: { readonly networkId: string; readonly signer: string; readonly owner?: string };
  readonly onDone: (key: DerivedKey) => void;
  readonly onBack: () => void;
}

/** Groups of eight, four a line: what is copied by hand has to be read by eye. */
function KeyText({ text }: { readonly text: string }) {
  return (
    <p class="key-text mono" data-testid="key">
      <span class="soft">0x</span>
      {(text.slice(2).match(/.{1,8}/g) ?? []).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </p>
  );
}

/** Makes a random key for the account, gives a backup of it, and goes on when its end was typed back. */
export function RandomKey({ place, onDone, onBack }: RandomKeyProps) {
  const [made, setMade] = useState<DerivedKey | null>(null);
  const [backup, setBackup] = useState<{ readonly key: string; readonly file: string } | null>(null);
  const [hidden, setHidden] = useState(false);
  const [typed, setTyped] = useState('');

  if (made === null || backup === null) {
    return (
      <AskPassword
        title={t('randomTitle')}
        meaning={t('randomMeaning')}
        hint={t('generatePasswordHint')}
        button={t('generateButton')}
        onBack={onBack}
        onPassword={async (password) => {
          const key = made ?? (await call('makeKey', place));
          setMade(key);
          setBackup(await call('exportNewKey', { ...place, password }));
        }}
      />
    );
  }
  if (!hidden) {
    return (
      <div>
        <h1 tabIndex={-1}>{t('backupTitle')}</h1>
        <p class="lead">{t('backupMeaning')}</p>
        <div class="key-card">
          <KeyText text={backup.key} />
          <CopyButton text={backup.key} what={t('importField')} />
        </div>
        <p class="aside">{t('randomWarning')}</p>
        <div class="step-buttons">
          <Button onClick={() => saveFile(`countersign-key-${made.accountId}.json`, 'application/json', backup.file)}>
            {t('randomFile')}
          </Button>
          <Button tone="primary" onClick={() => setHidden(true)}>
            {t('backupWritten')}
          </Button>
        </div>
      </div>
    );
  }
  const right = typed.trim().toLowerCase() === backup.key.slice(-confirmedCharacters);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (right) onDone(made);
      }}
    >
      <h1 tabIndex={-1}>{t('confirmTitle')}</h1>
      <p class="lead">{t('confirmMeaning', { count: confirmedCharacters })}</p>
      <Field
        label={t('confirmField', { count: confirmedCharacters })}
        mono
        value={typed}
        maxLength={20}
        focusFirst
        error={typed.trim().length >= confirmedCharacters && !right ? t('confirmDiffers') : null}
        onInput={setTyped}
      />
      <div class="step-buttons">
        <Button tone="quiet" onClick={() => setHidden(false)}>
          {t('confirmShowAgain')}
        </Button>
        <Button type="submit" tone="primary" disabled={!right}>
          {t('commonContinue')}
        </Button>
      </div>
    </form>
  );
}
