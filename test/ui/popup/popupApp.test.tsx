// @vitest-environment happy-dom
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { render } from 'preact';
import { describe, expect, it, vi } from 'vitest';
import { OWN_ORIGIN } from '../../../src/messaging/ownOrigin.ts';
import type { AttentionItem, ProofsView, QueuedApproval, WalletState } from '../../../src/messaging/views.ts';
import type { ReviewRow } from '../../../src/operations/review.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { all, background, emptyPages, enter, openPopup, root, settled, text } from '../support/page.tsx';

function button(name: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find(
    (one) => one.textContent?.trim() === name || one.getAttribute('aria-label') === name,
  );
  if (found === undefined) throw new Error(`no button ${name} in: ${text()}`);
  return found;
}

function link(name: string): HTMLElement {
  const found = [...root.querySelectorAll('a')].find((one) => one.textContent?.trim() === name);
  if (found === undefined) throw new Error(`no link ${name} in: ${text()}`);
  return found;
}

async function open(wallet: WalletState, handlers: Handlers = {}): Promise<void> {
  await openPopup(location.hash, {
    getState: () => wallet,
    getActivity: () => f.activity,
    listSites: () => f.sites,
    listStanding: () => [],
    ...handlers,
  });
}

emptyPages();

describe('before the first answer', () => {
  it('shows what popup.html holds, so that nothing moves when the code is there', async () => {
    await openPopup('', { getState: () => new Promise(() => {}) });
    const opening = root.querySelector('.popup > .opening');
    const html = await readFile(resolve(import.meta.dirname, '../../../src/ui/popup.html'), 'utf8');
    const held = document.createElement('template');
    held.innerHTML = html.slice(html.indexOf('<div id="root">'), html.indexOf('<script'));
    const before = held.content.querySelector('#root > .popup > .opening');
    expect(before?.innerHTML.replaceAll(/\s*\n\s*/g, '')).toBe(opening?.querySelector('.mark')?.outerHTML);
    expect(opening?.getAttribute('role')).toBe('status');
    expect(opening?.textContent).toBe('Loading');
  });
});

describe('for readers', () => {
  it('the title of the page names the screen, or the thing that it is about', async () => {
    const titleAt = async (place: string) => {
      location.hash = place;
      dispatchEvent(new HashChangeEvent('hashchange'));
      await settled();
      return document.title;
    };
    await open(f.wallet, {
      listContacts: () => f.contacts,
      listRecentRecipients: () => [],
      lock: () => f.lockedWallet,
    });
    expect(document.title).toBe('Home · Countersign');
    expect(await titleAt('#/contacts')).toBe('Address book · Countersign');
    expect(await titleAt(`#/accounts/${f.account.id}`)).toBe(`${f.account.label} · Countersign`);
    expect(await titleAt('#/home')).toBe('Home · Countersign');
    button('Lock now').click();
    await settled();
    expect(document.title).toBe('Countersign');
  });

  it('the heading has the focus also where there is no account yet', async () => {
    location.hash = '#/home';
    await open(f.emptyWallet, {});
    location.hash = '#/security';
    await settled();
    expect(document.activeElement?.localName).toBe('h1');
  });

  it('the focus of a removed entry is kept also where there was no account at first', async () => {
    location.hash = '#/contacts';
    let wallet = f.emptyWallet;
    let contacts = f.contacts;
    await open(wallet, {
      getState: () => wallet,
      listContacts: () => contacts,
      listRecentRecipients: () => [],
    });
    wallet = f.wallet;
    background.changed();
    await settled();
    root.querySelector<HTMLElement>('.contact button')?.focus();
    contacts = contacts.slice(1);
    background.changed();
    await settled();
    expect(root.querySelector('.contact')?.contains(document.activeElement)).toBe(true);
  });

  it('the focus of a removed entry goes to the next one, to the one before, and to the heading', async () => {
    location.hash = '#/contacts';
    let contacts = [...f.contacts, { address: f.recents[0]?.address ?? '', name: 'Carla', createdAt: f.now }];
    await open(f.wallet, {
      listContacts: () => contacts,
      listRecentRecipients: () => [],
      removeContact: ({ address }: { address: string }) => {
        contacts = contacts.filter((one) => one.address !== address);
        background.changed();
        return null;
      },
    });
    const entries = () => [...root.querySelectorAll('.contact')];
    const removeAt = async (index: number) => {
      const name = entries()[index]?.querySelector('.contact-name')?.textContent;
      for (const word of ['Remove', 'Yes, remove']) {
        const found = [...(entries()[index]?.querySelectorAll('button') ?? [])].find(
          ({ textContent }) => textContent?.trim() === word,
        );
        found?.focus();
        found?.click();
        await settled();
      }
      expect(text()).not.toContain(name);
    };
    expect(entries()).toHaveLength(3);
    await removeAt(1);
    expect(entries()[1]?.contains(document.activeElement)).toBe(true);
    await removeAt(1);
    expect(entries()[0]?.contains(document.activeElement)).toBe(true);
    await removeAt(0);
    expect(document.activeElement).toBe(root.querySelector('h1'));
  });
});

it('says of an address that it looks like a known one before the address book takes it', async () => {
  const known = `0x1111${'2'.repeat(32)}1111`;
  let answer = () => {};
  const asked = new Promise<void>((go) => {
    answer = go;
  });
  location.hash = '#/contacts';
  await open(f.wallet, {
    listContacts: () => [],
    listRecentRecipients: () => [],
    getLookalike: async ({ address }: { address: string }) => {
      await asked;
      return address === known ? null : { address: known, source: 'sent' };
    },
  });
  button('Add').click();
  await settled();
  await enter(root.querySelectorAll('.contact-editor input')[0], 'Friend');
  const type = (address: string) => enter(root.querySelectorAll('.contact-editor input')[1], address);
  await type(`0x1111${'3'.repeat(32)}1111`);
  expect(button('Save').disabled).toBe(true);
  answer();
  await settled();
  expect(button('Save').disabled).toBe(false);
  expect(root.querySelector('[role=alert]')?.textContent).toMatch(/^Looks like 0x1111.+1111, which you know, but/);
  await type(known);
  expect(root.querySelector('.banner-danger')).toBeNull();
});

it('keeps the search field of the address book while it has a text, also below the number of entries for it', async () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      address: `0x${String(index).repeat(40)}`,
      name: `Friend ${index}`,
      createdAt: f.now,
    }));
  let contacts = entries(8);
  location.hash = '#/contacts';
  await open(f.wallet, { listContacts: () => contacts, listRecentRecipients: () => [] });
  await enter(root.querySelector('.field input'), 'Friend 7');
  contacts = entries(7);
  background.changed();
  await settled();
  expect(text()).not.toContain('Friend 1');
  await enter(root.querySelector('.field input'), '');
  expect(text()).toContain('Friend 1');
  expect(root.querySelector('.field input')).toBeNull();
});

