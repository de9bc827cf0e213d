import { report } from '../../report/report.ts';
import { WAITS } from '../ports.ts';
import type { Wallet } from '../wallet.ts';
import { isOpen } from './store/storedApproval.ts';

/** Browsers that are busy, such as while they start, open a window a moment later. Milliseconds. */
const AGAIN_AFTER_MS = 300;

/**
 * Opens the approval window, or brings it to front.
 * @returns What the browser said when it did not, also the second time.
 */
async function openWindow({ showApproval }: Wallet['ports'], id: string): Promise<{ readonly error: unknown } | null> {
  try {
    await showApproval(id);
  } catch {
    // The second failure is the one that is reported.
    await new Promise((done) => setTimeout(done, AGAIN_AFTER_MS));
    try {
      await showApproval(id);
    } catch (error) {
      return { error };
    }
  }
  return null;
}

/**
 * Shows a request. Where the browser opens no window, a notification says that it waits, for users
 * who want notifications; the badge counts it in any case. Never fails: the request waits as well
 * without a window.
 */
export async function showWindow(
  { approvals, config, ports }: Pick<Wallet, 'approvals' | 'config' | 'ports'>,
  id: string,
): Promise<void> {
  const failed = await openWindow(ports, id);
  if (failed === null) return;
  report('approvals: window', failed.error);
  try {
    const { notifications, language } = (await config.read()).settings;
    const isWaiting = async () => {
      const approval = await approvals.get(id);
      return approval !== undefined && isOpen(approval);
    };
    if (!notifications || !(await isWaiting())) return;
    await ports.notify(`${WAITS}${id}`, 'queueTitle', 'approvalNoWindow', language);
    // Its end takes the notification away, unless it came while the texts were read.
    if (!(await isWaiting())) ports.clearNotification(`${WAITS}${id}`);
  } catch (error) {
    report('approvals: notify', error);
  }
}
