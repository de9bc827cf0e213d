import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withUiFont } from '../pictures/uiFont.ts';
import type { DemoAccount } from './openAccount.ts';
import { openBrowser } from './openBrowser.ts';
import { setUpNewWallet } from './setUpNewWallet.ts';
import { startStage } from './startStage.ts';
import { demoPassword } from './tour/setUpWallet.ts';
import { walkTour } from './walkTour.ts';

export interface DemoOptions {
  readonly headless: boolean;
  readonly relayerPort: number;
  readonly pagePort: number;
  /**
   * Folder that keeps browser profile, database and keys; everything is thrown away when absent.
   */
  readonly profile: string | undefined;
  readonly keep: boolean;
  /** Leaves the wallet's setup to the user. */
  readonly byHand: boolean;
  /** Path of the browser. */
  readonly chromium: string;
  readonly say: (line: string) => void;
  /** Registers what has to be undone at the end; called in reverse order. */
  readonly atEnd: (step: () => Promise<void>) => void;
}

/**
 * Starts relayer, page and browser, and ends when the user closes the browser or the tour is over.
 * @returns the exit code: 0 when everything held.
 * @throws {Stop} with a sentence that says what to do.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { say, atEnd } = options;
  const folder =
    options.profile === undefined ? await mkdtemp(join(tmpdir(), 'countersign-')) : resolve(options.profile);
  await mkdir(folder, { recursive: true });
  if (options.profile === undefined)
    atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  const { relayer, client, account, page, gateway } = await startStage({
    folder,
    keepsData: options.profile !== undefined,
    relayerPort: options.relayerPort,
    pagePort: options.pagePort,
    password: options.byHand ? null : demoPassword,
    say,
    atEnd,
  });

  const browser = await openBrowser({
    executablePath: options.chromium,
    headless: options.headless,
    profile: join(folder, 'browser'),
    ...(options.headless ? { env: await withUiFont() } : {}),
  });
  atEnd(() => browser.context.close());

  let code = 0;
  if (options.headless) {
    code = await walkTour({
      ...browser,
      pageUrl: page.url,
      relayerUrl: relayer.url,
      gatewayUrl: gateway.url,
      client,
      account,
      say,
    });
  } else {
    const closed = new Promise<void>((done) => browser.context.once('close', () => done()));
    if (account.isNew && !options.byHand)
      await setUpNewWallet({
        ...browser,
        relayerUrl: relayer.url,
        gatewayUrl: gateway.url,
        privateKey: account.privateKey,
        say,
      });
    const desk = browser.context.pages()[0] ?? (await browser.context.newPage());
    await desk.goto(page.url);
    await desk.bringToFront();
    say(
      account.isNew ? firstSteps(relayer.url, page.url, account, options.byHand) : `\nChromium is open at ${page.url}.`,
    );
    say(`
Relayer ${relayer.url}, demo account ${account.owner} (account id ${account.accountId}).
Close the browser or press ctrl-C to end${options.profile === undefined ? '; nothing is kept' : `; ${folder} keeps everything`}.`);
    await closed;
  }
  if (options.keep) {
    say(`\nStill running: relayer ${relayer.url}, demo page ${page.url}. Press ctrl-C to end.`);
    await new Promise(() => {});
  }
  return code;
}

function firstSteps(relayerUrl: string, pageUrl: string, { privateKey }: DemoAccount, byHand: boolean): string {
  if (!byHand)
    return `
Chromium is open at the demo dApp, ${pageUrl}. The wallet is set up with a throw-away account; its password is

         ${demoPassword}

  1. Click Countersign on the page, and approve the connection in the wallet's window.
  2. Place an order, read what the wallet shows, and approve it.`;
  return `
Chromium is open: the demo dApp in front, the wallet's first page in the tab beside it.

  1. In the tab "Setup · Countersign" choose any password, use the relayer ${relayerUrl}
     and import the demo account by this key (made for this demo; never send real money to it):

         ${privateKey}

  2. On the demo page (${pageUrl}) connect Countersign.
  3. Place an order there, read what the wallet shows, and approve it.`;
}
