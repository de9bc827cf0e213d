// @vitest-environment happy-dom
import { render } from 'preact';
import { describe, expect, it, vi } from 'vitest';
import type { AccountLookup, KeyUpdateView, WalletState } from '../../../src/messaging/views.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { OnboardingApp } from '../../../src/ui/onboarding/OnboardingApp.tsx';
import { type FakeBackground, type Handlers, installBackground } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { emptyPages, enter, root, settled, text } from '../support/page.tsx';

let background: FakeBackground;
let permissions: string[][];

const privateKey = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** A busy machine draws later than a page comes to rest. */
const drawnSoon = <T,>(find: () => T | undefined, what: string): Promise<T> =>
  vi.waitFor(
    () => {
      const found = find();
      if (found === undefined) throw new Error(`no ${what} in: ${text()}`);
      return found;
    },
    { timeout: 240_000 },
  );

async function press(name: string): Promise<void> {
  const found = await drawnSoon(
    () => [...root.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith(name)),
    `button ${name}`,
  );
  if (found.disabled) throw new Error(`button ${name} is disabled`);
  if (found.type === 'submit') found.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  else found.click();
  await settled();
}

async function type(value: string, index = 0): Promise<void> {
  await enter(await drawnSoon(() => root.querySelectorAll('input')[index], `field ${index}`), value);
}

async function choose(name: string, content: string): Promise<void> {
  const field = await drawnSoon(() => root.querySelector<HTMLInputElement>('input[type=file]') ?? undefined, 'file');
  Object.defineProperty(field, 'files', { configurable: true, value: [new File([content], name)] });
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
}

/** Steps beside the sheet; the present one in brackets. */
const rail = () =>
  [...root.querySelectorAll('.rail li')].map((step) => {
    const name = step.querySelector('span:nth-child(2)')?.textContent;
    return step.getAttribute('aria-current') === 'step' ? `[${name}]` : name;
  });

const registered: AccountLookup = {
  status: 'registered',
  smart: null,
  owner: f.account.owner,
  accountId: 10007,
  nonce: 1,
  publicKey: f.account.publicKey,
};
const unregistered: AccountLookup = {
  status: 'unregistered',
  smart: null,
  owner: f.account.owner,
  accountId: 10007,
  nonce: 0,
};
const derived = {
  accountId: 10007,
  kind: 'derived' as const,
  keySeed: 'Sign this message',
  derived: f.account.publicKey,
  registered: f.account.publicKey,
  matches: true,
};

const withExchange: WalletState = { ...f.emptyWallet, networks: [f.network] };

async function open(handlers: Handlers = {}, granted = true): Promise<void> {
  let wallet: WalletState = f.absentWallet;
  permissions = [];
  background = installBackground({
    getState: () => wallet,
    touch: () => null,
    createVault: () => {
      wallet = f.emptyWallet;
      return wallet;
    },
    getProposedExchange: () => null,
    probeNetwork: () => ({ chainId: 31337, exchangeAddress: f.network.exchangeAddress }),
    addNetwork: () => {
      wallet = withExchange;
      return f.network;
    },
    importSigner: () => ({ signer: 'k1', address: f.account.owner }),
    generateSigner: () => ({ signer: 'k2', address: f.account.owner }),
    exportSigner: () => ({ privateKey: `0x${privateKey}`, phrase }),
    findAccount: () => registered,
    deriveKey: () => derived,
    addAccount: () => f.account,
    ...handlers,
  });
  Object.assign((globalThis as unknown as { chrome: object }).chrome, {
    permissions: {
      request: async ({ origins }: { origins: string[] }) => {
        permissions.push(origins);
        return granted;
      },
    },
  });
  render(<OnboardingApp />, root);
  await settled();
}

async function toNetwork(): Promise<void> {
  await press('Begin');
  await type('copper anvil 7 lanterns', 0);
  await type('copper anvil 7 lanterns', 1);
  await press('Create the wallet');
}

async function toSigner(): Promise<void> {
  await toNetwork();
  await press('Find exchange');
  await press('Use this exchange');
}

async function fromSignerToAccount(): Promise<void> {
  await press('I have a key');
  await type(privateKey);
  await press('Import');
}

/** From the choice of an exchange that is set up already. */
async function fromExchangeToAccount(): Promise<void> {
  await press('Use this exchange');
  await fromSignerToAccount();
}

async function toAccount(): Promise<void> {
  await toSigner();
  await fromSignerToAccount();
}

/** An account without a key, whose first one is not asked for yet. */
const firstKeyAsked = {
  findAccount: () => unregistered,
  claimAccount: () => f.firstKey.account,
  getKeyUpdate: () => ({ ...f.firstKey, approval: null, newKey: null }),
  getKeyUpdateFacts: () => f.firstKeyFacts,
};

