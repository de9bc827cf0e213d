import { carryOut, hold, type TourStep } from './tour.ts';

interface Placed {
  readonly requestId: string;
  readonly hash: `0x${string}`;
  readonly storageId: number;
}

export const step: TourStep = {
  title: 'An order is replaced in its slot, one of several rests, and a hard cancel ends it for good',
  async run(tour) {
    const { client, account, desk, picture, say } = tour;
    const { accountId, apiKey } = account;
    const statusOf = async (orderHash: `0x${string}`) =>
      (await client.getOrder({ query: { accountId, orderHash }, apiKey })).status;
    const open = { final: null } as const;
    const first = await carryOut<Placed>(tour, 'submitOrder', { ...open, picture: 'order-to-replace' });
    const better = await carryOut<Placed>(tour, 'replaceOrder', open);
    say(`wallet: storage id ${first.storageId} → ${better.storageId}`);
    hold((better.storageId - first.storageId) % 16_384 === 0, 'both orders share a slot');
    hold((await statusOf(first.hash)) === 'cancelled', 'the first order is void');
    const one = await carryOut<Placed>(tour, 'submitOneOf', open);
    hold((await statusOf(one.hash)) === 'processing', 'one of the two rests');
    await carryOut(tour, 'hardCancel');
    hold((await statusOf(one.hash)) === 'cancelled', 'it is void as well');
    await carryOut(tour, 'cancelOrder', { parameters: { orderHash: better.hash }, picture: 'cancel-replaced' });
    await desk.bringToFront();
    await picture(desk, 'slots');
  },
};
