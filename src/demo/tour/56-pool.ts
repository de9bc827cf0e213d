import { poolAddress } from '../page/catalogue.ts';
import { carryOut, hold, pressCall, type TourStep, totalOf, until } from './tour.ts';

const ETHER = 10n ** 18n;
const LP = 100;
const LRC = 1;

export const step: TourStep = {
  title: 'A share of a pool is given back for its two tokens, at least what was signed',
  async run(tour) {
    const { desk, relayerUrl, account, picture, say, answerTo } = tour;
    const amounts = [String(1_500n * ETHER), String(ETHER / 10n)];
    const joined = await fetch(`${relayerUrl}/dev/ammJoin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: account.owner, poolAddress, amounts }),
    });
    hold(joined.ok, 'the development relayer joins the pool');
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
