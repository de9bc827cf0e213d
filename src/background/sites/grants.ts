import type { PermissionKind, SiteView } from '../../messaging/views.ts';
import { permissionKinds } from '../../operations/permissionKinds.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import type { KeyValueArea } from '../../storage/area.ts';
import { isRecord, readableOf } from '../../storage/lenient.ts';
import { SITES_KEY } from '../settings/storedKeys.ts';
import { siteInForce } from './siteInForce.ts';

const grant = once(() => z.object({ account: z.string(), kinds: z.array(z.enum(permissionKinds)) }));
const site = once(() =>
  z.object({
    origin: z.string(),
    /** In the order in which the page sees them. A damaged one is none. */
    grants: z.pipe(
      z.unknown(),
      z.transform((stored) => readableOf(grant(), stored)),
    ),
    blocked: z.boolean(),
  }),
);

const isKept = ({ grants, blocked }: SiteView): boolean => grants.length > 0 || blocked;
const readable = (stored: unknown): SiteView[] => readableOf(site(), stored).filter(isKept);

type Kinds = readonly PermissionKind[];

function added({ grants }: SiteView, account: string, kinds: Kinds, asked: Kinds) {
  const before = grants.find((grant) => grant.account === account)?.kinds ?? [];
  const kept = before.filter((kind) => kinds.includes(kind) || !asked.includes(kind));
  return { account, kinds: [...new Set([...kept, ...kinds])] };
}

/**
 * Stores which origin may see and do what with which account. Persisted in `local`; the popup sees
 * all of it.
 */
export function createGrants(local: KeyValueArea, lock: <T>(name: string, work: () => Promise<T>) => Promise<T>) {
  const read = async () => readable(await local.get(SITES_KEY));
  const change = (origin: string, edit: (current: SiteView) => SiteView) =>
    lock('sites', async () => {
      const all = await read();
      const current = all.find((candidate) => candidate.origin === origin) ?? { origin, grants: [], blocked: false };
      const others = all.filter((candidate) => candidate.origin !== origin);
      await local.set({ [SITES_KEY]: [...others, edit(current)].filter(isKept) });
    });
  return {
    list: read,
    /** As it counts now, see `siteInForce`. Only it is read by its schema, of perhaps thousands. */
    async of(origin: string): Promise<SiteView | undefined> {
      const stored = await local.get(SITES_KEY);
      const own = Array.isArray(stored) && stored.filter((one) => isRecord(one) && one.origin === origin);
      return siteInForce(readable(own)[0]);
    },
    /**
     * The accounts are the ones seen from now on; of an account that was seen before, the kinds add
     * up.
     * @param asked - The user was shown these: one that is not among `kinds` is taken back.
     */
    grant: (origin: string, accounts: readonly string[], kinds: Kinds, asked: Kinds = []) =>
      change(origin, (current) => ({
        ...current,
        grants: accounts.map((account) => added(current, account, kinds, asked)),
      })),
    /**
     * The same, and what was granted before stays behind them: the first account decides on the
     * site's network.
     */
    prefer: (origin: string, accounts: readonly string[], kinds: Kinds, asked: Kinds = []) =>
      change(origin, (current) => ({
        ...current,
        grants: [
          ...accounts.map((account) => added(current, account, kinds, asked)),
          ...current.grants.filter(({ account }) => !accounts.includes(account)),
        ],
      })),
    /** The same on one account; what else the origin sees stays as it is. */
    extend: (origin: string, account: string, kinds: Kinds, asked: Kinds = []) =>
      change(origin, (current) => {
        const next = added(current, account, kinds, asked);
        const isOwn = (grant: SiteView['grants'][number]) => grant.account === account;
        const { grants } = current;
        return {
          ...current,
          grants: grants.some(isOwn) ? grants.map((grant) => (isOwn(grant) ? next : grant)) : [...grants, next],
        };
      }),
    revoke: (origin: string) => change(origin, (current) => ({ ...current, grants: [] })),
    /** Takes an account from one origin; the others that it sees stay. */
    revokeAccount: (origin: string, account: string) =>
      change(origin, (current) => ({
        ...current,
        grants: current.grants.filter((grant) => grant.account !== account),
      })),
    /** Takes one kind; an account whose last one it was is no longer seen. */
    revokeKind: (origin: string, account: string, kind: PermissionKind) =>
      change(origin, (current) => ({
        ...current,
        grants: current.grants.flatMap((grant) => {
          if (grant.account !== account || !grant.kinds.includes(kind)) return grant;
          const kinds = grant.kinds.filter((one) => one !== kind);
          return kinds.length > 0 ? { ...grant, kinds } : [];
        }),
      })),
    setBlocked: (origin: string, blocked: boolean) => change(origin, (current) => ({ ...current, blocked })),
  };
}

export type Grants = ReturnType<typeof createGrants>;