it('an entry that was typed into one address book is not saved into that of an account selected elsewhere', async () => {
  const other = { ...f.secondAccount, id: 'other:10042', networkId: 'other' };
  let wallet: WalletState = { ...f.wallet, accounts: [f.account, other] };
  location.hash = '#/contacts';
  await open(wallet, { getState: () => wallet, listContacts: () => [], listRecentRecipients: () => [] });
  button('Add').click();
  await settled();
  await enter(root.querySelectorAll('.contact-editor input')[0], 'Friend');
  wallet = { ...wallet, selectedAccount: other.id };
  background.changed();
  await settled();
  expect(root.querySelector('.contact-editor')).toBeNull();
  expect(background.callsOf('listContacts').at(-1)).toEqual({ networkId: 'other' });
});

describe('standing approvals', () => {
  it('are drawn as meters, and one button ends them all after it was pressed twice', async () => {
    location.hash = '#/sites';
    let rules = f.standing;
    await open(f.wallet, {
      listStanding: () => rules,
      stopStanding: (({ id }: { id: string | null }) => {
        rules = id === null ? [] : rules.filter((rule) => rule.id !== id);
        return rules;
      }) as never,
    });
    expect([...root.querySelectorAll('meter')].map((meter) => meter.getAttribute('aria-label'))).toEqual([
      '24% of the total is used',
      '95% of the total is used',
    ]);
    expect(text()).toContain('3 of 10 in the last 60 s');
    const rows = [...root.querySelectorAll('.standing-entry .row')].map((row) => row.textContent);
    expect(rows.slice(0, 2)).toEqual(['AccountMain account', 'Limit per order100 LRC']);
    expect(rows.filter((row) => row?.startsWith('Minimum price'))).toEqual([
      'Minimum price0.00009 ETH per LRC≈ 11,112 LRC per ETH',
      'Minimum price2,500 USDT per ETH',
    ]);
    button('Stop all').click();
    await settled();
    expect(background.callsOf('stopStanding')).toEqual([]);
    button('Really stop all').click();
    await settled();
    expect(background.callsOf('stopStanding')).toEqual([{ id: null }]);
    expect(root.querySelectorAll('meter')).toHaveLength(0);
  });

  it('are made by the user in exact base units; what is no amount of the token is told', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    await open(f.wallet, {
      getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      previewStanding: () => f.standingReview,
      addStanding: () => null,
    });
    const type = async (index: number, value: string) => {
      const input = root.querySelectorAll<HTMLInputElement>('.field input')[index];
      if (!input) throw new Error(`no field ${index}`);
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await settled();
    };
    const side = root.querySelectorAll('select')[1] as HTMLSelectElement;
    side.value = 'BUY';
    side.dispatchEvent(new Event('change', { bubbles: true }));
    await settled();
    await type(0, '3100.5');
    await type(1, '0.0000001');
    expect(text()).toContain('USDT allows up to 6 decimals.');
    await type(1, '0');
    expect(text()).toContain('The amount is zero.');
    await type(1, '1,000');
    expect(text()).toContain('Is this sign a decimal point or a thousands separator?');
    await type(1, '250.000001');
    await type(2, '100');
    expect(text()).toContain('The total is less than one order.');
    await type(2, '999');
    button('Review').click();
    await settled();
    expect(text()).toContain('Minimum price');
    // Other terms have not been reviewed, and those of another token are not kept.
    await type(2, '1000');
    expect(text()).not.toContain('Minimum price');
    button('Review').click();
    await settled();
    expect(background.callsOf('addStanding')).toEqual([]);
    button('Allow').click();
    await settled();
    expect(background.callsOf('addStanding')).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        origin: f.sites[0]?.origin,
        account: f.account.id,
        terms: {
          sellTokenId: f.usdt.tokenId,
          buyTokenId: f.eth.tokenId,
          maxPrice: '3100.5',
          orderVolume: '250000001',
          totalVolume: '1000000000',
          rate: { requests: 5, seconds: 60 },
          validUntil: expect.any(Number),
        },
      },
    ]);
  });

  it('need the password where their review asks for it', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    await open(f.wallet, {
      getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      previewStanding: () => ({ ...f.standingReview, warnings: f.stoppedReview.warnings }),
      addStanding: () => {
        throw new UiCallError('password-needed', 'error_passwordNeeded');
      },
    });
    for (const input of root.querySelectorAll<HTMLInputElement>('.field input')) await enter(input, '100');
    button('Review').click();
    await settled();
    expect(button('Allow').hasAttribute('disabled')).toBe(true);
    await enter(root.querySelector('input[type=password]'), 'copper anvil');
    button('Allow').click();
    await settled();
    expect(background.callsOf('addStanding')).toMatchObject([{ password: 'copper anvil' }]);
    // Refused by a review that nobody has seen: the next press reads it.
    expect(root.querySelector('input[type=password]')).toBeNull();
    button('Review');
  });

  it('are asked for again with the same id when the answer was lost, and with another one after another review', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    await open(f.wallet, {
      getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      previewStanding: () => f.standingReview,
      addStanding: () => {
        throw new UiCallError('no-answer', 'errorNoAnswer');
      },
    });
    const press = async (name: string) => {
      button(name).click();
      await settled();
    };
    for (const input of root.querySelectorAll<HTMLInputElement>('.field input')) await enter(input, '100');
    for (const name of ['Review', 'Allow', 'Allow']) await press(name);
    await enter(root.querySelector('.field input'), '101');
    for (const name of ['Review', 'Allow']) await press(name);
    const [first, again, other] = background.callsOf('addStanding').map((asked) => (asked as { id: string }).id);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('allow exactly the terms that were reviewed, however late', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    await open(f.wallet, {
      getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      previewStanding: () => f.standingReview,
      addStanding: () => null,
    });
    for (const input of root.querySelectorAll<HTMLInputElement>('.field input')) await enter(input, '100');
    button('Review').click();
    await settled();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20_000);
    button('Allow').click();
    await settled();
    expect(background.callsOf('addStanding')).toMatchObject([background.callsOf('previewStanding')[0]]);
  });

  it('keep the market that the numbers were typed for while another one comes first, and forget them with it', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    const ether = { market: 'ETH-USDT', base: f.eth, quote: f.usdt };
    const loopring = { market: 'LRC-ETH', base: f.lrc, quote: f.eth };
    let markets = [ether, loopring];
    await open(f.wallet, { getMarkets: () => markets });
    const values = () => [...root.querySelectorAll<HTMLInputElement>('.field input')].map(({ value }) => value);
    for (const input of root.querySelectorAll('.field input')) await enter(input, '100');
    const listed = async (next: typeof markets) => {
      markets = next;
      background.changed();
      await settled();
      return root.querySelector('select')?.value;
    };
    expect(await listed([loopring, ether])).toBe('ETH-USDT');
    expect(values()).toEqual(['100', '100', '100']);
    expect(await listed([loopring])).toBe('LRC-ETH');
    expect(values()).toEqual(['', '', '']);
  });

  it('name the account that they are made for, though the other screens are about another one', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[1]?.origin ?? '')}`;
    await open(f.twoAccounts, {
      getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      previewStanding: () => f.standingReview,
      addStanding: () => null,
    });
    const named = () => root.querySelector('main .account-line')?.textContent;
    expect(named()).toBe(`${f.secondAccount.label}0x7099…79C8 · account 10042 · Development`);
    for (const input of root.querySelectorAll<HTMLInputElement>('.field input')) await enter(input, '100');
    button('Review').click();
    await settled();
    expect(named()).toContain(f.secondAccount.label);
    button('Allow').click();
    await settled();
    expect(background.callsOf('addStanding')).toMatchObject([{ account: f.secondAccount.id }]);
  });

  it('begin with the account of the other screens, and name the exchange of each that can be chosen', async () => {
    const { origin = '' } = f.sites[0] ?? {};
    location.hash = `#/standing/${encodeURIComponent(origin)}`;
    const grants = [f.account, f.secondAccount].map(({ id }) => ({ account: id, kinds: ['orders'] as const }));
    await open(
      {
        ...f.twoAccounts,
        networks: [f.network, { ...f.network, id: 'other', name: 'Other exchange' }],
        accounts: [f.account, { ...f.secondAccount, label: f.account.label, networkId: 'other' }],
        selectedAccount: f.secondAccount.id,
      },
      {
        listSites: () => [{ origin, grants, blocked: false }],
        getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }],
      },
    );
    const [choice] = root.querySelectorAll('select');
    expect(choice?.value).toBe(f.secondAccount.id);
    expect([...(choice?.options ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Main account · Development',
      'Main account · Other exchange',
    ]);
    const inputs = () => [...root.querySelectorAll<HTMLInputElement>('.field input')].map(({ value }) => value);
    await enter(root.querySelector('.field input'), '100');
    if (choice) choice.value = f.account.id;
    choice?.dispatchEvent(new Event('change', { bubbles: true }));
    await settled();
    expect(root.querySelector('main .account-line')?.textContent).toContain('account 10007 · Development');
    expect(inputs()).toEqual(['', '', '']);
  });

  it('forget the numbers that were typed for another token', async () => {
    location.hash = `#/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`;
    await open(f.wallet, { getMarkets: () => [{ market: 'ETH-USDT', base: f.eth, quote: f.usdt }] });
    const inputs = () => [...root.querySelectorAll<HTMLInputElement>('.field input')];
    for (const input of inputs()) await enter(input, '100');
    const side = root.querySelectorAll('select')[1] as HTMLSelectElement;
    side.value = 'BUY';
    side.dispatchEvent(new Event('change', { bubbles: true }));
    await settled();
    expect(inputs().map(({ value }) => value)).toEqual(['', '', '']);
  });
});

