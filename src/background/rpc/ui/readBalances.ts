import { readsFor } from '../../relayers/reads.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';
import { keptBalances, type StoredBalances } from './storedFacts.ts';
import { keepNewest } from './storedRead.ts';

/** Asks the relayer for the balances, and stores them unless newer ones are stored. */
export async function readBalances(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'ports' | 'relayers'>,
  account: StoredAccount,
): Promise<StoredBalances> {
  const { relayers, ports } = wallet;
  const network = await networkNamed(wallet, account.networkId);
  const { tokens } = await relayers.facts(network);
  const reads = readsFor(account, network, wallet);
  // What changes while they are read may not be in them.
  const at = ports.now();
  const rows = await reads.read('getBalances', { query: { accountId: account.accountId } });
  // The relayer may repeat rows and tokens: the first of each counts.
  const left = new Map(rows.toReversed().map((row) => [row.tokenId, row]));
  const balances = tokens.flatMap((token) => {
    const row = left.get(token.tokenId);
    if (!row) return [];
    left.delete(token.tokenId);
    const { total, locked, pending } = row;
    return [
      {
        token: tokenFacts(token),
        total,
        locked,
        pendingDeposit: pending.deposit,
        pendingWithdraw: pending.withdraw,
      },
    ];
  });
  return keepNewest(ports, keptBalances(ports), account.id, { at, balances });
}
