import type { BrowserContext, Page } from 'playwright-core';
import type { RelayerClient } from '../../client/index.ts';
import type { DemoAccount } from '../openAccount.ts';

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
   * Does something that makes the wallet ask, and returns the approval window once it is drawn.
   * @throws {Error} no window within 15 s.
   */
  approvalAfter(act: () => Promise<void>): Promise<Page>;
  /**
   * Presses a button of the desk and waits for the answer of the call that it makes.
   * @throws {Error} the wallet refused.
   */
  answerTo(method: string, act: () => Promise<void>): Promise<unknown>;
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
