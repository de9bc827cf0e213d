import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { bytesToHex } from 'viem';
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import type { RelayerClient } from '../../src/client/index.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { developmentRelayer } from '../relayer/support/startRelayer.ts';
import { fund } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { type Extension, launchExtension } from './support/extension.ts';
import { PLANTED, workerHeap } from './support/heap.ts';
import { keptBy } from './support/kept.ts';
import { buildOtherWallet, foreignWorker, setMood } from './support/otherWallet.ts';
import { request, type Site, serveSite } from './support/site.ts';
import { openSmartAccount } from './support/smartAccount.ts';
import { approveIn, ORDER } from './support/stage.ts';

const PASSWORD = 'copper anvil 7 lanterns';
/** A phrase of the BIP-39 reference vectors; its second address gets an account. */
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

let relayer: RunningRelayer;
let client: RelayerClient;
let extension: Extension;
let site: Site;
let otherWallet: string;
let downloads: string;
/** Owners of the accounts that were set up, and the secrets on the way. */
const owners: string[] = [];
const secrets: Record<string, string> = { password: PASSWORD };

const open = (privateKey: `0x${string}`): Promise<DemoAccount> =>
  openAccount({ client, baseUrl: relayer.url, privateKey, funds: { ETH: '10', LRC: '100000' } });

beforeAll(async () => {
  [relayer, otherWallet, site, downloads] = await Promise.all([
    developmentRelayer({ requestsPerSecond: 1000 }),
    buildOtherWallet(),
    serveSite(),
    mkdtemp(join(tmpdir(), 'countersign-downloads-')),
  ]);
  client = patientClient(relayer.url);
  extension = await launchExtension([otherWallet]);
});
afterAll(async () => {
  await extension?.close();
  await site?.close();
  await relayer?.close();
  for (const folder of [otherWallet, downloads]) if (folder) await rm(folder, { recursive: true, force: true });
});

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const press = (page: Page, name: string) => button(page, name).click();
const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/**
 * A setup tab at the choice of a signer; the first one makes the wallet and looks the relayer up.
 */
async function atSigner(): Promise<Page> {
  const page = await extension.open('src/ui/onboarding.html');
  if ((await extension.ui('getState', {})).vault === 'absent') {
    await press(page, 'Begin');
    await fill(page, 'New password', PASSWORD);
    await fill(page, 'Confirm password', PASSWORD);
    await press(page, 'Create the wallet');
    await fill(page, 'Exchange server URL', relayer.url);
    await press(page, 'Find exchange');
    await press(page, 'Use this exchange');
  } else {
    await page.locator('.known-network').click();
  }
  return page;
}

/** From the comparison of the keys to the end. */
async function finish(page: Page, owner: string): Promise<void> {
  await heading(page, 'Your account is ready');
  await press(page, 'Continue');
  await add(page, owner);
}

async function add(page: Page, owner: string): Promise<void> {
  await press(page, 'Add the account');
  await heading(page, 'You are ready');
  await page.close();
  owners.push(owner);
  expect((await extension.ui('getState', {})).accounts.map((account) => account.owner)).toEqual(owners);
}

