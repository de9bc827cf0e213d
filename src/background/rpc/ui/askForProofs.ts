import { reported } from '../../../report/report.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { heldBy } from './heldBy.ts';
import { networkNamed } from './named.ts';

/**
 * Asks for the proofs of what was just read. Nobody waits for them: what was proven before is there
 * at once.
 */
export function askForProofs(wallet: Pick<Wallet, 'balanceProofs' | 'config' | 'ports'>, account: StoredAccount): void {
  const asked = async () => {
    const [network, held] = [await networkNamed(wallet, account.networkId), await heldBy(wallet.ports, account)];
    await wallet.balanceProofs.refresh(account, network, held);
  };
  void asked().catch(reported('proofs: ask the relayer'));
}
