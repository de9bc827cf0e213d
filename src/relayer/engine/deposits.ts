import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';
import type { Account } from './accounts.ts';
import { insertRow } from './insertRow.ts';

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
  await insertRow(tx, 'requests', {
    kind: deposit.nftData === undefined ? 'deposit' : 'nftDeposit',
    hash,
    account_id: account.accountId,
    owner: account.owner,
    other_address: deposit.from.toLowerCase(),
    token_id: deposit.tokenId,
    nft_data: deposit.nftData ?? '',
    amount: deposit.amount,
    fee_token_id: 0,
    fee: 0,
    valid_until: 0,
    status: 'received',
    tx_hash: deposit.txHash?.toLowerCase() ?? '',
    digest: deposit.digest ?? '',
    memo: deposit.memo ?? '',
    details: JSON.stringify({ returns: deposit.returns }),
    created_at: now,
    updated_at: now,
  });
  return hash;
}
