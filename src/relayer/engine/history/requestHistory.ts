import type { z } from 'zod';
import type { userHistoryQuery, userTransaction } from '../../../protocol/endpoints/getUserTransactions.ts';
import { splitList } from '../../../protocol/fields.ts';
import { fastStatusOf } from '../fastWithdrawals.ts';
import { canonicalHash } from '../nft/nftRows.ts';
import { type Condition, listed, page, type Source } from '../page.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestKind, RequestRow } from '../requestRow.ts';

type UserTransaction = z.input<ReturnType<typeof userTransaction>>;

/**
 * Name of each kind in the general histories. Pool and NFT requests have histories of their own.
 */
const txTypes: Partial<Record<RequestKind, string>> = {
  deposit: 'DEPOSIT',
  transfer: 'TRANSFER',
  nftDeploy: 'TRANSFER',
  withdrawal: 'OFFCHAIN_WITHDRAWAL',
  accountUpdate: 'CHANGE_PWD',
};

/** Kinds behind the words of the `types` filter. */
const kindsOfWord: Readonly<Record<string, readonly RequestKind[]>> = {
  deposit: ['deposit'],
  transfer: ['transfer', 'nftDeploy'],
  offchain_withdrawal: ['withdrawal'],
  onchain_withdrawal: [],
  withdrawal: ['withdrawal'],
  change_password: ['accountUpdate'],
  change_pwd: ['accountUpdate'],
  account_update: ['accountUpdate'],
};

export const userTransactionKinds = Object.keys(txTypes) as RequestKind[];

/** Kinds that a `types` or `transferTypes` filter asks for; unknown words ask for nothing. */
export function kindsOf(words: string | undefined, among: readonly RequestKind[]): readonly RequestKind[] {
  if (words === undefined) return among;
  const asked = new Set(splitList(words).flatMap((word) => kindsOfWord[word.toLowerCase()] ?? []));
  return among.filter((kind) => asked.has(kind));
}

type HistoryQuery = Omit<z.output<ReturnType<typeof userHistoryQuery>>, 'accountId' | 'types'>;

export const SENT: Source = ['requests', 'account_id'];
const RECEIVED: Source = [
  '(SELECT * FROM requests WHERE account_id <> other_account_id) AS received',
  'other_account_id',
];

/** One page of the rows of an account's requests, newest first, and how many there are. */
export const requestPage = (
  relayer: Relayer,
  accountId: number,
  kinds: readonly RequestKind[],
  query: Pick<HistoryQuery, 'start' | 'end' | 'limit' | 'offset'>,
  conditions: readonly Condition[],
  sources: readonly Source[] = [SENT, RECEIVED],
) =>
  relayer.historiesOf(accountId, (histories) =>
    page<RequestRow>(
      histories,
      sources,
      accountId,
      [
        ['kind = ANY(?::text[])', kinds],
        ['created_at >= ?', query.start],
        ['created_at <= ?', query.end || undefined],
        ...conditions,
      ],
      ['id', 'DESC'],
      query,
    ),
  );

/** The same as the general histories answer it. */
export async function requestHistory(
  relayer: Relayer,
  accountId: number,
  kinds: readonly RequestKind[],
  query: HistoryQuery,
): Promise<{ totalNum: number; transactions: UserTransaction[] }> {
  const tokenId =
    query.tokenSymbol === undefined ? undefined : (relayer.catalog.tokenBySymbol(query.tokenSymbol)?.tokenId ?? -1);
  const { totalNum, rows } = await requestPage(relayer, accountId, kinds, query, [
    ['token_id = ?', tokenId],
    ['status = ANY(?::text[])', listed(query.status)],
    hashFilter(query.hashes),
  ]);
  return { totalNum, transactions: rows.map((row) => describe(relayer, row)) };
}

/**
 * Finds requests by their hashes, and deposits also by the layer-1 transaction that their rows
 * show.
 */
export function hashFilter(hashes: string | undefined): Condition {
  const named = listed(hashes)?.map(canonicalHash);
  return [`hash = ANY(?::text[]) OR kind IN ('deposit', 'nftDeposit') AND tx_hash = ANY(?::text[])`, named];
}

function describe(relayer: Relayer, row: RequestRow): UserTransaction {
  const symbol = (tokenId: number) => relayer.catalog.token(tokenId)?.symbol ?? String(tokenId);
  const deposit = row.kind === 'deposit';
  return {
    id: row.id,
    requestId: row.id,
    hash: row.hash,
    txHash: deposit && !row.details.returns ? row.tx_hash || row.hash : row.tx_hash,
    txType: txTypes[row.kind] ?? row.kind,
    symbol: symbol(row.token_id),
    // Of a transfer the amount that was signed; what moves has the digits that a block can hold.
    amount: String(row.details.requested ?? row.amount),
    actualAmount: row.status === 'failed' ? '0' : row.amount.toString(),
    senderAddress: deposit ? row.other_address : row.owner,
    receiver: deposit ? row.account_id : row.other_account_id,
    receiverAddress: deposit ? row.owner : row.other_address,
    feeTokenSymbol: symbol(row.fee_token_id),
    feeAmount: feeOf(row),
    status: row.status,
    progress: progressOf(row),
    timestamp: row.created_at,
    updatedAt: row.updated_at,
    memo: row.memo,
    blockId: row.block_id ?? 0,
    indexInBlock: row.index_in_block ?? 0,
    ...storageOf(row),
    ...blockOf(row),
    ...(row.kind === 'withdrawal' && {
      withdrawalInfo: {
        recipient: row.other_address,
        distributeHash: row.tx_hash,
        fastStatus: fastStatusOf(row),
      },
    }),
  };
}

function progressOf({ status }: RequestRow): string {
  return status === 'received' ? '0%' : status === 'processing' ? '50%' : '100%';
}

/** What a request that failed would have paid was given back. */
export const feeOf = ({ status, fee }: RequestRow): string => (status === 'failed' ? '0' : fee.toString());

export function storageOf(row: RequestRow) {
  return row.storage_id === null
    ? {}
    : { storageInfo: { accountId: row.account_id, tokenId: row.storage_token_id, storageId: row.storage_id } };
}

export function blockOf(row: RequestRow) {
  return row.block_id === null ? {} : { blockIdInfo: { blockId: row.block_id, indexInBlock: row.index_in_block ?? 0 } };
}
