import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createApprovals } from '../../src/background/approvals/store/approvals.ts';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { UiFailure } from '../../src/background/errors/uiFailure.ts';
import { apiKeyRecord, eddsaRecord } from '../../src/background/keys/keyRecords.ts';
import { keyText } from '../../src/background/keys/keyText.ts';
import { createL1Signer } from '../../src/background/keys/l1Signer.ts';
import { createStagedKeys, hexPoint } from '../../src/background/keys/stagedKeys.ts';
import { discardAbandoned } from '../../src/background/keyUpdate/abandonedKeys.ts';
import { keyUpdates, OPERATION, openKeyUpdate, signedForStaged } from '../../src/background/keyUpdate/keyUpdates.ts';
import * as steps from '../../src/background/keyUpdate/steps.ts';
import { keyUpdateHandlers } from '../../src/background/rpc/ui/keyUpdate.ts';
import { createConfig } from '../../src/background/settings/config.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import type { Wallet } from '../../src/background/wallet.ts';
import { createRelayerClient, RelayerClientError } from '../../src/client/index.ts';
import { getPublicKey } from '../../src/crypto/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { keySeedText } from '../../src/protocol/index.ts';
import { createStores } from '../../src/storage/stores.ts';
import { VaultError } from '../../src/vault/index.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { nobody } from '../support/wallet.ts';
import { createHarness, info, password } from '../vault/harness.ts';
import { createStandingStage, SITE, standingOf } from './standingStage.ts';

const OWNER = `0x${'c'.repeat(40)}`;
const network = { id: 'net', name: 'Net', baseUrl: 'https://relayer.example', chainId: 1, exchangeAddress: OWNER };
const secretOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : seed));
const keyOf = (seed: number) => hexPoint(getPublicKey(secretOf(seed)));
const accountOf = (accountId: number, changes: Partial<StoredAccount> = {}): StoredAccount => ({
  ...{ id: `net:${accountId}`, networkId: 'net', accountId, owner: OWNER, label: 'Main', signer: 'one' },
  ...{ keySeed: 'the seed before', publicKey: keyOf(9), key: { kind: 'derived', since: 1 } },
  ...changes,
});
const MAIN = accountOf(7);
const OTHER = accountOf(8);
const NOW = 1_800_000_000_000;
const END = NOW / 1000 + 600;
type Point = { x: string; y: string };
type Start = Parameters<typeof steps.startKeyUpdate>[1];

/** One for all tests, because each password takes its time. */
const vault = await createHarness().filled();

/**
 * The stores of a wallet, and a relayer that says what a test wants. What the relayer is asked is
 * counted.
 */
async function createStage() {
  // Without what the test before put there.
  const secrets = (await vault.listSecrets()).map(({ id }) => id);
  await vault.apply({ remove: secrets.filter((id) => id !== info.id) });
  const stagedKeys = createStagedKeys(vault);
  const lock = createPromiseLock();
  const config = createConfig(createFaultyArea().area, createFaultyArea().area, lock);
  await config.update((data) => ({ ...data, networks: [network], accounts: [MAIN, OTHER] }));
  const { standing, journal, ends } = createStandingStage();
  const requests = createStores('requests', 'entries', new IDBFactory()).strict;
  const approvals = createApprovals(requests, requests);
  const relayer = {
    now: NOW,
    publicKey: { x: '', y: '' } as Point,
    nonce: 3,
    keySeed: '',
    owner: OWNER,
    error: undefined as unknown,
  };
  const asked = { account: 0 };
  const client = createRelayerClient({
    baseUrl: network.baseUrl,
    sleep: async () => {},
    async fetch(input) {
      const url = new URL(String(input));
      if (url.pathname.endsWith('/timestamp')) return Response.json({ timestamp: relayer.now });
      asked.account += 1;
      if (relayer.error) throw relayer.error;
      const { error: _, now: __, ...answer } = relayer;
      const accountId = Number(url.searchParams.get('accountId'));
      return Response.json({ accountId, frozen: false, ...answer });
    },
  });
  const checkExchange = vi.fn(async () => {});
  const ports = {
    lock,
    now: () => NOW,
    uuid: () => 'new request',
    randomBytes: vi.fn((_length: number) => secretOf(2)),
    toUi: vi.fn(),
    toAllPages: vi.fn(async () => {}),
  };
  const signing = { lock, uuid: () => 'signer', randomBytes: () => secretOf(5), connectWallet: nobody };
  const l1Signer = createL1Signer(signing, vault, config);
  const wallet = {
    ...{ approvals, config, journal, l1Signer, ports, stagedKeys, standing, vault },
    relayers: { client: () => client, checkExchange },
    submissions: { check: vi.fn(async () => {}) },
    prepare: vi.fn(async () => {}),
    keyUpdate: {
      make: vi.fn((...of: Parameters<Wallet['keyUpdate']['make']>) => steps.makeKey(wallet as never, ...of)),
      adopt: vi.fn((account, on) => steps.adoptRegistered(wallet as never, account, on)),
      tidy: vi.fn((account, on) => steps.tidyStagedKeys(wallet as never, account, on)),
      discardAbandoned: () => discardAbandoned(wallet as never),
    },
  };
  /** A key update in the journal, for a key that is to be registered. */
  async function update(
    publicKey: Point,
    { account = MAIN, keySeed = '', operation = OPERATION, isSigned = true, nonce = 1, validUntil = END } = {},
  ) {
    const { networkId, accountId } = account;
    const { id } = await journal.reserve({
      ...{ networkId, accountId, origin: SITE, requestId: crypto.randomUUID(), operation, reviewDigest: '0x1' },
      ...{ draft: { publicKey, keySeed, validUntil, nonce }, validUntil },
    });
    if (isSigned) await journal.markSigned(id, { wire: { endpoint: 'updateAccount', bodyText: '{}' } });
    return id;
  }
  const recordOf = async (id: string) => (await journal.list({})).find((record) => record.id === id) as never;
  const request = (id: string, changes: object = {}) =>
    ({
      ...{ version: 1, id, kind: 'operation', stage: 'choosing', origin: SITE, requestIds: ['page'], createdAt: NOW },
      ...{ askedDigest: '0x1', operation: OPERATION, account: MAIN.id },
      ...changes,
    }) as StoredApproval;
  const start = (changes: Partial<Start> = {}) =>
    steps.startKeyUpdate(wallet as never, {
      ...{ account: MAIN, network, approval: null, kind: 'random', feeTokenId: null },
      ...changes,
    });
  const staged = async (account = MAIN.id) => (await stagedKeys.list(account)).map(({ x }) => x);
  return { wallet, relayer, asked, checkExchange, update, recordOf, request, start, staged, ends, ports };
}

