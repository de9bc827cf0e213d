import type { Vault } from '../../vault/index.ts';
import { notConnected } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import { ownersSeen, type Visible } from '../sites/visibleAccounts.ts';
import { type Answerable, errorAnswer, pushAnswers } from './answerPages.ts';
import { refreshBadge } from './refreshBadge.ts';
import type { Approvals } from './store/approvals.ts';
import { isOpen } from './store/storedApproval.ts';

interface Rooms extends Answerable, Visible {
  readonly grants: Answerable['grants'] & Visible['grants'];
  readonly approvals: Pick<Approvals, 'get' | 'settle' | 'open'>;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly ports: Pick<Ports, 'now' | 'toPage' | 'toUi' | 'setBadge'>;
}

/** Ends a question that only waits for the unlock: its answer is the accounts that the site sees then. */
export async function answerUnlock(wallet: Rooms, id: string): Promise<void> {
  const { approvals, vault, ports } = wallet;
  const asked = await approvals.get(id);
  if (!asked || !isOpen(asked) || !(await vault.isUnlocked())) return;
  const owners = await ownersSeen(wallet, asked.origin);
  const answer = owners.length > 0 ? { result: owners } : errorAnswer(notConnected());
  const done = await approvals.settle(id, (current) =>
    isOpen(current) ? { approval: { ...current, stage: 'done', decidedAt: ports.now() }, answer } : null,
  );
  if (!done) return;
  await pushAnswers(wallet, done);
  await refreshBadge(wallet);
  ports.toUi();
}

/** All of them, before the work that an unlock sets going and that takes longer. */
export async function answerUnlocks(wallet: Rooms): Promise<void> {
  for (const { id, kind } of await wallet.approvals.open()) if (kind === 'unlock') await answerUnlock(wallet, id);
}
