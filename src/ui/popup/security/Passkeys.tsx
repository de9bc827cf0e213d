import { useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { createPasskey, PasskeyError, passkeysExist } from '../../shared/passkey.ts';
import { Time } from '../../shared/Time.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';

/** Passkeys that open the wallet, and a new one. The password stays the other way in. */
export function Passkeys() {
  const { data = [], error, set } = useQuery('listPasskeys', {});
  const [password, setPassword] = useState('');
  const add = useAction(async () => {
    // The password before the browser's prompt: a passkey that opens nothing would be
    // left behind otherwise.
    await call('checkPassword', { password });
    const secret = await createPasskey();
    set(await call('addPasskey', { password, ...secret }));
    setPassword('');
  });
  const remove = useAction(async (credentialId: string) => {
    set(await call('removePasskey', { password, credentialId }));
    setPassword('');
  });
  if (!passkeysExist()) return <p class="soft">{t('passkeyNone')}</p>;
  return (
    <Form class="stack" onSubmit={() => password !== '' && add.run()}>
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
      {add.error instanceof PasskeyError ? (
        <Banner tone="danger" role="alert">
          {t(add.error.key)}
        </Banner>
      ) : (
        <Problem error={add.error ?? remove.error ?? error} />
      )}
      <Button type="submit" tone="primary" wide busy={add.busy} disabled={password === ''}>
        {t('passkeyAdd')}
      </Button>
    </Form>
  );
}