const OPEN = { name: 'UiFailure', code: 'key-update-open', key: 'error_keyUpdateOpen' };

let stage: Awaited<ReturnType<typeof createStage>>;
beforeEach(async () => {
  if (!(await vault.isUnlocked())) await vault.unlock(password);
  stage = await createStage();
});
const read = () => stage.wallet.config.read();

/** Approved, and not carried out yet. */
const APPROVED = {
  stage: 'approved',
  draft: { body: {}, shown: {} },
  review: {},
  reviewedAt: 1,
  digest: '0x1',
  decidedAt: 1,
};
const CHOICE = { publicKey: keyOf(3), kind: 'random', keySeed: '', nonce: 1, backedUp: true };

describe('key updates', () => {
  test('are those of one account in the journal', async () => {
    const own = await stage.update(keyOf(2));
    await stage.update(keyOf(2), { account: OTHER });
    await stage.update(keyOf(2), { operation: 'transfer' });
    await stage.update(keyOf(2), { account: { ...MAIN, networkId: 'another' } });
    expect((await keyUpdates(stage.wallet, MAIN)).map(({ id }) => id)).toEqual([own]);
  });

  test('for a key that waits are those that were signed, and name that key', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'random', secretOf(2));
    const own = await stage.update(keyOf(2));
    await stage.update(keyOf(3));
    await stage.update(keyOf(2), { isSigned: false });
    expect((await signedForStaged(stage.wallet, MAIN)).map(({ id }) => id)).toEqual([own]);
  });

  test('the request in progress is the newest of the account that has no end', async () => {
    const { approvals } = stage.wallet;
    expect(await openKeyUpdate(stage.wallet, MAIN.id)).toBeUndefined();
    await approvals.put(stage.request('closed', { stage: 'closed', createdAt: NOW + 5 }));
    await approvals.put(stage.request('transfer', { operation: 'transfer', createdAt: NOW + 4 }));
    await approvals.put(stage.request('other', { account: OTHER.id, createdAt: NOW + 3 }));
    expect(await openKeyUpdate(stage.wallet, MAIN.id)).toBeUndefined();
    await approvals.put(stage.request('approved', { ...APPROVED, createdAt: NOW + 1 }));
    expect(await openKeyUpdate(stage.wallet, MAIN.id)).toMatchObject({ id: 'approved' });
    await approvals.put(stage.request('open', { createdAt: NOW + 2 }));
    expect(await openKeyUpdate(stage.wallet, MAIN.id)).toMatchObject({ id: 'open' });
  });
});

describe('a new key', () => {
  const make = (kind: 'random' | 'derived', account = MAIN, publicKey: Point = { x: '', y: '' }) =>
    steps.makeKey(stage.wallet as never, account, network, kind, { nonce: 3, publicKey } as never);

  test('of random bytes has no seed, is staged under its kind when it is to be, and is wiped', async () => {
    const bytes = secretOf(2);
    stage.ports.randomBytes.mockReturnValue(bytes);
    const made = await make('random');
    expect(made.choice).toEqual({ publicKey: keyOf(2), kind: 'random', keySeed: '', nonce: 3, backedUp: false });
    expect(await stage.staged()).toEqual([]);
    await made.stage();
    expect(await stage.wallet.stagedKeys.find(MAIN.id, keyOf(2).x)).toMatchObject({ kind: 'random' });
    made.wipe();
    expect(bytes).toEqual(new Uint8Array(32));
  });

  test('that is derived comes from the owner’s signature over the text for the nonce', async () => {
    const { address: owner, id: signer } = await stage.wallet.l1Signer.import(`0x${'11'.repeat(32)}`);
    const signText = vi.spyOn(stage.wallet.l1Signer, 'signText');
    const made = await make('derived', { ...MAIN, owner, signer });
    const keySeed = keySeedText(network.exchangeAddress, 3);
    expect(made.choice).toMatchObject({ kind: 'derived', keySeed, nonce: 3 });
    expect(signText).toHaveBeenCalledWith(signer, keySeed);
    const signatures = await Promise.all(signText.mock.results.map(({ value }) => value));
    expect(signatures).toEqual([new Uint8Array(65), new Uint8Array(65)]);
    await made.stage();
    expect(await stage.wallet.stagedKeys.list(MAIN.id)).toMatchObject([
      { kind: 'derived', x: made.choice.publicKey.x },
    ]);
    expect(stage.ports.randomBytes).not.toHaveBeenCalled();
  });

  test('that is registered already is none', async () => {
    const bytes = secretOf(2);
    stage.ports.randomBytes.mockReturnValue(bytes);
    const made = make('random', MAIN, keyOf(2));
    await expect(made).rejects.toMatchObject({ name: 'UiFailure', code: 'key-unchanged', key: 'error_keyUnchanged' });
    expect(bytes).toEqual(new Uint8Array(32));
  });

  test('may be the account’s own, when the relayer reports another since it was restored', async () => {
    stage.ports.randomBytes.mockReturnValue(secretOf(2));
    const made = await make('random', { ...MAIN, publicKey: keyOf(2) }, keyOf(3));
    expect(made.choice).toMatchObject({ publicKey: keyOf(2), nonce: 3 });
  });
});

