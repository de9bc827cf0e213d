import { useState } from 'preact/hooks';
import { call, UiCallError } from '../background.ts';
import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Form } from '../shared/Form.tsx';
import { Mark } from '../shared/Icon.tsx';
import { openFullTab, passkeyNeedsTab } from '../shared/openFullTab.ts';
import { Problem, wrongPassword } from '../shared/Problem.tsx';
import { passkeysExist, readPasskey } from '../shared/passkey.ts';
import { typing, useAction } from '../shared/useAction.ts';
import { useQuery } from '../shared/useQuery.ts';
import { Wipe } from './Wipe.tsx';

interface UnlockProps {
  /** Why the password is asked for here. */
  readonly reason: string;
  readonly onUnlocked: () => Promise<void> | void;
}

/** Asks for the password, in whatever page met the locked wallet. */
export function Unlock({ reason, onUnlocked }: UnlockProps) {
  const [password, setPassword] = useState('');
  const unlock = useAction(async () => {
    await call('unlock', { password });
    setPassword('');
    await onUnlocked();
  });
  const passkeys = useQuery('listPasskeys', {}).data ?? [];
  const byPasskey = useAction(async () => {
    if (passkeyNeedsTab()) return openFullTab();
    const { credentialId, prf } = await readPasskey(passkeys);
    await call('unlockWithPasskey', { credentialId, prf });
    await onUnlocked();
  });
  const wrong = wrongPassword(unlock.error);
  const form = (
    <Form class="unlock" onSubmit={() => password !== '' && unlock.run()}>
      <Mark />
      <h1>{t('unlockTitle')}</h1>
      <p class="soft">{reason}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        focusFirst
        error={wrong}
        onInput={typing(setPassword, unlock)}
      />
      {wrong === null && <Problem error={unlock.error} />}
      <Problem error={byPasskey.error} />
      <Button type="submit" tone="primary" wide busy={unlock.busy} disabled={password === ''}>
        {t('unlockButton')}
      </Button>
      {passkeys.length > 0 && passkeysExist() && (
        <Button icon="key" wide busy={byPasskey.busy} onClick={byPasskey.run}>
          {t('unlockPasskey')}
        </Button>
      )}
    </Form>
  );
  if (!(unlock.error instanceof UiCallError && unlock.error.code === 'corrupt')) return form;
  return (
    <>
      {form}
      <Wipe onWiped={() => onUnlocked()} />
    </>
  );
}
