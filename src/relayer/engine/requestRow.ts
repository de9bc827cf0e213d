import type { Hex } from 'viem';
import type { RequestStatus } from '../../protocol/statuses.ts';
import type { Sql } from '../db/port.ts';
import { changePendingWithdraw, release } from './balances.ts';
import { forgetUnminted } from './nft/forgetUnminted.ts';

/** Kinds of off-chain requests and deposits that pass through the engine. */
export type RequestKind =
  | 'transfer'
  | 'withdrawal'
  | 'accountUpdate'
  | 'ammJoin'
  | 'ammExit'
  | 'nftMint'
  | 'nftTransfer'
  | 'nftWithdrawal'
  | 'nftDeploy'
  | 'deposit'
  | 'nftDeposit';

/** A freeze that a request holds until it is settled or fails. Amounts as decimal text (JSON). */
interface HeldAmount {
  readonly tokenId: number;
  readonly amount: string;
}

/** A request as the database holds it. */
export interface RequestRow {
  readonly id: number;
  readonly kind: RequestKind;
  readonly hash: Hex;
  readonly account_id: number;
  readonly owner: Hex;
  readonly other_account_id: number;
  readonly other_address: Hex | '';
  readonly token_id: number;
  readonly nft_data: Hex | '';
  readonly amount: bigint;
  readonly fee_token_id: number;
  readonly fee: bigint;
  readonly storage_token_id: number;
  readonly storage_id: number | null;
  readonly nonce: number | null;
  readonly valid_until: number;
  readonly status: RequestStatus;
  readonly failure: string;
  readonly memo: string;
  readonly tx_hash: string;
  /** Why a withdrawal could not be paid on layer 1; its amount was given back then. */
  readonly payout_failure: string;
  readonly details: RequestDetails;
  readonly digest: string;
  readonly block_id: number | null;
  readonly index_in_block: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Members that only some kinds have; each rule writes and reads its own. */
export interface RequestDetails {
  readonly held?: readonly HeldAmount[];
  readonly [member: string]: unknown;
}

/** The storage id that a request signed. */
export function storageIdOf({ hash, storage_id }: RequestRow): number {
  if (storage_id === null) throw new Error(`request ${hash} has no storage id`);
  return storage_id;
}

export async function findRequest(sql: Sql, hash: string): Promise<RequestRow | undefined> {
  const [row] = await sql.query<RequestRow>('SELECT * FROM requests WHERE hash = $1', [hash.toLowerCase()]);
  return row;
}

/**
 * Ends a request without effect and frees what it holds, unless it has ended already. The caller
 * has locked its account.
 */
export async function failRequest(tx: Sql, request: RequestRow, reason: string, now: number): Promise<void> {
  // First, so that a row that was read too early frees nothing a second time.
  const failed = await tx.query(
    `UPDATE requests SET status = 'failed', failure = $2, updated_at = $3
     WHERE id = $1 AND status = 'received' RETURNING id`,
    [request.id, reason, now],
  );
  if (failed.length === 0) return;
  await releaseHeld(tx, request);
  if (request.kind === 'accountUpdate')
    await tx.query('UPDATE accounts SET frozen = false WHERE account_id = $1', [request.account_id]);
  if (request.kind === 'nftMint') await forgetUnminted(tx, request.account_id, request.token_id, request.nft_data);
}

async function releaseHeld(tx: Sql, request: RequestRow): Promise<void> {
  for (const { tokenId, amount } of request.details.held ?? [])
    await release(tx, request.account_id, tokenId, BigInt(amount));
  if (request.kind === 'withdrawal' || request.kind === 'nftWithdrawal')
    await changePendingWithdraw(tx, request.account_id, request.token_id, -request.amount);
}
