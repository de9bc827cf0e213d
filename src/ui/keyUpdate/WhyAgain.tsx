import type { ApprovalView } from '../../messaging/views.ts';
import { Banner } from '../shared/Banner.tsx';
import { Phrase } from '../shared/Phrase.tsx';

/** Why a key update begins with its choice again, or has ended. */
export function WhyAgain({ approval }: { readonly approval: ApprovalView | null }) {
  const text = approval?.again ?? approval?.problem ?? null;
  if (text === null || !['choosing', 'closed'].includes(approval?.stage ?? '')) return null;
  return (
    <Banner tone="notice" role="alert">
      <Phrase text={text} />
    </Banner>
  );
}
