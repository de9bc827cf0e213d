import { changesKey } from '../../operations/index.ts';
import { DAY_SECONDS } from '../../protocol/time.ts';
import type { StagedKey } from '../keys/stagedKeys.ts';
import type { Wallet } from '../wallet.ts';
import { draftOf, mayLackRecords, takingOver } from './keyUpdates.ts';

/** How long a setup may take to add the account of a key that it has staged. */
const SETUP_MS = DAY_SECONDS * 1000;

/**
 * Lists the staged keys of accounts that the wallet does not have: the setup was left, or stopped
 * as it added the account. Each can be had again, from its owner's key or from where it was
 * imported. A random one may exist nowhere else, and one that a request names may be awaited:
 * neither is listed, and none is while an account or a record may be missing.
 */
async function abandonedKeys({
  approvals,
  config,
  journal,
  ports,
  stagedKeys,
}: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'stagedKeys'>): Promise<StagedKey[]> {
  const stored = await config.read();
  const { accounts, claimed } = stored;
  const listed = [...accounts, ...claimed].map(({ id }) => id);
  const left = (await stagedKeys.list()).filter(
    ({ account, kind }) => !listed.includes(account) && (kind === 'derived' || kind === 'imported'),
  );
  if (left.length === 0 || mayLackRecords(stored, ports.now()) || !(await config.isWhole())) return [];
  const { records, damaged } = await journal.everything();
  if (damaged.length > 0) return [];
  const named = [
    ...(await approvals.unsettled()).map(({ choice }) => choice?.publicKey.x),
    ...records.filter(({ operation }) => changesKey(operation)).map((record) => draftOf(record).publicKey.x),
  ];
  return left.filter(({ x }) => !named.includes(x));
}

/** Removes abandoned keys, unless their setup may still be open. */
export async function discardAbandoned(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'stagedKeys'>,
): Promise<void> {
  const { config, ports, stagedKeys } = wallet;
  const { networks } = await config.read();
  for (const key of await abandonedKeys(wallet)) {
    const isOpen = networks.some(({ id }) => key.account.startsWith(`${id}:`)) && ports.now() - key.since < SETUP_MS;
    if (!isOpen)
      await ports.lock(takingOver(key.account), async () => {
        if (!(await config.account(key.account))) await stagedKeys.discard(key);
      });
  }
}
