import type { z } from 'zod';
import type { getNftTransactions } from '../../../protocol/endpoints/getNftTransactions.ts';
import { splitList } from '../../../protocol/fields.ts';
import type { Call } from '../../server/route.ts';
import { canonicalHash } from '../nft/nftRows.ts';
import { listed } from '../page.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestKind, RequestRow } from '../requestRow.ts';
import { blockOf, feeOf, hashFilter, requestPage, storageOf } from './requestHistory.ts';

interface NftHistoryCall extends Pick<Call<'getNftTransactions'>, 'relayer' | 'account'> {
  readonly query: Omit<z.output<typeof getNftTransactions.query>, 'accountId' | 'types'>;
}

/** One page of an account's NFT requests of some kinds, newest first, under `name`. */
export async function nftHistory<Name extends string, Row>(
  { relayer, query, account: { accountId } }: NftHistoryCall,
  name: Name,
  kinds: readonly RequestKind[],
  describeRow: (relayer: Relayer, row: RequestRow) => Row,
): Promise<{ readonly totalNum: number } & Record<Name, Row[]>> {
  const { totalNum, rows } = await requestPage(relayer, accountId, kinds, query, [
    ['nft_data = ?', query.nftData === undefined ? undefined : canonicalHash(query.nftData)],
    ['id <= ?', query.startId || undefined],
    ['status = ANY(?::text[])', listed(query.txStatus)],
    hashFilter(query.hashes),
  ]);
  const list = { [name]: rows.map((row) => describeRow(relayer, row)) } as Record<Name, Row[]>;
  return { totalNum, ...list };
}

/** A row that moves an NFT away from the account, or mints it. */
export const describeNftMove = (relayer: Relayer, row: RequestRow) => ({
  ...describe(relayer, row),
  payeeId: row.other_account_id,
  payeeAddress: row.other_address,
});

/** The account of a deposit is its receiver, and the other one the depositor. */
export const describeNftDeposit = (relayer: Relayer, row: RequestRow) => ({
  ...describe(relayer, row),
  depositFrom: row.other_address,
  depositFromAccountId: row.other_account_id,
});

/** A row of a history that mixes the kinds. */
export const describeNftRequest = (relayer: Relayer, row: RequestRow) =>
  row.kind === 'nftDeposit' ? describeNftDeposit(relayer, row) : describeNftMove(relayer, row);

function describe(relayer: Relayer, row: RequestRow) {
  return {
    id: row.id,
    requestId: row.id,
    hash: row.hash,
    txHash: row.kind === 'nftDeposit' && !row.details.returns ? row.tx_hash || row.hash : row.tx_hash,
    accountId: row.account_id,
    owner: row.owner,
    status: row.status,
    nftData: row.nft_data || '0x0',
    amount: row.amount.toString(),
    feeTokenSymbol: relayer.catalog.token(row.fee_token_id)?.symbol ?? '',
    feeAmount: feeOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    memo: row.memo,
    nftTxType: nftTxTypes[row.kind] ?? row.kind,
    ...storageOf(row),
    ...blockOf(row),
  } as const;
}

const nftTxTypes: Partial<Record<RequestKind, string>> = {
  nftDeposit: 'deposit',
  nftTransfer: 'transfer',
  nftWithdrawal: 'withdrawal',
  nftMint: 'mint',
};

/** Kinds behind the words of the `types` filter. */
export function nftKindsOf(words: string | undefined): RequestKind[] {
  const all = Object.entries(nftTxTypes) as [RequestKind, string][];
  if (words === undefined) return all.map(([kind]) => kind);
  const asked = new Set(splitList(words).map((word) => word.toLowerCase()));
  return all.filter(([, word]) => asked.has(word)).map(([kind]) => kind);
}
