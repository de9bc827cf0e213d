import type { PageRequest } from '../../../inpage/protocol.ts';
import type { PermissionKind } from '../../../operations/permissionKinds.ts';
import { reported } from '../../../report/report.ts';
import { blocked, hasAnswer } from '../../approvals/answerPages.ts';
import { toPageMessage } from '../../approvals/store/requests.ts';
import { notConnected, RpcError, unauthorized } from '../../errors/rpcError.ts';
import type { Config } from '../../settings/config.ts';
import { permissionName } from '../../sites/permissionsOf.ts';
import type { PageDocument } from '../../sites/sender.ts';
import { createSite, type Granted, type Site } from '../../sites/site.ts';
import type { Wallet } from '../../wallet.ts';
import { type AnyPageMethod, LATER, type Needs, type PageCall } from './pageMethod.ts';
import type { RoomsOf } from './rooms.ts';

/** Answer of `onMessage` to a page: the answer, or a notice that it comes later. */
type PageReply = ReturnType<typeof toPageMessage> | { readonly later: true };

/** Methods that a blocked site may still call: it is answered like a site that is not connected. */
const emptyWhileBlocked: ReadonlySet<string> = new Set(['eth_accounts', 'eth_chainId', 'wallet_getPermissions']);

/**
 * Parameters out of their list: nothing and an empty list are `undefined`, a list of nothing is
 * `null`.
 */
export function singleOf(params: unknown): unknown {
  if (!Array.isArray(params)) return params ?? undefined;
  if (params.length === 0) return undefined;
  return params.length === 1 ? (params[0] ?? null) : params;
}

/** A right that a site lacks and the user can give it. */
interface Lacking {
  readonly refusal: RpcError;
  /** The account that it is about; absent before a connection. */
  readonly account?: string;
}

/**
 * The account that a call is about: the one named by owner address, else the first that the site
 * sees.
 * @throws {RpcError} `unauthorized` when the site does not see the account that it names.
 */
async function granted(
  config: Pick<Config, 'network'>,
  site: Site,
  kind: PermissionKind,
  owner: string | undefined,
): Promise<Granted | Lacking> {
  const [first] = await site.accounts();
  if (!first) return { refusal: notConnected() };
  const account = owner ? await site.accountOf(owner) : first;
  if (!(await site.kindsOf(account.id)).includes(kind))
    return {
      account: account.id,
      refusal: unauthorized(
        'noPermission',
        `This site has no permission "${kind}". Ask with wallet_requestPermissions.`,
        permissionName(kind),
      ),
    };
  const network = await config.network(account.networkId);
  if (!network) throw new RpcError('internal', 'The network of this account is gone.');
  return { account, network };
}

/**
 * Runs a method for a site that has what the method needs.
 * @throws {RpcError} `unauthorized` before anything of the method runs, when the site does not have
 *   it; in the place of the answer of a read, when the site no longer has it
 */
export async function callMethod(
  config: Pick<Config, 'network'>,
  method: AnyPageMethod,
  call: Omit<PageCall<unknown, 'none'>, 'right'>,
): Promise<unknown> {
  const params: unknown = method.parse(call.params);
  const needs: Needs = method.needsOf?.(params) ?? method.needs;
  if (needs === 'none') return method.handle({ ...call, params, right: undefined });
  if (needs === 'connection') {
    const [first, ...others] = await call.site.accounts();
    if (!first) throw notConnected();
    return method.handle({ ...call, params, right: { accounts: [first, ...others] } });
  }
  const right = await granted(config, call.site, needs, method.owner?.(params));
  if ('refusal' in right) {
    const { refusal, ...account } = right;
    if (!method.asks || !call.source) throw refusal;
    return call.ask({ kind: 'connect', kinds: [needs], next: call.source.request, ...account });
  }
  const result = await method.handle({ ...call, params, right });
  if (method.needs !== 'read') return result;
  // The user may have taken the permission back while the read waited.
  const still = await granted(config, call.site, needs, right.account.owner);
  if ('refusal' in still) throw still.refusal;
  return result;
}

export function createPageRouter(
  wallet: Pick<Wallet, 'answerTo' | 'askUser' | 'config' | 'grants' | 'requests' | 'rights'>,
  roomsOf: RoomsOf,
  methods: ReadonlyMap<string, AnyPageMethod>,
) {
  const { requests, grants, config, rights } = wallet;

  return async (caller: PageDocument, request: PageRequest): Promise<PageReply> => {
    const { id } = request;
    const { origin } = caller;
    const known = await requests.find(origin, id);
    if (known) {
      // Such as a store that does not open for now: the content script asks again, and then hears
      // how it ended.
      const answer = hasAnswer(known) ? await wallet.answerTo(known).catch(reported('requests: answer')) : undefined;
      return answer ? toPageMessage(id, answer) : { later: true };
    }
    const refuseBlocked = async () => {
      if (!emptyWhileBlocked.has(request.method) && (await grants.of(origin))?.blocked) throw blocked();
    };
    await refuseBlocked();
    const method = methods.get(request.method);
    if (!method) throw new RpcError('unsupported', `${request.method} is not a method of this wallet.`);
    const result = await callMethod(config, method, {
      site: createSite({ config, grants, changed: rights.changed }, origin),
      params: singleOf(request.params),
      rooms: roomsOf(origin),
      source: { page: caller, id, request: { method: request.method, params: request.params } },
      async ask(asked) {
        await wallet.askUser(caller, id, asked);
        return LATER;
      },
    }).catch(async (error: unknown) => {
      await refuseBlocked();
      throw error;
    });
    // A stored request is answered later, whatever else fails.
    if (result === LATER) return { later: true };
    await refuseBlocked();
    return { id, result };
  };
}
