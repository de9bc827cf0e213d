import { report } from '../../report/report.ts';
import { isRecord } from '../../storage/lenient.ts';
import { keysOf } from '../../storage/ownedKeys.ts';
import { keyOf as vaultKeys } from '../../vault/imagePlaces.ts';
import type { Ports } from '../ports.ts';
import { readRoots, rootsForm } from '../proofs/storedProofs.ts';
import { readFeePins } from '../relayers/feePins.ts';
import { readPins, storedPins } from '../relayers/tokenPins.ts';
import { readableConfig } from '../settings/config.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { CONFIG_KEY, SITES_KEY, WIPING } from '../settings/storedKeys.ts';

/**
 * There as soon as nothing more is taken over: what somebody writes to `storage.local` later, such
 * as a content script in Firefox, counts for nothing.
 */
export const TAKEN_OVER = 'taken-over';
/**
 * Its value once all of `takeOver` is done. `true`, or 2 as an earlier version wrote it: what was
 * in `storage.local` is taken.
 */
export const ALL = 3;

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

type Taken = Pick<Ports, 'local' | 'copy' | 'earlier' | 'isCopyApart'>;

/** What `copy` holds. */
const COPIES = [CONFIG_KEY, ...Object.values(vaultKeys)];

/**
 * Moves what the first version kept in `storage.local` into `local`. The copy of the vault follows
 * at the next unlock.
 */
async function takeFromStorage({ local, copy, earlier }: Taken): Promise<void> {
  const [config, copied] = await Promise.all([earlier.get(CONFIG_KEY), copy.get(CONFIG_KEY)]);
  // It was done before and the mark was lost with `local`: where `earlier` is open, anybody may
  // have written there since.
  if (copied !== undefined && JSON.stringify(copied) !== JSON.stringify(config)) return;
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
  const toCopy: Record<string, unknown> = {};
  for (const key of COPIES) {
    const value = await earlier.get(key);
    if (value !== undefined && (await copy.get(key)) === undefined) toCopy[key] = value;
  }
  if (Object.keys(toCopy).length > 0) await copy.set(toCopy);
  if (Object.keys(moved).length > 0) await local.set(moved);
  const left = keys.filter((key) => key !== CONFIG_KEY);
  await earlier.remove([...left, ...under(DROPPED_OF)]);
}

/**
 * Moves pins and roots, which earlier versions kept for each network, to the exchange. Those of the
 * network that was added first stand above the others, and of two roots of a block the earlier one.
 */
async function moveToExchanges({ local, copy }: Pick<Ports, 'local' | 'copy'>): Promise<void> {
  const configs = await Promise.all([local.get(CONFIG_KEY), copy.get(CONFIG_KEY)]);
  // Of both copies, because either may be damaged in part; in the order of the first.
  const readable = configs.flatMap((one) => readableConfig(one).networks);
  const networks = readable.filter(({ id }, place) => readable.findIndex((one) => one.id === id) === place);
  for (const exchange of new Set(networks.map(exchangeId))) {
    const ids = networks.filter((network) => exchangeId(network) === exchange).map(({ id }) => id);
    const stored = (beginning: string) => Promise.all([...ids, exchange].map((id) => local.get(beginning + id)));
    const pins = new Map((await stored('pins:')).toReversed().flatMap((one) => [...readPins(one)]));
    const fees = (await stored('fees:')).find(readFeePins);
    const kept = (await stored('block-roots:')).flatMap((one) => [...readRoots(one)]);
    const roots = new Map(kept.toSorted(([, a], [, b]) => b.at - a.at));
    await local.set({
      ...(pins.size > 0 && { [`pins:${exchange}`]: storedPins(pins) }),
      ...(fees !== undefined && { [`fees:${exchange}`]: fees }),
      ...(roots.size > 0 && { [`block-roots:${exchange}`]: rootsForm(roots) }),
    });
    // Facts hold tokens as they were pinned for their network alone.
    const facts = ids.length > 1 ? ids.flatMap((id) => keysOf('network', id)) : [];
    await local.remove([...ids.flatMap((id) => keysOf('exchange', id)), ...facts]);
  }
}

/**
 * At each start, before anything is read: brings what earlier versions kept to where it is now,
 * once. A stop in between does it again.
 */
export async function takeOver(ports: Taken): Promise<void> {
  const { local } = ports;
  try {
    const done = await local.get(TAKEN_OVER);
    if (done === ALL) return;
    if (done !== true && done !== 2) {
      await takeFromStorage(ports);
      await local.set({ [TAKEN_OVER]: true });
    }
    await moveToExchanges(ports);
    // Where a browser cannot close `storage.local`, the second copies leave it too.
    if (ports.isCopyApart) await ports.earlier.remove(COPIES);
    await local.set({ [TAKEN_OVER]: ALL });
  } catch (error) {
    report('worker: take over earlier data', error);
    // A store that fails must not keep the wallet from opening; the next start goes on.
  }
}
