import type { Wallet } from '../wallet.ts';
import { isLate } from './decisionAge.ts';

/** An approval does not hold any more at the moment of its signature: it is too old, or was taken back. */
export class ApprovalLapsed extends Error {
  override readonly name = 'ApprovalLapsed';

  constructor(readonly reason: 'late' | 'taken-back') {
    super(`the approval was not signed: ${reason}`);
  }
}

/**
 * The last check before an approval has its effect. From here on it cannot be taken back: it is entered in `signing` before it is read,
 * and whoever takes one back looks there inside the transaction that closes it.
 * @returns Why it does not hold any more, or `null`.
 */
export async function claim(
  { approvals, signing, ports }: Pick<Wallet, 'approvals' | 'signing' | 'ports'>,
  id: string,
): Promise<ApprovalLapsed['reason'] | null> {
  const wasClaimed = signing.has(id);
  signing.add(id);
  const current = await approvals.get(id);
  const reason = current?.stage !== 'approved' ? 'taken-back' : isLate(current.decidedAt, ports.now()) ? 'late' : null;
  if (reason !== null && !wasClaimed) signing.delete(id);
  return reason;
}

/** @throws {ApprovalLapsed} */
export async function claimSignature(
  wallet: Pick<Wallet, 'approvals' | 'ports' | 'signing'>,
  id: string,
): Promise<void> {
  const reason = await claim(wallet, id);
  if (reason !== null) throw new ApprovalLapsed(reason);
}
