import { useState } from 'preact/hooks';
import type { AccountView } from '../../../messaging/views.ts';
import { useKeyWizard } from '../../keyUpdate/useKeyWizard.tsx';
import { WhyAgain } from '../../keyUpdate/WhyAgain.tsx';

interface FirstKeyStepProps {
  /** As it was claimed. */
  readonly account: AccountView;
  readonly onBack: () => void;
}

/**
 * Registers the first key of an account, by the steps of the key wizard. The setup goes on when the
 * account is in use.
 */
export function FirstKeyStep({ account, onBack }: FirstKeyStepProps) {
  const [approval, setApproval] = useState<string | null>(null);
  const asked = approval === null ? { account: account.id, approval } : { account: null, approval };
  const { view, body } = useKeyWizard(asked, { first: 'key', onApproval: setApproval, onClose: onBack });
  return (
    <>
      <div class="key-update-subject">
        <WhyAgain approval={view?.approval ?? null} />
      </div>
      {body}
    </>
  );
}
