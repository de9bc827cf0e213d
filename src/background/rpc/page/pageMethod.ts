import type { PermissionKind } from '../../../operations/permissionKinds.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import type { ApprovalRequest, PageRequestAsked } from '../../approvals/store/approvalRequest.ts';
import { fieldOf } from '../../errors/fieldOf.ts';
import { RpcError } from '../../errors/rpcError.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { PageDocument } from '../../sites/sender.ts';
import type { Granted, Site } from '../../sites/site.ts';
import type { PageRooms } from './rooms.ts';

/** Returned by a method whose answer comes later, after the user has decided. */
export const LATER = Symbol('the answer comes later');

/**
 * Right that a site needs before a method runs: none, a connection, or a permission on one account.
 */
export type Needs = 'none' | 'connection' | PermissionKind;

/** The router's result for `needs`. */
type Right<N extends Needs> = N extends 'none'
  ? undefined
  : N extends 'connection'
    ? { readonly accounts: readonly [StoredAccount, ...StoredAccount[]] }
    : Granted;

export interface PageCall<Params, N extends Needs> {
  readonly site: Site;
  readonly right: Right<N>;
  readonly params: Params;
  readonly rooms: PageRooms;
  /**
   * Where the request came from, and as what; absent when it goes on after what the site lacked for
   * it.
   */
  readonly source?: { readonly page: PageDocument; readonly id: string; readonly request: PageRequestAsked };
  /** Puts the request to the user; the answer is pushed to the page. */
  ask(request: ApprovalRequest): Promise<typeof LATER>;
}

/** One method that pages may call. Everything that is not in the table of these is 4200. */
export interface PageMethod<Params = unknown, N extends Needs = Needs> {
  readonly name: string;
  /** The grant that the origin needs; the router refuses the call without it. */
  readonly needs: N;
  /** Further right that these parameters need. */
  needsOf?(params: Params): N | undefined;
  /**
   * Everything that it does is to ask the user: a site that may not ask yet is put to the user
   * first.
   */
  readonly asks?: true;
  /** Shape of `params`, already taken out of a one-element list. */
  readonly params: () => z.ZodMiniType;
  /** Reads them. @throws {RpcError} `invalidParams` */
  parse(params: unknown): Params;
  /**
   * Owner address of the account that the call names; the first one that the site sees when absent.
   */
  owner?(params: Params): string | undefined;
  /** @returns The result, or `LATER` when the request is stored and the answer will be pushed. */
  handle(call: PageCall<Params, N>): Promise<unknown>;
}

/** A method of the table, whose types are settled inside. */
// biome-ignore lint/suspicious/noExplicitAny: each method has its own parameters and right
export type AnyPageMethod = PageMethod<any, any>;

/** Types a method by its schema, which is built at the first call. */
export const pageMethod = <Params, N extends Needs>({
  params: build,
  ...method
}: Omit<PageMethod<Params, N>, 'parse' | 'params'> & {
  readonly params: () => z.ZodMiniType<Params>;
}): PageMethod<Params, N> => {
  const params = once(build);
  return { ...method, params, parse: (given) => parsed(params(), given) };
};

/** @throws {RpcError} `invalidParams`, naming the first field that is refused */
export function parsed<Output>(schema: z.ZodMiniType<Output>, given: unknown): Output {
  const result = schema.safeParse(given);
  if (!result.success) throw new RpcError('invalidParams', describeIssue(result.error));
  return result.data;
}

/**
 * Methods of Ethereum wallets that take nothing; libraries send nothing, `null`, `[]` or `[{}]`.
 */
export const noParams: () => z.ZodMiniType<unknown> = once(() =>
  z.optional(z.union([z.null(), z.array(z.unknown()).check(z.maxLength(0)), z.strictObject({})])),
);

/** Named parameters or none. */
export const namedParams = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.looseObject(shape, { error: 'is no object with named parameters; leave it out when there are none' }));

/** First issue of a refused input as `field: rule`. */
function describeIssue(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  const rule = issue?.code === 'unrecognized_keys' ? 'is not a field of this request' : issue?.message;
  return `${fieldOf(error) || 'params'}: ${rule ?? 'not accepted'}`;
}
