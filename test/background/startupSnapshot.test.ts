import { beforeEach, expect, test } from 'vitest';
import { createApprovals } from '../../src/background/approvals/store/approvals.ts';
import { createBackground } from '../../src/background/createBackground.ts';
import { createStartupSnapshot } from '../../src/background/lifecycle/startupSnapshot.ts';
import type { Ports } from '../../src/background/ports.ts';
import { keptBalances } from '../../src/background/rpc/ui/storedFacts.ts';
import { createConfig } from '../../src/background/settings/config.ts';
import { walletState } from '../../src/background/settings/walletState.ts';
import { createGrants } from '../../src/background/sites/grants.ts';
import { type StartupFacts, startupKeys } from '../../src/messaging/startupFacts.ts';
import { createVault } from '../../src/vault/index.ts';
import { fuzzFactor, fuzzSeed } from '../support/fuzz.ts';
import { Random } from '../support/random.ts';
import { createWalletHarness, PASSWORD, SELF, UI_SENDER, type WalletHarness } from '../support/wallet.ts';
import { until } from './support.ts';

const SITE = 'https://site.example';
const QUIET_MS = 2;

const stored = async ({ session }: Ports) => (await session.get(startupKeys.facts)) as StartupFacts | undefined;

/** The facts as the stores have them, past any worker. */
async function truth(ports: Ports): Promise<StartupFacts> {
  const { local, copy, lock, session, now, randomBytes, vaultStore, requestStore, relaxedRequestStore } = ports;
  const vault = createVault({ stores: { primary: vaultStore, copy, session }, now, randomBytes, lock });
  const approvals = createApprovals(requestStore, relaxedRequestStore);
  return {
    state: await walletState({ config: createConfig(local, copy, lock), vault, approvals }),
    sites: await createGrants(local, lock).list(),
  };
}

/** What a cold worker would tell from its facts; the vault as it is now. */
const told = (ports: Ports) =>
  createStartupSnapshot(
    async (keys) => Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await ports.session.get(key)]))),
    ports.now,
  );

let wallet: WalletHarness;
beforeEach(() => {
  wallet = createWalletHarness({}, QUIET_MS);
});

test.each(Array.from({ length: 4 * fuzzFactor }, (_, index) => fuzzSeed + BigInt(index)))(
  'a worker that is stopped anywhere leaves true facts or none, seed %s',
  async (seed) => {
    const numbers = new Random(seed);
    const random = (below: number) => numbers.index(below);
    const account = (id: string) => ({
      id,
      networkId: 'main',
      accountId: 7,
      owner: '0x52908400098527886E0F7030069857D2E4169EE7',
      label: `Account ${random(1000)}`,
      publicKey: { x: '0x1', y: '0x2' },
      signer: 's',
      keySeed: 'seed',
    });
    const background = () => wallet.background().wallet;
    const steps: (() => Promise<unknown>)[] = [
      () => background().config.update((data) => ({ ...data, accounts: [account('main:7'), account('main:8')] })),
      () => background().grants.grant(SITE, ['main:7', 'main:8'].slice(random(2)), ['read']),
      () => background().grants.revoke(SITE),
      () => wallet.page(`https://${random(3)}.example`, 'eth_requestAccounts'),
      async () => {
        const [first] = await wallet.ui('listApprovals', {});
        if (first) await wallet.ui('reject', { id: first.id, block: random(2) === 1 });
      },
      () => wallet.ui('setSettings', { lockAfterMinutes: 5 + random(50) }),
      () => background().ports.local.set({ 'balances:main:7': { at: random(1000), balances: [] } }),
      () => background().ports.local.set({ 'proofs:main:7': { offered: random(2) === 0 ? 'no' : 'yes' } }),
      () => background().wipe(),
    ];
    await wallet.ui('createVault', { password: PASSWORD });
    let found = 0;
    for (let round = 0; round < 60; round++) {
      const step = steps[random(round % 20 === 19 ? steps.length : steps.length - 1)];
      step?.().catch(() => {});
      if (random(3) > 0) await new Promise((done) => setTimeout(done, random(12)));
      else for (let turns = random(40); turns > 0; turns--) await undefined;
      wallet.stop();
      // What was in progress arrives.
      await new Promise((done) => setTimeout(done, 3));
      const facts = await told(wallet.ports).facts();
      if (facts) {
        found++;
        expect(facts).toEqual(await truth(wallet.ports));
        const home = await told(wallet.ports).home();
        const account = facts.state.accounts[0];
        const balances = account && (await keptBalances(wallet.ports).read(account.id));
        const proofs = account && ((await wallet.ports.local.get(`proofs:${account.id}`)) as { offered: string });
        expect(home && [home.account, home.balancesAt, home.noProofs]).toEqual(
          account && [account, balances?.at ?? null, proofs?.offered === 'no' ? true : undefined],
        );
      }
      wallet.restart();
      await wallet.background().ready;
      if (!(await background().vault.exists())) await wallet.ui('createVault', { password: PASSWORD });
      if (random(2) === 0) await until(async () => stored(wallet.ports));
    }
    // How many depends on the speed of the machine.
    expect(found).toBeGreaterThan(0);
  },
);

