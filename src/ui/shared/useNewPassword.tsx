import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Field } from './Field.tsx';
import { judgePassword } from './passwordStrength.ts';
import { StrengthMeter } from './StrengthMeter.tsx';

type Setter = (value: string) => void;

interface NewPassword {
  readonly password: string;
  /** Long enough, and the same twice. */
  readonly isComplete: boolean;
  readonly fields: ComponentChildren;
  readonly clear: () => void;
}

/**
 * A new password and its repetition. What is not the same yet is said beside the second field while
 * it is being typed, and is a mistake from the first character that differs.
 * @param label - Key of the name of the first field.
 * @param typed - What else happens when something is typed.
 */
export function useNewPassword(label: string, focusFirst = false, typed = (set: Setter): Setter => set): NewPassword {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const isSame = repeated === password;
  const said = { [password.startsWith(repeated) ? 'hint' : 'error']: t('passwordDiffers') };
  return {
    password,
    isComplete: isSame && judgePassword(password).strength !== 'short',
    clear() {
      setPassword('');
      setRepeated('');
    },
    fields: (
      <>
        <Field
          label={t(label)}
          secret="new-password"
          value={password}
          focusFirst={focusFirst}
          onInput={typed(setPassword)}
          hint={<StrengthMeter password={password} />}
        />
        <Field
          label={t('passwordRepeat')}
          secret="new-password"
          value={repeated}
          onInput={typed(setRepeated)}
          {...(isSame || repeated === '' ? {} : said)}
        />
      </>
    ),
  };
}