describe('a key update is begun', () => {
  test('with a request of the user’s own, whose key is in the vault', async () => {
    const bytes = secretOf(2);
    stage.ports.randomBytes.mockReturnValue(bytes);
    expect(await stage.start()).toBe('new request');
    expect(await stage.wallet.approvals.get('new request')).toEqual({
      ...{ version: 1, id: 'new request', kind: 'operation', stage: 'waiting', origin: OWN_ORIGIN, requestIds: [] },
      ...{ createdAt: NOW, askedDigest: expect.stringMatching(/^0x[0-9a-f]{64}$/), operation: OPERATION },
      ...{ account: MAIN.id, intent: {} },
      choice: { publicKey: keyOf(2), kind: 'random', keySeed: '', nonce: 3, backedUp: false },
    });
    expect(await stage.staged()).toEqual([keyOf(2).x]);
    expect(bytes).toEqual(new Uint8Array(32));
    expect(stage.checkExchange).toHaveBeenCalledWith(network);
    expect(stage.wallet.prepare).toHaveBeenCalledWith('new request');
    expect(stage.wallet.keyUpdate.tidy).toHaveBeenCalledWith(MAIN, network);
  });

  test('not while an older one is approved and not signed yet, whatever a site asks since', async () => {
    const { approvals } = stage.wallet;
    await approvals.put(stage.request('approved', { ...APPROVED, createdAt: NOW + 1 }));
    await approvals.put(stage.request('of site', { createdAt: NOW + 2 }));
    await expect(stage.start({ approval: 'of site' })).rejects.toMatchObject({ code: 'key-update-open' });
    expect(await stage.staged()).toEqual([]);
  });

  test('in the request of the site, which keeps what it asked', async () => {
    const { approvals } = stage.wallet;
    const problem = { key: 'problem_refused' };
    await approvals.put(stage.request('of site', { intent: { feeTokenId: 0, memo: 'hello' }, problem }));
    expect(await stage.start({ approval: 'of site', feeTokenId: 1 })).toBe('of site');
    const { problem: _, ...asked } = stage.request('of site');
    expect(await approvals.get('of site')).toEqual({
      ...{ ...asked, stage: 'waiting', intent: { feeTokenId: 1, memo: 'hello' } },
      choice: { publicKey: keyOf(2), kind: 'random', keySeed: '', nonce: 3, backedUp: false },
    });
    expect(await approvals.unsettled()).toHaveLength(1);
  });

  test('in no request that ends as its key is stored', async () => {
    const { approvals } = stage.wallet;
    await approvals.put(stage.request('of site'));
    const { update } = approvals;
    vi.spyOn(approvals, 'update').mockImplementation(async (id, change) => {
      await update(id, (current) => ({ ...current, stage: 'closed' }) as StoredApproval);
      return update(id, change);
    });
    await stage.start({ approval: 'of site' });
    expect(await approvals.get('of site')).toEqual(stage.request('of site', { stage: 'closed' }));
  });

  test('again with the random key that was written down, for the nonce of now', async () => {
    const { approvals, stagedKeys } = stage.wallet;
    await stagedKeys.put(MAIN.id, 'random', secretOf(3));
    await approvals.put(stage.request('again', { choice: CHOICE }));
    await stage.start({ approval: 'again' });
    expect((await approvals.get('again'))?.choice).toEqual({ ...CHOICE, nonce: 3 });
    expect(stage.ports.randomBytes).not.toHaveBeenCalled();
    expect(await stage.staged()).toEqual([keyOf(3).x]);
  });

  test.each([
    ['a derived key before', { ...CHOICE, kind: 'derived', keySeed: 'seed' }, 'random'],
    ['a random key before, and a derived one now', CHOICE, 'derived'],
    ['no key before', undefined, 'random'],
    ['a random key that is in the vault no longer', CHOICE, 'random'],
  ] as const)('again with another key after %s', async (_what, choice, kind) => {
    const { approvals, l1Signer } = stage.wallet;
    const { address: owner, id: signer } = await l1Signer.import(`0x${'11'.repeat(32)}`);
    const account = {
      ...MAIN,
      signer,
      smart: { kind: 'counterfactual', walletFactory: OWNER, walletOwner: owner, walletSalt: '0' },
    } as const;
    await approvals.put(stage.request('again', { choice }));
    await stage.start({ approval: 'again', kind, account });
    const next = (await approvals.get('again'))?.choice;
    expect(next).toMatchObject({ kind, backedUp: false, nonce: 3 });
    expect(next?.publicKey.x).not.toBe(keyOf(3).x);
  });

  test('once for an account: another request of the user’s own is closed, that of a site or for another account is not', async () => {
    const { approvals } = stage.wallet;
    await approvals.put(stage.request('own', { origin: OWN_ORIGIN }));
    await approvals.put(stage.request('of site'));
    await approvals.put(stage.request('other', { origin: OWN_ORIGIN, account: OTHER.id }));
    await approvals.put(stage.request('carried out', { ...APPROVED, origin: OWN_ORIGIN, operation: 'transfer' }));
    await stage.start();
    expect(await approvals.get('own')).toMatchObject({ stage: 'closed', decidedAt: NOW });
    expect((await approvals.unsettled()).map(({ id }) => id).sort()).toEqual([
      ...['carried out', 'new request', 'of site', 'other'],
    ]);
    expect(await approvals.get('carried out')).toMatchObject({ stage: 'approved' });
  });

  test('and what is approved meanwhile, or is none of key updates, is not closed', async () => {
    const { approvals } = stage.wallet;
    await approvals.put(stage.request('transfer', { origin: OWN_ORIGIN, operation: 'transfer' }));
    await approvals.put(stage.request('approved', { origin: OWN_ORIGIN }));
    const { unsettled } = approvals;
    // Approved right after each look at what is in progress.
    vi.spyOn(approvals, 'unsettled').mockImplementation(async () => {
      const seen = await unsettled();
      if (seen.some(({ id }) => id === 'new request'))
        for (const stage of ['waiting', APPROVED.stage])
          await approvals.update('approved', (current) => ({ ...current, ...APPROVED, stage }) as StoredApproval);
      return seen;
    });
    await stage.start();
    expect(await approvals.get('transfer')).toMatchObject({ stage: 'choosing' });
    expect(await approvals.get('approved')).toMatchObject({ stage: 'approved' });
  });

  test('and prepared also when the relayer does not say which keys may go', async () => {
    stage.wallet.keyUpdate.tidy.mockRejectedValue(new Error('no answer'));
    expect(await stage.start()).toBe('new request');
    expect(stage.wallet.prepare).toHaveBeenCalledOnce();
  });
});

