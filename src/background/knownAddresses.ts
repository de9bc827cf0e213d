import { operationNamed } from '../operations/index.ts';
import type { KnownAddress } from '../operations/operation.ts';
import type { Wallet } from './wallet.ts';

/** Earlier submissions looked through; older ones are forgotten as recipients. */
const LOOK_BACK = 500;

/** Addresses that the user knows: the accounts of this wallet, and receivers of what an account of this network has sent. */
export async function knownAddresses(
  { config, journal }: Pick<Wallet, 'config' | 'journal'>,
  networkId: string,
): Promise<readonly KnownAddress[]> {
  const { accounts } = await config.read();
  const own = accounts.map(({ owner, label }) => ({ address: owner, label }));
  const done = await journal.list({ networkId, states: ['acknowledged', 'processed'], limit: LOOK_BACK });
  const receivers = done.flatMap(({ operation, draft }) => {
    if (operation === 'updateAccountKey') return [];
    const address = operationNamed(operation).recipient?.(draft);
    return address === undefined ? [] : [{ address }];
  });
  return [...own, ...receivers];
}
