import { RpcError } from '../errors/rpcError.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import type { Wallet } from '../wallet.ts';
import { closeQuestionsOf } from './closeQuestions.ts';
import { grantsChanged } from './grantsChanged.ts';

/** Its standing approvals end for good, and so does everything of which nothing is signed. */
async function endAll(wallet: Wallet, origin: string): Promise<void> {
  await endStandingApprovals(wallet, { origin }, 'permission');
  await closeQuestionsOf(wallet, origin, new RpcError('rejected', 'The user blocked this site.'));
}

/** Blocks a site: it sees no account and gets no answer, and what it had under way ends. */
export async function blockSite(wallet: Wallet, origin: string): Promise<void> {
  // First of all: should the worker stop after this, the site can do nothing with what is left.
  await wallet.grants.setBlocked(origin, true);
  await endAll(wallet, origin);
  await grantsChanged(wallet, origin);
}

/** The site sees again what was granted before; what a worker that stopped had left of its standing approvals ends first. */
export async function unblockSite(wallet: Wallet, origin: string): Promise<void> {
  await endAll(wallet, origin);
  await wallet.grants.setBlocked(origin, false);
  await grantsChanged(wallet, origin);
}
