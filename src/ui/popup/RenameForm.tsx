import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Form } from '../shared/Form.tsx';
import { Problem } from '../shared/Problem.tsx';
import { useAction } from '../shared/useAction.ts';

/** A name that the user gave, with the button that saves another one. */
export function RenameForm(props: {
  readonly label: string;
  readonly name: string;
  readonly save: (name: string) => Promise<void>;
}) {
  const [text, setText] = useState(props.name);
  const name = text.trim();
  const changed = name !== '' && name !== props.name;
  const rename = useAction(() => props.save(name));
  return (
    <>
      <Form class="field-with-button" onSubmit={() => changed && rename.run()}>
        <Field label={props.label} value={text} onInput={setText} maxLength={60} />
        <Button type="submit" disabled={!changed} busy={rename.busy}>
          {t('commonSave')}
        </Button>
      </Form>
      <Problem error={rename.error} />
    </>
  );
}
