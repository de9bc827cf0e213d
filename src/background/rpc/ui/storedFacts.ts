import type { BalanceView, HistoryView, NftView, OrdersView, PoolsView, PricesView } from '../../../messaging/views.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { entry, type Form } from '../../../storage/entry.ts';
import { isRecord } from '../../../storage/lenient.ts';
import type { Ports } from '../../ports.ts';
import { tokenForm } from '../../relayers/tokenForm.ts';

/**
 * Facts of an account as they were last read, for a screen that is drawn before any relayer
 * answers.
 */
export interface Kept<T> {
  /** Unix milliseconds. */
  readonly at: number;
  readonly data: T;
}

export interface StoredBalances {
  readonly at: number;
  readonly balances: readonly BalanceView[];
}

/** Facts that are kept of an account, by their name in the store. */
export interface StoredViews {
  readonly history: HistoryView;
  readonly orders: OrdersView;
  readonly nfts: readonly NftView[];
  readonly pools: PoolsView;
  readonly prices: PricesView;
}

const kept = <T>(data: z.ZodMiniType<T>) => z.object({ at: z.number(), data });
/** Lists of objects that are only drawn, and read again whenever their screen is open. */
const drawn = <T>(...lists: (keyof T & string)[]) =>
  kept(z.custom<T>((view) => isRecord(view) && lists.every((list) => isRows(view[list]))));
const isRows = (list: unknown): boolean => Array.isArray(list) && list.every(isRecord);

const amounts = () => ({
  total: z.string(),
  locked: z.string(),
  pendingDeposit: z.string(),
  pendingWithdraw: z.string(),
});

/** Of balances and NFTs proofs are asked, so each field of them is read. */
const balances = once(
  (): Form<StoredBalances> =>
    z.object({ at: z.number(), balances: z.array(z.object({ token: tokenForm(), ...amounts() })) }),
);

const forms: { readonly [Name in keyof StoredViews]: () => Form<Kept<StoredViews[Name]>> } = {
  history: once(() => drawn<HistoryView>('events')),
  orders: once(() => drawn<OrdersView>('open', 'over')),
  // An earlier version kept no other pools.
  pools: once(() => drawn<PoolsView>('positions', 'moves')),
  nfts: once(() =>
    kept(
      z.array(
        z.object({
          ...amounts(),
          slot: z.int(),
          nftData: z.string(),
          tokenAddress: z.string(),
          nftId: z.string(),
          cid: z.nullable(z.string()),
          deployment: z.nullable(z.string()),
          minter: z.nullable(z.string()),
        }),
      ),
    ),
  ),
  prices: once(() =>
    kept(
      z.object({
        currency: z.string(),
        rates: z.array(z.object({ tokenId: z.int(), now: z.string(), before: z.nullable(z.string()) })),
      }),
    ),
  ),
};

/** Facts that are kept under a name, by account. */
export const keptUnder = <Name extends keyof StoredViews>(ports: Pick<Ports, 'local'>, name: Name) =>
  entry(ports, 'local', `${name}:`, forms[name]);

/** By account, as they were last read. */
export const keptBalances = (ports: Pick<Ports, 'local'>) => entry(ports, 'local', 'balances:', balances);