describe('an account is set up', () => {
  test('with a private key', async () => {
    const account = await open(generatePrivateKey());
    secrets['imported L1 key'] = account.privateKey;
    secrets['EdDSA key'] = bytesToHex(Uint8Array.from(account.secretKey).reverse());
    const page = await atSigner();
    await page.getByText('I have a key', { exact: true }).click();
    await fill(page, 'Private key', account.privateKey);
    await press(page, 'Import');
    await finish(page, account.owner);
  });

  test('with a recovery phrase, whose accounts are named by what the relayer knows', async () => {
    const key = mnemonicToAccount(PHRASE, { addressIndex: 1 }).getHdKey().privateKey;
    const account = await open(bytesToHex(key ?? new Uint8Array()));
    secrets['recovery phrase'] = PHRASE;
    const page = await atSigner();
    await page.getByText('I have a recovery phrase', { exact: true }).click();
    await fill(page, 'Recovery phrase', PHRASE.replace('yellow', 'legal'));
    await press(page, 'Show its accounts');
    await page.getByText('These words are no recovery phrase').waitFor();
    await fill(page, 'Recovery phrase', PHRASE);
    await press(page, 'Show its accounts');
    // The one that the exchange knows is chosen.
    const chosen = page.locator('.choice:has(:checked)');
    await chosen.getByText(`Account ${account.accountId}`).waitFor();
    await press(page, 'Use this account');
    await finish(page, account.owner);
  });

  test('with a new phrase, after its backup was confirmed and its account activated', async () => {
    const page = await atSigner();
    await page.getByText('Make a new one', { exact: true }).click();
    await fill(page, 'Password', PASSWORD);
    await press(page, 'Make and show it');
    await page.getByTestId('phrase').waitFor();
    const words = await page.getByTestId('phrase').locator('li').allTextContents();
    expect(words).toHaveLength(12);
    secrets['new phrase'] = words.join(' ');
    await press(page, 'I have written it down');
    for (const label of await page.locator('label').allTextContents())
      await fill(page, label, words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
    await press(page, 'Continue');
    await heading(page, 'No account on');
    const { address } = mnemonicToAccount(words.join(' '));
    await fund(relayer, address);
    await press(page, 'Check again');
    await press(page, 'Activate the account');
    // The fee and the whole request, before anything is signed.
    await page.getByRole('radio', { name: 'ETH:' }).waitFor();
    await press(page, 'Make the key');
    await heading(page, 'Register the first key of account');
    await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
    // A reload comes back to the same request.
    await page.reload();
    await heading(page, 'Register the first key of account');
    expect((await extension.ui('getState', {})).accounts.map((account) => account.owner)).toEqual(owners);
    await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
    await press(page, 'Activate the account');
    await heading(page, 'Name this account');
    await add(page, address);
  });

  test('with a wallet in another extension, which is asked over its port and may say no', async () => {
    const account = await open(generatePrivateKey());
    secrets['key of the other wallet'] = account.privateKey;
    const worker = await foreignWorker(extension.context, extension.id);
    await setMood(worker, { privateKey: account.privateKey, chainId: 1, refusal: 4001 });
    const page = await atSigner();
    // MetaMask is not installed here.
    await page.getByText('MetaMask', { exact: true }).click();
    await press(page, 'Connect');
    await page.getByText('No wallet answers under this extension ID').waitFor();
    await press(page, 'Back');
    await page.getByText('Another wallet extension', { exact: true }).click();
    await fill(page, 'Extension ID', new URL(worker.url()).host);
    await press(page, 'Connect');
    await page.getByText('You rejected the request in the other wallet').waitFor();
    await setMood(worker, { refusal: 0 });
    await press(page, 'Connect');
    await press(page, 'Use this address');
    await finish(page, account.owner);
    expect((await extension.ui('listSigners', {})).map(({ kind }) => kind)).toEqual([
      'local',
      'local',
      'local',
      'external',
    ]);
  });
});

test('an account of a smart wallet whose key is not here gets a new one in the key wizard, and the setup goes on', async () => {
  const { owner, privateKey, accountId } = await openSmartAccount({ client, relayer }, 'counterfactual');
  secrets['key of the smart wallet'] = privateKey;
  const registered = async () => (await client.getAccount({ query: { accountId } })).publicKey.x;
  const before = await registered();
  const page = await atSigner();
  await page.getByText('I have a key', { exact: true }).click();
  await fill(page, 'Private key', privateKey);
  await press(page, 'Import');
  await page.getByText('My account belongs to a smart wallet').click();
  await fill(page, 'Address of the smart wallet', owner);
  await press(page, 'Find account');
  await heading(page, 'The keys are not the same');
  const opening = extension.context.waitForEvent('page');
  await press(page, 'Register a new key');
  const wizard = await opening;
  await wizard.getByText('All open orders; they could not be counted').waitFor();
  expect((await extension.ui('getState', {})).accounts.map((account) => account.owner)).toEqual(owners);
  await press(wizard, 'Continue');
  await press(wizard, 'Make the key');
  await button(wizard, 'Register a new key').waitFor();
  await wizard.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await press(wizard, 'Register a new key');
  await heading(wizard, 'Your account has a new key');
  await wizard.close();
  expect(await registered()).not.toBe(before);
  await fill(page, 'Name', 'Smart wallet');
  await press(page, 'Add the account');
  await heading(page, 'You are ready');
  await page.close();
  owners.push(owner);
  expect((await extension.ui('getState', {})).accounts.at(-1)).toMatchObject({
    owner,
    label: 'Smart wallet',
    smart: 'counterfactual',
    publicKey: { x: await registered() },
  });
});

test('opens with the password, not with a wrong one, and with a passkey of this device', async () => {
  const page = await extension.open('src/ui/popup.html?view=tab#/security');
  const cdp = await extension.context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByText('Passkeys', { exact: true }).click();
  await page.locator('details[open]').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Add a passkey');
  await page.getByText('Added').waitFor();
  await extension.ui('lock', {});
  await button(page, 'Unlock').waitFor();
  await fill(page, 'Password', 'a wrong one');
  await press(page, 'Unlock');
  await page.getByText('This is not the password').waitFor();
  expect((await extension.ui('getState', {})).vault).toBe('locked');
  await press(page, 'Unlock with a passkey');
  await heading(page, 'Security and backup');
  expect((await extension.ui('getState', {})).vault).toBe('unlocked');
  await extension.ui('lock', {});
  await button(page, 'Unlock').waitFor();
  await fill(page, 'Password', PASSWORD);
  await press(page, 'Unlock');
  await heading(page, 'Security and backup');
  await page.close();
});

/**
 * Connects the site to the accounts and has an order signed; the id of its slot.
 * @param isIdUsed - Another browser used the next storage id: the user approves a second copy.
 */
async function order(extended: Extension, changes: object = {}, isIdUsed = false): Promise<number> {
  const tab = await extended.context.newPage();
  await tab.goto(site.origin);
  const ask = async (method: string, params?: unknown, again = false) => {
    const opening = extended.nextApproval();
    const answer = request(tab, method, params);
    const window = await opening;
    await approveIn(window);
    if (again) {
      await window.getByText('This was signed before').first().waitFor();
      // The button answers only after the pointer has left it.
      await window.mouse.move(1, 1);
      await approveIn(window);
    }
    const outcome = await answer;
    await window.close();
    return outcome;
  };
  const known = (await request(tab, 'eth_accounts')) as { result: unknown[] };
  if (known.result.length === 0) await ask('eth_requestAccounts');
  const outcome = (await ask('relayer_submitOrder', [{ ...ORDER, ...changes }], isIdUsed)) as {
    result: { storageId: number };
  };
  await tab.close();
  return outcome.result.storageId;
}

test('a module that patches the built-ins after the start changes nothing and sees no key', async () => {
  const worker = extension.context.serviceWorkers().find((candidate) => candidate.url().includes(extension.id));
  if (!worker) throw new Error('the worker does not run');
  const outcomes = await worker.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    // biome-ignore lint/suspicious/noExplicitAny: it patches whatever there is
    const patch = (holder: any, name: string) => {
      const before = holder[name];
      const spy = function (this: unknown, ...given: unknown[]) {
        const text = (value: unknown) =>
          value instanceof Uint8Array
            ? Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')
            : String(value);
        seen.push([this, ...given].map(text).join(' '));
        return before.apply(this, given);
      };
      Reflect.set(holder, name, spy);
      return holder[name] === spy ? `${name} is patched` : '';
    };
    return [
      patch(Promise.prototype, 'then'),
      patch(Uint8Array.prototype, 'fill'),
      patch(Object.getPrototypeOf(Uint8Array.prototype), 'set'),
      patch(Object.getPrototypeOf(Uint8Array.prototype), 'slice'),
      patch(Array.prototype, 'map'),
      patch(JSON, 'parse'),
      patch(JSON, 'stringify'),
      patch(TextEncoder.prototype, 'encode'),
      patch(SubtleCrypto.prototype, 'importKey'),
      patch(SubtleCrypto.prototype, 'decrypt'),
      patch(String.prototype, 'normalize'),
      patch(globalThis, 'fetch'),
      patch(globalThis, 'atob'),
    ].filter((outcome) => outcome !== '');
  });
  expect(outcomes).toEqual([]);
  await extension.ui('lock', {});
  await extension.ui('unlock', { password: PASSWORD });
  await order(extension);
  expect(await worker.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);
});

