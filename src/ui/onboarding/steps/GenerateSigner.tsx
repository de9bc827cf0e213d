import { useState } from 'preact/hooks';
import { call, UiCallError } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { CopyButton } from '../../shared/CopyButton.tsx';
import { Field } from '../../shared/Field.tsx';
import { Problem, problemText } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';

/** Last characters of the key that are typed back, to show that the backup is at hand. */
const confirmedCharacters = 8;

interface GenerateSignerProps {
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

/** Groups of eight, four a line: what is copied by hand has to be read by eye. */
function KeyText({ privateKey }: { readonly privateKey: string }) {
  const groups = privateKey.replace(/^0x/, '').match(/.{1,8}/g) ?? [];
  return (
    <p class="key-text mono">
      <span class="soft">0x</span>
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </p>
  );
}

/** Makes an L1 key, shows it for a backup, and goes on when its end was typed back. */
export function GenerateSigner({ onDone, onBack }: GenerateSignerProps) {
  const [signer, setSigner] = useState<Signer | null>(null);
  const [password, setPassword] = useState('');
  const [privateKey, setPrivateKey] = useState<string | null>(null);
  const [hidden, setHidden] = useState(false);
  const [typed, setTyped] = useState('');

  const show = useAction(async () => {
    const made = signer ?? (await call('generateSigner', {}));
    setSigner(made);
    const exported = await call('exportSigner', { signer: made.signer, password });
    setPassword('');
    setPrivateKey(exported.privateKey);
  });
  const wrongPassword = show.error instanceof UiCallError && show.error.code === 'wrong-password';

  if (privateKey === null) {
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') show.run();
        }}
      >
        <h1 tabIndex={-1}>{t('generateTitle')}</h1>
        <p class="lead">{t('generateMeaning')}</p>
        <Field
          label={t('unlockPassword')}
          secret="current-password"
          value={password}
          focusFirst
          hint={t('generatePasswordHint')}
          error={wrongPassword ? problemText(show.error) : null}
          onInput={(value) => {
            setPassword(value);
            show.clear();
          }}
        />
        {!wrongPassword && <Problem error={show.error} />}
        <div class="step-buttons">
          <Button tone="quiet" onClick={onBack}>
            {t('commonBack')}
          </Button>
          <Button type="submit" tone="primary" busy={show.busy} disabled={password === ''}>
            {t('generateButton')}
          </Button>
        </div>
      </form>
    );
  }

  if (!hidden) {
    return (
      <div>
        <h1 tabIndex={-1}>{t('backupTitle')}</h1>
        <p class="lead">{t('backupMeaning')}</p>
        <div class="key-card">
          <KeyText privateKey={privateKey} />
          <CopyButton text={privateKey} what={t('importField')} />
        </div>
        <p class="aside">{t('backupWarning')}</p>
        <div class="step-buttons">
          <Button tone="primary" onClick={() => setHidden(true)}>
            {t('backupWritten')}
          </Button>
        </div>
      </div>
    );
  }

  const end = privateKey.slice(-confirmedCharacters).toLowerCase();
  const right = typed.trim().toLowerCase() === end;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (right && signer !== null) onDone(signer);
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
