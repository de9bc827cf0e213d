import { useState } from 'preact/hooks';
import type { RecoveredSecret } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { PhraseWords } from '../../shared/PhraseWords.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { typing, useAction } from '../../shared/useAction.ts';

/**
 * Every secret of the vault after the password, also when the list of accounts is lost. Closing
 * forgets them.
 */
export function Recovery() {
  const [closed, setClosed] = useState(0);
  return (
    <Disclosure title={t('recoveryTitle')} onClose={() => setClosed(closed + 1)}>
      <Secrets key={closed} />
    </Disclosure>
  );
}

function Secrets() {
  const [password, setPassword] = useState('');
  const [secrets, setSecrets] = useState<readonly RecoveredSecret[] | null>(null);
  const show = useAction(async () => {
    setSecrets(await call('recoverSecrets', { password }));
    setPassword('');
  });
  if (secrets !== null)
    return (
      <div class="stack">
        <p class="soft">{t('recoveryWarning')}</p>
        {secrets.length === 0 && <p class="soft">{t('recoveryNone')}</p>}
        {secrets.map(({ id, account, kind, text }) => (
          <section key={id} class="secret">
            <h2>{t(`recovery_${kind.replaceAll('-', '_')}`)}</h2>
            <p class="soft mono">{account}</p>
            {text === null ? (
              <p>{t('recoveryDamaged')}</p>
            ) : kind === 'mnemonic' ? (
              <PhraseWords words={text.split(' ')} />
            ) : (
              <p class="backup-digits mono">{text}</p>
            )}
          </section>
        ))}
        <Button wide onClick={() => setSecrets(null)}>
          {t('recoveryHide')}
        </Button>
      </div>
    );
  return (
    <Form class="stack" onSubmit={() => password !== '' && show.run()}>
      <p class="soft">{t('recoveryMeaning')}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        onInput={typing(setPassword, show)}
      />
      <Problem error={show.error} />
      <Button type="submit" tone="primary" icon="eye" wide busy={show.busy} disabled={password === ''}>
        {t('recoveryShow')}
      </Button>
    </Form>
  );
}