/** The account is in use now: it gets its name, and is not added a second time. */
async function addsClaimed(): Promise<void> {
  background.changed();
  await settled();
  await press('Add the account');
  expect(background.callsOf('renameAccount')).toEqual([{ account: f.account.id, label: 'Main account' }]);
  expect(background.callsOf('addAccount')).toEqual([]);
  expect(text()).toContain('You are ready');
}

emptyPages();

it('names each step in the title of the page', async () => {
  await open();
  expect(document.title).toBe('A second pair of eyes before you sign · Setup · Countersign');
  await press('Begin');
  expect(document.title).toBe('Choose a password · Setup · Countersign');
});

describe('the setup', () => {
  it('leads from nothing to an account', async () => {
    await open();
    await toAccount();
    expect(text()).toContain('Your account is ready');
    await press('Continue');
    await press('Add the account');
    expect(text()).toContain('You are ready');
    expect(background.callsOf('createVault')).toEqual([{ password: 'copper anvil 7 lanterns' }]);
    expect(background.callsOf('addNetwork')).toEqual([
      {
        baseUrl: 'http://127.0.0.1:4510',
        name: 'Development',
        shown: { chainId: 31337, exchangeAddress: f.network.exchangeAddress },
      },
    ]);
    expect(background.callsOf('addAccount')).toEqual([{ networkId: 'dev', signer: 'k1', label: 'Main account' }]);
    expect(permissions).toEqual([]);
  });

  it('says while the password is repeated that the two are not the same', async () => {
    await open();
    await press('Begin');
    await type('copper anvil 7 lanterns', 0);
    const said = () => [
      root.querySelectorAll('.field-hint')[1]?.textContent,
      root.querySelector('.field-error')?.textContent,
    ];
    const create = () => root.querySelector<HTMLButtonElement>('button[type=submit]');
    expect(said()).toEqual([undefined, undefined]);
    await type('copper anvil', 1);
    expect(said()).toEqual(['The two are not the same.', undefined]);
    await type('copper anvil 8', 1);
    expect(said()).toEqual([undefined, 'The two are not the same.']);
    expect(create()?.disabled).toBe(true);
    await type('copper anvil 7 lanterns', 1);
    expect(said()).toEqual([undefined, undefined]);
    expect(create()?.disabled).toBe(false);
    await type('copper anvil 7', 0);
    expect(said()).toEqual([undefined, 'The two are not the same.']);
  });

  it('never keeps a secret in the storage of the page', async () => {
    await open();
    await toAccount();
    const stored =
      JSON.stringify({ ...sessionStorage, ...localStorage }) + sessionStorage.getItem('countersign.onboarding');
    expect(stored).toContain(f.account.owner);
    expect(stored).not.toContain(privateKey);
    expect(stored).not.toContain('copper');
    expect(root.innerHTML).not.toContain(privateKey);
  });

  it('asks the browser for a host before it talks to it, and stops when that is refused', async () => {
    await open({}, false);
    await toNetwork();
    await type('https://relayer.example.org/');
    await press('Find exchange');
    expect(permissions).toEqual([['https://relayer.example.org/*']]);
    expect(background.callsOf('probeNetwork')).toEqual([]);
    expect(text()).toContain('may not talk to relayer.example.org');
  });

  it('asks the browser again for an exchange that is known, because the user may have taken the host back', async () => {
    const network = { ...f.network, baseUrl: 'https://relayer.example.org' };
    const getState = () => ({ ...f.emptyWallet, networks: [network] });
    await open({ getState }, false);
    root.querySelector<HTMLButtonElement>('.known-network')?.click();
    await settled();
    expect(permissions).toEqual([['https://relayer.example.org/*']]);
    expect(text()).toContain('may not talk to relayer.example.org');
    expect(text()).toContain('Choose your exchange');
  });

  it('says why the browser was not asked for an exchange that is known', async () => {
    const network = { ...f.network, baseUrl: 'https://relayer.example.org' };
    await open({ getState: () => ({ ...f.emptyWallet, networks: [network] }) });
    Object.assign(chrome, { permissions: { request: () => Promise.reject(new Error('no gesture')) } });
    root.querySelector<HTMLButtonElement>('.known-network')?.click();
    await settled();
    expect(root.querySelector('[role=alert]')).not.toBeNull();
    await type('https://other.example.org');
    expect(root.querySelector('[role=alert]')).toBeNull();
  });

  it('suggests a name of at most 60 characters', async () => {
    await open();
    await toNetwork();
    await type(`https://${'a'.repeat(60)}.example.org`);
    await press('Find exchange');
    await press('Use this exchange');
    expect(background.callsOf('addNetwork')).toMatchObject([{ name: 'a'.repeat(60) }]);
  });

  it('offers the exchange that a site named, with the site, and asks it nothing before it is chosen', async () => {
    const proposed = { origin: 'https://trade.example.org', baseUrl: 'https://relayer.example.org' };
    await open({ getProposedExchange: () => proposed });
    await toNetwork();
    expect(text()).toContain('relayer.example.orgProposed by trade.example.org');
    expect(permissions).toEqual([]);
    expect(background.callsOf('probeNetwork')).toEqual([]);
    root.querySelector<HTMLButtonElement>('.known-network')?.click();
    await settled();
    expect(permissions).toEqual([['https://relayer.example.org/*']]);
    expect(background.callsOf('probeNetwork')).toEqual([{ baseUrl: 'https://relayer.example.org' }]);
    // What it says of itself is shown, and nothing is added before the user goes on.
    expect(text()).toContain('Exchange found');
    expect(background.callsOf('addNetwork')).toEqual([]);
  });

  it.each([
    ['without encryption', 'http://relayer.example.org'],
    ['with a name and password in its address', 'https://a:b@relayer.example.org'],
    ['that is set up already', f.network.baseUrl],
  ])('offers no exchange %s', async (_, baseUrl) => {
    await open({
      getState: () => withExchange,
      getProposedExchange: () => ({ origin: 'https://trade.example.org', baseUrl }),
    });
    expect(text()).toContain('Choose your exchange');
    expect(text()).not.toContain('Proposed by');
  });

  it('names the exchange that another server leads to already', async () => {
    const network = { ...f.network, name: 'My exchange', baseUrl: 'https://relayer.example.org' };
    const exchangeAddress = f.network.exchangeAddress.toUpperCase().replace('X', 'x');
    const answers = [
      { chainId: 31337, exchangeAddress },
      { chainId: 31337, exchangeAddress: `0x${'1'.repeat(40)}` },
    ];
    const probeNetwork = () => answers.shift() ?? { chainId: 1, exchangeAddress };
    await open({ getState: () => ({ ...f.emptyWallet, networks: [network] }), probeNetwork });
    const sentence = 'This is the contract of My exchange, which is set up already.';
    await press('Find exchange');
    expect(text()).toContain(sentence);
    for (const other of ['https://a.example', 'https://b.example']) {
      await type(other);
      await press('Find exchange');
      expect(text()).toContain('Exchange found');
      expect(text()).not.toContain(sentence);
    }
  });

  it('forgets what a relayer said when another address is typed', async () => {
    await open();
    await toNetwork();
    await press('Find exchange');
    expect(text()).toContain('Exchange found');
    await type('http://127.0.0.1:9999');
    expect(text()).not.toContain('Exchange found');
    expect(text()).toContain('Find exchange');
  });

  it('forgets the name that was typed for another server, and needs none for an exchange that is known', async () => {
    const known = { ...f.network, baseUrl: 'https://known.example' };
    await open({ getState: () => ({ ...f.emptyWallet, networks: [known] }) });
    await press('Find exchange');
    await type('', 1);
    await type('https://other.example');
    await press('Find exchange');
    expect(root.querySelectorAll('input')[1]?.value).toBe('other.example');
    await type('', 1);
    await type('https://known.example');
    await press('Use this exchange');
    expect(text()).toContain('Choose your Ethereum key');
  });

  it('needs no name for an exchange that became known meanwhile', async () => {
    let now: WalletState = f.emptyWallet;
    await open({ getState: () => now });
    await press('Find exchange');
    await type('', 1);
    await expect(press('Use this exchange')).rejects.toThrow('disabled');
    now = { ...f.emptyWallet, networks: [{ ...f.network, baseUrl: 'http://127.0.0.1:4510' }] };
    background.changed();
    await settled();
    await press('Use this exchange');
    expect(text()).toContain('Choose your Ethereum key');
  });

  it('shows no answer of an exchange that comes after another address was typed', async () => {
    let answer = () => {};
    const found = { chainId: 1, exchangeAddress: f.network.exchangeAddress };
    await open({ probeNetwork: () => new Promise((resolve) => (answer = () => resolve(found))) });
    await toNetwork();
    await type('https://a.example');
    await press('Find exchange');
    await type('https://b.example');
    answer();
    await settled();
    expect(text()).not.toContain('Exchange found');
  });

  it('suggests a name that no account has', async () => {
    const others = [f.account, { ...f.secondAccount, label: `${f.account.label} 2` }];
    await open({ getState: () => ({ ...withExchange, accounts: others }) });
    await fromExchangeToAccount();
    await press('Continue');
    await press('Add the account');
    expect(background.callsOf('addAccount')).toMatchObject([{ label: 'Main account 3' }]);
  });

  it('stops when the derived key is not the registered one', async () => {
    await open({
      deriveKey: () => ({ ...derived, registered: { x: f.orderHash, y: f.digest }, matches: false }),
    });
    await toAccount();
    expect(text()).toContain('The keys are not the same');
    expect(text()).toContain(f.account.publicKey.x);
    expect(text()).toContain(f.orderHash);
    expect([...root.querySelectorAll('button')].some((one) => one.textContent === 'Continue')).toBe(false);
  });

  it('claims an account without a key, registers its first one by the steps of the key wizard, and goes on', async () => {
    const claimed = f.firstKey.account;
    let accounts: WalletState['accounts'] = [];
    let view: KeyUpdateView = { ...f.firstKey, approval: null, newKey: null };
    await open({
      getState: () => ({ ...withExchange, accounts }),
      findAccount: () => unregistered,
      claimAccount: () => claimed,
      getKeyUpdate: () => view,
      getKeyUpdateFacts: () => f.firstKeyFacts,
      startKeyUpdate: () => {
        view = f.firstKey;
        return f.firstKey.approval;
      },
      approve: () => {
        const approval = { ...f.firstKey.approval, stage: 'approved' } as const;
        view = { ...view, approval };
        return approval;
      },
      renameAccount: () => ({ ...withExchange, accounts }),
    });
    await fromExchangeToAccount();
    expect(text()).toContain('Activate your account');
    await press('Activate the account');
    expect(background.callsOf('claimAccount')).toEqual([{ networkId: 'dev', signer: 'k1', label: 'Main account' }]);
    // The fee is chosen and shown before anything is asked.
    expect(text()).toContain('Choose the new key');
    expect(text()).toContain('ETH');
    await press('Make the key');
    expect(background.callsOf('startKeyUpdate')).toMatchObject([
      { account: f.account.id, approval: null, kind: 'derived' },
    ]);
    expect(text()).toContain('New key');
    await type('copper anvil 7 lanterns');
    await press('Activate the account');
    expect(background.callsOf('approve')).toEqual([
      {
        id: f.firstKey.approval.id,
        digest: f.firstKey.approval.digest,
        account: f.account.id,
        password: 'copper anvil 7 lanterns',
      },
    ]);
    expect(text()).toContain('It is about to be signed and sent.');
    accounts = [f.account];
    await addsClaimed();
  });

  it.each(['choosing', 'closed'] as const)('says why a first key has to be made again: %s', async (stage) => {
    const problem = { key: 'problem_ownIntent', values: { reason: { kind: 'text', text: 'no such fee' } } } as const;
    let view: KeyUpdateView = { ...f.firstKey, approval: null, newKey: null };
    await open({
      ...firstKeyAsked,
      getKeyUpdate: () => view,
      startKeyUpdate: () => {
        const approval = { ...f.firstKey.approval, stage, problem };
        view = { ...view, approval };
        return approval;
      },
    });
    await toAccount();
    await press('Activate the account');
    expect(root.querySelector('.key-update-subject [role=alert]')).toBeNull();
    await press('Make the key');
    expect(root.querySelector('.key-update-subject [role=alert]')?.textContent).toContain('no such fee');
  });

  it('proves the backup of a random key by the file that was saved', async () => {
    const random = { ...f.firstKey, newKey: { ...f.firstKey.newKey, kind: 'random', keySeed: '' } } as const;
    await open({
      findAccount: () => unregistered,
      claimAccount: () => f.firstKey.account,
      getKeyUpdate: () => random,
      getKeyUpdateFacts: () => f.firstKeyFacts,
      exportAccountKey: () => ({ fileName: 'key.json', text: '{"key":1}' }),
      confirmBackup: () => ({ ...random, newKey: { ...random.newKey, backedUp: true } }),
    });
    await toAccount();
    await press('Activate the account');
    await type('copper anvil 7 lanterns');
    await press('Save an encrypted file');
    await choose('film.json', 'x'.repeat(10_001));
    expect(text()).toContain('This file is too large or cannot be read.');
    expect(background.callsOf('confirmBackup')).toEqual([]);
    await choose('key.json', '{"key":1}');
    expect(background.callsOf('confirmBackup')).toEqual([
      { approval: f.firstKey.approval.id, shown: { file: '{"key":1}', password: 'copper anvil 7 lanterns' } },
    ]);
    await drawnSoon(() => (text().includes('key.json') ? undefined : true), 'next step');
  });

  it('keeps a password that is typed before the wallet has answered that the key is made', async () => {
    let view: KeyUpdateView = { ...f.firstKey, approval: null, newKey: null };
    let answer = () => {};
    const made = new Promise<typeof f.firstKey.approval>((resolve) => {
      answer = () => resolve(f.firstKey.approval);
    });
    let read = () => {};
    await open({
      getState: () => withExchange,
      findAccount: () => unregistered,
      claimAccount: () => f.firstKey.account,
      // Asked by the approval, it takes as long as the test wants.
      getKeyUpdate: ({ approval }: { approval: string | null }) =>
        approval === null
          ? view
          : new Promise<KeyUpdateView>((resolve) => {
              read = () => resolve(view);
            }),
      getKeyUpdateFacts: () => f.firstKeyFacts,
      startKeyUpdate: () => {
        view = f.firstKey;
        background.changed();
        return made;
      },
    });
    await fromExchangeToAccount();
    await press('Activate the account');
    await press('Make the key');
    await type('copper anvil 7 lanterns');
    answer();
    await settled();
    read();
    await settled();
    expect(root.querySelector('input')?.value).toBe('copper anvil 7 lanterns');
    expect([...root.querySelectorAll('button')].find(({ type }) => type === 'submit')?.disabled).toBe(false);
  });

  it('comes back to the account from the choice of a first key', async () => {
    await open(firstKeyAsked);
    await toAccount();
    await press('Activate the account');
    await press('Back');
    expect(text()).toContain('Activate your account');
  });

  it('explains how an account comes to be, and looks again', async () => {
    let lookup: AccountLookup = { status: 'absent', owner: f.account.owner };
    await open({ findAccount: () => lookup });
    await toAccount();
    expect(text()).toContain('No account on Development yet');
    lookup = registered;
    await press('Check again');
    expect(text()).toContain('Your account is ready');
  });

  it('compares again when asked to, after another key was found', async () => {
    let differs = true;
    await open({
      deriveKey: () =>
        differs ? { ...derived, registered: { x: f.orderHash, y: f.digest }, matches: false } : derived,
    });
    await toAccount();
    expect(text()).toContain('The keys are not the same');
    differs = false;
    await press('Check again');
    expect(text()).toContain('Your account is ready');
  });

  it('finds the account of a smart wallet, says what it can do, and names its owner to the end', async () => {
    const owner = f.secondAccount.owner;
    await open({
      findAccount: ({ owner: asked }: { owner: string }) =>
        asked === owner ? { ...registered, owner, smart: 'contract' } : { status: 'absent', owner: asked },
      importKey: () => ({ ...derived, kind: 'imported', keySeed: '' }),
    });
    await toAccount();
    expect(text()).toContain('My account belongs to a smart wallet');
    await type(owner);
    await press('Find account');
    expect(text()).toContain('A wallet contract. Orders need only the account key.');
    // The signer is not asked for a text unbidden: what it gives fits few contracts.
    expect(background.callsOf('deriveKey')).toEqual([]);
    await press('I have the key');
    await type(privateKey);
    await press('Compare');
    expect(text()).toContain('Your account is ready');
    expect(root.querySelector('.key-side h2')?.textContent).toBe('Imported');
    await press('Continue');
    await press('Add the account');
    expect(background.callsOf('importKey')).toMatchObject([{ signer: 'k1', owner }]);
    expect(background.callsOf('addAccount')).toMatchObject([{ signer: 'k1', owner }]);
  });

  const deployed: AccountLookup = { ...registered, smart: 'contract' };

  it('adds the account of a contract again without asking for a key that is here', async () => {
    await open({
      getState: () => ({ ...withExchange, accounts: [{ ...f.account, smart: 'counterfactual' }] }),
      findAccount: () => deployed,
    });
    await fromExchangeToAccount();
    expect(text()).toContain('Your account is ready');
    await press('Continue');
    await press('Add the account');
    expect(background.callsOf('addAccount')).toMatchObject([{ signer: 'k1' }]);
  });

  it('imports no key while another one is derived', async () => {
    await open({ findAccount: () => deployed, deriveKey: () => new Promise(() => {}) });
    await toAccount();
    const importing = () => [...root.querySelectorAll('button')].find((one) => one.textContent === 'I have the key');
    expect(importing()?.disabled).toBe(false);
    await press('Derive it from my Ethereum key');
    expect(importing()?.disabled).toBe(true);
  });

  it('opens the account of a contract by the signature that had opened it before the deployment', async () => {
    let answer: () => typeof derived = () => {
      throw new UiCallError('signer-refused', 'error_signerRefused');
    };
    await open({ findAccount: () => deployed, deriveKey: () => answer() });
    await toAccount();
    await press('Derive it from my Ethereum key');
    expect(root.querySelector('[role=alert]')).not.toBeNull();
    answer = () => derived;
    await press('Try again');
    expect(text()).toContain('Your account is ready');
    await press('Continue');
    await press('Add the account');
    expect(background.callsOf('addAccount')).toMatchObject([{ signer: 'k1' }]);
  });

  it('offers a new key for an account whose key is not here, and goes on once the key wizard has registered it', async () => {
    const foreign = { x: f.orderHash, y: f.digest };
    const tabs: string[] = [];
    const claimed = { ...f.account, publicKey: foreign };
    let accounts: WalletState['accounts'] = [];
    await open({
      getState: () => ({ ...withExchange, accounts }),
      deriveKey: () => ({ ...derived, registered: foreign, matches: false }),
      claimAccount: () => claimed,
      renameAccount: () => ({ ...withExchange, accounts }),
    });
    Object.assign((globalThis as unknown as { chrome: object }).chrome, {
      tabs: { create: async ({ url }: { url: string }) => tabs.push(url) },
    });
    await fromExchangeToAccount();
    expect(text()).toContain('The keys are not the same');
    await press('Register a new key');
    expect(background.callsOf('claimAccount')).toEqual([{ networkId: 'dev', signer: 'k1', label: 'Main account' }]);
    expect(tabs).toEqual([`chrome-extension://test/src/ui/keyUpdate.html?account=${encodeURIComponent(f.account.id)}`]);
    // Not in use yet: the setup waits where it is.
    background.changed();
    await settled();
    expect(text()).toContain('The keys are not the same');
    accounts = [f.account];
    await addsClaimed();
  });

  it('does not promise a first key for a contract in one step', async () => {
    await open({
      findAccount: () => ({
        ...unregistered,
        smart: 'contract',
      }),
    });
    await toAccount();
    expect(text()).toContain('waits until the contract');
    expect(text()).toContain('Register a new key');
    expect(text()).not.toContain('Activate the account');
  });

  it('a signer that signs differently each time still has a way to the registered key', async () => {
    await open({
      deriveKey: () => {
        throw new UiCallError('signer-not-deterministic', 'error_signerNotDeterministic');
      },
    });
    await toAccount();
    expect(root.querySelector('[role=alert]')?.textContent).toContain('a different signature each time');
    await press('I have the key');
    expect(root.querySelectorAll('input').length).toBeGreaterThan(0);
  });

  it('a signer that signs differently each time still has a way to a first key: a random one', async () => {
    await open({
      ...firstKeyAsked,
      startKeyUpdate: ({ kind }: { kind: string }) => {
        if (kind === 'derived') throw new UiCallError('signer-not-deterministic', 'error_signerNotDeterministic');
        return f.firstKey.approval;
      },
    });
    await toAccount();
    await press('Activate the account');
    await press('Make the key');
    expect(root.querySelector('[role=alert]')?.textContent).toContain('a different signature each time');
    root.querySelectorAll<HTMLInputElement>('input[name=kind]')[1]?.click();
    await settled();
    await press('Make the key');
    expect(background.callsOf('startKeyUpdate')).toMatchObject([{ kind: 'derived' }, { kind: 'random' }]);
  });

  it('claims an account under a name that no other account has', async () => {
    await open({
      getState: () => ({ ...withExchange, accounts: [f.account] }),
      ...firstKeyAsked,
    });
    await fromExchangeToAccount();
    await press('Activate the account');
    expect(background.callsOf('claimAccount')).toMatchObject([{ label: 'Main account 2' }]);
  });

  it.each(['signer', 'account', 'name'])(
    'asks for an exchange again at the step %s when the chosen one was removed in another window',
    async (step) => {
      let wallet = withExchange;
      await open({ getState: () => wallet });
      if (step === 'signer') await press('Use this exchange');
      else await fromExchangeToAccount();
      if (step === 'name') await press('Continue');
      wallet = f.emptyWallet;
      background.changed();
      await settled();
      expect(text()).toContain('Choose your exchange');
      expect(rail()[1]).toMatch(/^\[/);
    },
  );

  it('stays at the step while the exchanges of the wallet cannot be read', async () => {
    let wallet = withExchange;
    await open({ getState: () => wallet });
    await fromExchangeToAccount();
    wallet = { ...f.emptyWallet, isUnread: true };
    background.changed();
    await settled();
    expect(text()).toContain('Your account is ready');
  });

  it('lets the user choose another key when the one whose account was found is removed meanwhile', async () => {
    await open({
      deriveKey: () => {
        throw new UiCallError('not-found', 'error_notFound');
      },
    });
    await toAccount();
    await press('Use another key');
    expect(rail()).toContain('[Your key]');
  });

  it.each(['account', 'name'])(
    'lets the user choose another key at the step %s when the chosen one was removed in another window',
    async (step) => {
      let isThere = true;
      const refuseRemoved = <T,>(answer: T) => {
        if (!isThere) throw new UiCallError('not-found', 'error_notFound');
        return answer;
      };
      await open({ findAccount: () => refuseRemoved(registered), addAccount: () => refuseRemoved(f.account) });
      await toSigner();
      isThere = step === 'name';
      await fromSignerToAccount();
      if (step === 'name') {
        await press('Continue');
        isThere = false;
        await press('Add the account');
        expect(root.querySelector('[role=alert]')).not.toBeNull();
        await press('Back');
      }
      expect(root.querySelector('[role=alert]')).not.toBeNull();
      await press('Use another key');
      isThere = true;
      await fromSignerToAccount();
      expect(text()).toContain('Your account is ready');
    },
  );

  it('offers to read the state of the wallet again when it could not be read', async () => {
    await open({
      getState: () => {
        throw new UiCallError('unknown', 'error_unknown');
      },
    });
    await press('Try again');
    expect(background.callsOf('getState')).toHaveLength(2);
  });

  it('shows the phrase that was made again after a lock or reload, and makes no second one', async () => {
    await open();
    await toSigner();
    for (const time of ['before', 'after']) {
      await press('Make a new one');
      await type('copper anvil 7 lanterns');
      await press('Make and show it');
      expect(root.querySelectorAll('.phrase-words li').length, time).toBe(12);
      render(null, root);
      render(<OnboardingApp />, root);
      await settled();
    }
    expect(background.callsOf('generateSigner')).toHaveLength(1);
    expect(background.callsOf('exportSigner')).toMatchObject([{ signer: 'k2' }, { signer: 'k2' }]);
  });

  it('goes on from a new phrase only when the asked words were typed back', async () => {
    await open();
    await toSigner();
    await press('Make a new one');
    await type('copper anvil 7 lanterns');
    await press('Make and show it');
    expect(background.callsOf('exportSigner')).toEqual([{ signer: 'k2', password: 'copper anvil 7 lanterns' }]);
    const shown = [...root.querySelectorAll('.phrase-words li')].map((word) => word.textContent ?? '');
    expect(shown.join(' ')).toBe(phrase);
    await press('I have written it down');
    expect(text()).not.toContain(shown[0]);
    const places = [...root.querySelectorAll('label')].map((label) => Number(/\d+/.exec(label.textContent ?? '')?.[0]));
    expect(new Set(places).size).toBe(3);
    await type('zebra', 0);
    expect(text()).toContain('This is not that word.');
    for (const [position, place] of places.entries()) {
      await expect(press('Continue')).rejects.toThrow('disabled');
      await type((shown[place - 1] ?? '').toUpperCase(), position);
    }
    await press('Continue');
    expect(background.callsOf('findAccount')).toHaveLength(1);
  });

  it('restores a backup in steps of its own, and asks for its exchanges also after a reload', async () => {
    const restored = { ...f.wallet, networks: [{ ...f.network, baseUrl: 'https://relayer.example' }] };
    let now: WalletState = f.absentWallet;
    const handlers: Handlers = {
      getState: () => now,
      restoreBackup: () => {
        now = restored;
        return now;
      },
    };
    await open(handlers);
    await press('Restore from a backup');
    expect(rail()).toEqual(['[Backup]', 'Your exchanges']);
    expect(text()).toContain('No file chosen');
    await choose('backup-of-friday.json', '{"a":1}');
    expect(text()).toContain('backup-of-friday.json');
    await type('copper anvil 7 lanterns', 1);
    await press('Restore');
    expect(background.callsOf('restoreBackup')).toEqual([{ file: '{"a":1}', password: 'copper anvil 7 lanterns' }]);
    expect(text()).toContain('Allow your exchanges');
    expect(rail()).toEqual(['Backup', '[Your exchanges]']);
    render(null, root);
    await open(handlers);
    expect(rail()).toEqual(['Backup', '[Your exchanges]']);
    await press('Allow');
    expect(permissions).toEqual([['https://relayer.example/*']]);
    expect(text()).toContain('You are ready');
    expect([...root.querySelectorAll('.rail-past')]).toHaveLength(2);
  });

  it('goes on with the exchanges when the answer to a restored backup was lost', async () => {
    let now: WalletState = f.absentWallet;
    const handlers: Handlers = {
      getState: () => now,
      restoreBackup: () => {
        now = { ...f.wallet, networks: [{ ...f.network, baseUrl: 'https://relayer.example' }] };
        throw new UiCallError('no-answer', 'errorNoAnswer');
      },
    };
    await open(handlers);
    await press('Restore from a backup');
    await choose('backup-of-friday.json', '{"a":1}');
    await type('copper anvil 7 lanterns', 1);
    await press('Restore');
    background.changed();
    await settled();
    expect(text()).toContain('Allow your exchanges');
    await press('Allow');
    expect(permissions).toEqual([['https://relayer.example/*']]);
    expect(text()).toContain('You are ready');
  });

  it.each([
    ['is done', f.wallet, 'You are ready'],
    ['goes on with a new exchange', f.emptyWallet, 'Find exchange'],
  ])('%s after a lost answer when there is nothing to ask the browser for', async (_name, made, next) => {
    let now: WalletState = f.absentWallet;
    const networks = made.networks.map((network) => ({ ...network, baseUrl: 'http://127.0.0.1:4510' }));
    const restoreBackup = () => {
      now = { ...made, networks };
      throw new UiCallError('no-answer', 'errorNoAnswer');
    };
    await open({ getState: () => now, restoreBackup });
    await press('Restore from a backup');
    await choose('backup-of-friday.json', '{"a":1}');
    await type('copper anvil 7 lanterns', 1);
    await press('Restore');
    background.changed();
    await settled();
    expect(text()).toContain(next);
    expect(text()).not.toContain('Allow your exchanges');
    expect(permissions).toEqual([]);
  });

  it('says so of a file that is too large to be a backup, and does not take it', async () => {
    await open();
    await press('Restore from a backup');
    await choose('film.json', 'x'.repeat(4 * 1024 * 1024 + 1));
    await type('copper anvil 7 lanterns', 1);
    expect(root.querySelector('.field-error')?.textContent).toBe('This file is too large or cannot be read.');
    await expect(press('Restore')).rejects.toThrow('disabled');
    await choose('backup.json', '{}');
    expect(root.querySelector('.field-error')).toBeNull();
    await press('Back');
    expect(rail()).toHaveLength(5);
  });

  it('shows the accounts of a recovery phrase with what the exchange knows, and takes the chosen one', async () => {
    await open({
      listPhraseAccounts: () => [
        { index: 0, address: f.secondAccount.owner, status: 'absent', accountId: null },
        { index: 1, address: f.account.owner, status: 'registered', accountId: 10007 },
      ],
      importPhrase: () => ({ signer: 'k3', address: f.account.owner }),
    });
    await toSigner();
    await press('I have a recovery phrase');
    await type(phrase);
    expect(root.querySelector('.phrase-words')).toBeNull();
    root.querySelector<HTMLElement>('.field .icon-button')?.click();
    await settled();
    expect([...root.querySelectorAll('.phrase-words li')].map((word) => word.textContent)).toEqual(phrase.split(' '));
    expect(text()).toContain('The exchange is asked about five addresses at a time');
    await press('Show its accounts');
    expect(text()).toContain('Not known to the exchange');
    expect(text()).toContain('Account 10007');
    await press('Use this account');
    expect(background.callsOf('importPhrase')).toEqual([{ phrase, index: 1 }]);
    expect(text()).toContain('Your account is ready');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('legal');
  });

  it('connects MetaMask without asking for an id', async () => {
    await open({ connectExtension: () => ({ addresses: [f.account.owner] }) });
    await toSigner();
    await press('MetaMask');
    expect(root.querySelector('input')).toBeNull();
    await press('Connect');
    expect(background.callsOf('connectExtension')).toEqual([{ extensionId: 'nkbihfbeogaeaoehlefnkodbefgpgknn' }]);
  });

  it('asks a wallet again that gave no address', async () => {
    const answers = [[], [f.account.owner]];
    await open({ connectExtension: () => ({ addresses: answers.shift() ?? [] }) });
    await toSigner();
    await press('MetaMask');
    await press('Connect');
    expect(root.querySelector('[role=alert]')?.textContent).toContain('Choose one there and connect again.');
    await press('Connect');
    expect(root.querySelector('[role=alert]')).toBeNull();
    expect(background.callsOf('connectExtension')).toHaveLength(2);
    expect(text()).toContain('Use this address');
  });

  it('connects another wallet by its extension id', async () => {
    await open({
      connectExtension: () => ({ addresses: [f.account.owner, f.secondAccount.owner] }),
      addExternalSigner: () => ({ signer: 'k4', address: f.account.owner }),
    });
    await toSigner();
    await press('Another wallet extension');
    await type('p'.repeat(32));
    await press('Connect');
    await press('Use this address');
    expect(background.callsOf('addExternalSigner')).toEqual([
      { extensionId: 'p'.repeat(32), address: f.account.owner },
    ]);
    expect(text()).toContain('Your account is ready');
  });
});
