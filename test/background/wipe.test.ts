import { entries, set, type UseStore } from 'idb-keyval';
import { expect, test } from 'vitest';
import { TAKEN_OVER } from '../../src/background/lifecycle/takeOver.ts';
import type { KeyValueArea } from '../../src/storage/area.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { pageSender } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, ORDER, PASSWORD, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

/** A barrier: while it is down, what arrives waits there. */
function createBarrier() {
  let lift = () => {};
  let raised: Promise<void> = Promise.resolve();
  let waiting = 0;
  return {
    waiting: () => waiting,
    lower() {
      raised = new Promise((resolve) => {
        lift = resolve;
      });
    },
    raise: () => lift(),
    async pass(): Promise<void> {
      waiting++;
      await raised;
      waiting--;
    },
  };
}

/** A wallet whose answers of the relayer, and whose writes, can be held up. */
async function stageWithBarriers() {
  const [local, copy, session] = [createFaultyArea(), createFaultyArea(), createFaultyArea()];
  const [network, disk] = [createBarrier(), createBarrier()];
  const slow = (area: KeyValueArea): KeyValueArea => ({
    ...area,
    async set(values) {
      await disk.pass();
      await area.set(values);
    },
  });
  const areas = { local: slow(local.area), copy: slow(copy.area), earlier: copy.area, session: slow(session.area) };
  const stage = await setUp(relayer, {
    ...areas,
    async fetch(input, init) {
      const answer = await fetch(input, init);
      await network.pass();
      return answer;
    },
  });
  const { ports } = stage.wallet;
  const { clearStorage } = ports;
  ports.clearStorage = async () => {
    for (const { entries } of [local, copy, session]) entries.clear();
    await clearStorage();
  };
  const kept = async () => ({
    local: Object.fromEntries(local.entries),
    copy: Object.fromEntries(copy.entries),
    session: Object.fromEntries(session.entries),
    ...Object.fromEntries(
      await Promise.all(
        (['journalStore', 'vaultStore', 'requestStore'] as const).map(async (name) => [
          name,
          await entries(ports[name] as UseStore),
        ]),
      ),
    ),
  });
  return { ...stage, ...areas, network, disk, kept };
}

/**
 * A mark without any content says that what the first version kept is not to be looked for again.
 */
const NOTHING = {
  local: { [TAKEN_OVER]: 'true' },
  copy: {},
  session: {},
  journalStore: [],
  vaultStore: [],
  requestStore: [],
};

test('what was on its way when a wipe began is stored nowhere after it, and the wallet that begins then works', async () => {
  const { wallet, network, kept, local, account } = await stageWithBarriers();
  const { ui, uiAnswer } = wallet;
  await approveOrder(wallet);
  await local.remove([...(await ui('getState', {})).networks.map(({ id }) => `facts:${id}`)]);
  const before = wallet.background().wallet;
  const id = (await ui('getState', {})).accounts[0]?.id ?? '';

  network.lower();
  const inProgress: Promise<unknown>[] = [
    uiAnswer('getHome', { refresh: true }),
    uiAnswer('getOrders', { account: id, refresh: true }),
    uiAnswer('getPools', { account: id, refresh: true }),
    uiAnswer('getPrices', { account: id, refresh: true }),
    uiAnswer('getAttention', { refresh: true }),
    uiAnswer('getMarkets', { account: id }),
  ];
  // Once: a page that asks again after the wipe asks the wallet that begins then.
  const order = { type: 'page', id: crypto.randomUUID(), method: 'relayer_submitOrder', params: [ORDER] };
  void wallet.message({ ...order, documentId: crypto.randomUUID() }, pageSender(SITE)).catch(() => {});
  // What the exchange is like is read once for all of them.
  await until(async () => network.waiting() >= 4);
  const wiped = await ui('wipe', { confirm: 'wipe' });
  expect(wiped).toMatchObject({ vault: 'absent', accounts: [], networks: [] });
  network.raise();
  await Promise.all(inProgress);
  // And whatever else that life could still do.
  const cursor = { networkId: 'n', accountId: 1, tokenId: 0, parity: 'order' } as const;
  for (const [write, code] of [
    [() => before.grants.grant(SITE, [id], ['read']), 'missing'],
    [() => before.contacts.add('network', { address: account.owner, name: 'Late' }, 0), 'missing'],
    [() => before.vault.create(PASSWORD, 60_000), 'missing'],
    [() => before.journal.resyncCursor(cursor, 2), 'storage'],
    [() => set('late', 1, before.ports.requestStore), 'missing'],
    [() => before.ports.session.set({ shown: id }), 'missing'],
    [() => before.ports.showApproval(id), 'missing'],
    [() => before.ports.fetch(relayer.url), 'missing'],
  ] as const)
    await expect(write()).rejects.toMatchObject({ code });
  expect(await kept()).toEqual(NOTHING);

  await ui('createVault', { password: PASSWORD });
  const again = await ui('addNetwork', { baseUrl: relayer.url, name: 'Again' });
  const { signer } = await ui('importSigner', { privateKey: account.privateKey });
  await ui('addAccount', { networkId: again.id, signer, label: 'Again' });
  expect((await ui('getHome', { refresh: true })).problem).toBeNull();
});

