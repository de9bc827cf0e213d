import type { z } from 'zod';
import type { getAmmTransactions } from '../../../protocol/endpoints/getAmmTransactions.ts';
import type { ammTransactionDataV3 } from '../../../protocol/resources.ts';
import type { RequestStatus } from '../../../protocol/statuses.ts';
import { type Condition, listed } from '../page.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestKind, RequestRow } from '../requestRow.ts';
import { feeOf, requestPage, SENT } from './requestHistory.ts';

type AmmTransaction = z.input<ReturnType<typeof ammTransactionDataV3>>;

type AmmHistoryQuery = Omit<z.output<typeof getAmmTransactions.query>, 'accountId'>;

const statusOf: Record<RequestStatus, AmmTransaction['txStatus']> = {
  received: 'processing',
  processing: 'processing',
  processed: 'processed',
  failed: 'cancelled',
};

/** One page of an account's joins and exits, newest first. */
export async function ammHistory(relayer: Relayer, accountId: number, query: AmmHistoryQuery) {
  const types = listed(query.txTypes) ?? ['join', 'exit'];
  const kinds = types.map((type): RequestKind => (type === 'join' ? 'ammJoin' : 'ammExit'));
  const asked = listed(query.txStatus);
  const statuses =
    asked && (Object.keys(statusOf) as RequestStatus[]).filter((status) => asked.includes(statusOf[status]));
  const conditions: Condition[] = [
    ['status = ANY(?::text[])', statuses],
    ['other_address = ?', query.ammPoolAddress?.toLowerCase()],
  ];
  const { totalNum, rows } = await requestPage(relayer, accountId, kinds, query, conditions, [SENT]);
  return { totalNum, transactions: rows.map((row) => describe(relayer, row)) };
}

function describe(relayer: Relayer, row: RequestRow): AmmTransaction {
  const pool = relayer.catalog.pool(row.other_address);
  const {
    amounts = [],
    actual = [],
    lp = '0',
    storageIds,
  } = row.details as {
    amounts?: string[];
    actual?: string[];
    lp?: string;
    storageIds?: number[];
  };
  const poolTokens = (pool?.tokens ?? []).map((token, index) => ({
    tokenId: token.tokenId,
    amount: amounts[index] ?? '0',
    actualAmount: actual[index] ?? '0',
    feeAmount: token.tokenId === row.fee_token_id ? feeOf(row) : '0',
  }));
  const storage = storageIds
    ? storageIds.map((storageId, index) => ({ tokenId: pool?.tokens[index]?.tokenId ?? 0, storageId }))
    : row.storage_id === null
      ? []
      : [{ tokenId: row.storage_token_id, storageId: row.storage_id }];
  return {
    hash: row.hash,
    txType: row.kind === 'ammJoin' ? 'join' : 'exit',
    txStatus: statusOf[row.status],
    ammPoolAddress: pool?.address ?? (row.other_address || '0x'),
    ammLayerType: 'layer_2',
    poolTokens,
    lpToken: { tokenId: row.token_id, amount: row.amount.toString(), actualAmount: lp, feeAmount: '0' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    blockId: row.block_id ?? 0,
    indexInBlock: row.index_in_block ?? 0,
    storageInfo: storage.map((slot) => ({ accountId: row.account_id, ...slot })),
  };
}
