import { errorAnswer, notConnected } from '../errors/rpcError.ts';
import type { Wallet } from '../wallet.ts';
import { isOpen } from './store/storedApproval.ts';

type Rooms = Pick<Wallet, 'approvals' | 'vault' | 'ports' | 'ownersSeen'>;

/**
 * Ends an approval request that only waits for the unlock: its answer is the accounts that the site
 * sees then.
 */
export async function answerUnlock(wallet: Rooms, id: string): Promise<void> {
  const { approvals, vault, ports } = wallet;
  const asked = await approvals.get(id);
  if (!asked || !isOpen(asked) || !(await vault.isUnlocked())) return;
  const owners = await wallet.ownersSeen(asked.origin);
  const answer = owners.length > 0 ? { result: owners } : errorAnswer(notConnected());
  await approvals.settle(id, (current) =>
    isOpen(current) ? { approval: { ...current, stage: 'done', decidedAt: ports.now() }, answer } : null,
  );
}

/** All of them, before the work that an unlock sets going and that takes longer. */
export async function answerUnlocks(wallet: Rooms): Promise<void> {
  for (const { id, kind } of await wallet.approvals.open()) if (kind === 'unlock') await answerUnlock(wallet, id);
}
