import { hold, password, press, type TourStep } from './tour.ts';

export const step: TourStep = {
  title:
    'A first visit ends with the demo account in the wallet, its key derived and found equal to the registered one',
  async run({ desk, context, extensionId, relayerUrl, client, account, picture, say, word }) {
    const address = `chrome-extension://${extensionId}/src/ui/onboarding.html`;
    const opened = () => context.pages().find((open) => open.url() === address);
    for (let asked = 0; asked < 50 && !opened(); asked++) await desk.waitForTimeout(100);
    const page = opened();
    hold(page !== undefined, 'the wallet opens its first page by itself');
    await page.bringToFront();
    await page.getByRole('button', { name: word('welcomeButton') }).waitFor();
    await picture(page, 'welcome');
    await press(page, word('welcomeButton'));

    await page.getByLabel(word('passwordField'), { exact: true }).fill(password);
    await page.getByLabel(word('passwordRepeat'), { exact: true }).fill(password);
    await picture(page, 'password');
    await press(page, word('passwordButton'));

    await page.getByLabel(word('networkUrl'), { exact: true }).fill(relayerUrl);
    await press(page, word('networkLook'));
    await page.getByRole('button', { name: word('networkUse') }).waitFor();
    await picture(page, 'network');
    await press(page, word('networkUse'));

    await page.getByText(word('signerImport'), { exact: true }).click();
    await page.getByLabel(word('importField'), { exact: true }).fill(account.privateKey);
    await press(page, word('importButton'));

    await page.getByRole('heading', { name: word('keyMatches') }).waitFor();
    await picture(page, 'key');
    const { publicKey } = await client.getAccount({ query: { accountId: account.accountId } });
    say(`relayer: account ${account.accountId}, registered key x ${publicKey.x}`);
    hold(await page.getByText(publicKey.x).first().isVisible(), "the wallet shows the relayer's registered key");
    await press(page, word('commonContinue'));
    await press(page, word('nameButton'));
    await page.getByRole('heading', { name: word('doneTitle') }).waitFor();
    await picture(page, 'done');
    await page.close();
  },
};