describe('the queue', () => {
  const item = (id: string, changes: Partial<QueuedApproval> = {}): QueuedApproval => ({
    id,
    kind: 'connect',
    origin: 'https://many.example',
    createdAt: f.now,
    operation: null,
    account: null,
    approvedAt: null,
    ...changes,
  });

  it('names what each request asks for', async () => {
    location.hash = '#/queue';
    await open(f.wallet, {
      listApprovals: () => [
        item('a'),
        item('b', { kind: 'standing' }),
        item('c', { kind: 'unlock' }),
        item('d', { kind: 'operation', operation: 'transfer' }),
      ],
    });
    const names = [...root.querySelectorAll('.menu-name')].map(({ textContent }) => textContent);
    expect(names).toEqual(['Connect', 'New standing approval', 'Unlock', 'Send']);
  });

  it('has the worker show what a site asks, in the one window that it knows', async () => {
    location.hash = '#/queue';
    await open(f.wallet, { listApprovals: () => [item('a'), item('b')], showApproval: () => null });
    root.querySelectorAll<HTMLElement>('.menu-item')[1]?.click();
    await settled();
    expect(background.callsOf('showApproval')).toEqual([{ id: 'b' }]);
  });

  it('rejects all that sites ask after a second press that says how many, and asks anew when one more comes', async () => {
    location.hash = '#/queue';
    const kept = [item('own', { origin: OWN_ORIGIN }), item('approved', { approvedAt: f.now })];
    let all = [...kept, item('a'), item('b')];
    await open(f.wallet, {
      listApprovals: () => all,
      rejectAll: () => {
        all = kept;
        return null;
      },
    });
    button('Reject all requests of sites (2)').click();
    await settled();
    expect(text()).toContain('Really reject 2 requests');
    all = [...all, item('c')];
    background.changed();
    await settled();
    button('Reject all requests of sites (3)').click();
    await settled();
    expect(background.callsOf('rejectAll')).toEqual([]);
    button('Really reject 3 requests').click();
    await settled();
    expect(background.callsOf('rejectAll')).toEqual([{ ids: ['a', 'b', 'c'] }]);
    expect(text()).not.toContain('eject all');
    expect(root.querySelectorAll('.menu-item')).toHaveLength(2);
  });
});

