import { useCallback, useRef } from 'preact/hooks';
import type { WalletState } from '../../../messaging/views.ts';
import { ApprovalFlow } from '../../approval/ApprovalApp.tsx';
import { useOneApproval } from '../../approval/useApproval.ts';
import type { Query } from '../../shared/useQuery.ts';
import type { Asked } from './useAsk.ts';

interface OwnApprovalProps {
  readonly asked: Asked;
  readonly wallet: Query<WalletState>;
  readonly onClose: () => void;
}

/**
 * An approval request of the wallet itself, over the screen that asked it; the same review and the
 * same still button as in the window.
 */
export function OwnApproval({ asked: { id, onApproved }, wallet, onClose }: OwnApprovalProps) {
  const query = useOneApproval(id);
  const isSubmitted = useRef(false);
  isSubmitted.current = query.data?.stage === 'done' && query.data.result !== null;
  const next = useCallback(async () => {
    onClose();
    if (isSubmitted.current) onApproved();
  }, [onClose, onApproved]);
  return (
    <div class="own-approval">
      <ApprovalFlow wallet={wallet} id={id} query={query} next={next} />
    </div>
  );
}
