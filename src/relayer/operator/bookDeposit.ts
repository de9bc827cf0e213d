import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';
import { type Account, openLockedAccount } from '../engine/accounts.ts';
import { recordDeposit } from '../engine/deposits.ts';
import { findRequest } from '../engine/requestRow.ts';
import { submissionDigest } from '../engine/submissionDigest.ts';
import { describeEvent, eventHash, type Layer1Event } from './layer1Event.ts';
import { OperatorRefusal } from './operatorRefusal.ts';

interface ReportedDeposit extends Layer1Event {
  readonly owner: Hex;
  readonly from: Hex;
  readonly amount: string;
}

/** Balance that is credited: a token, or an NFT in the slot that the account has for it. */
export interface Credited {
  readonly tokenId: number;
  readonly nftData?: Hex;
}

/**
 * Books a deposit that layer 1 has confirmed, once: an event that was booked before changes
 * nothing.
 * @param facts - What the report says, in one spelling.
 * @param credited - Called with the account locked.
 * @throws {OperatorRefusal} The event was reported with other facts, or its transaction in another
 *   block.
 */
export async function bookDeposit(
  tx: Sql,
  deposit: ReportedDeposit,
  facts: object,
  now: number,
  credited: (account: Account) => Promise<Credited>,
): Promise<{ repeated: boolean; accountId: number; hash: Hex; status: string }> {
  await claimTransaction(tx, deposit);
  const hash = eventHash(deposit);
  const digest = submissionDigest({ ...facts, owner: deposit.owner.toLowerCase(), from: deposit.from.toLowerCase() });
  const booked = await findRequest(tx, hash);
  if (booked && booked.digest !== digest)
    throw new OperatorRefusal(
      'contradiction',
      `${describeEvent(deposit)} is booked with other facts: ${booked.amount} of token ${booked.token_id} for ${booked.owner}`,
    );
  if (booked) return { repeated: true, accountId: booked.account_id, hash, status: booked.status };
  const account = await openLockedAccount(tx, deposit.owner, now);
  const arriving = {
    hash,
    txHash: deposit.txHash,
    digest,
    from: deposit.from,
    amount: BigInt(deposit.amount),
    ...(await credited(account)),
  };
  await recordDeposit(tx, account, arriving, now);
  return { repeated: false, accountId: account.accountId, hash, status: 'received' };
}

/**
 * Ties a transaction to its block, and holds the row, so that reports of one transaction come one
 * after another. A second block means that one of the two is not on the chain any more: booking
 * both would credit one deposit twice.
 */
async function claimTransaction(tx: Sql, { txHash, blockHash }: Layer1Event): Promise<void> {
  const [row] = await tx.query<{ block_hash: string }>(
    `INSERT INTO l1_transactions (tx_hash, block_hash) VALUES ($1, $2)
     ON CONFLICT (tx_hash) DO UPDATE SET tx_hash = excluded.tx_hash RETURNING block_hash`,
    [txHash.toLowerCase(), blockHash.toLowerCase()],
  );
  if (row?.block_hash !== blockHash.toLowerCase())
    throw new OperatorRefusal(
      'contradiction',
      `transaction ${txHash} was reported in block ${row?.block_hash}; it cannot stand in ${blockHash} as well`,
    );
}
