import { describe, expect, test } from 'vitest';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { Ports } from '../../src/background/ports.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import type { NetworkView } from '../../src/messaging/views.ts';
import type { RelayerMessage } from '../../src/viem/index.ts';
import { createWalletHarness, pageSender } from '../support/wallet.ts';
import { PASSWORD, question, until } from './support.ts';

const SITE = 'https://site.example';
const accounts = [1, 2].map((accountId) => ({
  id: `net:${accountId}`,
  networkId: 'net',
  accountId,
  owner: `0x${String(accountId).repeat(40)}`,
  label: `Account ${accountId}`,
  publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
  signer: 'signer',
  keySeed: '',
}));

/** A wallet with two accounts; connecting needs no relayer. */
async function twoAccounts(changes: Partial<Ports> = {}) {
  const wallet = createWalletHarness(changes);
  await wallet.ui('createVault', { password: PASSWORD });
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    networks: [
      { id: 'net', name: 'Net', baseUrl: 'http://127.0.0.1:1', chainId: 31337, exchangeAddress: `0x${'9'.repeat(40)}` },
    ],
    accounts,
    selectedAccount: 'net:1',
  }));
  return wallet;
}

type Wallet = Awaited<ReturnType<typeof twoAccounts>>;

async function connect(wallet: Wallet, chosen: string[], kinds?: ('read' | 'orders' | 'transfers')[]) {
  const view = await question(wallet);
  await wallet.ui('approve', {
    id: view.id,
    digest: view.digest ?? '',
    account: null,
    accounts: chosen,
    ...(kinds ? { kinds } : {}),
  });
  return view;
}

test('a page sees only the accounts that the user chose', async () => {
  const wallet = await twoAccounts();
  const answer = wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:2']);
  expect(await answer).toEqual({ result: [accounts[1]?.owner] });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[1]?.owner] });
  expect(await wallet.page('https://other.example', 'eth_accounts')).toEqual({ result: [] });
});

test('of two tabs with a frame each, what is shown, stored, answered and granted has the origin that the browser reports', async () => {
  let time = Date.now();
  // Requests of one millisecond have no order.
  const wallet = await twoAccounts({ now: () => ++time });
  const { approvals, grants } = wallet.background().wallet;
  const sites = ['https://one.example', 'https://two.example:8443'];
  const ids = sites.map(() => crypto.randomUUID());
  for (const [index, site] of sites.entries()) {
    const forged = { type: 'page', method: 'eth_requestAccounts', origin: 'https://bank.example', tabId: 99 };
    const tab = pageSender(site, index + 1);
    for (const frame of [{ frameId: 5 }, { frameId: 5, url: 'https://bank.example/', origin: 'https://bank.example' }])
      expect(await wallet.message({ ...forged, id: crypto.randomUUID() }, { ...tab, ...frame })).toMatchObject({
        error: { code: 4100 },
      });
    expect(await wallet.message({ ...forged, id: ids[index], documentId: `page-${index}` }, tab)).toEqual({
      later: true,
    });
  }
  expect((await approvals.open()).map(({ origin }) => origin)).toEqual(sites);
  for (const site of sites) {
    const view = await connect(wallet, ['net:1']);
    expect(view.origin).toBe(site);
  }
  expect((await grants.list()).map(({ origin }) => origin)).toEqual(sites);
  const answered = wallet.pushed.filter(({ message }) => 'id' in message);
  expect(answered.map(({ origin, message }) => [origin, 'id' in message && message.id])).toEqual(
    sites.map((site, index) => [site, ids[index]]),
  );
});

test('kinds that the user unticked are not granted', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await connect(wallet, ['net:1'], ['orders']);
  expect(view.connect?.kinds).toEqual(['read', 'orders', 'sign']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([{ account: 'net:1', kinds: ['orders'] }]);
});

test('a later request for one more kind keeps what was granted before', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:1']);
  wallet.page(SITE, 'wallet_requestPermissions', [{ relayer_transfers: {} }]);
  const view = await connect(wallet, ['net:1']);
  expect(view.connect?.kinds).toEqual(['transfers']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([
    { account: 'net:1', kinds: ['read', 'orders', 'sign', 'transfers'] },
  ]);
});

test('a permission that was granted before is gone once the user unticks it', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:1']);
  const answer = wallet.page(SITE, 'wallet_requestPermissions', [{ relayer_read: {}, relayer_orders: {} }]);
  await connect(wallet, ['net:1', 'net:2'], ['read']);
  expect(JSON.stringify(await answer)).not.toContain('relayer_orders');
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([
    { account: 'net:1', kinds: ['read', 'sign'] },
    { account: 'net:2', kinds: ['read'] },
  ]);
});

