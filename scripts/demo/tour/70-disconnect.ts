import { hold, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'A page that gives its connection back sees nothing any more',
  async run({ desk, picture, say, answerTo, refusalOf }) {
    await answerTo('wallet_revokePermissions', () => desk.getByTestId('disconnect').click());
    await desk.getByTestId('connect').first().waitFor();
    await desk.getByTestId('raw').locator('summary').click();
    await desk.getByTestId('raw-method').fill('relayer_getBalances');
    await desk.getByTestId('raw-params').fill('[{}]');
    const error = await refusalOf('relayer_getBalances', () => desk.getByTestId('raw-send').click());
    say(`wallet: ${JSON.stringify(error)}`);
    hold(error.code === 4100, 'the page is told 4100');
    await picture(desk, 'disconnected');
  },
};
