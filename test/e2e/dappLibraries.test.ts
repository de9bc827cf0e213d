import type { Page } from 'playwright-core';
import { verifyMessage, verifyTypedData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installLibraries, libraryPage } from './support/dappLibraries.ts';
import { type Site, serveSite } from './support/site.ts';
import { approveIn, ORDER, rejectIn, type Stage, setStage } from './support/stage.ts';

/**
 * The libraries by which dApps find and use wallets, each in a page of its own: what they take for
 * granted of a provider holds here.
 */
const problem = await installLibraries();
if (problem !== null && process.env.CI) throw new Error(problem);
if (problem !== null) console.warn(`skipped: ${problem}`);

const MESSAGE = 'Log in to the exchange';
const DOCUMENT = {
  domain: { name: 'Mail', version: '1', chainId: 31337 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: { to: '0x0000000000000000000000000000000000000001', contents: 'Hello' },
} as const;

interface Library {
  readonly name: string;
  /**
   * Shows a list of wallets, from which the user chooses; then what it says of a refusal, and does
   * not tell its dApp.
   */
  readonly lists?: string;
  readonly signs: 'message' | 'typedData';
  readonly orders?: true;
  /** Its `disconnect` keeps the connection at the wallet. */
  readonly forgetsOnly?: true;
}

const libraries: readonly Library[] = [
  { name: 'viem', signs: 'typedData', orders: true },
  { name: 'wagmi', signs: 'message' },
  { name: 'ethers', signs: 'typedData', orders: true },
  { name: 'web3', signs: 'message' },
  { name: 'onboard', signs: 'typedData', lists: 'Connection Rejected', forgetsOnly: true },
  { name: 'appkit', signs: 'message', lists: 'Connection declined' },
];

let stage: Stage;
/** Bundled one after another, while the tests before wait for windows. */
const sites = new Map<string, Promise<Site>>();
beforeAll(async () => {
  if (problem !== null) return;
  let last: Promise<unknown> = Promise.resolve();
  for (const { name } of libraries) {
    const site = last.then(async () => serveSite(await libraryPage(name)));
    sites.set(name, site);
    // The test of the library fails with it.
    last = site.catch(() => {});
  }
  stage = await setStage();
});
afterAll(async () => {
  await stage?.close();
  for (const site of sites.values())
    await site.then(
      ({ close }) => close(),
      () => {},
    );
});

type Ended = { readonly result: unknown } | { readonly error: string; readonly isRefusal: boolean };

/** Calls what the page of a library offers. */
const call = (page: Page, name: string, given?: unknown): Promise<Ended> =>
  page.evaluate(
    async ([method, argument]) => {
      type Dapp = Readonly<Record<string, (given?: unknown) => unknown>>;
      const { dapp } = globalThis as unknown as { dapp: Dapp };
      try {
        return { result: await dapp[method]?.(argument) };
      } catch (error) {
        return { error: String(error), isRefusal: dapp.isRefusal?.(error) === true };
      }
    },
    [name, given] as const,
  );

/** What it answers when nobody is asked. */
async function answerOf(page: Page, name: string): Promise<unknown> {
  const ended = await call(page, name);
  if ('error' in ended) throw new Error(`${name}: ${ended.error}`);
  return ended.result;
}

/** Calls what needs the user, who decides in the window. */
async function decided(
  page: Page,
  name: string,
  decide: (window: Page) => Promise<void>,
  given?: unknown,
): Promise<Ended> {
  const opening = stage.extension.nextApproval();
  const ending = call(page, name, given);
  const window = await opening;
  await decide(window);
  const ended = await ending;
  await window.close().catch(() => {});
  return ended;
}

/**
 * Connects by the library's own list of wallets, which is in a shadow tree.
 * @returns the window, and the end of the call
 */
async function chosen(page: Page): Promise<{ readonly window: Page; readonly ending: Promise<Ended> }> {
  const opening = stage.extension.nextApproval();
  const ending = call(page, 'connect');
  await page.getByText('Countersign', { exact: true }).first().click();
  return { window: await opening, ending };
}

const isReady = (page: Page) => page.waitForFunction(() => 'dapp' in globalThis);
const accountsIn = (page: Page) => expect.poll(() => answerOf(page, 'accounts'), { interval: 50, timeout: 240_000 });

describe.skipIf(problem !== null).each(libraries)('$name', ({ name, lists, signs, orders, forgetsOnly }) => {
  const isRefused = { error: expect.any(String), isRefusal: true };

  test('finds the wallet, connects, signs, hears a refusal as its own, reconnects after a reload, and disconnects', async () => {
    const { owner } = stage.account;
    const site = (await sites.get(name)) as Site;
    const page = await stage.extension.context.newPage();
    await page.goto(site.origin);
    await isReady(page);
    await accountsIn(page).toEqual([]);
    if (lists) {
      const refused = await chosen(page);
      await rejectIn(refused.window);
      await page.getByText(lists).first().waitFor();
      expect(await answerOf(page, 'accounts')).toEqual([]);
      // The list stays open, for another attempt.
      refused.ending.catch(() => {});
      await page.reload();
      await isReady(page);
      const { window, ending } = await chosen(page);
      await approveIn(window);
      expect(await ending).toHaveProperty('result');
      await window.close();
    } else {
      expect(await answerOf(page, 'found')).toEqual(['Countersign']);
      expect(await decided(page, 'connect', rejectIn)).toEqual(isRefused);
      await accountsIn(page).toEqual([]);
      await decided(page, 'connect', approveIn);
    }

    await accountsIn(page).toEqual([owner]);
    expect(await answerOf(page, 'chainId')).toBe(31337);

    const sign = { message: ['signMessage', MESSAGE], typedData: ['signTypedData', DOCUMENT] } as const;
    const [signed, given] = sign[signs];
    const ended = await decided(page, signed, approveIn, given);
    const signature = (ended as { result?: `0x${string}` }).result ?? '0x';
    expect(
      signs === 'message'
        ? await verifyMessage({ address: owner, message: MESSAGE, signature })
        : await verifyTypedData({
            address: owner,
            ...DOCUMENT,
            domain: { ...DOCUMENT.domain, chainId: 31337n },
            signature,
          }),
      JSON.stringify(ended),
    ).toBe(true);
    if (orders)
      expect(await decided(page, 'order', approveIn, ORDER)).toMatchObject({
        result: { status: 'acknowledged', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      });
    const [refused, other] = sign[signs === 'message' ? 'typedData' : 'message'];
    expect(await decided(page, refused, rejectIn, other)).toEqual(isRefused);

    await page.reload();
    await isReady(page);
    await accountsIn(page).toEqual([owner]);
    expect(await answerOf(page, 'chainId')).toBe(31337);

    // The one that only forgets hears of the end when the user makes it.
    if (forgetsOnly) await stage.extension.ui('revokeSite', { origin: site.origin });
    else await call(page, 'disconnect');
    await accountsIn(page).toEqual([]);
    expect((await stage.extension.ui('listSites', {})).filter(({ origin }) => origin === site.origin)).toEqual([]);
    await page.reload();
    await isReady(page);
    await accountsIn(page).toEqual([]);
    await page.close();
  });
});
