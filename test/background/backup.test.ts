import { beforeAll, expect, test, vi } from 'vitest';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import { ownerOf } from '../../src/storage/ownedKeys.ts';
import { sha256Hex } from '../../src/vault/encoding.ts';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveAgain,
  approveOrder,
  movableClock,
  ordersOf,
  PASSWORD,
  resultOf,
  type SetUp,
  SITE,
  setUp,
} from './support.ts';

const relayer = await relayerOfFile();

test('a backup opens in another browser: the next order takes a storage id that the first one never used', async () => {
  const stage = await setUp(relayer);
  const { wallet, accountView, network } = stage;
  const friend = { address: '0x00000000000000000000000000000000000000AA', name: 'Anna' };
  await wallet.ui('addContact', { networkId: network.id, ...friend });
  const used = [resultOf(await approveOrder(wallet)).storageId, resultOf(await approveOrder(wallet)).storageId];
  const refused = await wallet.uiAnswer('exportBackup', { password: 'guess' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'wrong-password' } });
  const { file, name } = await wallet.ui('exportBackup', { password: PASSWORD });
  expect(name).toMatch(/^countersign-backup-\d{4}-\d\d-\d\d\.json$/);
  // The addresses of L1 keys can be read in it; networks, accounts and names cannot.
  for (const text of [relayer.url, network.exchangeAddress, 'Main', 'Anna']) expect(file).not.toContain(text);

  const { vault, ...rest } = JSON.parse(file);
  const renamed = vault.text.replace('"kind":"eddsa-key"', '"kind":"mnemonic"');
  const elsewhere = createWalletHarness();
  for (const [text, password, code] of [
    [file, 'guess', 'wrong-password'],
    [JSON.stringify({ ...rest, vault: { sha256: await sha256Hex(renamed), text: renamed } }), PASSWORD, 'corrupt'],
    ['{}', PASSWORD, 'corrupt'],
    [file.replace('"attached":{"nonce":"', '"attached":{"nonce":"AAAA'), PASSWORD, 'corrupt'],
  ] as const)
    expect(await elsewhere.uiAnswer('restoreBackup', { file: text, password })).toMatchObject({
      ok: false,
      error: { code },
    });
  expect(await elsewhere.ui('getState', {})).toMatchObject({ vault: 'absent', accounts: [], networks: [] });

  const state = await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
  expect(state).toMatchObject({ vault: 'unlocked', selectedAccount: accountView, networks: [network] });
  expect(await elsewhere.uiAnswer('restoreBackup', { file, password: PASSWORD })).toMatchObject({
    error: { code: 'exists' },
  });
  expect(await elsewhere.ui('listContacts', { networkId: network.id })).toMatchObject([friend]);
  // No site is connected there: permissions belong to a browser.
  expect(await elsewhere.page(SITE, 'eth_accounts')).toEqual({ result: [] });
  await elsewhere.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
  const next = resultOf(await approveOrder(elsewhere));
  expect(used).not.toContain(next.storageId);
  // And the first browser goes on beside it, with another order: the very same one, under the same
  // id, would be the same order.
  const other = { buyToken: { tokenId: 0, volume: '51000000000000000' } };
  const answer = approveOrder(wallet, other);
  // Its next id was used in the other browser; only the user lets it sign another copy.
  await approveAgain(wallet);
  expect([...used, next.storageId]).not.toContain(resultOf(await answer).storageId);
  expect(await ordersOf(stage)).toHaveLength(4);
});

/** The wallet that most backups of this file are of. */
let source: SetUp;
beforeAll(async () => {
  source = await setUp(relayer);
  // Longer than the tests of this file can take.
  await source.wallet.ui('setSettings', { lockAfterMinutes: 480 });
});

/** Keys of what is kept of networks and accounts, such as pins. */
const ownedBy = ({ kept }: WalletHarness) => Object.keys(kept().local).filter(ownerOf).toSorted();

/** A backup of `source` with a friend, and the keys that its restore brings. */
async function fullBackup() {
  const { wallet, network, accountView } = source;
  const { contacts, relayers } = wallet.background().wallet;
  const friend = { networkId: network.id, address: `0x${'0'.repeat(38)}AA`, name: 'Anna', createdAt: 1 };
  await relayers.facts(network);
  await wallet.ports.local.set({ [`proofs:${accountView}`]: { version: 1, offered: 'no', kept: {}, failures: [] } });
  await contacts.replace([friend]);
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  await contacts.replace([]);
  const brought = ['fees', 'pins'].map((kind) => `${kind}:${exchangeId(network)}`);
  return { file, brought: [...brought, `proofs:${accountView}`] };
}

