import type { Wallet } from '../wallet.ts';
import type { Entered } from './store/flow.ts';
import { isForWindow, isOpen } from './store/storedApproval.ts';

/** The window opens no later than this, also while facts are slow that are not the relayer's. */
const OPEN_WINDOW_AFTER_MS = 600;

/**
 * The oldest that the window has to show now that `asked` was prepared.
 * @returns `undefined` when that one has ended: what else is open has opened its own window, or a
 *   standing approval may yet answer it.
 */
async function oldestForWindow(
  { approvals, candidates }: Pick<Wallet, 'approvals' | 'candidates'>,
  asked: string,
): Promise<string | undefined> {
  const open = (await approvals.open()).filter(isForWindow);
  if (!open.some(({ id }) => id === asked)) return undefined;
  for (const one of open)
    if (one.id === asked || one.stage !== 'waiting' || (await candidates(one)).length === 0) return one.id;
  return undefined;
}

/** Shows what was asked, unless it is answered or ended without the user. */
export async function show(
  wallet: Pick<Wallet, 'approvals' | 'badge' | 'candidates' | 'prepareAsked' | 'pushAnswers' | 'showWindow'>,
  { entered: asked, first, isUncounted }: Entered,
): Promise<void> {
  if (!isOpen(asked)) return wallet.pushAnswers(asked);
  const mayBeAnswered = (await wallet.candidates(asked)).length > 0;
  let relayerAsked = () => {};
  const prepared = wallet.prepareAsked(asked.id, isUncounted, () => relayerAsked());
  let shown: string | undefined;
  if (mayBeAnswered) {
    // What is answered so opens no window, however slow the facts are.
    if (await prepared) return;
  } else {
    shown = await new Promise((open) => {
      // `asked` is still open: only the relayer's answers can end it now.
      relayerAsked = () => open(first);
      void prepared.then(() => open(undefined));
      setTimeout(open, OPEN_WINDOW_AFTER_MS, undefined);
    });
  }
  shown ??= await oldestForWindow(wallet, asked.id);
  if (shown && isForWindow(asked)) await wallet.showWindow(shown);
  wallet.badge.refreshSoon();
}
