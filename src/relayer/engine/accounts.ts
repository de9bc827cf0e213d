import type { Hex } from 'viem';
import type { AffinePoint } from '../../crypto/index.ts';
import { FIRST_UPDATE_PAID } from '../../protocol/endpoints/getAccount.ts';
import { ZERO_ADDRESS } from '../../protocol/limits.ts';
import type { Sql, SqlValue } from '../db/port.ts';
import { Refusal } from '../errors.ts';

export interface Account {
  readonly accountId: number;
  /** Lower case. */
  readonly owner: Hex;
  /** `null` until the first key update. */
  readonly publicKey: AffinePoint | null;
  readonly nonce: number;
  readonly keyNonce: number;
  readonly keySeed: string;
  /** True while a key update is in progress. */
  readonly frozen: boolean;
  /** True while the operator accepts nothing of it. */
  readonly suspended: boolean;
  readonly tags: string;
  readonly wallet: { readonly factory: Hex; readonly owner: Hex; readonly salt: string } | null;
}

/** Columns of `accounts` as `accountFromRow` takes them. */
export const ACCOUNT = `account_id AS "accountId", owner, public_key_x AS x, public_key_y AS y, nonce, key_nonce AS "keyNonce",
  key_seed AS "keySeed", frozen, suspended, tags, CASE WHEN num_nulls(wallet_factory, wallet_owner, wallet_salt) = 0
    THEN json_build_object('factory', wallet_factory, 'owner', wallet_owner, 'salt', wallet_salt) END AS wallet`;

export type AccountRow = Omit<Account, 'publicKey'> & Readonly<Record<'x' | 'y', string>>;

export const accountFromRow = ({ x, y, ...row }: AccountRow): Account => ({
  ...row,
  publicKey: x === '' ? null : { x: BigInt(x), y: BigInt(y) },
});

const readAccounts = async (sql: Sql, where: string, value: SqlValue): Promise<Account[]> =>
  (await sql.query<AccountRow>(`SELECT ${ACCOUNT} FROM accounts WHERE ${where}`, [value])).map(accountFromRow);

export async function findAccount(sql: Sql, accountId: number): Promise<Account | undefined> {
  const [account] = await readAccounts(sql, 'account_id = $1', accountId);
  return account;
}

export async function findAccountByOwner(sql: Sql, owner: string): Promise<Account | undefined> {
  const [account] = await readAccounts(sql, 'owner = $1', owner.toLowerCase());
  return account;
}

/** Whether the account has its first key update before it, and somebody else has paid the fee. */
export const isFirstUpdatePaid = ({ nonce, tags }: Account): boolean =>
  nonce === 0 && tags.split(',').includes(FIRST_UPDATE_PAID);

/** Whether the account holds the reserves of a pool that is or was listed: it has no key. */
export const isPoolAccount = async (sql: Sql, accountId: number): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM amm_pools WHERE account_id = $1', [accountId])).length > 0;

/** The account that a query names: by its owner where there is one, else by its id. */
export const findNamedAccount = (sql: Sql, owner: string | undefined, accountId = 0) =>
  owner === undefined ? findAccount(sql, accountId) : findAccountByOwner(sql, owner);

/**
 * Sees that requests and orders of a locked account may be accepted now.
 * @throws {Refusal} FREEZE_FAILED during a key update, ACCOUNT_ID_INVALID while the operator has
 *   suspended it.
 */
export function checkAccepting(account: Pick<Account, 'accountId' | 'frozen' | 'suspended'>): void {
  if (account.suspended)
    throw new Refusal('ACCOUNT_ID_INVALID', `the operator of the exchange has suspended account ${account.accountId}`);
  if (account.frozen)
    throw new Refusal('FREEZE_FAILED', 'a key update of the account is in progress; retry when it has finished');
}

/** Locks the account until the transaction ends; see the lock order in the schema. */
export async function lockAccount(tx: Sql, accountId: number): Promise<Account | undefined> {
  const [account] = await readAccounts(tx, 'account_id = $1 FOR UPDATE', accountId);
  return account;
}

const IN_ORDER = 'account_id = ANY($1::bigint[]) ORDER BY account_id FOR UPDATE';

/**
 * Locks several accounts in the order of their ids. Only under the engine's lock; groups of orders
 * skip what is locked (`lockForOrders`).
 */
export const lockAccounts = (tx: Sql, accountIds: readonly number[]) =>
  tx.query(`SELECT 1 FROM accounts WHERE ${IN_ORDER}`, [[...new Set(accountIds)]]);

/** The same, and reads them. */
export async function lockAndReadAccounts(tx: Sql, accountIds: readonly number[]): Promise<Map<number, Account>> {
  const accounts = await readAccounts(tx, IN_ORDER, [...new Set(accountIds)]);
  return new Map(accounts.map((account) => [account.accountId, account]));
}

/**
 * The same, and reads of them what accepting orders needs.
 * @param mode - `SKIP LOCKED`: only those that no other transaction has locked; never waits.
 */
export async function lockForOrders(tx: Sql, accountIds: readonly number[], mode: '' | 'SKIP LOCKED') {
  const accounts = await tx.query<Pick<Account, 'accountId' | 'keyNonce' | 'frozen' | 'suspended'>>(
    `SELECT account_id AS "accountId", key_nonce AS "keyNonce", frozen, suspended FROM accounts
     WHERE ${IN_ORDER} ${mode}`,
    [[...new Set(accountIds)]],
  );
  return new Map(accounts.map((account) => [account.accountId, account]));
}

/**
 * The account of an owner, made when missing.
 * @throws {Refusal} RECEIVER_INVALID for the zero address: to the state an account without an owner
 *   is not opened.
 */
export async function openAccount(tx: Sql, owner: string, now: number, lock: '' | 'FOR UPDATE' = ''): Promise<Account> {
  if (owner === ZERO_ADDRESS) throw new Refusal('RECEIVER_INVALID', 'the zero address has no account');
  await tx.query(
    `INSERT INTO accounts (account_id, owner, created_at)
     SELECT nextval('account_ids'), $1, $2 WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE owner = $1)
     ON CONFLICT (owner) DO NOTHING`,
    [owner.toLowerCase(), now],
  );
  const [account] = await readAccounts(tx, `owner = $1 ${lock}`, owner.toLowerCase());
  if (!account) throw new Error('an account that was just opened is missing');
  return account;
}

/** The same, locked until the transaction ends. */
export const openLockedAccount = (tx: Sql, owner: string, now: number) => openAccount(tx, owner, now, 'FOR UPDATE');
