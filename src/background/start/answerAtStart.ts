import type { PageMessage } from '../../inpage/protocol.ts';
import type { UiAnswer } from '../../messaging/uiMethods.ts';
import { permissionsOf } from '../permissionsOf.ts';
import type { PageCaller, Refused, UiCaller } from '../sender.ts';
import { chainOf, ownersSeen, type Visible } from '../visibleAccounts.ts';
import { walletState } from '../walletState.ts';
import type { StoredFacts } from './storedFacts.ts';

type Read = (stored: Visible, origin: string) => Promise<unknown>;

/** What pages ask as soon as they are there; the same functions answer in the whole background. */
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

/**
 * The answer of a cold worker to what is asked first, from stored facts alone.
 * @returns `undefined` for everything else, and whenever a stored fact is not plain: the whole background answers then.
 */
export function answerAtStart(
  facts: StoredFacts,
  caller: PageCaller | UiCaller | Refused,
  message: unknown,
): Promise<PageMessage | UiAnswer<'getState'>> | undefined {
  const { type, id, method, params } = (message ?? {}) as Partial<Record<string, unknown>>;
  if (caller.kind === 'ui' && type === 'ui' && method === 'getState' && isEmpty(params))
    return walletState(facts).then((result) => ({ ok: true, result }));
  const read = typeof method === 'string' ? pageReads.get(method) : undefined;
  if (caller.kind !== 'page' || type !== 'page' || typeof id !== 'string' || !read || !isNothing(params)) return;
  return read(facts, caller.origin).then((result) => ({ id, result }));
}
