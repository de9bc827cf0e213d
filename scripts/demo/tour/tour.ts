import type { BrowserContext, Page } from 'playwright-core';
import type { RelayerClient } from '../../../src/client/index.ts';
import type { WalletError } from '../../../src/demo/page/wallet.ts';
import type { DemoAccount } from '../openAccount.ts';

/** Inside of the approval window, in CSS pixels. */
export const approvalSize = { width: 400, height: 690 };

/** Tools of a step of the tour. */
export interface Tour {
  readonly context: BrowserContext;
  readonly extensionId: string;
  /** The demo dApp, in its tab for the whole tour. */
  readonly desk: Page;
  readonly relayerUrl: string;
  /** IPFS gateway with the picture of what the demo mints. */
  readonly gatewayUrl: string;
  /** Reads the relayer beside the wallet, to compare. */
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  /** Prints a line below the step's title. */
  say(line: string): void;
  /** Saves `out/tour/NN-<name>.png`. */
  picture(page: Page, name: string): Promise<void>;
  /**
   * Does something that makes the wallet ask, and returns the approval window once it can be
   * decided.
   * @throws {Error} no window within 30 s.
   */
  approvalAfter(act: () => Promise<void>): Promise<Page>;
  /**
   * Waits until an open approval window can be decided, as it is when another request takes the
   * place of the first.
   */
  ready(page: Page): Promise<void>;
  /**
   * Approves what the window shows, waits until it says what came of it, and closes it. The button
   * answers only when the window has been still and in front for a moment.
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
  /**
   * Clicks on the page and in approval windows that it took to get to the latest approval, from the
   * start on. Those of the setup are the launcher's.
   */
  clicks(): number;
  /**
   * The wallet's own word for something, in the language that it runs in, by its key in
   * `public/texts`.
   */
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

/**
 * Waits for something that the relayer does in its own time.
 * @throws {Error} it has not come within 30 s.
 */
export async function until<T>(sentence: string, look: () => Promise<T | false | undefined>): Promise<T> {
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`does not hold within 30 s: ${sentence}`);
}

/**
 * Opens a call of the demo page, puts parameters in when they are not the page's own example, and
 * presses its button.
 */
export async function pressCall(desk: Page, name: string, parameters?: object): Promise<void> {
  const call = desk.locator(`[data-call="${name}"]`);
  await call.evaluate((element) => {
    for (const part of [element.closest('.call-group'), element]) (part as HTMLDetailsElement).open = true;
  });
  await call.locator('.code:not(:empty)').waitFor();
  if (parameters !== undefined) await call.locator('textarea').fill(JSON.stringify(parameters, null, 2));
  await call.getByTestId('call-ask').click();
  await call.evaluate((element) => {
    for (const part of [element, element.closest('.call-group')]) (part as HTMLDetailsElement).open = false;
  });
}

/**
 * Asks for an operation on the demo page, approves it, and waits until the page is told that it is
 * over.
 * @param name - of the operation; `picture` of the approval request is saved under it.
 * @returns what the page got.
 */
export async function carryOut<Answer extends { readonly requestId: string }>(
  tour: Tour,
  name: string,
  {
    parameters,
    final = 'processed',
    picture = name,
  }: { parameters?: object; final?: string | null; picture?: string } = {},
): Promise<Answer> {
  const { desk, approvalAfter, approve, answerTo, say } = tour;
  const answer = (await answerTo(`relayer_${name}`, async () => {
    const asking = await approvalAfter(() => pressCall(desk, name, parameters));
    await tour.picture(asking, picture);
    await approve(asking);
  })) as Answer;
  if (final !== null)
    await desk
      .locator(`[data-event="message"][data-json*='"${answer.requestId}"'][data-json*='"status": "${final}"']`)
      .first()
      .waitFor({ state: 'attached' });
  say(`${name}: ${final ?? 'signed'}`);
  return answer;
}

/** Total of a token that an account has at the relayer, base units. */
export async function totalOf({ client, account }: Tour, tokenId: number): Promise<bigint> {
  const query = { accountId: account.accountId, tokens: String(tokenId) };
  const [row] = await client.getBalances({ query, apiKey: account.apiKey });
  return BigInt(row?.total ?? '0');
}
