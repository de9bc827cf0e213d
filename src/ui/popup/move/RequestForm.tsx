import type { ComponentChildren } from 'preact';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAsk } from './useAsk.ts';
import type { OperationRequest } from './usePreview.ts';

interface RequestFormProps {
  /** `null` while the fields make no request. */
  readonly request: OperationRequest | null;
  /** The user saw what became of the approved request. */
  readonly onApproved: () => void;
  /**
   * Called at each submission, also of fields that make no request: they then show what is wrong.
   */
  readonly onTried?: () => void;
  /** Failure of a read that the form needs. */
  readonly error?: unknown;
  /** The request needs a read that is still in progress. */
  readonly pending?: boolean;
  readonly disabled?: boolean;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

/** Form of a request of the wallet's own: its button shows the review. */
export function RequestForm({
  request,
  onApproved,
  onTried,
  error,
  pending = false,
  disabled = false,
  isCard = false,
  children,
}: RequestFormProps) {
  const ask = useAsk(onApproved);
  return (
    <Form
      class={isCard ? 'form card' : 'form'}
      onSubmit={(form) => {
        onTried?.();
        if (request !== null) return ask.run(request);
        // Once the problems are drawn.
        setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      }}
    >
      {children}
      <Problem error={ask.error ?? error} />
      <div class="form-foot">
        <Button type="submit" tone="primary" wide busy={ask.busy || pending} disabled={disabled}>
          {t('moveReview')}
        </Button>
        <p class="soft">{t('moveReviewMeaning')}</p>
      </div>
    </Form>
  );
}
