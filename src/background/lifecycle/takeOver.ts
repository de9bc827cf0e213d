import { report } from '../../report/report.ts';
import { isRecord } from '../../storage/lenient.ts';
import { keyOf as vaultKeys } from '../../vault/imagePlaces.ts';
import type { Ports } from '../ports.ts';
import { CONFIG_KEY, SITES_KEY, WIPING } from '../settings/storedKeys.ts';

/**
 * There as soon as nothing more is taken over: what somebody writes to `storage.local` later, such
 * as a content script in Firefox, counts for nothing.
 */
export const TAKEN_OVER = 'taken-over';

/** Keys of version 0.1's first form, in `storage.local`, that stay as they were. */
const KEPT = [WIPING, CONFIG_KEY, SITES_KEY, 'standing', 'contacts', 'told', 'attention-dismissed'];
/** The same, one for each account or network. */
const KEPT_OF = { account: ['key-use:'], network: ['pins:'] } as const;
/** Values that are read again from the relayer. */
const DROPPED_OF = {
  account: ['key-check:', 'balances:', 'orders:', 'nfts:', 'pools:'],
  network: ['facts:'],
} as const;

const idsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap((one) => (isRecord(one) && typeof one.id === 'string' ? one.id : [])) : [];

/**
 * At each start, before anything is read: moves what earlier versions kept in `storage.local` into
 * `local`, once. The copy of the vault follows at the next unlock. A stop in between does it again.
 */
export async function takeOver({ local, copy, earlier }: Pick<Ports, 'local' | 'copy' | 'earlier'>): Promise<void> {
  try {
    if ((await local.get(TAKEN_OVER)) === true) return;
    const [config, copied] = await Promise.all([earlier.get(CONFIG_KEY), copy.get(CONFIG_KEY)]);
    // It was done before and the mark was lost with `local`: where `earlier` is open, anybody may
    // have written there since.
    if (copied !== undefined && JSON.stringify(copied) !== JSON.stringify(config))
      return await local.set({ [TAKEN_OVER]: true });
    const ids = isRecord(config)
      ? { account: [...idsIn(config.accounts), ...idsIn(config.claimed)], network: idsIn(config.networks) }
      : { account: [], network: [] };
    const under = (prefixes: typeof KEPT_OF | typeof DROPPED_OF): string[] =>
      (['account', 'network'] as const).flatMap((what) =>
        ids[what].flatMap((id) => prefixes[what].map((prefix) => `${prefix}${id}`)),
      );
    const keys = [...KEPT, ...under(KEPT_OF)];
    const moved: Record<string, unknown> = {};
    for (const key of keys) {
      const value = await earlier.get(key);
      if (value !== undefined && (await local.get(key)) === undefined) moved[key] = value;
    }
    // Where a browser cannot close `storage.local`, the second copies leave it too; elsewhere they
    // are where they belong.
    const toCopy: Record<string, unknown> = {};
    for (const key of [CONFIG_KEY, ...Object.values(vaultKeys)]) {
      const value = await earlier.get(key);
      if (value !== undefined && (await copy.get(key)) === undefined) toCopy[key] = value;
    }
    if (Object.keys(toCopy).length > 0) await copy.set(toCopy);
    if (Object.keys(moved).length > 0) await local.set(moved);
    const left = keys.filter((key) => key !== CONFIG_KEY);
    await earlier.remove([...left, ...Object.keys(toCopy), ...under(DROPPED_OF)]);
    await local.set({ [TAKEN_OVER]: true });
  } catch (error) {
    report('worker: take over earlier data', error);
    // A store that fails must not keep the wallet from opening; the next start goes on.
  }
}