test('permissions are answered as EIP-2255 has them, without what the user left out', async () => {
  const wallet = await twoAccounts();
  const asked = wallet.page(SITE, 'wallet_requestPermissions', [
    { eth_accounts: {}, relayer_read: {}, relayer_transfers: {} },
  ]);
  await connect(wallet, ['net:1'], ['read']);
  const { result } = (await asked) as { result: { parentCapability: string; caveats: { value: string[] }[] }[] };
  expect(result.map(({ parentCapability }) => parentCapability)).toEqual(['eth_accounts', 'relayer_read']);
  const owners = (await wallet.page(SITE, 'eth_accounts')) as { result: string[] };
  expect(result[0]?.caveats).toEqual([{ type: 'restrictReturnedAccounts', value: owners.result }]);
  expect(await wallet.page(SITE, 'wallet_getPermissions')).toEqual({ result });
});

test('a kind that was not asked for cannot be granted by the click', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:1'], ['read', 'transfers']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([{ account: 'net:1', kinds: ['read'] }]);
});

test.each<[string, Partial<StoredApproval>]>([
  ['kinds', { kinds: ['transfers'] }],
  ['origin', { origin: 'https://other.example' }],
  ['digest', { digest: `0x${'0'.repeat(64)}` }],
])('a connection whose stored %s changed between the screen and the click is refused', async (_part, change) => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await question(wallet);
  const { approvals, grants } = wallet.background().wallet;
  await approvals.update(view.id, (current) => ({ ...current, ...change }) as StoredApproval);
  const click = { id: view.id, digest: view.digest ?? '', account: null, accounts: ['net:1'] };
  expect(await wallet.uiAnswer('approve', click)).toMatchObject({ ok: false, error: { code: 'digest-mismatch' } });
  for (const origin of [SITE, 'https://other.example']) expect(await grants.of(origin)).toBeFalsy();
});

test('a click on a connection with another digest is refused', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const { id } = await question(wallet);
  const click = { id, digest: `0x${'0'.repeat(64)}`, account: null, accounts: ['net:1'] };
  expect(await wallet.uiAnswer('approve', click)).toMatchObject({ ok: false, error: { code: 'digest-mismatch' } });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
});

test('no account chosen is no connection', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await question(wallet);
  expect(
    await wallet.uiAnswer('approve', { id: view.id, digest: view.digest ?? '', account: null, accounts: ['net:77'] }),
  ).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
});

test('a locked wallet connects nobody before the password', async () => {
  const wallet = await twoAccounts();
  await wallet.ui('lock', {});
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await question(wallet, 'locked');
  const digest = (await wallet.background().wallet.approvals.get(view.id))?.digest ?? '';
  expect(await wallet.uiAnswer('approve', { id: view.id, digest, account: null, accounts: ['net:1'] })).toMatchObject({
    ok: false,
    error: { code: 'locked' },
  });
  await wallet.ui('unlock', { password: PASSWORD });
  await connect(wallet, ['net:1']);
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[0]?.owner] });
});

