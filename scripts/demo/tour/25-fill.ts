import type { Submission } from '../../../src/viem/index.ts';
import { hold, type TourStep } from './tour.ts';

/** Connect, approve, close; ask, approve. One more is allowed for. */
const mostClicks = 6;

export const step: TourStep = {
  title: 'The first order fills while the page is watched: what was shown leaves, what was shown less the fee arrives',
  async run({ desk, client, account, picture, say, approvalAfter, approve, answerTo, clicks }) {
    const { accountId, apiKey } = account;
    const holdings = async () => {
      const balances = await client.getBalances({ query: { accountId, tokens: '0,1' }, apiKey });
      const total = (token: number) => BigInt(balances.find(({ tokenId }) => tokenId === token)?.total ?? '0');
      return { eth: total(0), lrc: total(1) };
    };
    const before = await holdings();
    const answer = (await answerTo('relayer_submitOrder', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('try-order-act').click());
      await picture(asking, 'order-at-market');
      await approve(asking);
    })) as Submission;
    say(`wallet: ${JSON.stringify(answer)}`);
    say(`clicks from the start to the first approved order: ${clicks()}`);
    hold(clicks() > 0 && clicks() <= mostClicks, `a newcomer's first order takes at most ${mostClicks} clicks`);
    await desk.bringToFront();
    await desk.locator('[data-testid="try-order"][data-done]').waitFor();
    hold((await desk.locator('.stages [data-reached]').count()) === 3, 'the page shows the order as filled');
    await desk.locator(`[data-testid="order"][data-hash="${answer.hash}"][data-status="processed"]`).waitFor();

    const order = await client.getOrder({ query: { accountId, orderHash: answer.hash as `0x${string}` }, apiKey });
    const { baseFilled, quoteFilled, fee } = order.volumes;
    say(`relayer: ${order.status}, filled ${baseFilled} LRC for ${quoteFilled} ETH, fee ${fee} (base units)`);
    const after = await holdings();
    say(`relayer: LRC ${before.lrc} → ${after.lrc}, ETH ${before.eth} → ${after.eth}`);
    hold(before.lrc - after.lrc === BigInt(baseFilled), 'the LRC sold have left the account');
    hold(after.eth - before.eth === BigInt(quoteFilled) - BigInt(fee), 'the ETH bought, less the fee, have arrived');
    await desk.locator(`[data-testid="balance-ETH"][data-total="${after.eth}"]`).waitFor();
    await desk.locator('[data-testid="chart"] rect').first().waitFor({ state: 'attached' });
    hold(
      (await desk.locator('[data-testid="bids"] li').count()) > 0,
      'the page draws the book and the trade as a candle',
    );
    await picture(desk, 'filled');
  },
};
