import { useRef, useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { openFullTab, passkeyNeedsTab } from '../../shared/openFullTab.ts';
import { Problem } from '../../shared/Problem.tsx';
import { createPasskey, newUserId, passkeysExist } from '../../shared/passkey.ts';
import { Time } from '../../shared/Time.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';

/** Passkeys that open the wallet, and a new one. The password stays the other way in. */
export function Passkeys() {
  const { data = [], error, set } = useQuery('listPasskeys', {});
  const [password, setPassword] = useState('');
  // The same until a passkey has told its secret: authenticators replace one of the same user,
  // which opens nothing without.
  const userId = useRef(newUserId());
  const needsTab = passkeyNeedsTab();
  const add = useAction(async () => {
    if (needsTab) return openFullTab();
    // The password before the browser's prompt: a passkey that opens nothing would be
    // left behind otherwise.
    await call('checkPassword', { password });
    const secret = await createPasskey(userId.current);
    // From now on it may count, whatever the answer is.
    userId.current = newUserId();
    set(await call('addPasskey', { password, ...secret }));
    setPassword('');
  });
  const remove = useAction(async (credentialId: string) => {
    set(await call('removePasskey', { password, credentialId }));
    setPassword('');
  });
  if (!passkeysExist()) return <p class="soft">{t('passkeyNone')}</p>;
  return (
    <Form class="stack" onSubmit={() => (password !== '' || needsTab) && add.run()}>
      <p class="soft">{t('passkeyMeaning')}</p>
      {data.map(({ credentialId, createdAt }) => (
        <div key={credentialId} class="passkey">
          <span>
            {t('passkeyAdded')} <Time milliseconds={createdAt} />
          </span>
          <Button small busy={remove.busy} disabled={password === ''} onClick={() => remove.run(credentialId)}>
            {t('contactRemove')}
          </Button>
        </div>
      ))}
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        onInput={typing(setPassword, add, remove)}
      />
      <Problem error={add.error ?? remove.error ?? error} />
      <Button type="submit" tone="primary" wide busy={add.busy} disabled={password === '' && !needsTab}>
        {t('passkeyAdd')}
      </Button>
    </Form>
  );
}
