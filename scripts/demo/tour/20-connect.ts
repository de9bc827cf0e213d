import { hold, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'The demo page finds the wallet by EIP-6963, connects after a click, and sees the account and its balances',
  async run({ desk, client, account, picture, say, approvalAfter, approve, answerTo }) {
    await desk.bringToFront();
    await picture(desk, 'desk');
    const accounts = await answerTo('eth_requestAccounts', async () => {
      const asking = await approvalAfter(() => desk.locator('[data-rdns="dev.countersign"]').click());
      await picture(asking, 'connect');
      await approve(asking);
    });
    say(`wallet: ${JSON.stringify(accounts)}`);
    await desk.bringToFront();
    await desk.getByTestId('balance-ETH').waitFor();
    hold((await desk.getByTestId('account').textContent()) === account.owner, 'the page shows the demo account');

    const { accountId, apiKey } = account;
    const balances = await client.getBalances({ query: { accountId }, apiKey });
    for (const { tokenId, total, locked } of balances)
      say(`relayer: token ${tokenId}, total ${total}, locked ${locked}`);
    const eth = balances.find(({ tokenId }) => tokenId === 0);
    hold(
      (await desk.getByTestId('balance-ETH').getAttribute('data-total')) === eth?.total,
      'the page shows the ETH that the relayer reports',
    );
    await picture(desk, 'connected');
  },
};