test('a key that is chosen while another one is found to be written down is not', async () => {
  const { approvals, stagedKeys } = stage.wallet;
  await stagedKeys.put(MAIN.id, 'random', secretOf(2));
  const choice = { ...CHOICE, publicKey: keyOf(2), backedUp: false };
  await approvals.put(stage.request('asked', { choice }));
  const meanwhile: (() => Promise<unknown>)[] = [];
  const wallet = {
    ...stage.wallet,
    keyUse: { signatures: async () => 0 },
    viewOf: async () => null,
    stagedKeys: {
      ...stagedKeys,
      async use(...of: Parameters<typeof stagedKeys.use>) {
        const proven = await stagedKeys.use(...of);
        await meanwhile.shift()?.();
        return proven;
      },
    },
  } as never;
  const shown = { lastDigits: keyText(secretOf(2)).slice(-6) };
  const confirm = () => keyUpdateHandlers.confirmBackup(wallet, { approval: 'asked', shown });
  const chosen = async () => (await approvals.get('asked'))?.choice;
  meanwhile.push(() => approvals.put(stage.request('asked', { choice: { ...choice, publicKey: keyOf(3) } })));
  await confirm();
  expect(await chosen()).toMatchObject({ publicKey: keyOf(3), backedUp: false });
  await approvals.put(stage.request('asked', { choice }));
  await confirm();
  expect(await chosen()).toMatchObject({ publicKey: keyOf(2), backedUp: true });
});

describe('no key update is begun', () => {
  const GONE = { name: 'UiFailure', code: 'approval-gone', key: 'error_approvalGone' };

  test('while another is approved', async () => {
    await stage.wallet.approvals.put(stage.request('before', APPROVED));
    await expect(stage.start()).rejects.toMatchObject(OPEN);
    expect(stage.asked.account).toBe(0);
  });

  test('while the end of another is not known; one with an end does not count', async () => {
    const id = await stage.update(keyOf(3));
    await expect(stage.start()).rejects.toMatchObject(OPEN);
    await stage.wallet.journal.markFinal(id, 'processed');
    await stage.start();
  });

  test('when another was approved while the owner’s wallet was asked; the key is wiped and not stored', async () => {
    const bytes = secretOf(2);
    stage.ports.randomBytes.mockImplementation(() => {
      void stage.wallet.approvals.put(stage.request('meanwhile', APPROVED));
      return bytes;
    });
    await expect(stage.start()).rejects.toMatchObject(OPEN);
    expect(bytes).toEqual(new Uint8Array(32));
    expect(await stage.staged()).toEqual([]);
  });

  test.each([
    ['that is not known', undefined],
    ['that has its end', { stage: 'closed' }],
    ['of another operation', { operation: 'transfer' }],
  ])('for a request %s', async (_what, changes) => {
    if (changes) await stage.wallet.approvals.put(stage.request('asked', changes));
    await expect(stage.start({ approval: 'asked' })).rejects.toMatchObject(GONE);
    expect(stage.asked.account).toBe(0);
  });

  test('where the relayer is not that of the exchange', async () => {
    stage.checkExchange.mockRejectedValue(new UiFailure('another exchange', 'error'));
    await expect(stage.start()).rejects.toMatchObject({ code: 'another exchange' });
    expect(stage.asked.account).toBe(0);
  });
});

