import type { Ports } from '../ports.ts';
import type { Approvals } from './store/approvals.ts';

interface Rooms {
  readonly approvals: Pick<Approvals, 'open'>;
  readonly ports: Pick<Ports, 'setBadge' | 'toUi'>;
}

/** Time for what a person waits for: the window that opens, the signature. Milliseconds. */
const SOON_MS = 300;

/** The number of open questions, where the user sees it. */
export async function refreshBadge({ approvals, ports }: Rooms): Promise<void> {
  await ports.setBadge((await approvals.open()).length);
  ports.toUi();
}

/** The same when nobody waits for it, so that it holds nothing up. */
export function refreshBadgeSoon(wallet: Rooms): void {
  setTimeout(() => refreshBadge(wallet).catch(() => {}), SOON_MS);
}
