import { MAX_AMOUNT } from '../../protocol/limits.ts';
import { columns, type Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { SettlementFailure } from './settle/settlementFailure.ts';

/** The other side of deposits and withdrawals: not an account, only a name in the ledger. */
export const OUTSIDE = 0;

/** The other side of NFTs that are minted on layer 2: a name in the ledger too. */
export const MINTS = -1;

/** A balance would hold more than the state tree can. */
export class BalanceFull extends SettlementFailure {
  override readonly name = 'BalanceFull';
  readonly accountId: number;
  readonly tokenId: number;

  constructor(accountId: number, tokenId: number) {
    super(`account ${accountId} would hold more of token ${tokenId} than 2^96 - 1, the most that a balance can be`);
    this.accountId = accountId;
    this.tokenId = tokenId;
  }
}

/** Moves one amount between two accounts. The caller has locked both account rows. */
export interface Movement {
  readonly from: number;
  readonly to: number;
  /**
   * Holds the amount in between when a block executes it: a fee is taken from what was received
   * before.
   */
  readonly through?: number;
  readonly tokenId: number;
  /** Token id at the receiver; differs for NFTs, whose slots are per account. */
  readonly toTokenId?: number;
  readonly nftData?: string;
  readonly amount: bigint;
  /** Whether the amount was frozen at `from` before. */
  readonly frozen: boolean;
  readonly kind: string;
  /** Hash of the order or request that causes it. */
  readonly ref: string;
}

/**
 * Applies movements and writes both sides of each into the ledger, so that the ledger of a token
 * always sums to zero. The database refuses a negative balance. A balance that could be too large
 * on the way, whatever the order, is refused here: the blocks could not be replayed.
 * @param released - What is frozen no longer without being moved; the same locks hold.
 * @throws {BalanceFull}
 */
export async function applyMovements(
  tx: Sql,
  movements: readonly Movement[],
  now: number,
  released: readonly { readonly accountId: number; readonly tokenId: number; readonly amount: bigint }[] = [],
): Promise<void> {
  const changes = new Map<
    string,
    { accountId: number; tokenId: number; total: bigint; locked: bigint; received: bigint }
  >();
  const changeOf = (accountId: number, tokenId: number) => {
    const key = `${accountId}/${tokenId}`;
    const entry = changes.get(key) ?? { accountId, tokenId, total: 0n, locked: 0n, received: 0n };
    changes.set(key, entry);
    return entry;
  };
  const change = (accountId: number, tokenId: number, total: bigint, locked: bigint) => {
    if (accountId <= OUTSIDE) return;
    const entry = changeOf(accountId, tokenId);
    entry.total += total;
    entry.locked += locked;
    if (total > 0n) entry.received += total;
  };
  const ledger: {
    accountId: number;
    tokenId: number;
    nftData: string | null;
    delta: bigint;
    kind: string;
    ref: string;
  }[] = [];
  for (const movement of movements) {
    const { from, to, through, tokenId, toTokenId = tokenId, nftData = null, amount, frozen, kind, ref } = movement;
    if (amount < 0n) throw new RangeError(`a movement of ${amount} is negative`);
    if (amount === 0n) continue;
    change(from, tokenId, -amount, frozen ? -amount : 0n);
    change(to, toTokenId, amount, 0n);
    if (through !== undefined) changeOf(through, tokenId).received += amount;
    ledger.push({ accountId: from, tokenId, nftData, delta: -amount, kind, ref });
    ledger.push({ accountId: to, tokenId: toTokenId, nftData, delta: amount, kind, ref });
  }
  for (const { accountId, tokenId, amount } of released) if (amount > 0n) change(accountId, tokenId, 0n, -amount);
  if (changes.size === 0) return;
  const rows = [...changes.values()];
  const names = ['accountId', 'tokenId', 'total', 'locked'] as const;
  const update = `UPDATE balances SET total = balances.total + change.total, locked = balances.locked + change.locked
     FROM unnest($1::bigint[], $2::int[], $3::numeric[], $4::numeric[]) AS change (account_id, token_id, total, locked)
     WHERE balances.account_id = change.account_id AND balances.token_id = change.token_id
     RETURNING balances.account_id, balances.token_id, balances.total`;
  const found = await tx.query<Changed>(
    `WITH entries AS (
       INSERT INTO ledger (account_id, token_id, nft_data, delta, kind, ref, created_at)
       SELECT *, $11::bigint FROM unnest($5::bigint[], $6::int[], $7::text[], $8::numeric[], $9::text[], $10::text[]))
     ${update}`,
    [...columns(rows, names), ...columns(ledger, ['accountId', 'tokenId', 'nftData', 'delta', 'kind', 'ref']), now],
  );
  const checkRoom = (changed: readonly Changed[]) => {
    for (const { account_id, token_id, total } of changed) {
      const entry = changeOf(account_id, token_id);
      if (total - entry.total + entry.received > MAX_AMOUNT) throw new BalanceFull(account_id, token_id);
    }
  };
  checkRoom(found);
  if (found.length === rows.length) return;
  // First credits of a token: their rows have to be there before they can be changed.
  const known = new Set(found.map((row) => `${row.account_id}/${row.token_id}`));
  const fresh = rows.filter((row) => !known.has(`${row.accountId}/${row.tokenId}`));
  await tx.query(
    `INSERT INTO balances (account_id, token_id) SELECT * FROM unnest($1::bigint[], $2::int[]) ON CONFLICT DO NOTHING`,
    columns(fresh, ['accountId', 'tokenId']),
  );
  checkRoom(await tx.query<Changed>(update, columns(fresh, names)));
}

interface Changed {
  readonly account_id: number;
  readonly token_id: number;
  readonly total: bigint;
}

/**
 * Freezes an amount.
 * @throws {Refusal} BALANCE_INSUFFICIENT when less is free.
 */
export async function freeze(tx: Sql, accountId: number, tokenId: number, amount: bigint): Promise<void> {
  if (amount === 0n) return;
  const changed = await tx.query(
    `UPDATE balances SET locked = locked + $3
     WHERE account_id = $1 AND token_id = $2 AND total - locked >= $3::numeric RETURNING token_id`,
    [accountId, tokenId, amount],
  );
  if (changed.length === 0) throw balanceInsufficient(tokenId, amount);
}

export const balanceInsufficient = (tokenId: number, amount: bigint) =>
  new Refusal(
    'BALANCE_INSUFFICIENT',
    `token ${tokenId}: less than ${amount} is free; orders and pending requests hold the rest`,
  );

/** Ends a freeze without moving anything. */
export async function release(tx: Sql, accountId: number, tokenId: number, amount: bigint): Promise<void> {
  if (amount === 0n) return;
  await tx.query('UPDATE balances SET locked = locked - $3 WHERE account_id = $1 AND token_id = $2', [
    accountId,
    tokenId,
    amount,
  ]);
}

/** Changes the amount on its way to L1. */
export async function changePendingWithdraw(tx: Sql, accountId: number, tokenId: number, delta: bigint): Promise<void> {
  await tx.query(
    'UPDATE balances SET pending_withdraw = pending_withdraw + $3 WHERE account_id = $1 AND token_id = $2',
    [accountId, tokenId, delta],
  );
}
