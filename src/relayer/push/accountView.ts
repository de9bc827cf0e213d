import { MIN_NFT_TOKEN_ID } from '../../protocol/limits.ts';
import type { PushTopic } from '../../protocol/push.ts';
import type { Sql } from '../db/port.ts';
import { describeOrder } from '../engine/orders/describeOrder.ts';
import type { OrderRow } from '../engine/orders/orderRow.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { ChangedBalance } from './accountChanges.ts';

/** A balance as it is told. */
export interface ToldBalance {
  readonly account_id: number;
  readonly token_id: number;
  readonly total: bigint;
  readonly locked: bigint;
  readonly nft_data: string | null;
  readonly token_address: string | null;
  /** Transaction that wrote it last: another one, although the amounts may be the same again. */
  readonly written_by: string;
}

/** Balances as they are now, NFTs with what they are. */
export const readBalances = (sql: Sql, changed: readonly ChangedBalance[]): Promise<ToldBalance[]> =>
  sql.query<ToldBalance>(
    `SELECT account_id, token_id, total, locked, nft_slots.nft_data, nfts.token_address,
       balances.xmin::text AS written_by
     FROM unnest($1::bigint[], $2::int[]) AS changed (account_id, token_id) JOIN balances USING (account_id, token_id)
       LEFT JOIN nft_slots USING (account_id, token_id) LEFT JOIN nfts USING (nft_data)
     ORDER BY account_id, token_id`,
    [changed.map(([accountId]) => accountId), changed.map(([, tokenId]) => tokenId)],
  );

/** A balance in the form that the subscriber asked for; the older one has no NFTs. */
export function describeBalance(
  topic: Extract<PushTopic, { topic: 'account' }>,
  { account_id, token_id, total, locked, nft_data, token_address }: ToldBalance,
): object | undefined {
  const whose = { accountId: account_id, tokenId: token_id };
  if (topic.v3)
    return {
      ...whose,
      total: total.toString(),
      locked: locked.toString(),
      ...(nft_data !== null && { nftData: nft_data }),
      ...(token_address !== null && { tokenAddress: token_address }),
    };
  if (token_id >= MIN_NFT_TOKEN_ID) return undefined;
  return { ...whose, totalAmount: total.toString(), amountLocked: locked.toString() };
}

/** An order with all that is known of it: totals, so that the same message twice does no harm. */
export function describePushedOrder(relayer: Relayer, order: OrderRow): object {
  const { price, volumes, validity } = describeOrder(relayer, order);
  return {
    hash: order.hash,
    clientOrderId: order.client_order_id,
    size: volumes.baseAmount,
    volume: volumes.quoteAmount,
    price,
    filledSize: volumes.baseFilled,
    filledVolume: volumes.quoteFilled,
    filledFee: volumes.fee,
    status: order.status,
    createdAt: order.created_at,
    updateAt: order.updated_at,
    validSince: validity.start,
    validUntil: validity.end,
    side: order.side,
    market: order.market,
    accountId: order.account_id,
    ...(order.nft_data && { nftData: order.nft_data }),
  };
}