test('the browser is told to remove the facts before it is told of the write', async () => {
  const calls: string[] = [];
  const { ports } = wallet;
  const note =
    <Given extends unknown[], Result>(name: string, call: (...given: Given) => Result) =>
    (...given: Given): Result => {
      calls.push(name);
      return call(...given);
    };
  const background = createBackground(
    {
      ...ports,
      journalStore: (mode, work) => {
        if (mode === 'readwrite') calls.push('journal');
        return ports.journalStore(mode, work);
      },
      session: { ...ports.session, remove: note('forget', ports.session.remove) },
      local: { ...ports.local, set: note('local', ports.local.set), remove: note('local', ports.local.remove) },
      vaultStore: (mode, work) => {
        if (mode === 'readwrite') calls.push('vault');
        return ports.vaultStore(mode, work);
      },
      relaxedRequestStore: (mode, work) => {
        if (mode === 'readwrite') calls.push('question');
        return ports.relaxedRequestStore(mode, work);
      },
    },
    SELF,
    QUIET_MS,
  );
  const ui = (method: string, params: object) => background.onMessage({ type: 'ui', method, params }, UI_SENDER);
  await ui('createVault', { password: PASSWORD });
  await until(async () => stored(ports));
  for (const change of [
    () => ui('setSettings', { lockAfterMinutes: 30 }),
    () => ui('changePassword', { oldPassword: PASSWORD, newPassword: `${PASSWORD} again` }),
    () => background.wallet.grants.grant(SITE, [], ['read']),
    () => background.wallet.approvals.complete('none', () => null),
    () => background.wallet.ports.local.remove(['balances:main:7']),
    () => background.wallet.ports.local.set({ standing: [] }),
    () => background.wallet.ports.journalStore('readwrite', async () => {}),
  ]) {
    calls.length = 0;
    await change();
    expect(calls[0]).toBe('forget');
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.filter((name) => name === 'forget')).toHaveLength(1);
    await until(async () => stored(ports));
  }
});

test('facts are not written while something is being written', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await until(async () => stored(wallet.ports));
  const { requestStore } = wallet.background().wallet.ports;
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const writing = requestStore('readwrite', () => held);
  await new Promise((done) => setTimeout(done, 20 * QUIET_MS));
  expect(await stored(wallet.ports)).toBeUndefined();
  end();
  await writing;
  await until(async () => stored(wallet.ports));
});

test('what changes nothing of them leaves the facts where they are', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await until(async () => stored(wallet.ports));
  const { local, journalStore } = wallet.background().wallet.ports;
  const before = await truth(wallet.ports);
  await local.set({ contacts: [] });
  await journalStore('readonly', async () => {});
  expect(await stored(wallet.ports)).toEqual(before);
});

test("a dead worker's write that arrives late makes the facts anew", async () => {
  const { ports } = wallet;
  await wallet.ui('createVault', { password: PASSWORD });
  wallet.stop();
  const { storageChanged } = createBackground(ports, SELF, QUIET_MS);
  await until(async () => stored(ports));
  const sites = [{ origin: SITE, grants: [], blocked: true }];
  await ports.local.set({ sites });
  storageChanged(['contacts']);
  expect(await stored(ports)).toMatchObject({ sites: [] });
  storageChanged(['sites']);
  expect(await stored(ports)).toBeUndefined();
  expect(await until(async () => stored(ports))).toMatchObject({ sites });
});

test('whether the vault is unlocked is what the session says now, not what the facts say', async () => {
  let now = Date.now();
  wallet = createWalletHarness({ now: () => now }, QUIET_MS);
  await wallet.ui('createVault', { password: PASSWORD });
  expect(await until(async () => stored(wallet.ports))).toMatchObject({ state: { vault: 'unlocked' } });
  const state = async () => (await told(wallet.ports).facts())?.state.vault;
  expect(await state()).toBe('unlocked');
  now += 60_000;
  await wallet.ui('getState', {});
  now -= 30_000;
  expect(await state()).toBe('locked');
  now += 16 * 60_000;
  expect(await state()).toBe('locked');
  now -= 60 * 60_000;
  expect(await state()).toBe('locked');
  expect(JSON.stringify(await stored(wallet.ports))).not.toContain('dataKey');
});

test('a deadline that passes between the read and the message counts', async () => {
  let now = 1_000;
  const session: Record<string, unknown> = {
    'vault:session:key': { unlockId: 'u', keyId: 'k', dataKey: 'AAAA' },
    'vault:session:deadline': { unlockId: 'u', deadline: 2_000, seen: 900, idleMs: 1_100 },
    [startupKeys.facts]: {
      state: { vault: 'unlocked', networks: [], accounts: [], settings: {}, openApprovals: 0 },
      sites: [],
    },
  };
  let reads = 0;
  const { facts } = createStartupSnapshot(
    async () => {
      reads++;
      return session;
    },
    () => now,
  );
  await Promise.resolve();
  now = 2_000;
  expect((await facts())?.state.vault).toBe('locked');
  expect(reads).toBe(1);
  now = 1_500;
  expect((await facts())?.state.vault).toBe('unlocked');
  expect(reads).toBe(2);
});