describe('a registered key', () => {
  const registered = async (id: string) => steps.keyRegistered(stage.wallet as never, await stage.recordOf(id));
  const processed = async (of: Parameters<typeof stage.update>[1] = {}, publicKey = keyOf(2)) => {
    const id = await stage.update(publicKey, of);
    await stage.wallet.journal.markFinal(id, 'processed');
    stage.relayer.publicKey = publicKey;
    return id;
  };
  const held = (account = MAIN.id) =>
    vault.withSecret(eddsaRecord(account), (bytes) => hexPoint(getPublicKey(Uint8Array.from(bytes))));

  test('takes the place of the old one in the vault and in its account, and ends what was approved for that', async () => {
    const { standing, stagedKeys } = stage.wallet;
    await standing.open(standingOf('own', { account: MAIN.id }));
    await standing.open(standingOf('other', { account: OTHER.id }));
    await vault.putSecret({ id: eddsaRecord(MAIN.id), account: MAIN.id, kind: 'eddsa-key' }, secretOf(9));
    await vault.putSecret({ id: apiKeyRecord(MAIN.id), account: MAIN.id, kind: 'api-key' }, secretOf(9));
    await stagedKeys.put(MAIN.id, 'random', secretOf(2));
    await registered(await processed({ keySeed: 'not of a random key' }));
    expect(await held()).toEqual(keyOf(2));
    expect(await vault.hasSecret(apiKeyRecord(MAIN.id))).toBe(false);
    const key = { kind: 'random', since: NOW };
    expect((await read()).accounts).toEqual([{ ...MAIN, publicKey: keyOf(2), keySeed: '', key }, OTHER]);
    expect((await read()).selectedAccount).toBe(MAIN.id);
    expect(await stage.ends()).toEqual(
      expect.arrayContaining([
        ['own', 'key'],
        ['other', null],
      ]),
    );
    expect(await stage.staged()).toEqual([]);
    expect(stage.ports.toUi).toHaveBeenCalled();
  });

  test('that was derived keeps the text that it came from', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'derived', secretOf(2));
    await registered(await processed({ keySeed: 'seed' }));
    expect((await read()).accounts[0]).toMatchObject({ keySeed: 'seed', key: { kind: 'derived', since: NOW } });
  });

  test('without a record has the text that the relayer names, as far as a key update could name it', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'derived', secretOf(2));
    Object.assign(stage.relayer, { publicKey: keyOf(2), keySeed: 'x'.repeat(5_000) });
    expect(await steps.adoptRegistered(stage.wallet as never, MAIN, network)).toBe(true);
    expect((await read()).accounts[0]?.keySeed).toBe('x'.repeat(1_024));
  });

  test('of another owner’s account is none, and no other is made for that', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'random', secretOf(2));
    const first = await processed();
    stage.relayer.owner = `0x${'d'.repeat(40)}`;
    for (const work of [() => registered(first), () => stage.start()])
      await expect(work()).rejects.toMatchObject({ code: 'relayer-unreadable' });
    expect((await read()).accounts).toEqual([MAIN, OTHER]);
    expect(await stage.staged()).toEqual([keyOf(2).x]);
  });

  test.each([
    ['seed', 'derived'],
    ['', 'random'],
  ])('of an earlier version is told by its text “%s”: %s', async (keySeed, kind) => {
    const info = { id: `pending:${MAIN.id}:${keyOf(2).x}`, account: MAIN.id, kind: 'pending-eddsa-key' } as const;
    await vault.putSecret(info, secretOf(2));
    await registered(await processed({ keySeed }));
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2), keySeed, key: { kind } });
  });

  test('brings a claimed account into use, and another account stays the selected one', async () => {
    const { config, stagedKeys } = stage.wallet;
    const another = accountOf(10);
    await config.update((data) => ({
      ...data,
      ...{ accounts: [OTHER], claimed: [MAIN, another], selectedAccount: OTHER.id },
    }));
    await stagedKeys.put(MAIN.id, 'random', secretOf(2));
    await registered(await processed());
    const { accounts, claimed, selectedAccount } = await read();
    expect(accounts).toMatchObject([OTHER, { id: MAIN.id, publicKey: keyOf(2) }]);
    expect(claimed).toEqual([another]);
    expect(selectedAccount).toBe(OTHER.id);
  });

  test('that the account has already keeps the time since when', async () => {
    const { config, stagedKeys } = stage.wallet;
    const key = { kind: 'imported', since: 5 } as const;
    await config.update((data) => ({ ...data, accounts: [{ ...MAIN, publicKey: keyOf(2), key }] }));
    await stagedKeys.put(MAIN.id, 'random', secretOf(2));
    await registered(await processed());
    expect((await read()).accounts[0]).toMatchObject({ keySeed: MAIN.keySeed, key });
    expect(await stage.staged()).toEqual([]);
  });

  test('is one of a key update that was carried out, for an account that is here, and staged', async () => {
    const { stagedKeys } = stage.wallet;
    await stagedKeys.put(MAIN.id, 'random', secretOf(2));
    await registered(await stage.update(keyOf(2)));
    expect(stage.asked.account).toBe(0);
    await registered(await processed({ account: accountOf(11) }));
    await registered(await processed({}, keyOf(4)));
    await stage.wallet.config.update((data) => ({ ...data, networks: [] }));
    await registered(await processed());
    expect(await stage.staged()).toEqual([keyOf(2).x]);
    expect((await read()).accounts).toEqual([MAIN, OTHER]);
    expect(stage.ports.toUi).not.toHaveBeenCalled();
  });

  test('is only what the relayer has now, and never one that a later key update has replaced', async () => {
    const { stagedKeys } = stage.wallet;
    await stagedKeys.put(MAIN.id, 'imported', secretOf(2));
    const first = await processed();
    stage.relayer.publicKey = keyOf(4);
    await registered(first);
    stage.relayer.error = new TypeError('Failed to fetch');
    await expect(registered(first)).rejects.toBeInstanceOf(RelayerClientError);
    stage.relayer.error = undefined;
    await processed({ nonce: 2 }, MAIN.publicKey);
    await stagedKeys.put(MAIN.id, 'random', secretOf(3));
    const refused = await stage.update(keyOf(3), { nonce: 2 });
    await stage.wallet.journal.markRefused(refused, { code: 102_021, message: 'no', outcome: 'refused' });
    // The relayer says that the earlier key is back, then that the refused one took the nonce.
    stage.relayer.publicKey = keyOf(2);
    await registered(first);
    expect(await steps.adoptRegistered(stage.wallet as never, MAIN, network)).toBe(false);
    expect((await read()).accounts).toEqual([MAIN, OTHER]);
    expect((await stage.staged()).sort()).toEqual([keyOf(2).x, keyOf(3).x].sort());
    stage.relayer.publicKey = keyOf(3);
    expect(await steps.adoptRegistered(stage.wallet as never, MAIN, network)).toBe(true);
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(3) });
    expect(await stage.staged()).toEqual([keyOf(2).x]);
  });

  test('does not come back by an earlier refusal of a request that was processed and replaced', async () => {
    const { journal, stagedKeys } = stage.wallet;
    await stagedKeys.put(MAIN.id, 'random', secretOf(3));
    const refuse = async (id: string) => journal.markRefused(id, { code: 102_021, message: 'no', outcome: 'refused' });
    await refuse(await stage.update(keyOf(3), { nonce: 4 }));
    await processed({ nonce: 5 }, keyOf(3));
    await processed({ nonce: 6 }, keyOf(4));
    stage.relayer.publicKey = keyOf(3);
    const adopt = () => steps.adoptRegistered(stage.wallet as never, MAIN, network);
    expect(await adopt()).toBe(false);
    // Another request for the same key may be carried out.
    await refuse(await stage.update(keyOf(3), { nonce: 6 }));
    expect(await adopt()).toBe(true);
  });

  test('of the last key update counts also when its nonce is lower, as at a relayer that was set up anew', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'random', secretOf(2));
    await processed({ nonce: 5 }, MAIN.publicKey);
    await registered(await processed());
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2) });
  });

  describe('without a record', () => {
    const adopt = () => steps.adoptRegistered(stage.wallet as never, MAIN, network);

    test('is taken over when it is staged', async () => {
      await stage.wallet.stagedKeys.put(MAIN.id, 'derived', secretOf(2));
      Object.assign(stage.relayer, { publicKey: keyOf(2), keySeed: 'seed' });
      expect(await adopt()).toBe(true);
      expect(await held()).toEqual(keyOf(2));
      expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2), keySeed: 'seed' });
    });

    test('is not when none or another one is', async () => {
      await stage.wallet.stagedKeys.put(MAIN.id, 'derived', secretOf(2));
      expect(await adopt()).toBe(false);
      stage.relayer.publicKey = keyOf(4);
      expect(await adopt()).toBe(false);
      expect((await read()).accounts).toEqual([MAIN, OTHER]);
    });
  });
});

