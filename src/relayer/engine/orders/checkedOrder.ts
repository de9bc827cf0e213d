import type { z } from 'zod';
import type { submitOrder } from '../../../protocol/endpoints/submitOrder.ts';
import type { OrderType, TradeChannel } from '../../../protocol/statuses.ts';
import type { Account } from '../accounts.ts';
import type { Market, Pool, Token } from '../catalog.ts';
import type { OrderRow } from './orderRow.ts';

export type OrderBody = z.output<typeof submitOrder.body>;

/** Terms of an order in this relayer's markets. */
export interface OrderTerms {
  readonly sold: Token;
  readonly bought: Token;
  readonly market: Market;
  /** Seen from the base token. */
  readonly side: 'BUY' | 'SELL';
  readonly orderType: Exclude<OrderType, 'AMM'>;
  readonly channel: TradeChannel;
  /** The pool that may fill it. */
  readonly pool: Pool | undefined;
}

/** In ten-thousandths. */
export interface OrderRates {
  readonly makerBips: number;
  readonly takerBips: number;
}

/** An order whose signature and terms were checked. */
export interface CheckedOrder {
  /** As it was when the signature was checked. */
  readonly account: Account;
  readonly body: OrderBody;
  readonly hash: `0x${string}`;
  readonly digest: string;
  readonly terms: OrderTerms;
  readonly rates: OrderRates;
}

/** The answer to a recorded order. */
export interface OrderAck {
  readonly order: Pick<OrderRow, 'hash' | 'client_order_id' | 'status'>;
  readonly isIdempotent: boolean;
}
