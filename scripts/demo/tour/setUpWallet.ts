import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Long enough to be called strong by the wallet; protects nothing but a throw-away key. */
export const demoPassword = 'walking-the-tour-2-show-it';

export interface SetUp {
  /** The wallet's first page. */
  readonly page: Page;
  readonly relayerUrl: string;
  /** IPFS gateway for pictures of NFTs; none when absent. */
  readonly gatewayUrl?: string;
  /** L1 key of the demo account. */
  readonly privateKey: string;
  /** Called when a step is on the screen: `welcome`, `password`, `network`, `key`, `done`. */
  readonly look?: (name: string) => Promise<void>;
}

/**
 * The wallet's words in one of its languages.
 * @throws {Error} it has no such word.
 */
export async function wordsOf(language: string): Promise<(key: string) => string> {
  const file = new URL(`../../../public/texts/${language}.json`, import.meta.url);
  const words = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, string>>;
  return (key) => {
    const word = words[key];
    if (word === undefined) throw new Error(`the wallet has no word ${key}`);
    return word;
  };
}

/**
 * Sets the wallet up with the demo account, on its own pages, as a user would; then closes them.
 * @throws {Error} a page did not come within Playwright's time.
 */
export async function setUpWallet({
  page,
  relayerUrl,
  gatewayUrl,
  privateKey,
  look = async () => {},
}: SetUp): Promise<void> {
  await page.bringToFront();
  await page.locator('h1').first().waitFor();
  // The wallet has chosen it after the browser's.
  const word = await wordsOf(await page.evaluate(() => document.documentElement.lang));
  const button = (key: string) => page.getByRole('button', { name: word(key), exact: true });
  const press = (key: string) => button(key).click();
  const fill = (key: string, text: string) => page.getByLabel(word(key), { exact: true }).fill(text);

  await button('welcomeButton').waitFor();
  await look('welcome');
  await press('welcomeButton');

  await fill('passwordField', demoPassword);
  await fill('passwordRepeat', demoPassword);
  await look('password');
  await press('passwordButton');

  await fill('networkUrl', relayerUrl);
  await press('networkLook');
  await button('networkUse').waitFor();
  await look('network');
  await press('networkUse');

  await page.getByText(word('signerImport'), { exact: true }).click();
  await fill('importField', privateKey);
  await press('importButton');

  await page.getByRole('heading', { name: word('keyMatches') }).waitFor();
  await page.getByText(word('keyCheckedTitle'), { exact: true }).click();
  await look('key');
  await press('commonContinue');
  await press('nameButton');
  await page.getByRole('heading', { name: word('doneTitle') }).waitFor();
  await look('done');
  if (gatewayUrl !== undefined) {
    await page.goto(page.url().replace('onboarding.html', 'popup.html?view=tab#/settings'));
    const field = page.getByLabel(word('settingsGateway'), { exact: true });
    await field.fill(gatewayUrl);
    await field.press('Enter');
    // The button rests again once the address is stored.
    await page.locator('form', { has: field }).locator('button[type="submit"]:disabled').waitFor();
  }
  await page.close();
}
