import type { OrderView } from '../../../messaging/views.ts';
import { PAGE } from '../../../operations/everyRow.ts';
import { signsOrder } from '../../../operations/index.ts';
import type { Pair } from '../../../operations/pairOf.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { type FillTerms, fillTerms, type OrderBody } from '../../../operations/submitOrder.ts';
import { type EndpointAnswer, formatHash } from '../../../protocol/index.ts';
import { plainPrice } from '../../../protocol/scaledPrice.ts';
import { finalStates, openOrderStatuses } from '../../../protocol/states.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed } from './named.ts';
import { storedRead } from './storedRead.ts';
import { pairsOf } from './tokensOf.ts';
import type { UiHandlers } from './uiHandler.ts';

function orderView(order: EndpointAnswer<'getOrder'>, { base, quote }: Pair<TokenFacts>): OrderView {
  return {
    hash: formatHash(BigInt(order.hash)),
    clientOrderId: order.clientOrderId,
    market: order.market,
    side: order.side,
    status: order.status,
    price: plainPrice(order.price) ?? order.price,
    nftData: order.nftData ?? null,
    base: order.nftData === undefined ? base : null,
    quote,
    baseAmount: order.volumes.baseAmount,
    quoteAmount: order.volumes.quoteAmount,
    baseFilled: order.volumes.baseFilled,
    quoteFilled: order.volumes.quoteFilled,
    fee: order.volumes.fee,
    validUntil: order.validity.end * 1000,
    storageId: order.storageInfo?.storageId ?? null,
  };
}

/** Terms of those of the orders that this wallet signed, by hash. */
async function signedTerms(
  { journal }: Pick<Wallet, 'journal'>,
  { networkId, accountId }: StoredAccount,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FillTerms>> {
  const records = await journal.list({ exchangeOf: networkId, accountId, hashes });
  return new Map(
    records.flatMap(({ operation, hash, draft }) =>
      signsOrder(operation) && hash ? [[hash.toLowerCase(), fillTerms(draft as unknown as OrderBody)] as const] : [],
    ),
  );
}

export const orderHandlers = {
  async getOrders(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    return storedRead(wallet, account, 'orders', refresh, async (reads) => {
      const pairNamed = await pairsOf(wallet, account);
      const listed = async (status: string) => {
        const query = { accountId: account.accountId, limit: PAGE, status };
        const { orders, totalNum } = await reads.read('getOrders', { query });
        return { orders: orders.slice(0, PAGE), totalNum };
      };
      // Open ones apart: a long history must not push an old open order off the page.
      const open = await listed(openOrderStatuses.join());
      const over = await listed(finalStates.join());
      const hashes = [...open.orders, ...over.orders].map(({ hash }) => formatHash(BigInt(hash)));
      const signed = await signedTerms(wallet, account, hashes);
      const viewOf = (order: EndpointAnswer<'getOrder'>): OrderView => {
        const view = orderView(order, pairNamed(order.market));
        const terms = signed.get(view.hash);
        return terms ? { ...view, terms } : view;
      };
      return {
        open: open.orders.map(viewOf),
        over: over.orders.map(viewOf),
        moreOpen: open.totalNum > open.orders.length,
        moreOver: over.totalNum > over.orders.length,
      };
    });
  },
} satisfies UiHandlers<'accountKeys' | 'config' | 'journal' | 'ports' | 'relayers' | 'vault'>;