describe('unused keys are looked for', () => {
  const tidy = () => stage.wallet.keyUpdate.tidy;
  const ended = async (id: string) => steps.keyUpdateEnded(stage.wallet as never, await stage.recordOf(id));

  test('at the end of a key update of an account that is here', async () => {
    const { journal, config } = stage.wallet;
    const id = await stage.update(keyOf(2));
    await ended(id);
    const unknown = await stage.update(keyOf(2), { account: accountOf(11) });
    await journal.markFinal(unknown, 'processed');
    await ended(unknown);
    expect(tidy()).not.toHaveBeenCalled();
    await journal.markRefused(id, { code: 102_021, message: 'no', outcome: 'refused' });
    await ended(id);
    expect(tidy().mock.calls).toEqual([[MAIN, network]]);
    await config.update((data) => ({ ...data, networks: [] }));
    await ended(id);
    expect(tidy()).toHaveBeenCalledOnce();
  });

  test('at the end of an approval with a key, while the wallet is unlocked', async () => {
    const { config } = stage.wallet;
    const release = (approval: StoredApproval) => steps.releaseKey(stage.wallet as never, approval);
    const withKey = stage.request('ended', { choice: CHOICE, stage: 'closed' });
    await release(stage.request('ended', { stage: 'closed' }));
    await release({ ...withKey, account: 'net:11' } as StoredApproval);
    await vault.lock();
    await release(withKey);
    expect(tidy()).not.toHaveBeenCalled();
    await vault.unlock(password);
    await release(withKey);
    expect(tidy().mock.calls).toEqual([[MAIN, network]]);
    await config.update((data) => ({ ...data, networks: [] }));
    await release(withKey);
    expect(tidy()).toHaveBeenCalledOnce();
  });

  test.each([true, false])(
    'when a key was given by hand, and what was approved ends if it is another one: %s',
    async (isReplaced) => {
      const { standing, stagedKeys } = stage.wallet;
      await standing.open(standingOf('own', { account: MAIN.id }));
      await standing.open(standingOf('other', { account: OTHER.id }));
      for (const seed of [9, 3]) await stagedKeys.put(MAIN.id, 'random', secretOf(seed));
      tidy().mockRejectedValue(new Error('no answer'));
      await steps.keyPlaced(stage.wallet as never, MAIN, network, isReplaced);
      expect(await stage.staged()).toEqual([keyOf(3).x]);
      expect(Object.fromEntries(await stage.ends())).toEqual({ own: isReplaced ? 'key' : null, other: null });
      expect(tidy().mock.calls).toEqual([[MAIN, network]]);
    },
  );
});

