import type { Page } from 'playwright-core';
import { clickApprove } from '../../../scripts/demo/clickApprove.ts';
import { type DemoAccount, openAccount } from '../../../scripts/demo/openAccount.ts';
import { readToEnd } from '../../../scripts/demo/readToEnd.ts';
import type { RelayerClient } from '../../../src/client/index.ts';
import type { RunningRelayer } from '../../../src/relayer/createRelayer.ts';
import { within } from '../../../src/relayer/within.ts';
import { developmentRelayer } from '../../relayer/support/startRelayer.ts';
import { patientClient } from '../../support/patientClient.ts';
import { type Extension, launchExtension } from './extension.ts';
import { type Outcome, request, type Site, serveSite } from './site.ts';

export const PASSWORD = 'correct horse battery staple';
/**
 * Longest wait for what a page gets for its request, in milliseconds: less than a test may take.
 */
const ANSWER_MS = 150_000;
export const FUNDS = { ETH: '10', LRC: '100000', USDT: '10000' };

/**
 * A relayer with one funded account, the extension that holds it, and a site. Everything is real.
 */
export interface Stage {
  readonly relayer: RunningRelayer;
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  readonly extension: Extension;
  readonly site: Site;
  /** A tab on the site. */
  page(): Promise<Page>;
  /** Makes a request that needs the user; resolves when its window is open. */
  ask(tab: Page, method: string, params?: unknown): Promise<{ window: Page; answer: Promise<Outcome> }>;
  /**
   * Makes a request, approves it in its window and closes the window.
   * @returns The result that the page got.
   */
  approve<Result = unknown>(tab: Page, method: string, params?: unknown): Promise<Result>;
  /** A tab on the site whose origin was connected by the user. */
  connectedPage(): Promise<Page>;
  /** Closes a tab and any approval window. */
  leave(tab: Page): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param given - A relayer that runs already, closed by its owner, and the address by which the
 *   wallet is to reach it.
 */
export async function setStage(given?: { readonly relayer: RunningRelayer; readonly url: string }): Promise<Stage> {
  const relayer = given?.relayer ?? (await developmentRelayer({ deployAfterMs: 500, blockAgeMs: 200 }));
  const client = patientClient(relayer.url);
  // Request signatures name the address that the relayer is known by.
  const baseUrl = given?.url ?? relayer.url;
  const account = await openAccount({ client, baseUrl, funds: FUNDS });
  const extension = await launchExtension();
  const site = await serveSite();
  await extension.ui('createVault', { password: PASSWORD });
  const network = await extension.ui('addNetwork', { baseUrl, name: 'Development' });
  const { signer } = await extension.ui('importSigner', { privateKey: account.privateKey });
  await extension.ui('addAccount', { networkId: network.id, signer, label: 'Main' });

  const page = async () => {
    const tab = await extension.context.newPage();
    await tab.goto(site.origin);
    return tab;
  };
  /** What is open in the browser and waits in the wallet. */
  async function whatIsOpen(): Promise<string> {
    const waiting = await within(extension.uiAnswer('listApprovals', {}).catch(String), 10_000);
    const pages = extension.context.pages();
    const texts = await Promise.all(
      pages.map(async (one) => `${one.url()}: ${await one.innerText('body', { timeout: 10_000 }).catch(String)}`),
    );
    return `open approvals: ${JSON.stringify(waiting ?? 'no answer')}\npages:\n${texts.join('\n')}`;
  }
  async function ask(tab: Page, method: string, params?: unknown) {
    await extension.closeApprovals();
    const opening = extension.nextApproval();
    const asked = request(tab, method, params);
    const window = await opening.catch(async (error: Error) => {
      throw new Error(
        `${method}: ${error.message}\nanswer: ${JSON.stringify((await within(asked, 100)) ?? 'none yet')}`,
      );
    });
    const answer = within(asked, ANSWER_MS).then(async (outcome) => {
      if (outcome === undefined) throw new Error(`${method} was not answered\n${await whatIsOpen()}`);
      return outcome;
    });
    // A test that fails before it reads the answer closes the page under it.
    answer.catch(() => {});
    return { window, answer };
  }
  async function approve<Result>(tab: Page, method: string, params?: unknown): Promise<Result> {
    const { window, answer } = await ask(tab, method, params);
    await approveIn(window);
    const outcome = await answer;
    await window.close();
    if ('error' in outcome) throw new Error(`${method}: ${JSON.stringify(outcome.error)}`);
    return outcome.result as Result;
  }
  return {
    relayer,
    client,
    account,
    extension,
    site,
    page,
    ask,
    approve,
    async connectedPage() {
      const tab = await page();
      if (((await request(tab, 'eth_accounts')) as { result: unknown[] }).result.length > 0) return tab;
      await approve(tab, 'eth_requestAccounts');
      return tab;
    },
    async leave(tab) {
      await extension.closeApprovals();
      await tab.close();
    },
    async close() {
      try {
        await extension.close();
      } finally {
        await site.close();
        if (!given) await relayer.close();
      }
    },
  };
}

/** All that an account has of a token. */
export async function totalOf(
  { client }: Pick<Stage, 'client'>,
  { accountId, apiKey }: Pick<DemoAccount, 'accountId' | 'apiKey'>,
  tokenId: number,
): Promise<bigint> {
  const [row] = await client.getBalances({ query: { accountId, tokens: String(tokenId) }, apiKey });
  return BigInt(row?.total ?? 0);
}

/** What the page reads of a request of its site. */
export async function statusOf(tab: Page, requestId: string): Promise<string | undefined> {
  const { result } = (await request(tab, 'relayer_getRequests')) as { result: { requestId: string; status: string }[] };
  return result.find((row) => row.requestId === requestId)?.status;
}

/**
 * Waits until the window lets the user approve. On a busy machine a fact can come too late; the
 * window says so, and its facts are asked for again.
 */
async function waitToApprove(window: Page): Promise<void> {
  const approve = window.locator('[data-testid=approve]');
  const again = window.getByRole('button', { name: 'Try again', exact: true });
  for (;;) {
    await approve.or(again).first().waitFor();
    if (await approve.isVisible()) return;
    await again.click({ timeout: 1_000 }).catch(() => {});
  }
}

/**
 * Reads to the end, waits until the window lets the user approve, and clicks. The window stays,
 * with the result.
 */
export async function approveIn(window: Page): Promise<void> {
  await waitToApprove(window);
  // A pointer that rests on the button since an earlier click does not approve what is drawn under
  // it.
  await window.mouse.move(1, 1);
  const password = window.locator('.approval-flow input[autocomplete=current-password]');
  if ((await password.count()) > 0) await password.fill(PASSWORD);
  await readToEnd(window);
  await clickApprove(window);
}

/** Longest wait for a click on Reject to have its effect, in milliseconds. */
const REJECTION_MS = 5_000;

/**
 * Clicks Reject, and again when the screen was drawn anew under the pressed pointer: such a click
 * reaches no button.
 */
export async function rejectIn(window: Page): Promise<void> {
  const reject = window.getByRole('button', { name: 'Reject', exact: true });
  const address = window.url();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await reject.click();
    for (const end = Date.now() + REJECTION_MS; Date.now() < end; await window.waitForTimeout(20).catch(() => {})) {
      const isOver = window.isClosed() || window.url() !== address || (await reject.count().catch(() => 0)) === 0;
      if (isOver || (await reject.isDisabled({ timeout: 100 }).catch(() => true))) return;
    }
  }
  throw new Error(`the reject button takes no click: ${await window.innerText('body')}`);
}

/** Sell 100 LRC for 0.05 ETH: rests in an empty book. */
export const ORDER = {
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
};