describe('a site that is connected', () => {
  async function connected(changes: Partial<Ports> = {}) {
    const wallet = await twoAccounts(changes);
    const asked = wallet.page(SITE, 'eth_requestAccounts');
    await connect(wallet, ['net:1']);
    await asked;
    wallet.pushed.length = 0;
    return wallet;
  }
  const owners = { result: [accounts[0]?.owner] };
  const told = ({ pushed }: Wallet) =>
    pushed.flatMap(({ origin, message }) =>
      'event' in message && message.event === 'message' ? [[origin, message.data]] : [],
    );
  const lockOf = (locked: boolean) => [SITE, { type: 'relayer_lock', data: { locked } } satisfies RelayerMessage];

  test('is told of each lock and unlock once, and no other site is', async () => {
    const wallet = await connected();
    const { grants } = wallet.background().wallet;
    await grants.grant('https://gone.example', ['net:99'], ['read']);
    await grants.grant('https://blocked.example', ['net:2'], ['read']);
    await grants.setBlocked('https://blocked.example', true);
    wallet.page('https://other.example', 'eth_accounts');
    await wallet.ui('lock', {});
    await wallet.background().onAway();
    expect(told(wallet)).toEqual([lockOf(true)]);
    await wallet.ui('unlock', { password: PASSWORD });
    await until(async () => told(wallet).length === 2);
    await wallet.background().onWake();
    wallet.restart();
    await wallet.background().onWake();
    expect(told(wallet)).toEqual([lockOf(true), lockOf(false)]);
  });

  test('is told of a lock by the deadline at the next wake-up', async () => {
    let now = Date.now();
    const wallet = await connected({ now: () => now });
    now += 16 * 60_000;
    await wallet.background().onWake();
    expect(told(wallet)).toEqual([lockOf(true)]);
  });

  test('opens the unlock by eth_requestAccounts and is answered by it, with no approval request about what it sees', async () => {
    const wallet = await connected();
    await wallet.ui('lock', {});
    const [first, second] = [wallet.page(SITE, 'eth_requestAccounts'), wallet.page(SITE, 'eth_requestAccounts')];
    const view = await question(wallet, 'locked');
    await until(async () => wallet.shown.includes(view.id));
    expect([view.kind, view.connect, view.waiting]).toEqual(['unlock', null, 0]);
    expect(await wallet.page(SITE, 'eth_accounts')).toEqual(owners);
    await wallet.ui('unlock', { password: PASSWORD });
    expect([await first, await second]).toEqual([owners, owners]);
    expect((await wallet.ui('getApproval', { id: view.id })).stage).toBe('done');
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
    expect((await wallet.ui('listSites', {}))[0]?.grants).toHaveLength(1);
  });

  test('waits for the unlock over a restart of the worker', async () => {
    const wallet = await connected();
    await wallet.ui('lock', {});
    const id = crypto.randomUUID();
    const asked = wallet.page(SITE, 'eth_requestAccounts', undefined, id);
    await question(wallet, 'locked');
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await wallet.page(SITE, 'eth_requestAccounts', undefined, id)).toEqual(owners);
    expect(await asked).toEqual(owners);
  });

  test('is answered with 4001 when the window is closed, and is silenced by the third time', async () => {
    const wallet = await connected();
    await wallet.ui('lock', {});
    for (let time = 0; time < 3; time++) {
      const asked = wallet.page(SITE, 'eth_requestAccounts');
      await question(wallet, 'locked');
      await wallet.background().onApprovalWindowClosed();
      expect(await asked).toMatchObject({ error: { code: 4001 } });
    }
    expect(await wallet.page(SITE, 'eth_requestAccounts')).toMatchObject({ error: { code: -32005 } });
    expect(await wallet.page(SITE, 'eth_accounts')).toEqual(owners);
  });

  test('is refused when its last account is taken away while it waits, and gets no new approval request by an unlock', async () => {
    const wallet = await connected();
    await wallet.ui('lock', {});
    const asked = wallet.page(SITE, 'eth_requestAccounts');
    await question(wallet, 'locked');
    await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    expect(await asked).toMatchObject({ error: { code: 4100, data: { reason: 'revoked' } } });
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  });
});

describe('wallet_addEthereumChain', () => {
  const add = (wallet: Wallet, origin: string, ...rpcUrls: readonly unknown[]) =>
    wallet.page(origin, 'wallet_addEthereumChain', [{ chainId: '0x7a69', chainName: 'Any', rpcUrls }]);
  const proposed = (wallet: Wallet) => wallet.ui('getProposedExchange', {});

  test('keeps the exchange for the setup, with the site that named it, and asks and adds nothing', async () => {
    const wallet = await twoAccounts();
    expect(await proposed(wallet)).toBeNull();
    expect(await add(wallet, SITE, 'https://relayer.example.org/', 'https://other.example.org')).toMatchObject({
      error: { code: 4902 },
    });
    expect(await proposed(wallet)).toEqual({ origin: SITE, baseUrl: 'https://relayer.example.org' });
    await add(wallet, SITE, 'https://Relayer.Example.org:443/path//');
    expect(await proposed(wallet)).toEqual({ origin: SITE, baseUrl: 'https://relayer.example.org/path' });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
    expect((await wallet.ui('getState', {})).networks).toHaveLength(1);
    await add(wallet, 'https://later.example.org', 'https://second.example.org');
    expect(await proposed(wallet)).toEqual({
      origin: 'https://later.example.org',
      baseUrl: 'https://second.example.org',
    });
  });

  test('is done where the exchange is set up', async () => {
    const wallet = await twoAccounts();
    const [network] = (await wallet.ui('getState', {})).networks;
    expect(await add(wallet, SITE, `${network?.baseUrl}/`)).toMatchObject({ result: null });
    expect(await add(wallet, SITE, `${network?.baseUrl.replace('http', 'HTTP')}/?a#b`)).toMatchObject({ result: null });
    expect(await proposed(wallet)).toBeNull();
    const other = [{ chainId: '0x1', chainName: 'Any', rpcUrls: [network?.baseUrl] }];
    expect(await wallet.page(SITE, 'wallet_addEthereumChain', other)).toMatchObject({ error: { code: 4902 } });
  });

  test.each([
    [[]],
    [['javascript:alert(1)']],
    [['file:///etc/passwd']],
    [[`https://a.example/${'x'.repeat(300)}`]],
    [[7]],
  ])('refuses %j', async (rpcUrls) => {
    const wallet = await twoAccounts();
    expect(await add(wallet, SITE, ...rpcUrls)).toMatchObject({ error: { code: -32602 } });
    expect(await proposed(wallet)).toBeNull();
  });
});

