import { z } from 'zod';
import { type AnyOperation, type OperationName, operations } from '../../../operations/index.ts';
import type { PermissionKind } from '../../../operations/permissionKinds.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { namedParams, type PageMethod, parsed } from './pageMethod.ts';

/** An intent with the site's own name for the request, which joins repeats of it also after a reload. */
const keyed = deferred(() => namedParams({ idempotencyKey: z.string().min(1).max(120).optional() }));

interface Asked {
  readonly intent: { readonly account?: string };
  readonly idempotencyKey: string | undefined;
}

/** The page's way to an operation: read the intent, then ask the user. */
function operationMethod(operation: AnyOperation): PageMethod<Asked, PermissionKind> {
  return {
    name: operation.method,
    needs: operation.permission,
    params: keyed,
    parse(params) {
      const { idempotencyKey, ...given } = (parsed(keyed, params) ?? {}) as { idempotencyKey?: string };
      return { intent: parsed(operation.intent, given) as Asked['intent'], idempotencyKey };
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

/** Those that a page asks for by a method of its own name; Ethereum's own methods have their own parameters. */
export const operationMethods = Object.values(operations)
  .filter(({ method }) => method.startsWith('relayer_'))
  .map(operationMethod);
