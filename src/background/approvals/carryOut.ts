import type { Wallet } from '../wallet.ts';

/**
 * Carries an approval out: reserve → sign → send, each step on disk before the next. Can be called
 * at any time and after any stop; it goes on where the journal says the last worker ended.
 */
export function carryOut(
  { executing, signing, execute, planWake }: Pick<Wallet, 'executing' | 'signing' | 'execute' | 'planWake'>,
  id: string,
): Promise<void> {
  let work = executing.get(id);
  if (!work) {
    work = execute(id)
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
  }
  return work;
}