test('a restore that finds the disk full leaves nothing of the backup, and the settings as they were', async () => {
  const { file, brought } = await fullBackup();
  const elsewhere = createWalletHarness();
  await elsewhere.ui('setSettings', { theme: 'dark' });
  const { vaultStore } = elsewhere.ports;
  Object.assign(elsewhere.ports, {
    vaultStore: (mode: IDBTransactionMode, work: never) =>
      mode === 'readonly' ? vaultStore(mode, work) : Promise.reject(new DOMException('full', 'QuotaExceededError')),
  });
  elsewhere.restart();
  expect(await elsewhere.uiAnswer('restoreBackup', { file, password: PASSWORD })).toMatchObject({
    error: { code: 'storage-full' },
  });
  expect(await elsewhere.ui('getState', {})).toMatchObject({
    vault: 'absent',
    accounts: [],
    networks: [],
    settings: { theme: 'dark' },
  });
  expect(ownedBy(elsewhere)).toEqual([]);
  expect(await elsewhere.background().wallet.contacts.read()).toEqual([]);
  expect(elsewhere.kept().local.config).not.toHaveProperty('restoredAt');
  Object.assign(elsewhere.ports, { vaultStore });
  elsewhere.restart();
  expect((await elsewhere.ui('restoreBackup', { file, password: PASSWORD })).accounts).toMatchObject([
    { id: source.accountView },
  ]);
  expect(ownedBy(elsewhere)).toEqual(expect.arrayContaining(brought));
});

/** A browser whose worker stopped within a restore, before the keys. */
async function stoppedRestore({ file, brought }: Awaited<ReturnType<typeof fullBackup>>) {
  const elsewhere = createWalletHarness();
  const { balanceProofs } = elsewhere.background().wallet;
  const { replace } = balanceProofs;
  const reached = new Promise<void>((done) => {
    Object.assign(balanceProofs, {
      replace: async (...given: Parameters<typeof replace>) => {
        await replace(...given);
        done();
        return new Promise(() => {});
      },
    });
  });
  void elsewhere.uiAnswer('restoreBackup', { file, password: PASSWORD });
  await reached;
  expect(ownedBy(elsewhere)).toEqual(brought);
  elsewhere.restart();
  return elsewhere;
}

test('a restore that ends without keys leaves nothing to the wallet that is made next', async () => {
  const elsewhere = await stoppedRestore(await fullBackup());
  expect(await elsewhere.ui('createVault', { password: PASSWORD })).toMatchObject({ networks: [], accounts: [] });
  expect(await elsewhere.background().wallet.contacts.read()).toEqual([]);
  expect(ownedBy(elsewhere)).toEqual([]);
  for (const name of ['restoredAt', 'isUndated']) expect(elsewhere.kept().local.config).not.toHaveProperty(name);
});

test('a restore that ends without keys leaves nothing to the wallet of another backup', async () => {
  const elsewhere = await stoppedRestore(await fullBackup());
  const other = createWalletHarness();
  await other.ui('createVault', { password: PASSWORD });
  const { file } = await other.ui('exportBackup', { password: PASSWORD });
  expect(await elsewhere.ui('restoreBackup', { file, password: PASSWORD })).toMatchObject({
    networks: [],
    accounts: [],
  });
  expect(ownedBy(elsewhere)).toEqual([]);
});

test('a restore opens for the time of the backup, and notifies nobody before this browser allows it', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer);
  await wallet.ui('setSettings', { lockAfterMinutes: 5, notifications: true });
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  const watched: number[] = [];
  const elsewhere = createWalletHarness({ now: clock.now, watchIdle: (ms) => watched.push(ms) });
  expect(await elsewhere.ui('restoreBackup', { file, password: PASSWORD })).toMatchObject({
    settings: { lockAfterMinutes: 5, notifications: false },
  });
  expect(watched.at(-1)).toBe(5 * 60_000);
  clock.advance(5 * 60_000);
  expect((await elsewhere.ui('getState', {})).vault).toBe('locked');
});

