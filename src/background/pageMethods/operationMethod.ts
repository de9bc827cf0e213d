import { type AnyOperation, type OperationName, operations } from '../../operations/index.ts';
import { askUser } from '../askUser.ts';
import { grantedAccount, LATER, type PageMethod } from './pageMethod.ts';

/** The page's way to an operation: check the grant, then ask the user. */
function operationMethod(operation: AnyOperation): PageMethod {
  return {
    name: operation.method,
    params: operation.intent,
    needs: operation.permission,
    async handle(wallet, caller, requestId, intent) {
      const { account: owner } = intent as { account?: string };
      const account = await grantedAccount(wallet, caller.origin, operation.permission, owner);
      await askUser(wallet, caller, requestId, {
        kind: 'operation',
        operation: operation.name as OperationName,
        account: account.id,
        intent,
      });
      return LATER;
    },
  };
}

export const operationMethods: readonly PageMethod[] = Object.values(operations).map(operationMethod);
