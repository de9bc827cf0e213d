import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
import { FUNDS, PASSWORD, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
let own: Page;
beforeAll(async () => {
  stage = await setStage();
  own = await stage.extension.open('src/ui/receipt.html');
});
afterAll(() => stage?.close());

const FUNDS_LRC = `${BigInt(FUNDS.LRC) * 10n ** 18n}`;

const readFacts = () =>
  own.evaluate(
    async () => (await chrome.storage.session.get('startup-snapshot'))['startup-snapshot'] as object | undefined,
  );

/** What stands on the disk about the site, past the worker. */
const isGranted = (origin: string) =>
  own.evaluate(async (of) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('countersign-state');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const reading = database.transaction('entries').objectStore('entries').get('sites');
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    database.close();
    const sites = (reading.result ?? []) as { origin: string; grants: unknown[] }[];
    return sites.some((site) => site.origin === of && site.grants.length > 0);
  }, origin);

const factsKept = () =>
  expect.poll(readFacts).toMatchObject({ state: { vault: expect.stringMatching(/^(un)?locked$/) } });

test.each([0, 1, 3, 8, 20, 60, 400])(
  'a worker that is stopped %s ms after a site is taken its account leaves no old answer',
  async (delay) => {
    const { extension, account, site } = stage;
    const page = await stage.connectedPage();
    await factsKept();
    await own.evaluate((origin) => {
      void chrome.runtime.sendMessage({ type: 'ui', method: 'revokeSite', params: { origin } });
    }, site.origin);
    await new Promise((done) => setTimeout(done, delay));
    await extension.stopWorker();
    const granted = await isGranted(site.origin);
    const left = await readFacts();
    const { result } = (await request(page, 'eth_accounts')) as { result: string[] };
    // What the browser had not delivered yet may have woken the next worker meanwhile.
    const grants = [granted, await isGranted(site.origin)];
    expect(grants.map((is) => (is ? [account.owner] : []))).toContainEqual(result);
    if (left) expect(left).toMatchObject({ sites: granted ? [{ origin: site.origin }] : [] });
    await stage.leave(page);
  },
);

/** Writes facts that differ from what the stores say, and asks a cold worker. */
async function askedWithMarkedFacts() {
  const { extension } = stage;
  await factsKept();
  await extension.stopWorker();
  await own.evaluate(async () => {
    const { 'startup-snapshot': facts } = (await chrome.storage.session.get('startup-snapshot')) as {
      'startup-snapshot'?: { state: object };
    };
    if (facts)
      await chrome.storage.session.set({
        'startup-snapshot': { ...facts, state: { ...facts.state, openApprovals: 41 } },
      });
  });
  return extension.ui('getState', {});
}

test('a cold worker answers from the facts, and says itself whether the wallet is unlocked', async () => {
  const { extension } = stage;
  // The popup that is open in this browser asks by itself, and may have woken the worker before.
  const asked = { timeout: 240_000, interval: 300 };
  await expect.poll(askedWithMarkedFacts, asked).toMatchObject({ vault: 'unlocked', openApprovals: 41 });
  // The start that follows writes them anew.
  await expect.poll(readFacts).toMatchObject({ state: { openApprovals: 0 } });
  await extension.ui('lock', {});
  await expect.poll(askedWithMarkedFacts, asked).toMatchObject({ vault: 'locked', openApprovals: 41 });
});

/** Renames the account in the home screen that was kept, and asks a cold worker for the screen. */
async function homeWithMarkedFacts() {
  await factsKept();
  await stage.extension.stopWorker();
  await own.evaluate(async () => {
    const { 'startup-home': home } = (await chrome.storage.session.get('startup-home')) as {
      'startup-home'?: { account: object };
    };
    if (home)
      await chrome.storage.session.set({ 'startup-home': { ...home, account: { ...home.account, label: 'Kept' } } });
  });
  return (await stage.extension.ui('getHome', { refresh: false })).account.label;
}

test('a cold worker gives the home screen that was kept, and no other once the account has another name', async () => {
  const { extension, account } = stage;
  const asked = { timeout: 240_000, interval: 300 };
  await expect.poll(homeWithMarkedFacts, asked).toBe('Kept');
  const id = (await extension.ui('getState', {})).accounts[0]?.id ?? '';
  await extension.ui('renameAccount', { account: id, label: 'Renamed' });
  await extension.stopWorker();
  const home = await extension.ui('getHome', { refresh: false });
  expect(home).toMatchObject({ account: { owner: account.owner, label: 'Renamed' } });
});

test('the popup draws what was kept while no worker answers, and of a locked wallet nothing', async () => {
  const { extension } = stage;
  const kept = () => own.evaluate(async () => (await chrome.storage.session.get('startup-home'))['startup-home']);
  /** Nothing is kept between a change and the next quiet moment: then another popup is opened. */
  const drawnWithoutWorker = (selector: string) =>
    expect.poll(async () => {
      const popup = await extension.context.newPage();
      await popup.addInitScript('chrome.runtime.sendMessage = () => new Promise(() => {});');
      await popup.goto(`chrome-extension://${extension.id}/src/ui/popup.html`);
      const isDrawn = await popup
        .locator(selector)
        .first()
        .waitFor({ timeout: 20_000 })
        .then(
          () => true,
          () => false,
        );
      const text = await popup.locator('body').innerText();
      await popup.close();
      return { isDrawn, text };
    });
  await extension.ui('unlock', { password: PASSWORD });
  await extension.ui('getHome', { refresh: true });
  const balances = expect.arrayContaining([expect.objectContaining({ total: FUNDS_LRC })]);
  await expect.poll(kept).toMatchObject({ account: { label: 'Renamed' }, balances });
  await drawnWithoutWorker('text=Renamed').toMatchObject({ isDrawn: true, text: expect.stringContaining('LRC') });

  await extension.ui('lock', {});
  await factsKept();
  const withoutBalances = expect.not.stringContaining('LRC');
  await drawnWithoutWorker('input[autocomplete=current-password]').toEqual({ isDrawn: true, text: withoutBalances });
});