describe('at a start', () => {
  const finish = () => steps.finishKeyUpdates(stage.wallet as never);
  const stageOne = (account = MAIN, seed = 2) => stage.wallet.stagedKeys.put(account.id, 'random', secretOf(seed));

  test('nobody is asked when no key is staged, or only one of an account or network that is gone', async () => {
    await finish();
    await stageOne(accountOf(11));
    await stageOne(accountOf(12));
    await stage.wallet.config.update((data) => ({ ...data, accounts: [{ ...accountOf(12), networkId: 'gone' }] }));
    await finish();
    expect(stage.asked.account).toBe(0);
  });

  test('a key whose registration was seen takes its place when the relayer still has it, and it is asked once', async () => {
    await stageOne();
    await stage.wallet.journal.markFinal(await stage.update(keyOf(2)), 'processed');
    stage.relayer.publicKey = keyOf(2);
    await finish();
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2) });
    expect(stage.asked.account).toBe(1);
  });

  test('a key update without an end is left to its submission', async () => {
    await stageOne();
    await stageOne(MAIN, 3);
    await stage.update(keyOf(2));
    await stage.wallet.journal.markFinal(await stage.update(keyOf(4)), 'processed');
    await finish();
    expect(stage.asked.account).toBe(0);
    expect(await stage.staged()).toHaveLength(2);
  });

  test('the relayer is asked about a key whose key update has failed', async () => {
    await stageOne();
    await stage.wallet.journal.markFinal(await stage.update(keyOf(2)), 'failed');
    stage.relayer.publicKey = keyOf(2);
    await finish();
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2) });
  });

  test('what the relayer has is taken over before anything is removed', async () => {
    await stageOne();
    await stageOne(MAIN, 3);
    stage.relayer.publicKey = keyOf(2);
    await finish();
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2) });
    expect(stage.wallet.keyUpdate.tidy).not.toHaveBeenCalled();
    expect(await stage.staged()).toEqual([keyOf(3).x]);
    stage.relayer.publicKey = keyOf(5);
    await finish();
    expect(await stage.staged()).toEqual([]);
  });

  test.each([
    ['the relayer does not answer', () => Object.assign(stage.relayer, { error: new TypeError('Failed to fetch') })],
    ['the wallet is locked', () => vault.lock()],
    ['another exchange answers', () => stage.checkExchange.mockRejectedValueOnce(new UiFailure('other', 'error'))],
  ])('the next account has its turn when %s', async (_what, happens) => {
    await stageOne();
    await stageOne(OTHER);
    stage.relayer.publicKey = keyOf(5);
    await happens();
    await finish();
    expect(stage.wallet.keyUpdate.adopt.mock.calls.map(([{ id }]) => id).sort()).toEqual([MAIN.id, OTHER.id]);
  });

  test('a failure of the wallet itself is not passed over', async () => {
    await stageOne();
    stage.wallet.keyUpdate.adopt.mockRejectedValueOnce(new Error('a fault'));
    await expect(finish()).rejects.toThrow('a fault');
    stage.wallet.keyUpdate.adopt.mockRejectedValueOnce(new VaultError('locked'));
    await finish();
  });
});

describe('a key whose account was never added', () => {
  const gone = accountOf(11);
  const put = (kind: 'derived' | 'random' | 'imported', account = gone, seed = 2) =>
    stage.wallet.stagedKeys.put(account.id, kind, secretOf(seed));
  const discard = () => discardAbandoned(stage.wallet as never);
  let now: MockInstance<() => number>;
  beforeEach(() => {
    now = vi.spyOn(stage.ports, 'now').mockReturnValue(Date.UTC(2100, 0));
  });
  const kinds = async () => (await vault.listSecrets()).filter(({ id }) => id !== info.id).map(({ kind }) => kind);

  test.each(['derived', 'imported'] as const)('goes when it was %s', async (kind) => {
    await put(kind);
    await put(kind, MAIN, 3);
    await stage.wallet.config.update((data) => ({ ...data, claimed: [accountOf(12)] }));
    await put(kind, accountOf(12), 4);
    await discard();
    expect((await stage.wallet.stagedKeys.list()).map(({ account }) => account)).toEqual([MAIN.id, 'net:12']);
  });

  test('goes from its place too, where an addition was stopped; another key there stays', async () => {
    await stage.wallet.stagedKeys.promote(gone.id, await put('derived'));
    await vault.putSecret({ id: apiKeyRecord(gone.id), account: gone.id, kind: 'api-key' }, secretOf(9));
    await vault.putSecret({ id: eddsaRecord('net:12'), account: 'net:12', kind: 'eddsa-key' }, secretOf(9));
    await put('derived', accountOf(12), 3);
    await discard();
    expect((await vault.listSecrets()).map(({ id }) => id)).toEqual([info.id, eddsaRecord('net:12')]);
  });

  test('stays for a day, unless its network is gone', async () => {
    await put('derived');
    const { createdAt } = (await vault.listSecrets()).find(({ account }) => account === gone.id) ?? { createdAt: 0 };
    now.mockReturnValue(createdAt + 86_399_999);
    await discard();
    await steps.finishKeyUpdates(stage.wallet as never);
    expect(await kinds()).toEqual(['pending-eddsa-key']);
    now.mockReturnValue(createdAt + 86_400_000);
    await steps.finishKeyUpdates(stage.wallet as never);
    expect(await kinds()).toEqual([]);
    await put('derived');
    now.mockReturnValue(createdAt);
    await stage.wallet.config.update((data) => ({ ...data, networks: [] }));
    await discard();
    expect(await kinds()).toEqual([]);
  });

  test.each([
    ['it was random, and may exist nowhere else', () => put('random')],
    [
      'an approval asks with it',
      async () => {
        const choice = { publicKey: await put('derived'), kind: 'derived', keySeed: '', nonce: 3, backedUp: false };
        await stage.wallet.approvals.put(stage.request('asks', { account: gone.id, choice }));
      },
    ],
    [
      'a record names it, whatever was answered',
      async () => {
        const id = await stage.update(await put('derived'), { account: gone });
        await stage.wallet.journal.markFinal(id, 'failed');
      },
    ],
    [
      'a backup was restored, which brings no records',
      async () => {
        await put('derived');
        await stage.wallet.config.update((data) => ({ ...data, restoredAt: stage.ports.now() - 86_400_000 }));
      },
    ],
    [
      'a record cannot be read',
      async () => {
        await put('derived');
        vi.spyOn(stage.wallet.journal, 'everything').mockResolvedValue({ records: [], damaged: ['one'] });
      },
    ],
    [
      'the list of accounts cannot be read whole',
      async () => {
        await put('derived');
        vi.spyOn(stage.wallet.config, 'isWhole').mockResolvedValue(false);
      },
    ],
    [
      'its account is added meanwhile',
      async () => {
        await put('derived');
        const { lock } = stage.ports;
        vi.spyOn(stage.ports, 'lock').mockImplementationOnce(async (name, work) => {
          await stage.wallet.config.update((data) => ({ ...data, accounts: [...data.accounts, gone] }));
          return lock(name, work);
        });
      },
    ],
  ])('stays when %s', async (_why, happens) => {
    await happens();
    await discard();
    expect(await kinds()).toEqual(['pending-eddsa-key']);
  });
});

