import type { Sql } from '../../db/port.ts';
import { applyMovements } from '../balances.ts';
import type { BlockEntry, OpenBlock } from '../blocks.ts';
import type { Pool } from '../catalog.ts';
import { takePoolStorageIds } from '../pools/poolState.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestRow } from '../requestRow.ts';
import { transferEntry } from '../transferEntry.ts';
import { feeMovement } from './requestMovements.ts';

/**
 * Carries a join or exit out as three transfers, the LP tokens last. The last one that the user
 * makes carries the fee, which was frozen for a join and is taken from what an exit pays.
 * @param amounts - Of both tokens in the pool's order, and of LP tokens; block floats.
 * @param storageIds - Of the transfers that the user makes.
 */
export async function movePoolTokens(
  { clock }: Relayer,
  tx: Sql,
  request: RequestRow,
  block: Pick<OpenBlock, 'operatorId'>,
  pool: Pool,
  amounts: readonly [bigint, bigint, bigint],
  storageIds: readonly number[],
): Promise<BlockEntry[]> {
  const isJoin = request.kind === 'ammJoin';
  const user = { accountId: request.account_id, owner: request.owner };
  const contract = { accountId: pool.accountId, owner: pool.address };
  const moves = [...pool.tokens, pool.lp].map((token, index) => {
    const byUser = isJoin ? token !== pool.lp : token === pool.lp;
    const [from, to] = byUser ? [user, contract] : [contract, user];
    return { byUser, from, to, tokenId: token.tokenId, amount: amounts[index] as bigint };
  });
  await applyMovements(
    tx,
    [
      ...moves.map(({ byUser, from, to, tokenId, amount }) => ({
        from: from.accountId,
        to: to.accountId,
        tokenId,
        amount,
        frozen: byUser,
        kind: request.kind,
        ref: request.hash,
      })),
      { ...feeMovement(request, block), frozen: isJoin },
    ],
    clock.now(),
  );
  const [base, quote, lp] = amounts.map(String);
  await tx.query('UPDATE requests SET details = details || $2::jsonb WHERE id = $1', [
    request.id,
    JSON.stringify({ actual: [base, quote], lp }),
  ]);
  let poolId = await takePoolStorageIds(tx, pool.address, moves.length - storageIds.length);
  const userIds = storageIds.values();
  const paying = moves.findLast(({ byUser }) => byUser);
  return moves.map((move, index) =>
    transferEntry(
      {
        from: move.from,
        to: move.to,
        tokenId: move.tokenId,
        amount: move.amount,
        feeTokenId: request.fee_token_id,
        fee: move === paying ? request.fee : 0n,
        storageId: move.byUser ? (userIds.next().value as number) : poolId++,
        validUntil: request.valid_until,
        approvedOnL1: true,
      },
      index === 2 ? { txType: isJoin ? 'JoinAmm' : 'ExitAmm' } : {},
    ),
  );
}
