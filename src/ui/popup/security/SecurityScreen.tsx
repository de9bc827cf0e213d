import { useState } from 'preact/hooks';
import type { BackupPart } from '../../../messaging/views.ts';
import { call, UiCallError } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem, wrongPassword } from '../../shared/Problem.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { typing, useAction } from '../../shared/useAction.ts';
import { useNewPassword } from '../../shared/useNewPassword.tsx';
import { Wipe } from '../../unlock/Wipe.tsx';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { Passkeys } from './Passkeys.tsx';
import { Recovery } from './Recovery.tsx';

/** Both leave open which password counts: no answer, and a failure behind the stored vault. */
const leavesOpen = (error: unknown): boolean =>
  error instanceof UiCallError && /^(no-answer|unknown)$/.test(error.code);

function ChangePassword() {
  const [before, setBefore] = useState('');
  const [done, setDone] = useState<{ readonly passkeysGone: number } | null>(null);
  const change = useAction(async () => {
    const changed = await call('changePassword', { oldPassword: before, newPassword: after.password });
    setBefore('');
    after.clear();
    setDone(changed);
  });
  const typed = (set: (value: string) => void) => typing(set, change, { clear: () => setDone(null) });
  const after = useNewPassword('securityNewPassword', false, typed);
  const ready = before !== '' && after.isComplete;
  return (
    <Form class="stack" onSubmit={() => ready && change.run()}>
      <Field
        label={t('securityOldPassword')}
        secret="current-password"
        value={before}
        error={wrongPassword(change.error)}
        onInput={typed(setBefore)}
      />
      {after.fields}
      {wrongPassword(change.error) === null && (
        <Problem error={leavesOpen(change.error) ? new UiCallError('', 'securityPasswordUnsure') : change.error} />
      )}
      {done && (
        <Banner tone="good" role="status">
          {t('securityPasswordChanged')}
        </Banner>
      )}
      {done && done.passkeysGone > 0 && (
        <Banner tone="notice" role="alert">
          {t('securityPasskeysGone')}
        </Banner>
      )}
      <Button type="submit" tone="primary" wide busy={change.busy} disabled={!ready}>
        {t('securityChangePassword')}
      </Button>
    </Form>
  );
}

function Backup() {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<readonly BackupPart[] | null>(null);
  const save = useAction(async () => {
    const saved = await call('exportBackup', { password });
    setPassword('');
    saveFile(saved.name, 'application/json', saved.file);
    setMissing(saved.missing);
  });
  return (
    <Form class="stack" onSubmit={() => password !== '' && save.run()}>
      <p class="soft">{t('securityBackupMeaning')}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        error={wrongPassword(save.error)}
        onInput={typing(setPassword, save, { clear: () => setMissing(null) })}
      />
      {wrongPassword(save.error) === null && <Problem error={save.error} />}
      {missing?.length === 0 && (
        <Banner tone="good" role="status">
          {t('securityBackupSaved')}
        </Banner>
      )}
      {missing && missing.length > 0 && (
        <Banner tone="danger" role="alert" title={t('securityBackupPartly')}>
          {missing.map((part) => (
            <p key={part}>{t(`securityBackupMissing_${part}`)}</p>
          ))}
        </Banner>
      )}
      <Button type="submit" tone="primary" wide busy={save.busy} disabled={password === ''}>
        {t('securityBackupButton')}
      </Button>
    </Form>
  );
}

/** Password, passkeys, backup, and the end of the wallet in this browser. */
export function SecurityScreen({ onWallet }: ScreenProps) {
  return (
    <Page title={t('securityTitle')} back={['settings']}>
      <div class="menu">
        <Disclosure title={t('securityBackup')}>
          <Backup />
        </Disclosure>
        <Disclosure title={t('securityPassword')}>
          <ChangePassword />
        </Disclosure>
        <Disclosure title={t('securityPasskeys')}>
          <Passkeys />
        </Disclosure>
        <Recovery />
      </div>
      <div class="menu card-danger">
        <Disclosure title={t('securityWipe')}>
          <Wipe onWiped={onWallet} />
        </Disclosure>
      </div>
    </Page>
  );
}