describe('the popup', () => {
  it('offers the setup when there is no wallet yet, and its rest when there is no account', async () => {
    await open(f.absentWallet);
    expect(button('Set up').disabled).toBe(false);
    render(null, root);
    await open(f.emptyWallet);
    expect(button('Continue setup').disabled).toBe(false);
  });

  it('reads its accounts again when they could not be read, and takes them for no unfinished setup', async () => {
    let wallet: WalletState = { ...f.emptyWallet, isUnread: true };
    await open(wallet, { getState: () => wallet });
    expect(text()).toContain('Your accounts could not be read.');
    expect(text()).not.toContain('Almost there');
    wallet = f.wallet;
    button('Try again').click();
    await settled();
    expect(text()).toContain('Balances');
  });

  it('lists accounts whose exchange cannot be read under its id', async () => {
    location.hash = '#/accounts';
    await open({ ...f.twoAccounts, networks: [], accounts: [{ ...f.account, networkId: 'lost' }, f.secondAccount] });
    expect(all('.group').map((group) => group.getAttribute('aria-label'))).toEqual(['lost', 'dev']);
    expect(all('.account-row')).toHaveLength(2);
  });

  it('leaves no way back while it removes something', async () => {
    location.hash = '#/contacts';
    await open(f.wallet, {
      listContacts: () => f.contacts.slice(0, 1),
      listRecentRecipients: () => [],
      removeContact: () => new Promise(() => {}),
    });
    for (const name of ['Remove', 'Yes, remove']) {
      button(name).click();
      await settled();
    }
    expect(button('Keep').disabled).toBe(true);
  });

  it('says how an exchange answers under that exchange alone', async () => {
    location.hash = '#/advanced';
    const other = { ...f.network, id: 'other', baseUrl: 'https://other.example' };
    const wallets = [f.account, { ...f.secondAccount, networkId: 'other' }].map((account) => ({
      ...f.wallet,
      networks: [f.network, other],
      accounts: [f.account, { ...f.secondAccount, networkId: 'other' }],
      selectedAccount: account.id,
    }));
    let [wallet = f.wallet] = wallets;
    await open(wallet, {
      getState: () => wallet,
      getDiagnostics: () => ({ cursors: [], states: [] }) as never,
      getRelayerHealth: () => ({ problem: null, milliseconds: 12, clockAhead: 0 }) as never,
    });
    await expect.poll(text).toContain(f.network.baseUrl);
    button('Check now').click();
    await settled();
    expect(text()).toContain('12 ms');
    wallet = wallets[1] ?? wallet;
    background.changed();
    await settled();
    expect(text()).toContain(other.baseUrl);
    expect(text()).not.toContain('12 ms');
  });

  it('asks for the password when locked and shows nothing else', async () => {
    await open(f.lockedWallet);
    expect(text()).toContain('Unlock Countersign');
    expect(background.callsOf('getHome')).toEqual([]);
    expect(text()).not.toContain('Main account');
  });

  it('names the chain that a deposit starts from', async () => {
    location.hash = '#/receive';
    await open({ ...f.wallet, networks: [{ ...f.network, chainId: 56 }] });
    expect(text()).toContain('on the exchange’s chain (ID 56)');
    expect(text()).not.toContain('stay on Ethereum');
  });

  it('shows the stored balances first and asks the relayer after', async () => {
    await open(f.wallet);
    expect(background.callsOf('getHome').slice(0, 2)).toEqual([{ refresh: false }, { refresh: true }]);
    const rows = [...root.querySelectorAll('.balance')].map((row) => row.textContent);
    expect(rows[1]).toContain('184,250.5');
    expect(rows[1]).toContain('150 on hold');
    expect(rows[1]).toContain('1,000 depositing');
    expect(rows[2]).toContain('500 withdrawing');
  });

  it('asks the relayer again after changes, once for a burst of them, and shows what it says', async () => {
    let total = '3000000000000000000';
    const getHome = () => ({ ...f.home, balances: f.balances.map((one) => ({ ...one, total })) });
    await open(f.wallet, { getHome });
    const refreshed = () => background.callsOf('getHome').filter((params) => (params as { refresh: boolean }).refresh);
    expect(refreshed()).toHaveLength(1);
    for (let n = 0; n < 5; n++) background.changed();
    total = '7000000000000000000';
    await vi.waitFor(() => expect(refreshed()).toHaveLength(2), { timeout: 240_000 });
    await settled();
    expect(root.querySelector('.balance')?.textContent).toContain('7');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(refreshed()).toHaveLength(2);
  });

  it('of two answers of a relayer the one that was asked for last stays, and one that came before a failure', async () => {
    const answers: ((view: typeof f.home) => void)[] = [];
    const of = (units: number, problem: typeof f.home.problem = null) => ({
      ...f.home,
      problem,
      balances: f.balances.map((one) => ({ ...one, total: `${units}000000000000000000` })),
    });
    await open(f.wallet, {
      getHome: ({ refresh }: { refresh: boolean }) =>
        refresh ? new Promise<typeof f.home>((resolve) => answers.push(resolve)) : of(3),
    });
    const shown = async (answer: number, view: typeof f.home) => {
      answers[answer]?.(view);
      await settled();
      return root.querySelector('.balance')?.textContent;
    };
    await expect.poll(() => answers.length).toBe(1);
    background.changed();
    await expect.poll(() => answers.length).toBe(2);
    background.changed();
    await expect.poll(() => answers.length).toBe(3);
    expect(await shown(2, of(3, { key: 'error_unknown' }))).toContain('3');
    expect(await shown(1, of(7))).toContain('7');
    expect(await shown(0, of(5))).toContain('7');
  });

  it('says of an account without requests that it has none, and leads to the rest of its activity', async () => {
    await open(f.wallet, { getHome: () => ({ ...f.home, activity: [] }) });
    expect(text()).toContain('No requests yet');
    expect(root.querySelector('[aria-labelledby=home-activity] a')?.getAttribute('href')).toBe('#/activity');
  });

  it('keeps the screen of the present account when a late answer about another one comes', async () => {
    let wallet = f.twoAccounts;
    const late: (() => void)[] = [];
    const getHome = ({ refresh }: { refresh: boolean }) => {
      const account = wallet.selectedAccount === f.account.id ? f.account : f.secondAccount;
      const units = (account === f.account ? 3 : 7) + Number(refresh);
      const balances = f.balances.map((one) => ({ ...one, total: `${units}000000000000000000` }));
      const view = { ...f.home, account, balances };
      return refresh ? new Promise<typeof f.home>((done) => late.push(() => done(view))) : view;
    };
    const shown = () => root.querySelector('.balance')?.textContent;
    await open(wallet, { getHome, getState: () => wallet });
    expect(late).toHaveLength(1);
    expect(shown()).toContain('3');
    wallet = { ...wallet, selectedAccount: f.secondAccount.id };
    background.changed();
    await vi.waitFor(() => expect(late.length).toBeGreaterThan(1), { timeout: 240_000 });
    late[0]?.();
    await settled();
    expect(shown()).toContain('7');
    late.at(-1)?.();
    await settled();
    expect(shown()).toContain('8');
  });

  it.each(['', '#/send'])('does not take balances that were never read for none (%s)', async (place) => {
    location.hash = place;
    const unread = { ...f.home, balances: [], balancesAt: null };
    let answer = () => {};
    const problem = { key: 'error_unknown' };
    const getHome = ({ refresh }: { refresh: boolean }) =>
      refresh
        ? new Promise<typeof f.home>((done) => {
            answer = () => done({ ...unread, problem });
          })
        : unread;
    await open(f.wallet, { getHome, getPrices: () => f.fresh(f.prices) });
    const none = ['No tokens yet', 'Add tokens', '0.00', 'There is nothing to move'];
    for (const sentence of none) expect(text()).not.toContain(sentence);
    expect(root.querySelector('.skeleton-line')).not.toBeNull();
    answer();
    await settled();
    // A change that the relayer was not asked about leaves the failed refresh on the screen.
    background.changed();
    await settled();
    expect(text()).toContain('Something went wrong');
    for (const sentence of none) expect(text()).not.toContain(sentence);
  });

  it('lists what needs attention, each with its repairs, and repairs on demand', async () => {
    const submission = f.activity.find(({ status }) => status === 'unknown') ?? null;
    const item = { id: 'submission:1', kind: 'unknown', account: f.account.id, submission } as const;
    const subject = { key: 'operation_submitOrder' };
    let items = [{ ...item, subject, actions: ['check', 'abandon'] as const }];
    await open(f.wallet, {
      getAttention: () => items,
      repair: () => {
        items = [];
        return items;
      },
    });
    expect(text()).toContain('Needs attention');
    expect(button('Discard').disabled).toBe(false);
    button('Check now').click();
    await settled();
    expect(background.callsOf('repair')).toEqual([{ id: 'submission:1', action: 'check' }]);
    expect(text()).not.toContain('Needs attention');
  });

  it('asks the relayers about all accounts as it opens and each minute, and after a change reads only what is stored', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval');
    await open(f.wallet, { getAttention: () => [] });
    expect(background.callsOf('getAttention')).toEqual([{ refresh: false }, { refresh: true }, { refresh: false }]);
    background.changed();
    await settled();
    expect(background.callsOf('getAttention').slice(3)).toEqual([{ refresh: false }]);
    const [minutely] = timers.mock.calls.flatMap(([run, ms]) => (ms === 60_000 ? [run] : []));
    minutely?.();
    await settled();
    expect(background.callsOf('getAttention').slice(4)).toEqual([{ refresh: true }, { refresh: false }]);
    timers.mockRestore();
  });

  it('says why a key update waits', async () => {
    const why = { key: 'error_walletRejected' };
    await open(f.wallet, {
      getAttention: () => [
        {
          id: 'key-choice:a1',
          kind: 'key-choice',
          account: f.account.id,
          submission: null,
          subject: { key: 'attention_pages' },
          reason: why,
          actions: ['replace-key'],
        },
      ],
    });
    expect(text()).toContain('You rejected the request in the other wallet.');
    expect(text()).not.toContain('The account changed');
  });

  it('asks the browser for the host that it keeps away, and looks again', async () => {
    const asked: string[][] = [];
    const request = async ({ origins }: { origins: string[] }) => asked.push(origins) > 0;
    let items = [
      {
        id: 'unreachable:dev',
        kind: 'not-allowed',
        account: null,
        submission: null,
        subject: { key: 'attention_host', values: { host: { kind: 'text', text: 'relayer.example' } } },
        actions: ['allow'],
        origins: ['https://relayer.example/*'],
      } as const satisfies AttentionItem,
    ] as AttentionItem[];
    await open(f.wallet, { getAttention: () => items });
    Object.assign((globalThis as unknown as { chrome: object }).chrome, { permissions: { request } });
    await expect.poll(text).toContain('The browser blocks access to the exchange');
    items = [];
    button('Allow').click();
    await expect.poll(text).not.toContain('Needs attention');
    expect(asked).toEqual([['https://relayer.example/*']]);
  });

  it('leads from what needs attention to the proofs, and says of each balance what is proven', async () => {
    const item = {
      id: `proof:${f.account.id}:1`,
      kind: 'proof',
      account: f.account.id,
      submission: null,
      subject: { key: 'attention_host', values: { host: { kind: 'text', text: 'relayer.example' } } },
      actions: ['proofs', 'dismiss'],
    } as const satisfies AttentionItem;
    await open(f.wallet, { getAttention: () => [item], getBalanceProofs: () => f.wrongProofs });
    await expect.poll(text).toContain('The exchange gave a wrong proof of a balance');
    expect(root.querySelector('.banner-danger')?.textContent).toContain('wrong proof');
    button('Show the proofs').click();
    await expect.poll(() => location.hash).toBe(`#/proofs/${encodeURIComponent(f.account.id)}`);
    await expect.poll(text).toContain('Proven in block 4711');
    expect(background.callsOf('getBalanceProofs')[0]).toEqual({ account: f.account.id });
    for (const said of [
      'ETH, block 4712: it does not lead to the state in the block.',
      'LRC, block 4712: the exchange showed two different states of the block.',
      'Changed since block 4711, which proves 1,499',
      'Block 4711 proves it with another key of this account.',
      'Not proven yet',
      'QmbWqxBE',
      'Block 4711 has another NFT in this slot.',
    ])
      expect(text()).toContain(said);
  });

  it.each([
    ['no', 'This exchange offers no proofs that the wallet can read.'],
    ['not-yet', 'The exchange says that it has no block yet that could prove a balance.'],
    [null, 'The exchange was not asked for proofs yet.'],
  ] as const)('says of a relayer whose offer is %s what it is', async (offered, said) => {
    location.hash = '#/proofs';
    await open(f.wallet, { getBalanceProofs: () => ({ offered, proofs: [] }) });
    await expect.poll(text).toContain(said);
    expect(root.querySelector('.banner-danger')).toBeNull();
    expect(text()).not.toContain('Save the proofs');
  });

  it.each(['no', 'not-yet'] as const)('saves what is kept also when the relayer’s offer is %s', async (offered) => {
    location.hash = '#/proofs';
    const [, lrc] = f.wrongProofs.proofs;
    const proofs = [{ ...lrc, ...f.unproven, total: null }] as ProofsView['proofs'];
    await open(f.wallet, { getBalanceProofs: () => ({ offered, proofs }) });
    await expect.poll(text).toContain('LRC, block 4712: the exchange showed two different states of the block.');
    button('Save the proofs').click();
    await expect.poll(() => background.callsOf('exportBalanceProofs')).toEqual([{ account: f.account.id }]);
  });

  it.each([
    [{ noProofs: true as const }, 1],
    [{}, 0],
  ])('says on the first screen that there are no proofs, and reads none for that: %o', async (more, notes) => {
    await open(f.wallet, { getHome: () => ({ ...f.home, ...more }) });
    const shown = [...root.querySelectorAll<HTMLAnchorElement>('.section-aside')];
    expect(shown.map(({ textContent }) => textContent)).toEqual(Array(notes).fill('No proofs offered'));
    for (const note of shown) expect(note.getAttribute('href')).toBe(`#/proofs/${encodeURIComponent(f.account.id)}`);
    expect(background.callsOf('getBalanceProofs')).toEqual([]);
  });

  it('leads from what needs attention to the tokens that are described differently', async () => {
    const item = {
      id: 'token-changed:dev',
      kind: 'token-changed',
      account: null,
      submission: null,
      subject: { key: 'attention_host', values: { host: { kind: 'text', text: 'relayer.example' } } },
      actions: ['compare'],
      network: f.network.id,
    } as const satisfies AttentionItem;
    await open(f.wallet, { getAttention: () => [item], getTokenChanges: () => f.tokenChanges });
    await expect.poll(text).toContain('A token is described differently');
    button('Compare').click();
    await expect.poll(() => location.hash).toBe('#/networks/dev/tokens');
    await expect.poll(text).toContain('Changed tokens');
  });

  it('shows before and now of each changed token, warns louder of decimals and contract, and accepts with the password', async () => {
    location.hash = '#/networks/dev';
    let changes = f.tokenChanges;
    await open(f.wallet, {
      getTokenChanges: () => changes,
      acceptToken: (({ shown, password }: { shown: { tokenId: number }; password: string }) => {
        if (password !== 'right') throw new UiCallError('wrong-password', 'error_wrongPassword');
        changes = changes.filter(({ before }) => before.tokenId !== shown.tokenId);
        return changes;
      }) as never,
    });
    expect(text()).toContain('2 tokens are described differently than before');
    button('Look at the changed tokens').click();
    await settled();
    const entry = (index: number) => {
      const found = root.querySelectorAll<HTMLElement>('section')[index];
      const rows = [...(found?.querySelectorAll('.row') ?? [])].map((row) => [
        row.querySelector('dt')?.textContent,
        row.querySelector('dd')?.textContent,
      ]);
      return { danger: found?.querySelector('.banner-danger')?.textContent ?? null, rows: Object.fromEntries(rows) };
    };
    const [renamed, other] = [entry(0), entry(1)];
    expect(renamed.danger).toBe(null);
    expect(renamed.rows).toMatchObject({ 'Symbol before': 'PTS', 'Symbol now': 'PNT', 'Name now': 'Points' });
    expect(renamed.rows).toMatchObject({ Decimals: '0' });
    expect(other.danger).toContain('This may be another token');
    expect(other.rows).toMatchObject({ Symbol: 'USDT', 'Decimals before': '6', 'Decimals now': '18' });
    expect(other.rows['Contract now']).not.toBe(other.rows['Contract before']);

    button('Accept the change').click();
    await settled();
    const give = async (password: string) => {
      const field = root.querySelector<HTMLInputElement>('form input');
      if (!field) throw new Error('no field');
      field.value = password;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await settled();
      button('Accept PNT as shown').click();
      await settled();
    };
    await give('wrong');
    expect(text()).toContain('This is not the password');
    expect(root.querySelectorAll('section')).toHaveLength(2);
    await give('right');
    const { now: shown } = f.tokenChanges[0] ?? {};
    expect(background.callsOf('acceptToken')).toEqual([
      { networkId: 'dev', shown, password: 'wrong' },
      { networkId: 'dev', shown, password: 'right' },
    ]);
    expect(root.querySelectorAll('section')).toHaveLength(1);
    changes = [];
    background.changed();
    await settled();
    expect(text()).toContain('The exchange describes every token as before.');
  });

  it('shows the pool of a changed LP token before and now, and none where a token has none', async () => {
    location.hash = '#/networks/dev/tokens';
    const lp = { tokenId: 100, symbol: 'LP-LRC-ETH', name: 'LP', address: f.account.owner, decimals: 8 };
    const pool = { address: `0x${'a'.repeat(40)}`, name: 'AMM-LRC-ETH', pooled: [1, 0] };
    const turned = { before: { ...lp, pool }, now: { ...lp, pool: { ...pool, pooled: [0, 1] } } };
    const taken = { before: { ...lp, tokenId: 101 }, now: { ...lp, tokenId: 101, pool } };
    const renamed = { before: { ...lp, tokenId: 102, pool }, now: { ...lp, tokenId: 102, symbol: 'LP' } };
    await open(f.wallet, { getTokenChanges: () => [turned, taken, renamed] });
    const entries = [...root.querySelectorAll<HTMLElement>('section')].map((section) => ({
      danger: section.querySelector('.banner-danger') !== null,
      pools: [...section.querySelectorAll('.row')].flatMap((row) => {
        const [label = '', value = ''] = [
          row.querySelector('dt')?.textContent,
          row.querySelector('dd bdi')?.textContent,
        ];
        return label?.startsWith('Pool') ? [[label, value]] : [];
      }),
    }));
    const [before, now] = ['#1 #0 · AMM-LRC-ETH', '#0 #1 · AMM-LRC-ETH'];
    expect(entries.slice(0, 2)).toEqual([
      {
        danger: true,
        pools: [
          ['Pool before', before],
          ['Pool now', now],
        ],
      },
      {
        danger: true,
        pools: [
          ['Pool before', 'none known'],
          ['Pool now', before],
        ],
      },
    ]);
    expect(entries[2]?.danger).toBe(false);
  });

  it('shows recovered words with their numbers and other secrets as they are', async () => {
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    location.hash = '#/security';
    await open(f.wallet, {
      recoverSecrets: () => [
        { id: 'k1', account: f.account.owner, kind: 'mnemonic', text: words },
        { id: 'k2', account: f.account.id, kind: 'eddsa-key', text: '0x4c08' },
      ],
    });
    const form = [...root.querySelectorAll('form')].find((one) => one.textContent?.includes('Every key and recovery'));
    const field = form?.querySelector('input');
    if (!form || !field) throw new Error(`no form in: ${text()}`);
    field.value = 'right';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await settled();
    form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await expect.poll(() => root.querySelectorAll('ol.phrase-words li').length).toBe(12);
    expect([...root.querySelectorAll('.phrase-words li')].map(({ textContent }) => textContent).join(' ')).toBe(words);
    expect(root.querySelector('.backup-digits')?.textContent).toBe('0x4c08');
    // No button copies one: see decision 540.
    expect(root.querySelectorAll('.secret button')).toHaveLength(0);
    expect(text()).toContain('other programs can read it');
    // To close them is to forget them: they are neither in the page nor there again without the
    // password.
    const details = root.querySelector('.phrase-words')?.closest('details');
    if (!details) throw new Error('not in a disclosure');
    details.open = false;
    details.dispatchEvent(new Event('toggle'));
    await expect.poll(text).not.toContain('sausage');
    expect(text()).not.toContain('0x4c08');
  });

  it('locks at once on demand', async () => {
    await open(f.wallet, { lock: () => f.lockedWallet });
    button('Lock now').click();
    await settled();
    expect(background.callsOf('lock')).toEqual([{}]);
    expect(text()).toContain('Unlock Countersign');
    expect(document.activeElement).toBe(root.querySelector('input[type=password]'));
  });

  it('removes an exchange only after it has said what goes with it', async () => {
    location.hash = '#/networks/spare';
    const networks = [...f.wallet.networks, { ...f.network, id: 'spare' }];
    await open({ ...f.wallet, networks }, { getTokenChanges: () => [], removeNetwork: () => f.wallet });
    button('Remove this exchange').click();
    await settled();
    expect(background.callsOf('removeNetwork')).toEqual([]);
    expect(text()).toContain('its address book');
    button('Yes, remove').click();
    await settled();
    expect(background.callsOf('removeNetwork')).toEqual([{ networkId: 'spare' }]);
  });

  it('takes the second press of a double click for no confirmation', async () => {
    location.hash = '#/sites/https%3A%2F%2Ftrade.example.org';
    await open(f.wallet, { revokeSite: () => null });
    for (const detail of [1, 2]) {
      button(detail === 1 ? 'Disconnect' : 'Yes, disconnect').dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, detail }),
      );
      await settled();
    }
    expect(background.callsOf('revokeSite')).toEqual([]);
  });

  it.each(['key', 'advanced', 'proofs'])(
    'says of an account that is gone that it is no longer here: %s',
    async (screen) => {
      location.hash = `#/${screen}/gone`;
      await open(f.wallet);
      await expect.poll(text).toContain('This is no longer here.');
    },
  );

  it('says why *Lock now* did not lock', async () => {
    await open(f.wallet, {
      lock: () => {
        throw new UiCallError('unknown', 'error_unknown');
      },
    });
    root.querySelector<HTMLButtonElement>('[aria-label="Lock now"]')?.click();
    await expect.poll(text).toContain('Something went wrong.');
  });

  it('offers to read a request again that could not be read', async () => {
    location.hash = '#/activity/s5';
    await open(f.wallet, {
      getSubmission: () => {
        throw new UiCallError('unknown', 'error_unknown');
      },
    });
    button('Try again').click();
    await settled();
    expect(background.callsOf('getSubmission')).toHaveLength(2);
  });

  it('draws what was approved with its sections and notes', async () => {
    location.hash = '#/activity/s4';
    const value = { kind: 'text', text: 'x'.repeat(256) } as const;
    const rows: ReviewRow[] = [
      { label: { key: 'review_orderPays' }, value },
      { label: { key: 'review_memo' }, value: { ...value, kind: 'document' }, note: { key: 'review_memoNote' } },
      { label: { key: 'review_speed' }, value, unsigned: true, section: { key: 'review_burnTrade' } },
    ];
    await open(f.wallet, { getSubmission: () => ({ ...f.submission, rows }) });
    expect(all('.rows-title').map(({ textContent }) => textContent)).toEqual(['A trade takes its place']);
    const notes = ['Visible to everyone. Not covered by your signature.', 'Not covered by your signature.'];
    expect(all('.row-note').map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(notes));
    // What the signature does not cut, a row does not cut either.
    expect(all('.document').map(({ textContent }) => textContent)).toEqual([value.text]);
  });

  it('offers the copy of an order that its site has, and a look at what was cancelled', async () => {
    location.hash = '#/activity/s4';
    let item = f.activityItem({ operation: 'signNftOrder', group: 'nfts', status: 'processed', handsOver: true });
    const steps = [...f.submission.steps.slice(0, 3), { state: 'processed' as const, at: f.now }];
    await open(f.wallet, {
      getSubmission: () => ({ ...f.submission, item, steps }),
      checkSubmission: () => item,
    });
    expect(all('.chip, .timeline span').map(({ textContent }) => textContent)).toContain('Handed over');
    expect(text()).not.toContain('Done');
    expect(button('Copy signed order').hasAttribute('disabled')).toBe(false);
    // Once it is carried out, the first step stays what it was.
    steps.push({ state: 'processed', at: f.now + 1 });
    item = f.activityItem({ operation: 'signNftOrder', group: 'nfts', status: 'processed' });
    background.changed();
    await settled();
    const labels = all('.timeline span').map(({ textContent }) => textContent);
    expect(labels.slice(-2)).toEqual(['Handed over', 'Done']);
    const problem = { key: 'problem_endedUntil', values: { until: { kind: 'time', seconds: 1_900_000_000 } } } as const;
    item = f.activityItem({ status: 'cancelled', problem });
    location.hash = '#/activity/s5';
    await settled();
    button('Check status').click();
    await settled();
    expect(background.callsOf('checkSubmission')).toEqual([{ id: 's5' }]);
  });

  it('shows the hash that a wallet contract has to approve, in the detail and where attention is asked for', async () => {
    const approveHash = `0x${'ab'.repeat(32)}`;
    const item = f.activityItem({
      ...{ id: 's4', operation: 'transfer', group: 'moves', status: 'unknown' },
      approveHash: {
        ...{ hash: approveHash, owner: f.account.owner, exchange: `0x${'1'.repeat(40)}`, chainId: 56 },
        validUntil: 1_800_000_000,
      },
    });
    const expectShown = () => {
      const words = text();
      expect(words).toContain(approveHash);
      expect(words).toMatch(/Exchange contract0x1+…1+Chain ID56Account0x\w+…\w+Expires.*2027/);
      expect(words.split('Now the wallet contract has to approve this hash')).toHaveLength(2);
      expect(words).not.toMatch(/keeps checking|not known whether it arrived/);
    };
    location.hash = '#/activity/s4';
    await open(f.wallet, { getSubmission: () => ({ ...f.submission, item }), checkSubmission: () => item });
    expectShown();
    render(null, root);
    location.hash = '';
    const subject = { key: 'operation_transfer' };
    const asked = { id: 'submission:s4', kind: 'unknown', account: f.account.id, subject, actions: ['check'] } as const;
    await open(f.wallet, { getAttention: () => [{ ...asked, submission: item }], getActivity: () => [] });
    expectShown();
  });

  it('says before a site is blocked that its standing approvals end too', async () => {
    location.hash = '#/sites/https%3A%2F%2Ftrade.example.org';
    await open(f.wallet);
    await expect.poll(text).toContain('Blocking also ends its standing approvals.');
  });

  it('disconnects a site only after a second click', async () => {
    await open(f.wallet, { revokeSite: () => null });
    link('Sites').click();
    await settled();
    root.querySelector<HTMLElement>('a[href="#/sites/https%3A%2F%2Ftrade.example.org"]')?.click();
    await settled();
    button('Disconnect').click();
    await settled();
    expect(background.callsOf('revokeSite')).toEqual([]);
    button('Yes, disconnect').click();
    await settled();
    expect(background.callsOf('revokeSite')).toEqual([{ origin: 'https://trade.example.org' }]);
  });

  it('takes back a single permission of a site at once', async () => {
    await open(f.wallet, { revokeGrant: () => null });
    location.hash = '#/sites/https%3A%2F%2Ftrade.example.org';
    await settled();
    const remove = button('Remove: Request orders');
    // The second press of a double click on what stood in its place before.
    remove.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await settled();
    expect(background.callsOf('revokeGrant')).toEqual([]);
    remove.click();
    await settled();
    expect(background.callsOf('revokeGrant')).toEqual([
      { origin: 'https://trade.example.org', account: f.account.id, kind: 'orders' },
    ]);
  });

  async function removeWithPassword() {
    const input = root.querySelector<HTMLInputElement>('.card-danger input');
    if (input === null) throw new Error('no password field');
    input.value = 'a password';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await settled();
    button('Yes, remove').click();
    await settled();
  }

  it('removes an account only with the password', async () => {
    await open(f.twoAccounts, { removeAccount: () => f.wallet });
    location.hash = `#/accounts/${encodeURIComponent(f.account.id)}`;
    await settled();
    button('Remove from this wallet').click();
    await settled();
    expect(button('Yes, remove').hasAttribute('disabled')).toBe(true);
    expect(text()).toContain('Save the proofs first.');
    expect(link('Show the proofs').getAttribute('href')).toBe(`#/proofs/${encodeURIComponent(f.account.id)}`);
    await removeWithPassword();
    expect(background.callsOf('removeAccount')).toEqual([{ account: f.account.id, password: 'a password' }]);
  });

  it('lists the Ethereum keys that no account uses, and removes one with the password', async () => {
    const unused = {
      id: 'signer:2',
      address: f.secondAccount.owner,
      kind: 'local',
      phrase: null,
      accounts: [],
    } as const;
    const used = { ...unused, id: 'signer:1', address: f.account.owner, accounts: [f.account.id] };
    await open(f.wallet, { listSigners: () => [used, unused], removeSigner: () => [used] });
    location.hash = '#/accounts';
    await settled();
    const section = () => root.querySelector('[aria-label="Ethereum keys without an account"]');
    expect(section()?.querySelectorAll('li')).toHaveLength(1);
    button('Remove from this wallet').click();
    await settled();
    expect(text()).toContain('you lose all that it controls');
    await removeWithPassword();
    expect(background.callsOf('removeSigner')).toEqual([{ signer: 'signer:2', password: 'a password' }]);
    expect(section()).toBeNull();
  });

  it('keeps the keys, the backup and the lock in reach when no account is left', async () => {
    const empty = { ...f.wallet, accounts: [], selectedAccount: null };
    await open(empty, { listSigners: () => [], listPasskeys: () => [], lock: () => ({ ...empty, vault: 'locked' }) });
    for (const place of ['', '#/orders', '#/settings']) {
      location.hash = place;
      await settled();
      expect(text()).toContain('Almost there');
    }
    link('Accounts').click();
    await settled();
    expect(root.querySelector('h1')?.textContent).toBe('Accounts');
    location.hash = '';
    await settled();
    link('Security and backup').click();
    await settled();
    expect(text()).toContain('Erase this wallet');
    button('Lock now').click();
    await settled();
    expect(text()).toContain('Unlock');
  });

  it('offers to erase a wallet whose keys cannot be read, and nothing of that after another failure', async () => {
    const locked = { ...f.wallet, vault: 'locked' } as const;
    let state: WalletState = locked;
    let failure = new UiCallError('wrong-password', 'error_wrongPassword', {});
    await open(locked, {
      getState: () => state,
      listPasskeys: () => [],
      unlock: () => {
        throw failure;
      },
      wipe: () => {
        state = { ...f.emptyWallet, vault: 'absent' };
        return state;
      },
    });
    const unlock = async () => {
      await enter(root.querySelector('input[type=password]'), 'a password');
      button('Unlock').click();
      await settled();
    };
    await unlock();
    expect(text()).not.toContain('Remove everything');
    failure = new UiCallError('corrupt', 'error_vaultCorrupt', {});
    await unlock();
    expect(text()).toContain('If you have a backup, erase this wallet and restore it.');
    await enter(root.querySelector('input:not([type=password])'), 'remove');
    button('Remove everything').click();
    await settled();
    expect(background.callsOf('wipe')).toEqual([{ confirm: 'wipe' }]);
    expect(text()).toContain('Set up');
  });

  it('asks once more before it removes an account whose last requests have no confirmed end', async () => {
    let refusals = 1;
    await open(f.twoAccounts, {
      removeAccount: () => {
        if (refusals-- > 0)
          throw new UiCallError('end-unconfirmed', 'error_endUnconfirmed', { host: 'relayer.example' });
        return f.wallet;
      },
    });
    location.hash = `#/accounts/${encodeURIComponent(f.account.id)}`;
    await settled();
    button('Remove from this wallet').click();
    await settled();
    await removeWithPassword();
    expect(root.textContent).toContain('requests have ended, not relayer.example');
    button('Remove anyway').click();
    await settled();
    expect(background.callsOf('removeAccount').at(-1)).toEqual({
      account: f.account.id,
      password: 'a password',
      unconfirmed: true,
    });
  });

  it('saves a setting when it is chosen and remembers the look for the next page', async () => {
    const dark: WalletState = { ...f.wallet, settings: { ...f.wallet.settings, theme: 'dark' } };
    await open(f.wallet, { setSettings: () => dark });
    link('Settings').click();
    await settled();
    root.querySelectorAll<HTMLInputElement>('input[type=radio]')[2]?.click();
    await settled();
    expect(background.callsOf('setSettings')).toEqual([{ theme: 'dark' }]);
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('countersign.display')).toBe(
      '{"theme":"dark","contrast":"system","language":"system"}',
    );
  });

  it('forgets what its pages remembered when everything is removed', async () => {
    const fresh = { ...f.wallet, vault: 'absent', accounts: [], networks: [], selectedAccount: null } as const;
    await open({ ...f.wallet, settings: { ...f.wallet.settings, theme: 'dark' } }, { wipe: () => fresh });
    sessionStorage.setItem('countersign.onboarding', '{"step":"name"}');
    location.hash = '#/security';
    await settled();
    await enter(root.querySelector('.card-danger input'), 'remove');
    button('Remove everything').click();
    await settled();
    expect(background.callsOf('wipe')).toEqual([{ confirm: 'wipe' }]);
    expect({ ...sessionStorage }).toEqual({});
    expect({ ...localStorage }).toEqual({
      'countersign.display': '{"theme":"system","contrast":"system","language":"system"}',
    });
  });

  it('ends a wipe although the store of its page fails', async () => {
    const fresh = { ...f.wallet, vault: 'absent', accounts: [], networks: [], selectedAccount: null } as const;
    await open(f.wallet, { wipe: () => fresh });
    vi.stubGlobal('sessionStorage', {
      clear() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    location.hash = '#/security';
    await settled();
    await enter(root.querySelector('.card-danger input'), 'remove');
    button('Remove everything').click();
    await settled();
    vi.unstubAllGlobals();
    expect(text()).toContain('Set up');
  });

  it('says what an unanswered request means and asks again on demand', async () => {
    await open(f.wallet, { checkSubmission: () => f.activityItem() });
    link('Activity').click();
    await settled();
    root.querySelector<HTMLElement>('.entry-head')?.click();
    await settled();
    expect(text()).toContain('Countersign keeps checking');
    button('Check status').click();
    await settled();
    expect(background.callsOf('checkSubmission')).toEqual([{ id: 's5' }]);
  });
});
