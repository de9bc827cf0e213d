import { z } from 'zod';
import { type AnyOperation, type OperationName, operations } from '../../../operations/index.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { askUser } from '../../approvals/askUser.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { describeIssue, grantedAccount, LATER, namedParams, type PageMethod } from './pageMethod.ts';

/** An intent with the site's own name for the request, which joins repeats of it also after a reload. */
const keyed = deferred(() => namedParams({ idempotencyKey: z.string().min(1).max(120).optional() }));

/** The page's way to an operation: check the grant, then ask the user. */
function operationMethod(operation: AnyOperation): PageMethod {
  return {
    name: operation.method,
    params: keyed,
    needs: operation.permission,
    async handle(wallet, caller, requestId, params) {
      const { idempotencyKey, ...given } = (params ?? {}) as { idempotencyKey?: string };
      const parsed = operation.intent.safeParse(given);
      if (!parsed.success) throw new RpcError('invalidParams', describeIssue(parsed.error));
      const intent = parsed.data as { account?: string };
      const { account: owner } = intent;
      const account = await grantedAccount(wallet, caller.origin, operation.permission, owner);
      await askUser(wallet, caller, requestId, {
        kind: 'operation',
        operation: operation.name as OperationName,
        account: account.id,
        intent,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      return LATER;
    },
  };
}

/** Those that a page asks for by a method of its own name; Ethereum's own methods have their own parameters. */
export const operationMethods: readonly PageMethod[] = Object.values(operations)
  .filter(({ method }) => method.startsWith('relayer_'))
  .map(operationMethod);
