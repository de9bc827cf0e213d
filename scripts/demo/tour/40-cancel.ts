import type { Submission } from '../../../src/viem/index.ts';
import { hold, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'The waiting order is cancelled after another approval, and its money is free again',
  async run({ desk, client, account, picture, say, approvalAfter, approve, answerTo }) {
    const answer = (await answerTo('relayer_cancelOrder', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('cancel-order').first().click());
      await picture(asking, 'cancel');
      await approve(asking);
    })) as Submission;
    say(`wallet: ${JSON.stringify(answer)}`);

    const { accountId, apiKey } = account;
    const order = await client.getOrder({ query: { accountId, orderHash: answer.hash as `0x${string}` }, apiKey });
    say(`relayer: order ${order.hash} is ${order.status}`);
    hold(order.status === 'cancelled' || order.status === 'cancelling', 'the relayer has cancelled the order');
    const [lrc] = await client.getBalances({ query: { accountId, tokens: '1' }, apiKey });
    say(`relayer: LRC total ${lrc?.total}, locked ${lrc?.locked}`);
    hold(lrc?.locked === '0', 'the relayer has released what the order had locked');
    await desk.bringToFront();
    await desk.locator('[data-testid="balance-LRC"][data-locked="0"]').waitFor();
    await picture(desk, 'cancelled');
  },
};