test('a backup of an earlier version, without an address book, brings the accounts', async () => {
  const { wallet, accountView } = source;
  const { vault, config } = wallet.background().wallet;
  const file = await vault.exportBackup(JSON.stringify(await config.read()));
  const strange = await vault.exportBackup(JSON.stringify({ ...(await config.read()), contacts: 'none' }));
  const elsewhere = createWalletHarness();
  expect(await elsewhere.uiAnswer('restoreBackup', { file: strange, password: PASSWORD })).toMatchObject({
    error: { code: 'corrupt' },
  });
  expect(await elsewhere.ui('getState', {})).toMatchObject({ vault: 'absent', accounts: [] });
  const state = await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
  expect(state.accounts.map(({ id }) => id)).toEqual([accountView]);
});

test('a backup with a setting that cannot be used brings the accounts, and that setting by default', async () => {
  const { wallet, accountView } = source;
  const { vault, config } = wallet.background().wallet;
  const data = await config.read();
  const settings = { ...data.settings, lockAfterMinutes: 0, language: 'de' };
  const file = await vault.exportBackup(JSON.stringify({ ...data, settings }));
  const elsewhere = createWalletHarness();
  expect(await elsewhere.ui('restoreBackup', { file, password: PASSWORD })).toMatchObject({
    accounts: [{ id: accountView }],
    settings: { lockAfterMinutes: 15, language: 'de' },
  });
  await elsewhere.ui('lock', {});
  expect((await elsewhere.ui('unlock', { password: PASSWORD })).vault).toBe('unlocked');
});

test('another password opens the wallet from then on, the old one does not, and the work goes on', async () => {
  const { wallet } = await setUp(relayer);
  const change = (oldPassword: string, newPassword: string) =>
    wallet.uiAnswer('changePassword', { oldPassword, newPassword });
  expect(await change('guess', 'another password')).toMatchObject({ error: { code: 'wrong-password' } });
  expect(await change(PASSWORD, 'short')).toMatchObject({ error: { code: 'invalid-input' } });
  const { vaultStore } = wallet.ports;
  Object.assign(wallet.ports, {
    vaultStore: (mode: IDBTransactionMode, work: never) =>
      mode === 'readonly' ? vaultStore(mode, work) : Promise.reject(new DOMException('no', 'UnknownError')),
  });
  wallet.restart();
  expect(await change(PASSWORD, 'another password')).toMatchObject({
    error: { code: 'storage', key: 'error_storage' },
  });
  Object.assign(wallet.ports, { vaultStore });
  wallet.restart();
  expect(await change(PASSWORD, 'another password')).toEqual({ ok: true, result: { passkeysGone: 0 } });
  resultOf(await approveOrder(wallet));
  await wallet.ui('lock', {});
  expect(await wallet.uiAnswer('unlock', { password: PASSWORD })).toMatchObject({ error: { code: 'wrong-password' } });
  await wallet.ui('unlock', { password: 'another password' });
  resultOf(await approveOrder(wallet));
});

test('a passkey unlocks like the password, and no longer when it was removed', async () => {
  const { wallet } = await setUp(relayer);
  const prf = Buffer.alloc(32, 3).toString('base64');
  const key = { credentialId: 'Y3JlZA', prfSalt: Buffer.alloc(32, 4).toString('base64') };
  expect(await wallet.uiAnswer('addPasskey', { password: 'guess', ...key, prf })).toMatchObject({
    error: { code: 'wrong-password' },
  });
  expect(await wallet.ui('addPasskey', { password: PASSWORD, ...key, prf })).toMatchObject([key]);
  await wallet.ui('lock', {});
  expect(await wallet.ui('listPasskeys', {})).toMatchObject([key]);
  const wrong = await wallet.uiAnswer('unlockWithPasskey', { credentialId: key.credentialId, prf: key.prfSalt });
  expect(wrong).toMatchObject({ error: { code: 'wrong-passkey' } });
  expect((await wallet.ui('unlockWithPasskey', { credentialId: key.credentialId, prf })).vault).toBe('unlocked');
  resultOf(await approveOrder(wallet));
  expect(await wallet.uiAnswer('removePasskey', { password: 'guess', credentialId: key.credentialId })).toMatchObject({
    error: { code: 'wrong-password' },
  });
  await wallet.ui('lock', {});
  expect(await wallet.uiAnswer('removePasskey', { password: PASSWORD, credentialId: key.credentialId })).toMatchObject({
    error: { code: 'locked' },
  });
  await wallet.ui('unlock', { password: PASSWORD });
  expect(await wallet.ui('listPasskeys', {})).toHaveLength(1);
  await wallet.ui('removePasskey', { password: PASSWORD, credentialId: key.credentialId });
  await wallet.ui('lock', {});
  expect(await wallet.uiAnswer('unlockWithPasskey', { credentialId: key.credentialId, prf })).toMatchObject({
    error: { code: 'wrong-passkey' },
  });
});

