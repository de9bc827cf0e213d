import type { PageMessage } from '../../../inpage/protocol.ts';
import type { StartupFacts } from '../../../messaging/startupFacts.ts';
import type { UiAnswer } from '../../../messaging/uiMethods.ts';
import { isRecord } from '../../../storage/lenient.ts';
import type { ReadStartup } from '../../lifecycle/startupSnapshot.ts';
import { permissionsOf } from '../../sites/permissionsOf.ts';
import type { Caller } from '../../sites/sender.ts';
import { siteInForce } from '../../sites/siteInForce.ts';
import { chainOf, ownersSeen, type Visible } from '../../sites/visibleAccounts.ts';

type Read = (known: Visible, origin: string) => Promise<unknown>;

/** Reads that pages make as soon as they open; the same functions answer in the full background. */
const pageReads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['eth_accounts', ownersSeen],
  ['eth_chainId', chainOf],
  ['wallet_getPermissions', permissionsOf],
]);

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** As `noParams` takes it: nothing, `null`, `[]` or `[{}]`. */
const isNothing = (params: unknown): boolean =>
  params === undefined ||
  params === null ||
  isEmpty(params) ||
  (Array.isArray(params) && (params.length === 0 || (params.length === 1 && isEmpty(params[0]))));

const isUnrefreshed = (params: unknown): boolean =>
  isRecord(params) && params.refresh === false && Object.keys(params).length === 1;

const visibleIn = ({ state, sites }: StartupFacts): Visible => ({
  config: { read: async () => state },
  grants: { of: async (origin) => siteInForce(sites.find((site) => site.origin === origin)) },
});

/**
 * The answer of a cold worker to what is asked first, from the facts that the last one left.
 * @returns `undefined` for everything else, and while there are no facts: the full background
 *   answers then.
 */
export function answerAtStart(
  { facts, home }: ReadStartup,
  caller: Caller,
  message: unknown,
): Promise<PageMessage | UiAnswer<'getState' | 'getHome'> | undefined> | undefined {
  const { type, id, method, params } = (message ?? {}) as Partial<Record<string, unknown>>;
  if (caller.kind === 'ui' && type === 'ui' && method === 'getState' && isEmpty(params))
    return facts().then((known) => known && { ok: true, result: known.state });
  if (caller.kind === 'ui' && type === 'ui' && method === 'getHome' && isUnrefreshed(params))
    return home().then((known) => known && { ok: true, result: known });
  const read = typeof method === 'string' ? pageReads.get(method) : undefined;
  if (caller.kind !== 'page' || type !== 'page' || typeof id !== 'string' || !read || !isNothing(params)) return;
  const { origin } = caller;
  return facts().then(async (known) => known && { id, result: await read(visibleIn(known), origin) });
}
