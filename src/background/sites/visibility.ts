import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { isRecord } from '../../storage/lenient.ts';
import { rpcCodes } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { Grants } from './grants.ts';
import { siteInForce } from './siteInForce.ts';
import { chainOf, hexChain, ownersSeen, type Visible, visibleAccounts } from './visibleAccounts.ts';

/**
 * Last values told to the pages of an origin: owner addresses, and the chain as hex, `0x0` before
 * there is a network. Beside them the id of the network while it sees an account; earlier versions
 * kept none.
 */
const told = once(() =>
  z.object({ accounts: z.array(z.string()), chainId: z.string(), networkId: z.optional(z.string()) }),
);
type Told = z.infer<ReturnType<typeof told>>;

export interface Tellable extends Visible {
  readonly grants: Pick<Grants, 'of' | 'list'>;
  readonly ports: Pick<Ports, 'lock' | 'local' | 'toAllPages'>;
}

const KEY = 'told';

/**
 * All sites, and what they see now, read once: whoever looks at every site would otherwise read all
 * of them for each.
 */
export async function readSites({ config, grants }: Pick<Tellable, 'config' | 'grants'>) {
  const [all, data] = await Promise.all([grants.list(), config.read()]);
  const inForce = new Map(all.map((site) => [site.origin, siteInForce(site)]));
  const seen: Visible = {
    config: { read: async () => data },
    grants: { of: async (origin) => inForce.get(origin) },
  };
  return { all, seen };
}

const gone = { code: rpcCodes.disconnected, message: 'This site sees no account any more.' };

async function now(sites: Visible, origin: string): Promise<Told> {
  const [first] = await visibleAccounts(sites, origin);
  return {
    accounts: await ownersSeen(sites, origin),
    chainId: await chainOf(sites, origin),
    ...(first && { networkId: first.networkId }),
  };
}

/**
 * Gives the values that a page assumes before it was told any: no account, and the chain of the
 * first network.
 */
async function untold({ config }: Visible): Promise<Told> {
  const [first] = (await config.read()).networks;
  return { accounts: [], chainId: hexChain(first?.chainId) };
}

/** Whether pages that were told `known` have nothing to hear. */
const isTold = (known: Told | undefined, after: Told): boolean =>
  JSON.stringify(known) === JSON.stringify(after.accounts.length > 0 ? after : undefined);

async function readTold({ ports }: Tellable): Promise<Record<string, Told>> {
  const stored = await ports.local.get(KEY);
  const readable = Object.entries(isRecord(stored) ? stored : {}).flatMap(([origin, one]) => {
    const { data } = told().safeParse(one);
    return data ? [[origin, data] as const] : [];
  });
  return Object.fromEntries(readable);
}

/**
 * Tells the pages of an origin what they can see now, in EIP-1193's events and only when it differs
 * from what they were told last. Another exchange can have the same chain and owner: both events
 * are then sent with the values of before, because all else that the pages have read is of the
 * first exchange. A site is connected while it sees an account: before that there is no chain that
 * it could use.
 */
export async function tellSite(sites: Tellable, origin: string): Promise<void> {
  const { ports } = sites;
  await ports.lock('told', async () => {
    const all = await readTold(sites);
    const [before, after] = [all[origin] ?? (await untold(sites)), await now(sites, origin)];
    const send = (event: 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect', data: unknown) =>
      ports.toAllPages(origin, { event, data });
    const isNew = before.accounts.length === 0 && after.accounts.length > 0;
    if (isNew) await send('connect', { chainId: after.chainId });
    // A site that is blocked hears that it sees no account any more, and nothing else.
    const isBlocked = (await sites.grants.of(origin))?.blocked === true;
    const hasMoved =
      before.networkId !== after.networkId && before.networkId !== undefined && after.networkId !== undefined;
    // A site that is connected now hears it from its content script, which knows what it has read.
    if (hasMoved || (before.chainId !== after.chainId && !isBlocked && !isNew))
      await send('chainChanged', after.chainId);
    if (hasMoved || before.accounts.join() !== after.accounts.join()) await send('accountsChanged', after.accounts);
    if (before.accounts.length > 0 && after.accounts.length === 0) await send('disconnect', gone);
    const { [origin]: known, ...others } = all;
    if (isTold(known, after)) return;
    // Stored last, so that a notification that was interrupted is repeated at the next start.
    await ports.local.set({ [KEY]: after.accounts.length > 0 ? { ...others, [origin]: after } : others });
  });
}

/**
 * At the start of the worker: what changed and was not told any more before the last one stopped.
 * Sites that are blocked hear nothing.
 */
export async function tellMissed(sites: Tellable): Promise<void> {
  const [{ all, seen }, known] = await Promise.all([readSites(sites), readTold(sites)]);
  const origins = new Set([...Object.keys(known), ...all.map(({ origin }) => origin)]);
  for (const { origin, blocked } of all) if (blocked) origins.delete(origin);
  for (const origin of origins) if (!isTold(known[origin], await now(seen, origin))) await tellSite(sites, origin);
}

/** Sites that see an account, by what they were told; without blocked ones. */
export async function toldSites(sites: Tellable): Promise<string[]> {
  const blocked = (await sites.grants.list()).flatMap((site) => (site.blocked ? site.origin : []));
  return Object.keys(await readTold(sites)).filter((origin) => !blocked.includes(origin));
}

/** Tells the pages of a site that the wallet was erased. */
export async function tellErased({ toAllPages }: Pick<Ports, 'toAllPages'>, origin: string): Promise<void> {
  await toAllPages(origin, { event: 'chainChanged', data: hexChain(0) });
  await toAllPages(origin, { event: 'accountsChanged', data: [] });
  await toAllPages(origin, { event: 'disconnect', data: gone });
}
