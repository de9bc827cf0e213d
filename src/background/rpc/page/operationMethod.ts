import { type AnyOperation, type OperationName, operations } from '../../../operations/index.ts';
import type { PermissionKind } from '../../../operations/permissionKinds.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { namedParams, type PageMethod, parsed } from './pageMethod.ts';

/**
 * An intent with the site's own name for the request, which joins repeats of it also after a
 * reload.
 */
const keyed = once(() =>
  namedParams({ idempotencyKey: z.optional(z.string().check(z.minLength(1), z.maxLength(120))) }),
);

interface Asked {
  readonly intent: { readonly account?: string };
  readonly idempotencyKey: string | undefined;
}

/** The page's way to an operation: read the intent, then ask the user. */
function operationMethod(operation: AnyOperation): PageMethod<Asked, PermissionKind> {
  return {
    name: operation.method,
    needs: operation.permission,
    ...(operation.permissionFirst ? {} : { asks: true }),
    params: keyed,
    parse(params) {
      const { idempotencyKey, ...given } = (parsed(keyed(), params) ?? {}) as { idempotencyKey?: string };
      return { intent: parsed(operation.intent(), given) as Asked['intent'], idempotencyKey };
    },
    owner: ({ intent }) => intent.account,
    handle: ({ right: { account }, params: { intent, idempotencyKey }, ask }) =>
      ask({
        kind: 'operation',
        operation: operation.name as OperationName,
        account: account.id,
        intent,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
  };
}

/**
 * Operations that a page asks for by a method of its own name; Ethereum's own methods have their
 * own parameters.
 */
export const operationMethods = Object.values(operations)
  .filter(({ method }) => method.startsWith('relayer_'))
  .map(operationMethod);
