import { metElsewhere } from '../../report/report.ts';
import type { Wallet } from '../wallet.ts';

type Rooms = Pick<Wallet, 'executing' | 'signing' | 'execute' | 'planWake'>;

/**
 * Carries an approval out: reserve → sign → send, each step on disk before the next. Can be called
 * at any time and after any stop; it goes on where the journal says the last worker ended.
 */
export function carryOut(wallet: Rooms, id: string): Promise<void> {
  const { executing, signing, execute, planWake } = wallet;
  const running = executing.get(id);
  // What is running may have put the approval back, and the user may have approved it again since.
  if (running) return running.catch(metElsewhere).then(() => carryOut(wallet, id));
  const work = execute(id)
    .catch(async (error: unknown) => {
      // Such as a full disk. The approval stays as it is, and the next wake-up goes on with it.
      await planWake();
      throw error;
    })
    .finally(() => {
      executing.delete(id);
      signing.delete(id);
    });
  executing.set(id, work);
  return work;
}
