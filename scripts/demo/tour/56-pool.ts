import { carryOut, hold, pressCall, type TourStep, totalOf, until } from './tour.ts';

const ETHER = 10n ** 18n;
const LP = 100;
const LRC = 1;

export const step: TourStep = {
  title: 'Two tokens become a share of a pool, and the share its two tokens again, at least what was signed',
  async run(tour) {
    const { desk, picture, say, answerTo } = tour;
    await carryOut(tour, 'joinAmmPool');
    await until('the account has LP tokens', async () => (await totalOf(tour, LP)) > 0n);
    await answerTo('relayer_getBalances', () => pressCall(desk, 'getBalances'));
    const before = await totalOf(tour, LRC);
    await carryOut(tour, 'exitAmmPool');
    const after = await totalOf(tour, LRC);
    say(`relayer: LRC ${before} → ${after}`);
    hold((await totalOf(tour, LP)) === 0n, 'the LP tokens are burned');
    hold(after - before >= 1_000n * ETHER, 'at least the LRC that was signed has arrived');
    await desk.bringToFront();
    await picture(desk, 'pool-left');
  },
};
