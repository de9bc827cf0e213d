import { lockAccount } from './accounts.ts';
import { followDeployments, OPEN_DEPLOYMENT } from './l1Deployments.ts';
import { markPaid, UNPAID } from './payouts.ts';
import type { Relayer } from './relayer.ts';
import type { RequestRow } from './requestRow.ts';

/** One process talks to L1 at a time; the lease ends by itself when that process dies. */
const LEASE_MS = 30_000;
const DUE_WITHDRAWALS = `SELECT requests.* FROM requests JOIN blocks USING (block_id)
  WHERE ${UNPAID} AND (requests.status = 'processed' AND blocks.status IN ('confirmed', 'finalized')
    OR details->>'fast' = 'ahead')`;
const holder = `${process.pid}-${Math.random().toString(36).slice(2)}`;

/**
 * Carries out the work that waits for L1: contract deployments to send and deployed code to see,
 * outside of any transaction; on the built-in chain withdrawals of confirmed blocks to pay out, and
 * before them the fast ones of any block. Every step can be repeated: deployments have a fixed
 * address, payouts their request's hash. What fails is reported and left to the next call; it ends
 * when both works have ended.
 */
export async function moveL1(relayer: Relayer): Promise<void> {
  const reported = (work: Promise<void>): Promise<void> =>
    work.catch((error) => relayer.log.error({ err: error }, 'work for the L1 chain failed; it is tried again'));
  const move = async () => {
    if (!(await isDue(relayer)) || !(await takeLease(relayer))) return;
    await Promise.all([reported(followDeployments(relayer)), reported(payOutWithdrawals(relayer))]);
  };
  await reported(move());
}

/** The lease is one row that all processes write; without work it stays as it is. */
async function isDue({ db, l1 }: Relayer): Promise<boolean> {
  const payouts = l1.payOut ? `OR EXISTS (${DUE_WITHDRAWALS})` : '';
  const [row] = await db.query<{ due: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM l1_deployments WHERE ${OPEN_DEPLOYMENT}) ${payouts} AS due`,
  );
  return row?.due === true;
}

/**
 * Its deadline is the database's time: processes whose clocks differ do not take it from each
 * other. One that ends far too late was written before that clock was set back.
 */
async function takeLease({ db }: Relayer): Promise<boolean> {
  const rows = await db.query(
    `WITH clock AS (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
     INSERT INTO settings (key, value) SELECT 'l1_lease', (now + ${LEASE_MS}) || '/' || $1::text FROM clock
     ON CONFLICT (key) DO UPDATE SET value = excluded.value
     WHERE split_part(settings.value, '/', 2) = $1
        OR split_part(settings.value, '/', 1)::bigint NOT BETWEEN (SELECT now FROM clock)
           AND (SELECT now FROM clock) + ${2 * LEASE_MS} RETURNING key`,
    [holder],
  );
  return rows.length > 0;
}

async function payOutWithdrawals({ db, faults, l1: { payOut }, log }: Relayer): Promise<void> {
  if (!payOut) return;
  const due = await db.query<RequestRow>(
    `${DUE_WITHDRAWALS} ORDER BY (details->>'fast' = 'ahead') IS TRUE DESC, id LIMIT 50`,
  );
  for (const { id, hash, account_id } of due)
    try {
      faults.pass('payout');
      await db.transaction(async (tx) => {
        await lockAccount(tx, account_id);
        // It may have been given back while those before it were paid.
        const [request] = await tx.query<RequestRow>(`${DUE_WITHDRAWALS} AND requests.id = $1`, [id]);
        if (!request) return;
        const txHash = await payOut(tx, {
          hash,
          recipient: request.other_address || request.owner,
          tokenId: request.token_id,
          amount: request.amount,
          minGas: Number(request.details.minGas ?? 0),
          extraData: String(request.details.extraData ?? '0x'),
        });
        await markPaid(tx, request, txHash);
      });
    } catch (error) {
      log.warn({ err: error, hash }, 'a withdrawal waits for the L1 chain');
    }
}
