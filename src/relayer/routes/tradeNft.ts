import { type NftTradeRow, tradeNfts } from '../engine/nft/tradeNfts.ts';
import type { Call, Route } from '../server/route.ts';
import { validateOrder } from './validateOrder.ts';

const ofOrder = Object.entries(validateOrder.invalid ?? {});

export const tradeNft: Route<'tradeNft'> = {
  // The body names the accounts of both orders; the API key tells the submitter.
  accountId: () => undefined,
  invalid: Object.fromEntries([
    ...['maker', 'taker'].flatMap((side) => ofOrder.map(([field, name]) => [`${side}.${field}`, name] as const)),
    ['makerFeeBips', 'RATE_ILLEGAL'],
    ['takerFeeBips', 'RATE_ILLEGAL'],
  ]),
  handle: async ({ relayer, body, account }: Call<'tradeNft'>) => {
    const trade = await tradeNfts(relayer, account, body);
    const [sale, purchase] = [saleOf(trade), purchaseOf(trade)];
    const [makerFills, takerFills] = trade.seller_is_maker ? [sale, purchase] : [purchase, sale];
    return { makerFills, takerFills, tradeHash: trade.trade_hash };
  },
};

const nftOf = ({ nft_data: nftData, amount }: NftTradeRow, tokenId: number) => ({
  tokenId,
  nftData,
  amount: amount.toString(),
});

const priceOf = ({ token_id: tokenId, volume }: NftTradeRow) => ({ tokenId, amount: volume.toString() });

const saleOf = (trade: NftTradeRow) => ({
  orderHash: trade.seller_hash,
  sellFilled: nftOf(trade, trade.seller_slot),
  buyFilled: priceOf(trade),
  fee: { tokenId: trade.token_id, amount: trade.seller_fee.toString() },
});

const purchaseOf = (trade: NftTradeRow) => ({
  orderHash: trade.buyer_hash,
  sellFilled: priceOf(trade),
  buyFilled: nftOf(trade, trade.buyer_slot),
  fee: { tokenId: trade.token_id, amount: trade.buyer_fee.toString() },
});
