import type { ApprovalView } from '../../messaging/views.ts';
import { Notice } from '../shared/Notice.tsx';

/** Why a key update begins with its choice again, or has ended. */
export function WhyAgain({ approval }: { readonly approval: ApprovalView | null }) {
  if (!['choosing', 'closed'].includes(approval?.stage ?? '')) return null;
  return <Notice text={approval?.again ?? approval?.problem} role="alert" />;
}