test.each(['password', 'passkey'])(
  'an unlock by a %s is told to the other windows before any relayer answers',
  async (way) => {
    const { wallet } = await setUp(relayer);
    const prf = Buffer.alloc(32, 3).toString('base64');
    const key = { credentialId: 'Y3JlZA', prfSalt: Buffer.alloc(32, 4).toString('base64') };
    await wallet.ui('addPasskey', { password: PASSWORD, ...key, prf });
    await wallet.ui('lock', {});
    const told = vi.fn();
    Object.assign(wallet.ports, { fetch: () => new Promise(() => {}), toUi: told });
    wallet.restart();
    await wallet.ui('getState', {});
    told.mockClear();
    if (way === 'password') await wallet.ui('unlock', { password: PASSWORD });
    else await wallet.ui('unlockWithPasskey', { credentialId: key.credentialId, prf });
    expect(told).toHaveBeenCalled();
  },
);

test('a wipe leaves nothing, also when the worker is stopped in the middle; a backup brings it back', async () => {
  const { wallet, accountView, account } = await setUp(relayer);
  const order = resultOf(await approveOrder(wallet));
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  const { journal } = wallet.background().wallet;
  const { local } = wallet.ports;
  expect(await journal.list()).toHaveLength(1);

  // Stopped right after the keys: the next start does the rest.
  await local.set({ wiping: true });
  await wallet.background().wallet.vault.wipe();
  expect(await local.get('config')).toMatchObject({ accounts: [{ id: accountView }] });
  wallet.restart();
  expect(await wallet.ui('getState', {})).toMatchObject({ vault: 'absent', accounts: [], networks: [] });
  expect(await wallet.background().wallet.journal.list()).toEqual([]);
  for (const key of ['config', 'sites', 'told', 'wiping']) expect(await local.get(key)).toBeUndefined();
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });

  await wallet.ui('restoreBackup', { file, password: PASSWORD });
  await wallet.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
  expect(resultOf(await approveOrder(wallet)).storageId).toBeGreaterThan(order.storageId ?? Number.NaN);
  expect(await wallet.uiAnswer('wipe', { confirm: 'yes' } as never)).toMatchObject({ ok: false });
  expect(await wallet.ui('wipe', { confirm: 'wipe' })).toMatchObject({ vault: 'absent', accounts: [] });
  expect(JSON.stringify(await wallet.ui('getState', {}))).not.toContain(account.owner);
});

test('an idle machine locks the wallet after the time that the user chose, whatever interval the browser kept', async () => {
  const watched: number[] = [];
  let idleMs = 0;
  const { wallet } = await setUp(relayer, {
    watchIdle: (ms) => watched.push(ms),
    idleFor: async (ms) => idleMs >= ms,
  });
  const status = async () => (await wallet.ui('getState', {})).vault;
  await wallet.ui('setSettings', { lockAfterMinutes: 5 });
  // A browser's own interval, when a new worker has not said ours yet.
  idleMs = 60_000;
  await wallet.background().onIdle();
  expect(await status()).toBe('unlocked');
  watched.length = 0;
  wallet.restart();
  await wallet.background().ready;
  await expect.poll(() => watched).toEqual([5 * 60_000]);
  idleMs = 5 * 60_000;
  await wallet.background().onIdle();
  expect(await status()).toBe('locked');
});

test('locks when the machine is left or the browser starts, and after any sleep that outlasts the deadline', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer, { now: clock.now });
  const status = async () => (await wallet.ui('getState', {})).vault;
  await wallet.background().onAway();
  expect(await status()).toBe('locked');
  await wallet.ui('unlock', { password: PASSWORD });
  // The worker that would have been told is stopped, and the machine sleeps: nobody says anything,
  // the deadline does.
  clock.advance(8 * 3_600_000);
  wallet.restart();
  expect(await status()).toBe('locked');
  // A machine that is used elsewhere does not keep the wallet open, and a touch after the deadline
  // does not open it.
  await wallet.ui('unlock', { password: PASSWORD });
  clock.advance(15 * 60_000);
  await Promise.all([wallet.ui('touch', {}), wallet.ui('touch', {})]);
  expect(await status()).toBe('locked');
  const asked = await wallet.uiAnswer('exportBackup', { password: PASSWORD });
  expect(asked).toMatchObject({ ok: false, error: { code: 'locked' } });
});

