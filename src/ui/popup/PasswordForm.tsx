import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Form } from '../shared/Form.tsx';
import { Problem } from '../shared/Problem.tsx';
import type { Action } from '../shared/useAction.ts';

interface PasswordFormProps {
  /** Gets the password. */
  readonly action: Action<[string]>;
  readonly danger?: boolean;
  /** Text of the button that opens the form. */
  readonly open: string;
  readonly openTone?: 'danger-quiet' | 'secondary';
  readonly sure: string;
  readonly keep?: string;
  readonly children?: ComponentChildren;
}

/**
 * A button that opens a form, which asks for the password before something is done, beside a button
 * that leaves all as it is.
 */
export function PasswordForm({
  action,
  danger = true,
  open,
  openTone = 'danger-quiet',
  sure,
  keep = t('sitesKeep'),
  children,
}: PasswordFormProps) {
  /** `null` while the form is closed. */
  const [password, setPassword] = useState<string | null>(null);
  if (password === null)
    return (
      <Button tone={openTone} onClick={() => setPassword('')}>
        {open}
      </Button>
    );
  return (
    <Form class={danger ? 'card card-danger' : 'card'} onSubmit={() => password !== '' && action.run(password)}>
      {children}
      <Field
        label={t('accountRemovePassword')}
        value={password}
        onInput={setPassword}
        secret="current-password"
        focusFirst
      />
      <Problem error={action.error} />
      <div class="choice-row">
        <Button tone={danger ? 'danger' : 'secondary'} type="submit" disabled={password === ''} busy={action.busy}>
          {sure}
        </Button>
        <Button tone="quiet" disabled={action.busy} onClick={() => setPassword(null)}>
          {keep}
        </Button>
      </div>
    </Form>
  );
}
