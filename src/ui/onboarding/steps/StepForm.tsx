import type { ComponentChildren } from 'preact';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem } from '../../shared/Problem.tsx';

interface StepFormProps {
  /** Keys of the texts. */
  readonly title: string;
  readonly meaning: string;
  readonly button: string;
  /** Everything is filled in; the step goes no further before. */
  readonly ready: boolean;
  /** This and the next two are an action's. */
  readonly run: () => void;
  readonly busy?: boolean;
  readonly error?: unknown;
  /** The step has a button that leads back. */
  readonly onBack?: () => void;
  /** `Back` when absent. */
  readonly back?: string;
  /** A button between the two. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A step of the setup that the user fills in. */
export function StepForm(props: StepFormProps) {
  const { title, meaning, button, ready, run, busy = false, error, onBack, back = 'commonBack', more } = props;
  return (
    <Form onSubmit={() => ready && run()}>
      <h1 tabIndex={-1}>{t(title)}</h1>
      <p class="lead">{t(meaning)}</p>
      {props.children}
      <Problem error={error} />
      <div class="step-buttons">
        {onBack && (
          <Button tone="quiet" onClick={onBack}>
            {t(back)}
          </Button>
        )}
        {more}
        <Button type="submit" tone="primary" busy={busy} disabled={!ready}>
          {t(button)}
        </Button>
      </div>
    </Form>
  );
}
