import type { Settlement } from './settlement.ts';
import { settleTransfer } from './settleTransfer.ts';

/** Pays the broker, and with that lets the deployment go to layer 1. */
export const settleNftDeployment: Settlement = async (relayer, tx, request, block) => {
  const entries = await settleTransfer(relayer, tx, request, block);
  await tx.query(
    `INSERT INTO l1_deployments (address, request_hash, status, updated_at) VALUES ($1, $2, 'WAITING', $3)`,
    [String(request.details.tokenAddress).toLowerCase(), request.hash, relayer.clock.now()],
  );
  return entries;
};
