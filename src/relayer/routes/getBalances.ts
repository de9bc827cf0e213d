import { splitList } from '../../protocol/fields.ts';
import { MIN_NFT_TOKEN_ID } from '../../protocol/limits.ts';
import type { Route } from '../server/route.ts';

export const getBalances: Route<'getBalances'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    const wanted = splitList(query.tokens).map(Number);
    const rows = await relayer.db.query<{
      token_id: number;
      total: bigint;
      locked: bigint;
      pending_withdraw: bigint;
      pending_deposit: bigint;
    }>(
      `SELECT * FROM balances WHERE account_id = $1 AND token_id < ${MIN_NFT_TOKEN_ID}
         AND (cardinality($2::bigint[]) = 0 OR token_id = ANY($2::bigint[])) ORDER BY token_id`,
      [accountId, wanted],
    );
    return rows.map((row) => ({
      accountId,
      tokenId: row.token_id,
      total: row.total.toString(),
      locked: row.locked.toString(),
      pending: { withdraw: row.pending_withdraw.toString(), deposit: row.pending_deposit.toString() },
    }));
  },
};
