import { useState } from 'preact/hooks';
import type { KeyUpdateView } from '../../../messaging/views.ts';
import { Renewed } from '../../approval/Renewed.tsx';
import { ReviewBody, ReviewDetails } from '../../approval/ReviewBody.tsx';
import { useRenewal } from '../../approval/useRenewal.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem, wrongPassword } from '../../shared/Problem.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';

interface ConfirmStepProps {
  readonly view: KeyUpdateView;
  readonly onDecided: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The complete request as it will be signed, and the password. */
export function ConfirmStep({ view, onDecided, onCancel }: ConfirmStepProps) {
  const { approval, account, newKey } = view;
  const digest = approval?.digest;
  const [typed, setTyped] = useState({ digest, password: '' });
  // A password that was typed for one request does not approve another one, which nobody has read
  // yet.
  const password = typed.digest === digest ? typed.password : '';
  const setPassword = (password: string) => setTyped({ digest, password });
  const approve = useAction(async () => {
    if (approval?.digest == null) return;
    try {
      await call('approve', { id: approval.id, digest: approval.digest, account: account.id, password });
      setPassword('');
    } finally {
      await onDecided();
    }
  });
  const isStale = useRenewal(approval, onDecided);
  const wrong = wrongPassword(approve.error);
  const isFirst = BigInt(view.key.publicKey.x) === 0n;
  if (approval?.review == null) return null;
  return (
    <Form onSubmit={() => password !== '' && approve.run()}>
      <Renewed changes={approval.changes} />
      <ReviewBody review={approval.review} changes={approval.changes} />
      {newKey !== null && newKey.keySeed !== '' && (
        <Disclosure title={t('keySeedTitle')}>
          <p class="soft">{t('keySeedMeaning')}</p>
          <p class="mono wire-text">{visibleText(newKey.keySeed, 400)}</p>
        </Disclosure>
      )}
      <ReviewDetails review={approval.review} changes={approval.changes} digest={approval.digest} />
      <Field
        label={t('keyUpdatePassword')}
        secret="current-password"
        value={password}
        error={wrong}
        onInput={typing(setPassword, approve)}
      />
      <p class="soft" role="status">
        {isStale && t('approvalRenewing')}
      </p>
      {wrong === null && <Problem error={approve.error} />}
      <div class="step-buttons">
        <Button tone="quiet" onClick={onCancel}>
          {t('commonCancel')}
        </Button>
        <Button
          type="submit"
          tone={isFirst ? 'primary' : 'danger'}
          busy={approve.busy}
          disabled={password === '' || isStale}
        >
          {t(view.inUse ? 'attentionAction_replacekey' : isFirst ? 'accountActivate' : 'claimTitle')}
        </Button>
      </div>
    </Form>
  );
}
