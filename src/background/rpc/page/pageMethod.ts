import { z } from 'zod';
import type { PermissionKind } from '../../../messaging/views.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { notConnected, unauthorized } from '../../errors/rpcError.ts';
import type { StoredAccount } from '../../settings/config.ts';
import { permissionName } from '../../sites/permissionsOf.ts';
import type { PageCaller } from '../../sites/sender.ts';
import { visibleAccounts } from '../../sites/visibleAccounts.ts';
import type { Wallet } from '../../wallet.ts';

/** Returned by a method whose answer comes later, after the user has decided. */
export const LATER = Symbol('the answer comes later');

/** One method that pages may call. Everything that is not in the table of these is 4200. */
export interface PageMethod<Params = unknown> {
  readonly name: string;
  /** Shape of `params`, already taken out of a one-element list. */
  readonly params: z.ZodType<Params>;
  /** The grant that the origin needs; `none` for methods that say nothing about the user. */
  readonly needs: 'none' | PermissionKind;
  /** @returns The result, or `LATER` when the question is stored and the answer will be pushed. */
  handle(wallet: Wallet, caller: PageCaller, requestId: string, params: Params): Promise<unknown>;
}

/** Methods of Ethereum wallets that take nothing; libraries send nothing, `null`, `[]` or `[{}]`. */
export const noParams: z.ZodType<unknown> = deferred(() =>
  z.union([z.undefined(), z.null(), z.array(z.unknown()).max(0), z.strictObject({})]).optional(),
);

/** Named parameters or none. */
export const namedParams = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape, { error: 'is no object with named parameters; leave it out when there are none' }).optional();

/** Types a method without widening. */
export const pageMethod = <Params>(method: PageMethod<Params>): PageMethod => method as PageMethod;

/**
 * The account that a call is about: the one named by owner address, else the first that the origin sees.
 * @throws {RpcError} `unauthorized` when the origin has no such account with that grant.
 */
export async function grantedAccount(
  wallet: Wallet,
  origin: string,
  kind: PermissionKind,
  owner?: string,
): Promise<StoredAccount> {
  const grants = (await wallet.grants.of(origin))?.grants ?? [];
  const accounts = await visibleAccounts(wallet, origin);
  if (accounts.length === 0) throw notConnected();
  const account = owner
    ? accounts.find((candidate) => candidate.owner.toLowerCase() === owner.toLowerCase())
    : accounts[0];
  if (!account) throw unauthorized('otherAccount', `account: this site does not see ${owner}`);
  if (!grants.find((grant) => grant.account === account.id)?.kinds.includes(kind))
    throw unauthorized(
      'noPermission',
      `This site has no permission "${kind}". Ask with wallet_requestPermissions.`,
      permissionName(kind),
    );
  return account;
}

/** First issue of a refused input as `field: rule`. */
export function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'params: not accepted';
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path, ...keys.slice(0, 1)].join('.');
  return `${path || 'params'}: ${keys.length > 0 ? 'is not a field of this request' : issue.message}`;
}
