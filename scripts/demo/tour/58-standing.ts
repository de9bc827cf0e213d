import { hold, pressCall, type TourStep } from './tour.ts';

interface Rule {
  readonly soldVolume: string;
  readonly totalVolume: string;
}

const FIVE_HUNDRED_LRC = 500n * 10n ** 18n;

export const step: TourStep = {
  title: 'A standing approval answers five orders without a window, counts them, and is given back',
  async run(tour) {
    const { desk, context, picture, say, approvalAfter, approve, answerTo } = tour;
    const act = desk.getByTestId('try-standing-act');
    await answerTo('relayer_requestStandingApproval', async () => {
      const asking = await approvalAfter(() => act.click());
      await picture(asking, 'standing');
      await approve(asking);
    });
    await desk.getByTestId('try-standing').locator('progress[value="0"]').waitFor();
    const windows = context.pages().length;
    const [rule] = (await answerTo('relayer_getStandingApprovals', () => act.click())) as readonly Rule[];
    hold(context.pages().length === windows, 'no window was opened');
    say(`wallet: ${rule?.soldVolume} of ${rule?.totalVolume} used`);
    hold(BigInt(rule?.soldVolume ?? 0) === FIVE_HUNDRED_LRC, 'the five orders count against the limit');
    await desk.locator('[data-testid="try-standing"][data-done]').waitFor();
    await picture(desk, 'standing-used');
    await answerTo('relayer_revokeStandingApproval', () => act.click());
    const left = await answerTo('relayer_getStandingApprovals', () => pressCall(desk, 'getStandingApprovals'));
    hold(Array.isArray(left) && left.length === 0, 'nothing is in force any more');
    await picture(desk, 'standing-over');
  },
};
