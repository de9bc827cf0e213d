import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';

/** The account that collects fees, and that the headers of blocks name. */
export interface OperatorAccount {
  readonly accountId: number;
  readonly owner: Hex;
}

/** Key of its account id among the settings of the database. */
const SETTING = 'operator_account_id';

/** `undefined` in a database without a market. */
export async function findOperator(sql: Sql): Promise<OperatorAccount | undefined> {
  const [operator] = await sql.query<OperatorAccount>(
    `SELECT account_id AS "accountId", owner FROM accounts
     WHERE account_id = (SELECT value::bigint FROM settings WHERE key = '${SETTING}')`,
  );
  return operator;
}

/** The operator of the next block. A block that is open keeps the one with which it was begun. */
export async function currentOperator(sql: Sql): Promise<OperatorAccount> {
  const operator = await findOperator(sql);
  if (!operator) throw new Error('the database has no account of the operator');
  return operator;
}

export async function writeOperator(tx: Sql, accountId: number): Promise<void> {
  await tx.query(
    `INSERT INTO settings (key, value) VALUES ('${SETTING}', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [String(accountId)],
  );
}
