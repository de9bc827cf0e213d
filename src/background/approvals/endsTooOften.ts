import { RpcError } from '../errors/rpcError.ts';
import type { Wallet } from '../wallet.ts';
import { isOpen, type StoredApproval } from './store/storedApproval.ts';
import { tooOften } from './storeAsked.ts';

/** Counts a request, or ends it when its site asks too often. @returns Whether it ended. */
export async function endsTooOften(
  { closing, ports, requestRate }: Pick<Wallet, 'closing' | 'ports' | 'requestRate'>,
  { id, origin }: Pick<StoredApproval, 'id' | 'origin'>,
): Promise<boolean> {
  try {
    await requestRate.alone(async () => {
      const rate = await requestRate.countRequest(origin, ports.now());
      if (rate.isSpent) throw tooOften();
      await rate.keep();
    });
    return false;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return (await closing.close(id, () => error, isOpen)) !== null;
  }
}