describe('claimed accounts are forgotten', () => {
  const [first, second, stays] = [accountOf(11), accountOf(12), accountOf(14)];
  const endRights = async (account: string) => {
    const { approvals } = stage.wallet;
    for (const { id } of (await approvals.unsettled()).filter((one) => one.account === account))
      await approvals.update(id, (current) => ({ ...current, stage: 'closed', decidedAt: NOW }) as StoredApproval);
  };
  const isMeant = ({ id }: StoredAccount) => id === first.id || id === second.id;
  const release = () => steps.releaseClaims(stage.wallet as never, isMeant, endRights);
  const claimed = async () => (await read()).claimed;
  beforeEach(() => stage.wallet.config.update((data) => ({ ...data, claimed: [first, second, stays] })));

  test('all that are meant, and no other', async () => {
    await stage.wallet.journal.markFinal(await stage.update(keyOf(2), { account: first }), 'processed');
    expect(await release()).toBe(0);
    expect(await claimed()).toEqual([stays]);
  });

  const staged = async () => (await stage.wallet.stagedKeys.list()).map(({ account, x }) => [account, x]);

  test('with the keys that were made for them, also one that is asked about, but not the registered one', async () => {
    const { approvals, stagedKeys } = stage.wallet;
    const made = await stagedKeys.put(first.id, 'random', secretOf(2));
    await stagedKeys.put(second.id, 'random', secretOf(3));
    await stagedKeys.put(stays.id, 'random', secretOf(4));
    stage.relayer.publicKey = keyOf(3);
    const choice = { publicKey: made, kind: 'random', keySeed: '', nonce: 3, backedUp: false };
    await approvals.put(stage.request('asks', { account: first.id, choice }));
    await approvals.put(stage.request('stays', { account: stays.id }));
    expect(await release()).toBe(0);
    expect((await approvals.unsettled()).map(({ id }) => id)).toEqual(['stays']);
    expect(await staged()).toEqual([
      [second.id, keyOf(3).x],
      [stays.id, keyOf(4).x],
    ]);
  });

  test('and their keys stay while records may be missing, or the relayer does not answer', async () => {
    await stage.wallet.stagedKeys.put(first.id, 'random', secretOf(2));
    stage.relayer.error = new TypeError('fetch failed');
    expect(await release()).toBe(0);
    expect(await staged()).toHaveLength(1);
    stage.relayer.error = undefined;
    await stage.wallet.config.update((data) => ({ ...data, claimed: [first], restoredAt: NOW }));
    expect(await release()).toBe(0);
    expect(await staged()).toHaveLength(1);
    expect(await claimed()).toEqual([]);
  });

  test('but none while a key update of one has no end, or an account with a key is meant', async () => {
    await stage.update(keyOf(2), { account: second });
    await expect(release()).rejects.toMatchObject(OPEN);
    await stage.wallet.config.update((data) => ({ ...data, accounts: [MAIN, first] }));
    expect(await release()).toBe(1);
    expect(await claimed()).toEqual([first, second, stays]);
  });

  test('but none while a key that was signed for may be registered after a refusal, until a day after its end', async () => {
    const { journal, stagedKeys } = stage.wallet;
    await stagedKeys.put(first.id, 'random', secretOf(2));
    const id = await stage.update(keyOf(2), { account: first });
    await journal.markRefused(id, { code: 102_021, message: 'no', outcome: 'refused' });
    const earlier = await stage.update(keyOf(2), { account: first, validUntil: NOW / 1000 - 86_400 });
    await journal.markRefused(earlier, { code: 102_021, message: 'no', outcome: 'refused' });
    await expect(release()).rejects.toMatchObject(OPEN);
    const now = vi.spyOn(stage.ports, 'now').mockReturnValue((END + 86_400) * 1000);
    stage.relayer.now = now() - 1;
    await expect(release()).rejects.toMatchObject(OPEN);
    expect(await claimed()).toEqual([first, second, stays]);
    stage.relayer.now = now();
    expect(await release()).toBe(0);
    expect(await claimed()).toEqual([stays]);
  });
});

describe('before anything else is signed', () => {
  const settle = () => steps.settleKeyUpdate(stage.wallet as never, MAIN);

  test('a key update without an end is asked about, and one with an end is applied', async () => {
    await stage.wallet.stagedKeys.put(MAIN.id, 'random', secretOf(2));
    const open = await stage.update(keyOf(3));
    await stage.update(keyOf(4), { isSigned: false });
    const final = await stage.update(keyOf(2));
    await stage.wallet.journal.markFinal(final, 'processed');
    stage.relayer.publicKey = keyOf(2);
    await settle();
    expect(stage.wallet.submissions.check.mock.calls).toEqual([[open]]);
    expect(stage.wallet.keyUpdate.adopt).toHaveBeenCalledTimes(1);
    expect((await read()).accounts[0]).toMatchObject({ publicKey: keyOf(2) });
  });

  test('nothing is looked at when no key of the account is staged', async () => {
    await stage.wallet.stagedKeys.put(OTHER.id, 'random', secretOf(2));
    await stage.update(keyOf(3));
    await settle();
    expect(stage.wallet.submissions.check).not.toHaveBeenCalled();
  });
});
