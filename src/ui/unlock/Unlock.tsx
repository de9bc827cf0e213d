import { useState } from 'preact/hooks';
import { call, UiCallError } from '../background.ts';
import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Mark } from '../shared/Icon.tsx';
import { Problem, problemText } from '../shared/Problem.tsx';
import { useAction } from '../shared/useAction.ts';

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
  const wrong = unlock.error instanceof UiCallError && unlock.error.code === 'wrong-password';
  return (
    <form
      class="unlock"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') unlock.run();
      }}
    >
      <Mark />
      <h1>{t('unlockTitle')}</h1>
      <p class="soft">{reason}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        focusFirst
        error={wrong ? problemText(unlock.error) : null}
        onInput={(value) => {
          setPassword(value);
          unlock.clear();
        }}
      />
      {!wrong && <Problem error={unlock.error} />}
      <Button type="submit" tone="primary" wide busy={unlock.busy} disabled={password === ''}>
        {t('unlockButton')}
      </Button>
    </form>
  );
}
