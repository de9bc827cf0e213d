import { setUpWallet } from './setUpWallet.ts';
import { hold, type TourStep } from './tour.ts';

export const step: TourStep = {
  title:
    'A first visit ends with the demo account in the wallet, its key derived and found equal to the registered one',
  async run({ desk, context, extensionId, relayerUrl, gatewayUrl, client, account, picture, say }) {
    const address = `chrome-extension://${extensionId}/src/ui/onboarding.html`;
    const opened = () => context.pages().find((open) => open.url() === address);
    for (let asked = 0; asked < 50 && !opened(); asked++) await desk.waitForTimeout(100);
    const page = opened();
    hold(page !== undefined, 'the wallet opens its first page by itself');
    await setUpWallet({
      page,
      relayerUrl,
      gatewayUrl,
      privateKey: account.privateKey,
      async look(name) {
        await picture(page, name);
        if (name !== 'key') return;
        const { publicKey } = await client.getAccount({ query: { accountId: account.accountId } });
        say(`relayer: account ${account.accountId}, registered key x ${publicKey.x}`);
        hold(await page.getByText(publicKey.x).first().isVisible(), "the wallet shows the relayer's registered key");
      },
    });
  },
};
