import { reported } from '../../report/report.ts';
import type { Wallet } from '../wallet.ts';

/** Time for what a user waits for: the window that opens, the signature. Milliseconds. */
const SOON_MS = 300;

/** The number of pending approvals, where the user sees it. */
export function createBadge({ approvals, ports }: Pick<Wallet, 'approvals' | 'ports'>): Wallet['badge'] {
  async function refresh(): Promise<void> {
    await ports.setBadge((await approvals.open()).length);
    ports.toUi();
  }
  let isPlanned = false;
  return {
    refresh,
    // Once for all that ends together.
    refreshSoon() {
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(() => {
        isPlanned = false;
        refresh().catch(reported('approvals: badge'));
      }, SOON_MS);
    },
  };
}