describe('wallet_switchEthereumChain', () => {
  /**
   * Two more networks; the second account is on the first of them, and its chain is served by a
   * third relayer too.
   */
  async function threeNetworks() {
    const wallet = await twoAccounts();
    await wallet.background().wallet.config.update((data) => ({
      ...data,
      networks: [
        ...data.networks,
        ...['far', 'other'].map((id) => ({ ...(data.networks[0] as NetworkView), id, name: id, chainId: 5 })),
      ],
      accounts: [
        ...data.accounts,
        { ...(accounts[1] as StoredAccount), id: 'far:2', networkId: 'far' },
        { ...(accounts[0] as StoredAccount), id: 'far:1', networkId: 'far' },
      ],
    }));
    wallet.page(SITE, 'eth_requestAccounts');
    await connect(wallet, ['net:1']);
    wallet.pushed.length = 0;
    return wallet;
  }
  const to = (wallet: Wallet, chainId: unknown) => wallet.page(SITE, 'wallet_switchEthereumChain', [{ chainId }]);
  const events = (wallet: Wallet) =>
    wallet.pushed.flatMap(({ message }) => ('event' in message ? [[message.event, message.data]] : []));

  test('asks which accounts of the network the site sees from now on, and tells its pages', async () => {
    const wallet = await threeNetworks();
    const answer = to(wallet, '0x5');
    const view = await question(wallet);
    expect([view.network?.id, view.connect?.isSwitch]).toEqual(['far', true]);
    expect(view.connect?.accounts.map(({ id }) => id)).toEqual(['far:2', 'far:1']);
    await connect(wallet, ['far:2', 'net:2']);
    expect(await answer).toEqual({ result: null });
    expect(await wallet.page(SITE, 'eth_chainId')).toEqual({ result: '0x5' });
    expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[1]?.owner] });
    expect(events(wallet)).toEqual([
      ['chainChanged', '0x5'],
      ['accountsChanged', [accounts[1]?.owner]],
    ]);
  });

  test('what was granted on the network before is seen again after the way back, also after a restart', async () => {
    const wallet = await threeNetworks();
    const away = to(wallet, '0x5');
    await connect(wallet, ['far:2']);
    await away;
    wallet.restart();
    wallet.pushed.length = 0;
    const back = to(wallet, '0x7a69');
    await connect(wallet, ['net:1']);
    expect(await back).toEqual({ result: null });
    expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[0]?.owner] });
    expect(events(wallet)[0]).toEqual(['chainChanged', '0x7a69']);
    expect((await wallet.ui('listSites', {}))[0]?.grants.map(({ account }) => account)).toEqual(['net:1', 'far:2']);
  });

  test('a permission that the user unticks on the way back is gone, on that network alone', async () => {
    const wallet = await threeNetworks();
    const away = to(wallet, '0x5');
    await connect(wallet, ['far:2']);
    await away;
    const back = to(wallet, '0x7a69');
    await connect(wallet, ['net:1'], ['read']);
    await back;
    expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([
      { account: 'net:1', kinds: ['read'] },
      { account: 'far:2', kinds: ['read', 'orders', 'sign'] },
    ]);
  });

  test('a no changes nothing', async () => {
    const wallet = await threeNetworks();
    const answer = to(wallet, '0x5');
    await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
    expect(await wallet.page(SITE, 'eth_chainId')).toEqual({ result: '0x7a69' });
    expect(events(wallet)).toEqual([]);
  });

  test('the chain that the site is on asks nobody', async () => {
    const wallet = await threeNetworks();
    expect(await to(wallet, '0x7A69')).toEqual({ result: null });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  });

  test.each([
    ['a chain without an account', '0x1', 4902],
    ['a number', 5, -32602],
    ['a decimal text', '5', -32602],
  ])('refuses %s', async (_what, chainId, code) => {
    expect(await to(await threeNetworks(), chainId)).toMatchObject({ error: { code } });
  });

  test('a site that is not connected learns nothing about chains', async () => {
    const wallet = await twoAccounts();
    for (const chainId of ['0x5', '0x7a69'])
      expect(await to(wallet, chainId)).toMatchObject({ error: { code: 4100, data: { reason: 'notConnected' } } });
  });
});

test.each([
  ['wallet_requestPermissions', [{}]],
  ['wallet_requestPermissions', [{ eth_sign: {} }]],
  ['wallet_requestPermissions', []],
  ['wallet_revokePermissions', []],
  ['wallet_revokePermissions', [{}]],
  ['wallet_revokePermissions', [{ eth_sign: {} }]],
  ['wallet_revokePermissions', ['eth_accounts']],
  ['eth_requestAccounts', ['x']],
])('%s refuses the parameters %j', async (method, params) => {
  const wallet = await twoAccounts();
  expect(await wallet.page(SITE, method, params)).toMatchObject({ error: { code: -32602 } });
});
