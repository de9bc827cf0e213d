import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import type { RelayerClient } from '../../src/client/index.ts';
import type { WalletError } from '../../src/demo/page/wallet.ts';
import { root } from '../prepare.mjs';
import { clickApprove } from './clickApprove.ts';
import type { DemoAccount } from './openAccount.ts';
import { readToEnd } from './readToEnd.ts';
import { recordHosts } from './recordHosts.ts';
import { demoPassword, wordsOf } from './tour/setUpWallet.ts';
import { approvalSize, type Tour, type TourStep } from './tour/tour.ts';

export interface TourOptions {
  readonly context: BrowserContext;
  readonly extensionId: string;
  readonly pageUrl: string;
  readonly relayerUrl: string;
  readonly gatewayUrl: string;
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  readonly say: (line: string) => void;
}

const pictures = join(root, 'out/tour');
const stepFile = /^\d\d-.*\.ts$/;
/** The least time from a click to the end of the window that shows its outcome. Milliseconds. */
const OUTCOME_MS = 3_500;

/** The steps are the numbered files of `scripts/demo/tour/`, in their order. */
async function readSteps(): Promise<readonly TourStep[]> {
  const folder = join(root, 'scripts/demo/tour');
  const names = (await readdir(folder)).filter((name) => stepFile.test(name)).sort();
  return Promise.all(names.map(async (name) => ((await import(join(folder, name))) as { step: TourStep }).step));
}

/**
 * Walks all steps. The first that does not hold ends the tour with a picture of every open page,
 * because the next ones build on it.
 * @returns the exit code: 0 only when every step held.
 */
export async function walkTour(options: TourOptions): Promise<number> {
  const { context, say } = options;
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  context.setDefaultTimeout(120_000);
  const strangeHosts = recordHosts(context);
  let pressed = 0;
  let pressedUntilApproval = 0;
  await context.exposeBinding('countersignPress', ({ page }) => {
    if (!page.url().includes('/onboarding.html')) pressed += 1;
  });
  await context.addInitScript(() => {
    const { countersignPress } = globalThis as unknown as { countersignPress: () => Promise<void> };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && void countersignPress(), true);
  });
  const desk = context.pages()[0] ?? (await context.newPage());
  await desk.goto(options.pageUrl);

  const word = await wordsOf('en');

  let taken = 0;
  const picture = async (page: Page, name: string) => {
    taken += 1;
    const path = join(pictures, `${String(taken).padStart(2, '0')}-${name}.png`);
    // What sticks to the window stands where it does at the top of the page.
    await page.evaluate(() => scrollTo(0, 0));
    // Transitions are taken at their end.
    await page.screenshot({ path, animations: 'disabled', fullPage: true });
    say(`       picture: ${relative(root, path)}`);
  };
  /** What the demo page wrote down about the next call of `method`. */
  const outcomeOf = async (method: string, act: () => Promise<void>) => {
    const entries = desk.locator(`[data-testid="log-entry"][data-method="${method}"]`);
    const before = await entries.count();
    await act();
    // Newest first: with one more entry than before, the first is the one that `act` caused.
    await entries.nth(before).waitFor({ state: 'attached' });
    const entry = entries.first();
    await entry.and(desk.locator(':not([data-state="waiting"])')).waitFor({ state: 'attached' });
    const refused = (await entry.getAttribute('data-state')) === 'error';
    return { refused, json: (await entry.getAttribute('data-json')) ?? 'null' };
  };
  const tour: Tour = {
    ...options,
    desk,
    picture,
    say: (line) => say(`       ${line}`),
    async approvalAfter(act) {
      const opened = context.waitForEvent('page');
      await act();
      const page = await opened;
      // Playwright gives every page the tour's size; people see the window in this one.
      await page.setViewportSize(approvalSize);
      await page.bringToFront();
      await tour.ready(page);
      return page;
    },
    async ready(page) {
      await page.getByTestId('approve').waitFor();
      // A pointer that rests where the last request was decided has to leave the button first.
      await page.mouse.move(0, 0);
      const password = page.locator('input[autocomplete=current-password]');
      if ((await password.count()) > 0) await password.fill(demoPassword);
      await readToEnd(page);
    },
    async approve(page, name) {
      const close = page.getByRole('button', { name: tour.word('approvalClose'), exact: true });
      const closed = page.waitForEvent('close');
      await clickApprove(page);
      pressedUntilApproval = pressed;
      const clicked = Date.now();
      // The window closes by itself a while after the outcome, and a slow machine may be no faster.
      await close.waitFor().catch((error) => {
        if (name !== undefined || !page.isClosed() || Date.now() - clicked < OUTCOME_MS) throw error;
      });
      if (name !== undefined) await picture(page, name);
      await close.click().catch((error) => {
        if (!page.isClosed()) throw error;
      });
      await closed;
      await desk.bringToFront();
    },
    async answerTo(method, act) {
      const { refused, json } = await outcomeOf(method, act);
      if (refused) throw new Error(`${method} was refused: ${json}`);
      return JSON.parse(json);
    },
    async refusalOf(method, act) {
      const { refused, json } = await outcomeOf(method, act);
      if (!refused) throw new Error(`${method} was not refused but answered: ${json}`);
      return JSON.parse(json) as WalletError;
    },
    clicks: () => pressedUntilApproval,
    word,
  };

  const steps = await readSteps();
  say(`\nThe tour: ${steps.length} steps\n`);
  for (const [index, step] of steps.entries()) {
    say(`  ${String(index + 1).padStart(2)}/${steps.length}  ${step.title}`);
    try {
      await step.run(tour);
    } catch (error) {
      say(`\n  ✗ Step ${index + 1}: ${stripVTControlCharacters((error as Error).message)}`);
      for (const [number, page] of context.pages().entries())
        await picture(page, `failed-${number + 1}`).catch(() => {});
      say(`\n${index} of ${steps.length} steps held. Pictures are in ${relative(root, pictures)}.`);
      return 1;
    }
  }
  if (strangeHosts().length > 0) {
    say(`\n  ✗ Hosts that nobody entered: ${strangeHosts().join(', ')}`);
    return 1;
  }
  say(`\nAll ${steps.length} steps held. ${taken} pictures are in ${relative(root, pictures)}.`);
  return 0;
}
