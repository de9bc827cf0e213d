import type { Sql } from '../../db/port.ts';
import { type OpenBlock, tokenOf } from '../blocks.ts';

/** Both tokens of a constant-product pool weigh the same. */
const WEIGHT = 10n ** 18n;

/**
 * Puts the fee, the weights and the balances of a pool into the block; each of its tokens raises
 * the nonce of its account.
 */
export async function publishPool(tx: Sql, block: OpenBlock, address: string): Promise<void> {
  const tokens = await tx.query<{
    account_id: number;
    nonce: number;
    token_id: number;
    fee_bips: number;
    total: bigint;
  }>(
    `SELECT account_id, nonce, token_id, fee_bips, coalesce(total, 0)::numeric AS total FROM amm_pools
     JOIN accounts USING (account_id) CROSS JOIN LATERAL (VALUES (0, token_0), (1, token_1)) AS listed (place, token_id)
     LEFT JOIN balances USING (account_id, token_id) WHERE address = $1 ORDER BY place`,
    [address],
  );
  await block.append(
    tokens.map(({ account_id: accountId, token_id: tokenId, nonce, fee_bips: feeBips, total }, index) => ({
      executed: {
        type: 'AmmUpdate',
        owner: BigInt(address),
        accountId,
        tokenId,
        feeBips,
        tokenWeight: WEIGHT,
        nonce: nonce + index,
        balance: total,
      },
      shown: {
        txType: 'AmmUpdate',
        accountId,
        owner: address,
        token: tokenOf(tokenId, total),
        nonce: nonce + index,
        valid: true,
      },
    })),
  );
  await tx.query(
    `UPDATE accounts SET nonce = nonce + $2
     WHERE account_id = (SELECT account_id FROM amm_pools WHERE address = $1)`,
    [address, tokens.length],
  );
}
