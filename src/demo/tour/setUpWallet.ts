import type { Page } from 'playwright-core';

/** Long enough to be called strong by the wallet; protects nothing but a throw-away key. */
export const demoPassword = 'walking-the-tour-2-show-it';

export interface SetUp {
  /** The wallet's first page. */
  readonly page: Page;
  readonly relayerUrl: string;
  /** L1 key of the demo account. */
  readonly privateKey: string;
  /** Called when a step is on the screen: `welcome`, `password`, `network`, `key`, `done`. */
  readonly look?: (name: string) => Promise<void>;
}

/**
 * Sets the wallet up with the demo account, on its own pages, as a user would; then closes them.
 * @throws {Error} a page did not come within Playwright's time.
 */
export async function setUpWallet({ page, relayerUrl, privateKey, look = async () => {} }: SetUp): Promise<void> {
  // In the language that the wallet has chosen after the browser's.
  const word = (key: string) =>
    page.evaluate(async (name) => {
      const files = ['keys', document.documentElement.lang];
      const [keys = [], texts = []] = await Promise.all(
        files.map(async (file): Promise<string[]> => (await fetch(`/texts/${file}.json`)).json()),
      );
      return texts[keys.indexOf(name)] ?? '';
    }, key);
  const button = async (key: string) => page.getByRole('button', { name: await word(key), exact: true });
  const press = async (key: string) => (await button(key)).click();
  const fill = async (key: string, text: string) => page.getByLabel(await word(key), { exact: true }).fill(text);

  await page.bringToFront();
  await page.locator('h1').first().waitFor();
  await (await button('welcomeButton')).waitFor();
  await look('welcome');
  await press('welcomeButton');

  await fill('passwordField', demoPassword);
  await fill('passwordRepeat', demoPassword);
  await look('password');
  await press('passwordButton');

  await fill('networkUrl', relayerUrl);
  await press('networkLook');
  await (await button('networkUse')).waitFor();
  await look('network');
  await press('networkUse');

  await page.getByText(await word('signerImport'), { exact: true }).click();
  await fill('importField', privateKey);
  await press('importButton');

  await page.getByRole('heading', { name: await word('keyMatches') }).waitFor();
  await page.getByText(await word('keyCheckedTitle'), { exact: true }).click();
  await look('key');
  await press('commonContinue');
  await press('nameButton');
  await page.getByRole('heading', { name: await word('doneTitle') }).waitFor();
  await look('done');
  await page.close();
}
