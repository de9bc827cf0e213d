import { isLate } from '../submissions/isLate.ts';
import type { Wallet } from '../wallet.ts';

export async function execute(
  wallet: Pick<Wallet, 'closing' | 'effectOf' | 'hasEffect' | 'ports' | 'putBack' | 'vault'>,
  id: string,
): Promise<void> {
  const { closing, vault, effectOf, ports } = wallet;
  const [approval, isUnlocked] = await Promise.all([closing.stillApproved(id), vault.isUnlocked()]);
  if (!approval || !isUnlocked) return;
  const isTooLate = isLate(approval.decidedAt, ports.now()) && !(await wallet.hasEffect(approval));
  // The answer of a request whose account is gone needs no signature.
  if (approval.kind === 'operation') return effectOf.operation(approval, isTooLate);
  if (isTooLate) return wallet.putBack(approval, 'late');
  await (approval.kind === 'connect' ? effectOf.connect(approval) : effectOf.standing(approval));
}
