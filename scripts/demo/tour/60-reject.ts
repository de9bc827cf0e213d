import { hold, press, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'A rejected order reaches the page as error 4001 and never the relayer',
  async run({ desk, client, account, picture, say, word, approvalAfter, refusalOf }) {
    const { accountId, apiKey } = account;
    const before = await client.getOrders({ query: { accountId }, apiKey });
    await desk.getByTestId('preset-fill').click();
    const error = await refusalOf('relayer_submitOrder', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('submit-order').click());
      const closed = asking.waitForEvent('close');
      await press(asking, word('approvalReject'));
      await closed;
    });
    say(`wallet: ${JSON.stringify(error)}`);
    hold(error.code === 4001, 'the page is told 4001');
    const after = await client.getOrders({ query: { accountId }, apiKey });
    say(`relayer: ${after.totalNum} orders before and after`);
    hold(after.totalNum === before.totalNum, 'the relayer has no order more');
    await desk.bringToFront();
    await picture(desk, 'rejected');
  },
};
