import { useState } from 'preact/hooks';
import { UiCallError } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { Problem, problemText } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';

interface AskPasswordProps {
  readonly title: string;
  readonly meaning: string;
  readonly hint: string;
  readonly button: string;
  readonly onBack: () => void;
  readonly onPassword: (password: string) => Promise<void>;
}

/** Asks for the wallet's password again, before something secret is shown. */
export function AskPassword({ title, meaning, hint, button, onBack, onPassword }: AskPasswordProps) {
  const [password, setPassword] = useState('');
  const show = useAction(async () => {
    await onPassword(password);
    setPassword('');
  });
  const wrong = show.error instanceof UiCallError && show.error.code === 'wrong-password';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') show.run();
      }}
    >
      <h1 tabIndex={-1}>{title}</h1>
      <p class="lead">{meaning}</p>
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        focusFirst
        hint={hint}
        error={wrong ? problemText(show.error) : null}
        onInput={(value) => {
          setPassword(value);
          show.clear();
        }}
      />
      {!wrong && <Problem error={show.error} />}
      <div class="step-buttons">
        <Button tone="quiet" onClick={onBack}>
          {t('commonBack')}
        </Button>
        <Button type="submit" tone="primary" busy={show.busy} disabled={password === ''}>
          {button}
        </Button>
      </div>
    </form>
  );
}
