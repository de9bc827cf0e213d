import { useState } from 'preact/hooks';
import type { AccountView } from '../../../messaging/views.ts';
import { useKeyWizard } from '../../rotation/useKeyWizard.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Phrase } from '../../shared/Phrase.tsx';

interface FirstKeyStepProps {
  /** As it was claimed. */
  readonly account: AccountView;
  readonly onBack: () => void;
}

/** Registers the first key of an account, by the steps of the key wizard. The set-up goes on when the account is in use. */
export function FirstKeyStep({ account, onBack }: FirstKeyStepProps) {
  const [approval, setApproval] = useState<string | null>(null);
  const asked = approval === null ? { account: account.id, approval } : { account: null, approval };
  const { view, body } = useKeyWizard(asked, { first: 'key', onApproval: setApproval, onClose: onBack });
  const problem = view?.approval?.stage === 'choosing' ? view.approval.problem : null;
  return (
    <>
      {problem && (
        <div class="rotation-subject">
          <Banner tone="notice" role="alert">
            <Phrase text={problem} />
          </Banner>
        </div>
      )}
      {body}
    </>
  );
}
