import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';
import type { Account } from './accounts.ts';

export interface ArrivingDeposit {
  /** Names it among all requests; invented when absent. */
  readonly hash?: Hex;
  /** L1 transaction; `hash` stands for it when absent. */
  readonly txHash?: Hex;
  /** Fingerprint of the report that brought it. */
  readonly digest?: string;
  readonly from: string;
  readonly tokenId: number;
  readonly nftData?: Hex;
  readonly amount: bigint;
  readonly memo?: string;
  /** The withdrawal whose amount it gives back. */
  readonly returns?: Hex;
}

/**
 * Records a deposit that was seen on L1. It counts as pending until the engine has put it into a
 * block. The caller has locked the account.
 */
export async function recordDeposit(tx: Sql, account: Account, deposit: ArrivingDeposit, now: number): Promise<Hex> {
  const hash = deposit.hash ?? (`0x${randomBytes(32).toString('hex')}` as Hex);
  await tx.query(
    `INSERT INTO balances (account_id, token_id, pending_deposit) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, token_id) DO UPDATE
     SET pending_deposit = balances.pending_deposit + excluded.pending_deposit`,
    [account.accountId, deposit.tokenId, deposit.amount],
  );
  await tx.query(
    `INSERT INTO requests (kind, hash, account_id, owner, other_address, token_id, nft_data, amount, fee_token_id, fee,
       valid_until, status, tx_hash, digest, memo, details, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 'received', $10, $11, $12, $13::jsonb, $9, $9)`,
    [
      deposit.nftData === undefined ? 'deposit' : 'nftDeposit',
      hash,
      account.accountId,
      account.owner,
      deposit.from.toLowerCase(),
      deposit.tokenId,
      deposit.nftData ?? '',
      deposit.amount,
      now,
      deposit.txHash?.toLowerCase() ?? '',
      deposit.digest ?? '',
      deposit.memo ?? '',
      JSON.stringify(deposit.returns === undefined ? {} : { returns: deposit.returns }),
    ],
  );
  return hash;
}