test('a restored wallet knows each token and the fees as the first one pinned them', async () => {
  let lies = false;
  const lying: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!lies || !new URL(String(input)).pathname.endsWith('/exchange/tokens')) return answer;
    const tokens = (await answer.json()) as { tokenId: number; decimals: number }[];
    return Response.json(tokens.map((one) => (one.tokenId === 1 ? { ...one, decimals: one.decimals - 6 } : one)));
  };
  const { wallet, network } = await setUp(relayer, { fetch: lying });
  await wallet.background().wallet.relayers.facts(network);
  const pinnedBy = ({ local }: Pick<ReturnType<typeof wallet.kept>, 'local'>) =>
    Object.fromEntries(Object.entries(local).filter(([key]) => /^(pins|fees):/.test(key)));
  const before = pinnedBy(wallet.kept());
  expect(Object.keys(before)).toHaveLength(2);
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  lies = true;
  const elsewhere = createWalletHarness({ fetch: lying });
  // What is pinned there alone stays, and what was read there counts no more.
  const { local } = elsewhere.ports;
  const [key = ''] = Object.keys(before).filter((name) => name.startsWith('pins:'));
  const other = { address: `0x${'2'.repeat(40)}`, symbol: 'OTHER', name: 'Other', decimals: 1 };
  await local.set({ [key]: { 1: other, 777: other }, [`facts:${network.id}`]: { at: Date.now() } });
  await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
  expect(await local.get(`facts:${network.id}`)).toBeUndefined();
  expect(pinnedBy(elsewhere.kept())).toEqual({ ...before, [key]: { ...(before[key] as object), 777: other } });
  const items = await elsewhere.ui('getAttention', { refresh: true });
  expect(items.map(({ kind }) => kind)).toEqual(['token-changed']);
  await expect(elsewhere.background().wallet.relayers.token(network, 1)).rejects.toMatchObject({
    code: 'token-changed',
  });
});

test('pins of a backup that cannot be read, or are of no exchange in it, are passed over', async () => {
  const { wallet, network, accountView } = source;
  const { vault, config } = wallet.background().wallet;
  const data = await config.read();
  const key = `pins:${exchangeId(network)}`;
  const good = { address: `0x${'2'.repeat(40)}`, symbol: 'GOOD', name: 'Good', decimals: 1 };
  for (const [pins, left] of [
    ['none', {}],
    [{ [key]: { 5: good, 6: 'bad', x: good }, 'pins:1:0xother': { 5: good }, config: {} }, { 5: good }],
  ]) {
    const file = await vault.exportBackup(JSON.stringify({ ...data, pins }));
    const elsewhere = createWalletHarness();
    expect(await elsewhere.ui('restoreBackup', { file, password: PASSWORD })).toMatchObject({
      accounts: [{ id: accountView }],
    });
    expect(await elsewhere.ports.local.get(key)).toEqual(left);
    expect(await elsewhere.ports.local.get('pins:1:0xother')).toBeUndefined();
  }
});

/** A name of the most letters that a relayer may give, of three bytes each. */
const LONG = '\u8a9e'.repeat(256);
const pinNamed = (name: string) => ({ address: `0x${'2'.repeat(40)}`, symbol: 'TOKEN', name, decimals: 1 });

/** A wallet with twenty exchanges of five accounts each, which it got without its relayers. */
async function largeWallet() {
  const { wallet, network } = await setUp(relayer);
  const { config } = wallet.background().wallet;
  const [first] = (await config.read()).accounts;
  if (!first) throw new Error('no account');
  const networks = Array.from({ length: 20 }, (_, index) =>
    index === 0
      ? network
      : { ...network, id: `n${index}`, exchangeAddress: `0x${String(index).repeat(40).slice(0, 40)}` },
  );
  const accounts = networks.flatMap(({ id: networkId }) =>
    [0, 1, 2, 3, 4].map((more) => {
      const accountId = first.accountId + more;
      return { ...first, networkId, accountId, id: `${networkId}:${accountId}` };
    }),
  );
  await config.update((data) => ({ ...data, networks, accounts }));
  /** Saves a backup, and restores it in another browser. */
  async function moved() {
    const { file, missing } = await wallet.ui('exportBackup', { password: PASSWORD });
    const elsewhere = createWalletHarness();
    const state = await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
    return { missing, state, local: elsewhere.kept().local, elsewhere };
  }
  return { wallet, networks, accounts, moved };
}