test('after the lock neither storage nor the memory of the worker holds a secret', async () => {
  await order(extension);
  const { session } = await keptBy(extension);
  const dataKey = /"dataKey":"([^"]+)"/.exec(session)?.[1] ?? '';
  expect(dataKey).toHaveLength(44);
  await extension.ui('lock', {});
  const secretsLeft = async () => {
    const places = { ...(await keptBy(extension)), heap: await workerHeap(extension.context, extension.id) };
    // The scan sees what is there.
    expect(places.local).toContain(owners[0]);
    expect(places.heap).toContain(PLANTED);
    return Object.entries({ ...secrets, 'data key': dataKey }).flatMap(([name, secret]) => {
      const spellings = secret.startsWith('0x')
        ? [secret.slice(2), Buffer.from(secret.slice(2), 'hex').toString('base64')]
        : [secret];
      return Object.entries(places)
        .filter(([, text]) => spellings.some((spelling) => text.toLowerCase().includes(spelling.toLowerCase())))
        .map(([place]) => `${name} in ${place}`);
    });
  };
  // A read that was in progress at the lock holds what it read until it ends.
  await vi.waitFor(async () => expect(await secretsLeft()).toEqual([]), { timeout: 240_000, interval: 500 });
  await extension.ui('unlock', { password: PASSWORD });
});

