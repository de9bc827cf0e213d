import type { BrowserContext, Page } from 'playwright-core';
import type { RelayerClient } from '../../client/index.ts';
import type { DemoAccount } from '../openAccount.ts';
import type { WalletError } from '../page/wallet.ts';

/** What a step of the tour has to work with. */
export interface Tour {
  readonly context: BrowserContext;
  readonly extensionId: string;
  /** The demo dApp, in its tab for the whole tour. */
  readonly desk: Page;
  readonly relayerUrl: string;
  /** Reads the relayer beside the wallet, to compare. */
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  /** Prints a line below the step's title. */
  say(line: string): void;
  /** Saves `out/tour/NN-<name>.png`. */
  picture(page: Page, name: string): Promise<void>;
  /**
   * Does something that makes the wallet ask, and returns the approval window once it can be decided.
   * @throws {Error} no window within 30 s.
   */
  approvalAfter(act: () => Promise<void>): Promise<Page>;
  /**
   * Approves what the window shows, waits until it says what came of it, and closes it. The button answers only when the
   * window has been still and in front for a moment.
   * @param name - saves a picture of the outcome under this name.
   */
  approve(page: Page, name?: string): Promise<void>;
  /**
   * Does something that makes the demo page call `method`, and returns what the wallet answered.
   * @throws {Error} the wallet refused.
   */
  answerTo(method: string, act: () => Promise<void>): Promise<unknown>;
  /**
   * Like `answerTo`, for calls that the wallet has to refuse.
   * @returns the error as the page saw it.
   * @throws {Error} the wallet answered.
   */
  refusalOf(method: string, act: () => Promise<void>): Promise<WalletError>;
  /** The wallet's own word for something, in the language that it runs in, by its key in `public/_locales`. */
  word(key: string): string;
}

export interface TourStep {
  /** A fact that holds when the step has passed. */
  readonly title: string;
  /** @throws the step does not hold. */
  run(tour: Tour): Promise<void>;
}

/** @throws {Error} with the sentence, when the condition does not hold. */
export function hold(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${sentence}`);
}

/** Presses the button that carries a word of the wallet, once it answers. */
export async function press(page: Page, word: string): Promise<void> {
  await page.getByRole('button', { name: word, exact: true }).click();
}
