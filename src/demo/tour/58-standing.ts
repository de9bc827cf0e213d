import { hold, pressCall, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'A standing approval answers an order without a window, counts it, and is given back',
  async run(tour) {
    const { desk, context, picture, say, approvalAfter, approve, answerTo } = tour;
    await answerTo('relayer_requestStandingApproval', async () => {
      const asking = await approvalAfter(() => pressCall(desk, 'requestStandingApproval'));
      await picture(asking, 'standing');
      await approve(asking);
    });
    const windows = context.pages().length;
    const validUntil = Math.floor(Date.now() / 1000) + 600;
    const order = {
      sellToken: { tokenId: 1, volume: '100000000000000000000' },
      buyToken: { tokenId: 0, volume: '50000000000000000' },
      validUntil,
    };
    await answerTo('relayer_submitOrder', () => pressCall(desk, 'submitOrder', order));
    hold(context.pages().length === windows, 'no window was opened');
    const [rule] = (await answerTo('relayer_getStandingApprovals', () => pressCall(desk, 'getStandingApprovals'))) as {
      soldVolume: string;
      totalVolume: string;
    }[];
    say(`wallet: ${rule?.soldVolume} of ${rule?.totalVolume} used`);
    hold(rule?.soldVolume === order.sellToken.volume, 'the order counts against the limit');
    await answerTo('relayer_revokeStandingApproval', () => pressCall(desk, 'revokeStandingApproval'));
    const left = await answerTo('relayer_getStandingApprovals', () => pressCall(desk, 'getStandingApprovals'));
    hold(Array.isArray(left) && left.length === 0, 'nothing is in force any more');
    await picture(desk, 'standing-over');
  },
};
