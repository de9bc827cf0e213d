import { carryOut, hold, type TourStep } from './tour.ts';

const ETHER = 10n ** 18n;
const sell = { tokenId: 1, volume: String(100n * ETHER) };
/** Far above the pool, so that nobody takes it. */
const dear = { tokenId: 0, volume: String(ETHER / 20n) };
/** Half of the pool's price, so that the pool gives it. */
const cheap = { tokenId: 0, volume: String((100n * ETHER * 33n) / 1_000_000n) };

export const step: TourStep = {
  title: 'Maker-only rests, a pool order is filled by the pool, and one request cancels all that the site has open',
  async run(tour) {
    const { client, account, picture, desk, say } = tour;
    const { accountId, apiKey } = account;
    await carryOut(tour, 'submitOrder', {
      parameters: { sellToken: sell, buyToken: dear, orderType: 'MAKER_ONLY', clientOrderId: 'maker' },
      final: null,
      picture: 'order-maker-only',
    });
    const { pools } = await client.getAmmPools({});
    const poolAddress = pools.find(({ tokens }) => tokens.lp === 100)?.address ?? '';
    const filled = await carryOut<{ requestId: string; hash: `0x${string}` }>(tour, 'submitOrder', {
      parameters: { sellToken: sell, buyToken: cheap, orderType: 'AMM', poolAddress },
      picture: 'order-pool',
    });
    const order = await client.getOrder({ query: { accountId, orderHash: filled.hash }, apiKey });
    say(`relayer: pool order ${order.status}, bought ${order.volumes.quoteFilled}`);
    hold(BigInt(order.volumes.quoteFilled) >= BigInt(cheap.volume), 'the pool gave at least what was signed');
    await carryOut(tour, 'cancelAllOrders', { picture: 'cancel-all' });
    const open = await client.getOrders({ query: { accountId, status: 'processing,waiting' }, apiKey });
    hold(open.totalNum === 0, 'no order of the account is open any more');
    await desk.bringToFront();
    await picture(desk, 'variants');
  },
};
