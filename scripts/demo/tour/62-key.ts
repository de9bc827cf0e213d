import { demoPassword } from './setUpWallet.ts';
import { approvalSize, carryOut, hold, press, type TourStep, until } from './tour.ts';

export const step: TourStep = {
  title: 'A site asks for a new key: the wizard makes one, the relayer registers it, and it signs the next order',
  async run(tour) {
    const { desk, context, client, account, picture, say, word, answerTo } = tour;
    const { accountId } = account;
    const registered = async () => (await client.getAccount({ query: { accountId } })).publicKey.x;
    const before = await registered();
    const answer = (await answerTo('relayer_updateAccountKey', async () => {
      const opened = context.waitForEvent('page');
      await desk.getByTestId('try-key-act').click();
      const wizard = await opened;
      await wizard.getByText(word('approvalKeyUpdate')).waitFor();
      await wizard.setViewportSize(approvalSize);
      await wizard.bringToFront();
      await press(wizard, word('commonContinue'));
      await wizard.getByRole('heading', { name: word('keyUpdateTitle') }).waitFor();
      await picture(wizard, 'key-why');
      await press(wizard, word('commonContinue'));
      await press(wizard, word('keyUpdateMake'));
      await wizard.getByRole('button', { name: word('attentionAction_replacekey') }).waitFor();
      await wizard.locator('input[autocomplete=current-password]').fill(demoPassword);
      await picture(wizard, 'key-confirm');
      await press(wizard, word('attentionAction_replacekey'));
      await wizard.getByText(word('keyUpdateDone')).waitFor();
      await picture(wizard, 'key-replaced');
      await wizard.close();
    })) as { readonly publicKey: { readonly x: string } };
    const after = await until('the relayer reports another key', async () => {
      const now = await registered();
      return now !== before && now;
    });
    say(`relayer: key x ${before.slice(0, 12)}… → ${after.slice(0, 12)}…`);
    hold(BigInt(after) === BigInt(answer.publicKey.x), 'it is the key that the page was told');
    await desk.bringToFront();
    await desk.locator('[data-testid="try-key"][data-done]').waitFor();
    hold(
      (await desk.getByTestId('try-count').textContent()) === '4 of 4 done',
      'the page marks all four steps as done',
    );
    await picture(desk, 'all-tried');
    const clientOrderId = 'signed-by-the-new-key';
    await carryOut(tour, 'submitOrder', {
      parameters: {
        sellToken: { tokenId: 1, volume: '100000000000000000000' },
        buyToken: { tokenId: 0, volume: '50000000000000000' },
        clientOrderId,
      },
      final: null,
      picture: 'order-new-key',
    });
    await carryOut(tour, 'cancelOrder', { parameters: { clientOrderId }, picture: 'cancel-new-key' });
  },
};