test('an exchange with many long tokens keeps no pin of another exchange out of a backup', async () => {
  const { wallet, networks, moved } = await largeWallet();
  const pinsOf = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, id) => [id, pinNamed(name)]));
  const fees = { 0: Object.fromEntries(Array.from({ length: 300 }, (_, id) => [id, '1000000000000000000'])) };
  for (const [index, network] of networks.entries())
    await wallet.ports.local.set({
      [`pins:${exchangeId(network)}`]: index === 0 ? pinsOf(4_096, LONG) : pinsOf(300, 'Some Token'),
      [`fees:${exchangeId(network)}`]: fees,
    });
  const { missing, local } = await moved();
  expect(missing).toEqual(['pins']);
  for (const network of networks.slice(1)) {
    expect(local[`pins:${exchangeId(network)}`]).toEqual(pinsOf(300, 'Some Token'));
    expect(local[`fees:${exchangeId(network)}`]).toEqual(fees);
  }
  // Of that one the lower numbers go in.
  const ids = Object.keys(local[`pins:${exchangeId(networks[0] as never)}`] as object).map(Number);
  expect(ids).toEqual([...ids.keys()]);
  expect(ids.length).toBeGreaterThan(100);
});

test('a backup is restored whatever the wallet holds, and names what had no room', async () => {
  const { wallet, networks, accounts, moved } = await largeWallet();
  const evidence = (length: number) => {
    const proof = {
      blockId: 1,
      root: '0x1',
      at: 1,
      proof: '\u8a9e'.repeat(length),
      tokenId: 0,
      rule: 'root',
      other: null,
    };
    return { version: 1, offered: 'yes', kept: {}, failures: [proof] };
  };
  const large = accounts.filter((_, index) => index % 2 === 0);
  for (const [index, { id }] of accounts.entries())
    await wallet.ports.local.set({ [`proofs:${id}`]: evidence(index % 2 === 0 ? 400_000 : 1_000) });
  for (const network of networks)
    await wallet.ports.local.set({ [`pins:${exchangeId(network)}`]: { 1: pinNamed('Some Token') } });
  const book = (count: number) =>
    networks.flatMap(({ id: networkId }) =>
      Array.from({ length: count }, (_, index) => ({
        networkId,
        address: `0x${String(index).padStart(40, '0')}`,
        name: `${'\u{20000}'.repeat(36)}${index}`,
        createdAt: index,
      })),
    );
  await wallet.ports.local.set({ contacts: book(100) });
  const first = await moved();
  expect(first.missing).toEqual(['proofs']);
  expect(first.local.contacts).toEqual(book(100));
  // An account whose proofs do not fit keeps out no later one.
  for (const { id } of accounts)
    if (!large.some((one) => one.id === id)) expect(first.local[`proofs:${id}`]).toEqual(evidence(1_000));

  await wallet.ports.local.set({ contacts: book(700) });
  const second = await moved();
  expect(second.missing).toEqual(['contacts', 'proofs']);
  expect(second.state.accounts).toHaveLength(100);
  for (const network of networks) expect(second.local[`pins:${exchangeId(network)}`]).toHaveProperty('1');

  const { config } = wallet.background().wallet;
  const label = '\u8a9e'.repeat(40_000);
  await config.update((data) => ({ ...data, accounts: accounts.map((one) => ({ ...one, label })) }));
  const third = await moved();
  expect(third.missing).toEqual(['contacts', 'settings']);
  expect(await third.elsewhere.ui('recoverSecrets', { password: PASSWORD })).not.toEqual([]);
});

test('a restore that fails after its keys were stored keeps the accounts that they belong to', async () => {
  const { wallet } = source;
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  const { accounts } = await wallet.background().wallet.config.read();
  const elsewhere = createWalletHarness();
  const { vault, config } = elsewhere.background().wallet;
  const { importBackup } = vault;
  Object.assign(vault, {
    async importBackup(...of: Parameters<typeof importBackup>) {
      await importBackup(...of);
      throw new Error('the session does not open');
    },
  });
  expect(await elsewhere.uiAnswer('restoreBackup', { file, password: PASSWORD })).toMatchObject({ ok: false });
  expect((await config.read()).accounts).toEqual(accounts);
});
