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
  readonly danger: boolean;
  readonly sure: string;
  readonly keep: string;
  readonly onKeep: () => void;
  readonly children?: ComponentChildren;
}

/** Asks for the password before something is done, beside a button that leaves all as it is. */
export function PasswordForm({ action, danger, sure, keep, onKeep, children }: PasswordFormProps) {
  const [password, setPassword] = useState('');
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
        <Button tone="quiet" onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </Form>
  );
}