test('pages hear that they see no account and no chain, also when they ask at once, and blocked ones hear nothing', async () => {
  let isErased = false;
  const told: unknown[] = [];
  const asked: Promise<unknown>[] = [];
  const { wallet, accountView } = await setUp(relayer, {
    async toAllPages(origin, message) {
      told.push([origin, message]);
      if (isErased) for (const method of ['eth_accounts', 'eth_chainId']) asked.push(wallet.page(SITE, method));
    },
  });
  const { grants, rights } = wallet.background().wallet;
  const blocked = 'https://blocked.example';
  await grants.grant(blocked, [accountView], ['read']);
  for (const origin of [SITE, blocked]) await rights.changed(origin);
  // The worker did not live to tell its pages.
  await grants.setBlocked(blocked, true);
  told.length = 0;
  isErased = true;
  await wallet.ui('wipe', { confirm: 'wipe' });
  const data = { code: 4900, message: 'This site sees no account any more.' };
  expect(told).toEqual([
    [SITE, { event: 'chainChanged', data: '0x0' }],
    [SITE, { event: 'accountsChanged', data: [] }],
    [SITE, { event: 'disconnect', data }],
  ]);
  expect(await Promise.all(asked)).toEqual(
    Array(3)
      .fill([{ result: [] }, { result: '0x0' }])
      .flat(),
  );
});

test('a write that the disk holds up is waited for, and removed with the rest', async () => {
  const { wallet, disk, kept, accountView } = await stageWithBarriers();
  disk.lower();
  const rename = wallet.uiAnswer('renameAccount', { account: accountView, label: 'Slow' });
  // Others of the background may wait beside it.
  await until(async () => disk.waiting() >= 1);
  const held = disk.waiting();
  // The mark itself is a write too: it comes after the one before it.
  const wiping = wallet.ui('wipe', { confirm: 'wipe' });
  await until(async () => disk.waiting() > held);
  disk.raise();
  expect(await wiping).toMatchObject({ vault: 'absent' });
  await rename;
  expect(await kept()).toEqual(NOTHING);
});

test('two wipes at the same time end as one, and the wallet that begins then works', async () => {
  const { wallet, disk, kept } = await stageWithBarriers();
  const wipe = () => wallet.ui('wipe', { confirm: 'wipe' });
  disk.lower();
  const both = [wipe(), wipe()];
  await until(async () => disk.waiting() > 0);
  disk.raise();
  for (const state of await Promise.all(both)) expect(state).toMatchObject({ vault: 'absent', accounts: [] });
  expect(await kept()).toEqual(NOTHING);
  // Neither has anything left to remove from the wallet after it.
  await wallet.ui('createVault', { password: PASSWORD });
  await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Again' });
  wallet.restart();
  expect(await wallet.ui('getState', {})).toMatchObject({ vault: 'unlocked', networks: [{ name: 'Again' }] });
});

test('a wipe that the disk refuses is reported, and done by the next request', async () => {
  let broken = false;
  const { wallet, account } = await setUp(relayer);
  const { clearStorage } = wallet.ports;
  wallet.ports.clearStorage = async () => {
    if (broken) throw new Error('injected fault');
    await clearStorage();
  };
  broken = true;
  expect(await wallet.uiAnswer('wipe', { confirm: 'wipe' })).toMatchObject({ ok: false });
  await expect(wallet.ui('getState', {})).rejects.toThrow('injected fault');
  broken = false;
  const state = await wallet.ui('getState', {});
  expect(state).toMatchObject({ vault: 'absent', accounts: [] });
  expect(JSON.stringify(state)).not.toContain(account.owner);
});

test.each(['copy', 'vaultStore', 'journalStore', 'requestStore'] as const)(
  'a wipe ends although %s does not open, and the wallet that begins then works',
  async (name) => {
    const { wallet, account } = await setUp(relayer);
    await approveOrder(wallet);
    const { ports } = wallet;
    const { clearStorage, copy } = ports;
    let isDamaged = true;
    const opened =
      <Given extends unknown[], T>(access: (...given: Given) => Promise<T>) =>
      (...given: Given): Promise<T> =>
        isDamaged ? Promise.reject(new DOMException('no such file', 'UnknownError')) : access(...given);
    Object.assign(ports, {
      [name]:
        name === 'copy'
          ? { get: opened(copy.get), set: opened(copy.set), remove: opened(copy.remove) }
          : opened(ports[name]),
    });
    // Deletes a database whose file is damaged.
    ports.clearStorage = async () => {
      await clearStorage();
      isDamaged = false;
    };
    wallet.restart();
    await wallet.ui('getState', {});
    expect(await wallet.ui('wipe', { confirm: 'wipe' })).toMatchObject({ vault: 'absent', accounts: [] });
    for (const store of [ports.vaultStore, ports.journalStore, ports.requestStore])
      expect(await entries(store)).toEqual([]);
    expect({ ...wallet.kept(), session: {} }).toEqual({ local: { [TAKEN_OVER]: true }, copy: {}, session: {} });
    await wallet.ui('createVault', { password: PASSWORD });
    await wallet.ui('importSigner', { privateKey: account.privateKey });
    wallet.restart();
    expect(await wallet.ui('getState', {})).toMatchObject({ vault: 'unlocked' });
  },
);

test('a request that a window still shows after a wipe is not found when it is looked up, which is no failure', async () => {
  const { wallet } = await setUp(relayer);
  await approveOrder(wallet);
  const [shown] = await wallet.ui('getActivity', { limit: 1 });
  await wallet.ui('wipe', { confirm: 'wipe' });
  const asked = await wallet.uiAnswer('checkSubmission', { id: shown?.id ?? '' });
  expect(asked).toMatchObject({ error: { code: 'not-found', key: 'error_notFound' } });
  expect(await wallet.ui('getFailures', {})).toEqual([]);
});
