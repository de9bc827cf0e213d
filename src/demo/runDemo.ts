import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { createRelayerClient } from '../client/index.ts';
import { createRelayer } from '../relayer/createRelayer.ts';
import { loadKeys } from './demoKeys.ts';
import { type DemoAccount, openAccount } from './openAccount.ts';
import { openBrowser } from './openBrowser.ts';
import { placeQuotes } from './placeQuotes.ts';
import { servePage } from './servePage.ts';
import { walkTour } from './walkTour.ts';

export interface DemoOptions {
  readonly headless: boolean;
  readonly relayerPort: number;
  readonly pagePort: number;
  /** Folder that keeps browser profile, database and keys; everything is thrown away when absent. */
  readonly profile: string | undefined;
  readonly keep: boolean;
  /** Path of the browser. */
  readonly chromium: string;
  readonly say: (line: string) => void;
  /** Registers what has to be undone at the end; called in reverse order. */
  readonly atEnd: (step: () => Promise<void>) => void;
}

/**
 * Starts relayer, page and browser, and ends when the person closes the browser or the tour is over.
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

  say('Starting the relayer on an embedded database …');
  const relayer = await createRelayer({
    dev: true,
    port: options.relayerPort,
    logLevel: 'fatal',
    ...(options.profile === undefined ? {} : { dataDir: join(folder, 'relayer') }),
  });
  atEnd(() => relayer.close());

  say('Preparing the demo account and a market maker …');
  const client = createRelayerClient({ baseUrl: relayer.url });
  const keys = await loadKeys(folder);
  const account = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: keys.demo,
    funds: { ETH: '5', LRC: '20000', USDT: '10000', DAI: '2500' },
  });
  const maker = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: keys.maker,
    funds: { ETH: '100', LRC: '2000000' },
  });
  if (maker.isNew) await placeQuotes(client, maker);

  const page = await servePage({
    port: options.pagePort,
    guide: { relayer: relayer.url, privateKey: account.privateKey },
  });
  atEnd(() => page.close());

  const browser = await openBrowser({
    executablePath: options.chromium,
    headless: options.headless,
    profile: join(folder, 'browser'),
  });
  atEnd(() => browser.context.close());

  let code = 0;
  if (options.headless) {
    code = await walkTour({ ...browser, pageUrl: page.url, relayerUrl: relayer.url, client, account, say });
  } else {
    const closed = new Promise<void>((done) => browser.context.once('close', () => done()));
    const desk = browser.context.pages()[0] ?? (await browser.context.newPage());
    await desk.goto(page.url);
    // A wallet that is new here opens its first page by itself, a moment after its start.
    const isWallet = (open: Page) => open.url().startsWith(`chrome-extension://${browser.extensionId}/`);
    if (!browser.context.pages().some(isWallet))
      await browser.context.waitForEvent('page', { timeout: 3_000 }).catch(() => {});
    await desk.bringToFront();
    say(account.isNew ? firstSteps(relayer.url, page.url, account) : `\nChromium is open at ${page.url}.`);
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

function firstSteps(relayerUrl: string, pageUrl: string, { privateKey }: DemoAccount): string {
  return `
Chromium is open: the demo dApp in front, the wallet's first page in the tab beside it.

  1. In the tab "Set-up · Countersign" choose any password, use the relayer ${relayerUrl}
     and import the demo account by this key (made for this demo; never send real money to it):

         ${privateKey}

  2. On the demo page (${pageUrl}) connect Countersign.
  3. Place an order there, read what the wallet shows, and approve it.`;
}
