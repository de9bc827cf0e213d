import { friend } from '../../../src/demo/page/catalogue.ts';
import { carryOut, hold, type TourStep, totalOf } from './tour.ts';

const ETHER = 10n ** 18n;
const LRC = 1;

export const step: TourStep = {
  title: 'After a wider permission, a transfer, a withdrawal and a fast withdrawal leave as shown',
  async run(tour) {
    const { desk, picture, say, approvalAfter, approve, answerTo } = tour;
    await answerTo('wallet_requestPermissions', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('allow-all').click());
      await picture(asking, 'permissions');
      await approve(asking);
    });
    const fee = { feeTokenId: 0 };
    const before = await totalOf(tour, LRC);
    const token = { tokenId: LRC, volume: String(5n * ETHER) };
    await carryOut(tour, 'transfer', { parameters: { token, payeeAddr: friend, memo: 'lunch', ...fee } });
    hold((await totalOf(tour, LRC)) === before - 5n * ETHER, 'five LRC have left by the transfer');
    await carryOut(tour, 'withdraw', { parameters: { token, ...fee } });
    hold((await totalOf(tour, LRC)) === before - 10n * ETHER, 'five more by the withdrawal');
    // A fast one is paid in the token that leaves.
    await carryOut(tour, 'withdraw', {
      parameters: { token, fastWithdrawalMode: true },
      picture: 'withdraw-fast',
    });
    const after = await totalOf(tour, LRC);
    say(`relayer: LRC ${before} → ${after}`);
    hold(after < before - 15n * ETHER, 'and five with their fee by the fast one');
    await desk.bringToFront();
    await picture(desk, 'transferred');
  },
};
