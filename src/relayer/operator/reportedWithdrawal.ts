import type { Sql } from '../db/port.ts';
import { type Account, lockAccount } from '../engine/accounts.ts';
import { findRequest, type RequestRow } from '../engine/requestRow.ts';
import { OperatorRefusal } from './operatorRefusal.ts';

/**
 * The withdrawal that a report names, with its account locked.
 * @throws {OperatorRefusal} There is none, or nothing of it can be on layer 1.
 */
export async function reportedWithdrawal(tx: Sql, hash: string): Promise<{ account: Account; request: RequestRow }> {
  const found = await findRequest(tx, hash);
  if (found?.kind !== 'withdrawal' && found?.kind !== 'nftWithdrawal')
    throw new OperatorRefusal('unknown', `hash: there is no withdrawal ${hash}`);
  const account = await lockAccount(tx, found.account_id);
  // Read again: it may have been reported while the lock was waited for.
  const request = await findRequest(tx, hash);
  if (!account || !request) throw new Error(`withdrawal ${hash} or its account is gone`);
  if (request.status === 'failed')
    throw new OperatorRefusal('contradiction', `withdrawal ${hash} failed on layer 2: ${request.failure}`);
  if (request.status === 'received')
    throw new OperatorRefusal('early', `withdrawal ${hash} is not settled: nothing may be paid for it yet`);
  return { account, request };
}
