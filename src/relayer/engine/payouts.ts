import { concat, type Hex, keccak256, stringToHex } from 'viem';
import type { Sql } from '../db/port.ts';
import type { Account } from './accounts.ts';
import { changePendingWithdraw } from './balances.ts';
import { recordDeposit } from './deposits.ts';
import type { RequestRow } from './requestRow.ts';

/** Withdrawals that are settled and neither paid nor given back. */
export const UNPAID = `requests.kind IN ('withdrawal', 'nftWithdrawal') AND requests.tx_hash = ''
  AND requests.payout_failure = '' AND requests.status IN ('processing', 'processed')`;

const RETURN_MEMO = 'returned: the withdrawal could not be paid on layer 1';

/**
 * Writes the layer-1 transaction that paid a withdrawal, once. The caller has locked the account.
 */
export async function markPaid(tx: Sql, request: RequestRow, txHash: Hex): Promise<void> {
  const paid = await tx.query(
    `UPDATE requests SET tx_hash = $2 WHERE id = $1 AND tx_hash = '' AND payout_failure = '' RETURNING id`,
    [request.id, txHash],
  );
  if (paid.length > 0) await changePendingWithdraw(tx, request.account_id, request.token_id, -request.amount);
}

/**
 * Gives the amount of a withdrawal back that cannot be paid on layer 1, once: as a deposit, because
 * the withdrawal stands in a block and stays there. Its fee stays with the operator. The caller has
 * locked the account.
 * @returns The hash of that deposit.
 */
export async function returnUnpaid(
  tx: Sql,
  account: Account,
  request: RequestRow,
  { reason, from, now }: { reason: string; from: Hex; now: number },
): Promise<Hex> {
  const hash = returnHash(request);
  const failed = await tx.query(
    `UPDATE requests SET payout_failure = $2 WHERE id = $1 AND tx_hash = '' AND payout_failure = '' RETURNING id`,
    [request.id, reason],
  );
  if (failed.length === 0) return hash;
  await changePendingWithdraw(tx, request.account_id, request.token_id, -request.amount);
  const { token_id: tokenId, nft_data: nftData, amount } = request;
  const arriving = { hash, from, tokenId, ...(nftData && { nftData }), amount, memo: RETURN_MEMO };
  return recordDeposit(tx, account, { ...arriving, returns: request.hash }, now);
}

/** The deposit that gives a withdrawal back has one name, whoever computes it. */
export const returnHash = ({ hash }: Pick<RequestRow, 'hash'>): Hex =>
  keccak256(concat([hash, stringToHex(RETURN_MEMO)]));
