import type { Sql } from '../db/port.ts';
import { type Account, isPoolAccount, lockAccount } from '../engine/accounts.ts';
import { FIRST_USER_ACCOUNT_ID } from '../engine/catalog.ts';
import { currentOperator } from '../engine/operatorAccount.ts';
import { OperatorRefusal } from './operatorRefusal.ts';

/**
 * An account of a user, locked.
 * @throws {OperatorRefusal} There is none, or it belongs to the exchange: its own account, or one
 *   of a pool.
 */
export async function lockUserAccount(tx: Sql, accountId: number): Promise<Account> {
  const account = accountId < FIRST_USER_ACCOUNT_ID ? undefined : await lockAccount(tx, accountId);
  const isPool = await isPoolAccount(tx, accountId);
  // The operator's account can be one that a user had opened before.
  const isOperator = accountId === (await currentOperator(tx)).accountId;
  if (!account || isPool || isOperator)
    throw new OperatorRefusal('unknown', `accountId: ${accountId} is no account of a user`);
  return account;
}
