import { isLate } from '../submissions/isLate.ts';
import type { Wallet } from '../wallet.ts';
import type { Lapse } from './store/flow.ts';

/**
 * The last check before an approval has its effect. From here on it cannot be taken back: it is
 * entered in `signing` before it is read, and whoever takes one back looks there inside the
 * transaction that closes it.
 * @returns Why it does not hold any more, or `null`.
 */
export async function claim(
  { approvals, signing, ports }: Pick<Wallet, 'approvals' | 'signing' | 'ports'>,
  id: string,
): Promise<Lapse | null> {
  const wasClaimed = signing.has(id);
  signing.add(id);
  const current = await approvals.get(id);
  const reason = current?.stage !== 'approved' ? 'taken-back' : isLate(current.decidedAt, ports.now()) ? 'late' : null;
  if (reason !== null && !wasClaimed) signing.delete(id);
  return reason;
}