test('a backup opens in a fresh browser, whose next order takes an unused storage id; a wipe leaves nothing', async () => {
  const first = await order(extension);
  const page = await extension.open('src/ui/popup.html#/security');
  await page.getByText('Save a backup', { exact: true }).click();
  await page.locator('details[open]').getByLabel('Password', { exact: true }).fill(PASSWORD);
  const downloading = page.waitForEvent('download');
  await press(page, 'Save the file');
  const file = join(downloads, 'backup.json');
  await (await downloading).saveAs(file);
  const text = await readFile(file, 'utf8');
  for (const [name, secret] of Object.entries(secrets)) expect(text.includes(secret), name).toBe(false);

  const fresh = await launchExtension();
  try {
    const tab = await fresh.open('src/ui/onboarding.html');
    await press(tab, 'Restore from a backup');
    await tab.getByLabel('Backup file').setInputFiles(file);
    await fill(tab, 'Password when it was saved', 'a wrong one');
    await press(tab, 'Restore');
    await tab.getByText('This is not the password').waitFor();
    await fill(tab, 'Password when it was saved', PASSWORD);
    await press(tab, 'Restore');
    await heading(tab, 'You are ready');
    expect((await fresh.ui('getState', {})).accounts.map(({ owner }) => owner)).toEqual(owners);
    const second = await order(fresh);
    // Both browsers go on with one account, and no id is used twice.
    const third = await order(extension, { buyToken: { tokenId: 0, volume: '51000000000000000' } }, true);
    expect(new Set([first, second, third]).size).toBe(3);
  } finally {
    await fresh.close();
  }

  await page.getByText('Erase this wallet', { exact: true }).click();
  await fill(page, 'Type “remove” to go on', 'remove');
  await press(page, 'Remove everything');
  await page.waitForFunction(async () => {
    const state = await chrome.runtime.sendMessage({ type: 'ui', method: 'getState', params: {} });
    return state.result.vault === 'absent';
  });
  // The keys go first. Whoever asks after that waits for the rest.
  await extension.ui('getState', {});
  const { local, session, databases } = await keptBy(extension);
  expect({ local, session }).toEqual({ local: '{}', session: '{}' });
  // Only that nothing of an earlier version's form is read any more.
  expect(JSON.parse(databases).flat()).toEqual([true]);
});

const metaMask = process.env.METAMASK_DIR;
const missing =
  metaMask === undefined ? 'METAMASK_DIR is not set' : existsSync(metaMask) ? '' : `${metaMask} is no folder`;

test.skipIf(missing !== '')(
  `a real MetaMask build takes the connection${missing && ` (skipped: ${missing})`}`,
  async () => {
    const beside = await launchExtension([metaMask ?? '']);
    try {
      const worker = await foreignWorker(beside.context, beside.id);
      const { host } = new URL(worker.url());
      await beside.ui('createVault', { password: PASSWORD });
      // It answers what it answers to anybody, then opens its own window to ask its person.
      const asked = beside.context.waitForEvent('page', (opened) => opened.url().includes(host));
      void beside.uiAnswer('connectExtension', { extensionId: host });
      expect((await asked).url()).toContain(host);
    } finally {
      await beside.close();
    }
  },
);
