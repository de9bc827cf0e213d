import { formatHash, orderHash } from '../../../src/protocol/index.ts';
import type { Submission } from '../../../src/viem/index.ts';
import { hold, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'An order that nobody takes is shown in words, approved, signed, and waits in the book with its money locked',
  async run({ desk, client, account, picture, say, approvalAfter, approve, answerTo }) {
    await desk.getByTestId('preset-rest').click();
    const answer = (await answerTo('relayer_submitOrder', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('submit-order').click());
      await picture(asking, 'order');
      await approve(asking, 'order-taken');
    })) as Submission & { readonly storageId: number };
    say(`wallet: ${JSON.stringify(answer)}`);

    const { accountId, apiKey, exchange } = account;
    const order = await client.getOrder({ query: { accountId, orderHash: answer.hash as `0x${string}` }, apiKey });
    say(`relayer: order ${order.market} ${order.side} at ${order.price}, ${order.status}`);
    const computed = formatHash(
      orderHash({
        exchange,
        accountId,
        storageId: answer.storageId,
        sellToken: { tokenId: 1, volume: order.volumes.baseAmount },
        buyToken: { tokenId: 0, volume: order.volumes.quoteAmount },
        validUntil: order.validity.end,
        maxFeeBips: 63,
        fillAmountBOrS: false,
      }),
    );
    hold(computed === answer.hash, `the relayer's hash ${answer.hash} is the one computed here, ${computed}`);
    hold(order.status === 'processing', 'the relayer holds the order open');
    const [lrc] = await client.getBalances({ query: { accountId, tokens: '1' }, apiKey });
    say(`relayer: LRC total ${lrc?.total}, locked ${lrc?.locked}`);
    hold(lrc?.locked === order.volumes.baseAmount, 'the relayer has locked what the order sells');
    await desk.bringToFront();
    await desk.locator(`[data-testid="balance-LRC"][data-locked="${lrc.locked}"]`).waitFor();
    await picture(desk, 'order-waits');
  },
};
