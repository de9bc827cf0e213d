import { generatePrivateKey } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { openAccount } from '../../scripts/demo/openAccount.ts';
import { DEVELOPMENT_EXCHANGE } from '../../src/relayer/config.ts';
import { fund } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { standingOf } from './standingStage.ts';
import {
  approveFirstKey,
  approveOrder,
  askFirstKey,
  EXTENSION,
  firstKeyInUse,
  openOther,
  PASSWORD,
  replaceKeyElsewhere,
  restoredElsewhere,
  resultOf,
  secretsOf,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();
/** For what changes nothing at the relayer. */
const opened = await openOther(relayer);

type Inner = ReturnType<WalletHarness['background']>['wallet'];

async function freshWallet() {
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: `${relayer.url}/`, name: 'Development' });
  return { wallet, networkId: network.id, network };
}

test('a new key: no account, then an account without a key, then activated, then added', async () => {
  const { wallet, networkId } = await freshWallet();
  const { signer, address } = await wallet.ui('generateSigner', {});
  expect(await wallet.ui('findAccount', { networkId, owner: address })).toEqual({ status: 'absent', owner: address });
  expect(await wallet.uiAnswer('deriveKey', { networkId, signer })).toMatchObject({
    ok: false,
    error: { code: 'account-absent' },
  });

  await fund(relayer, address);
  const found = await wallet.ui('findAccount', { networkId, owner: address });
  expect(found).toEqual({
    status: 'unregistered',
    owner: address,
    smart: null,
    accountId: expect.any(Number),
    nonce: 0,
  });
  if (found.status !== 'unregistered') throw new Error('the account has a key');
  expect(await wallet.uiAnswer('addAccount', { networkId, signer, label: 'Main' })).toMatchObject({
    ok: false,
    error: { code: 'key-mismatch' },
  });

  const asked = await askFirstKey(wallet, { networkId, signer });
  const { review } = asked.approval;
  expect(review?.sentence).toEqual({
    key: 'review_firstKey',
    values: { account: { kind: 'integer', value: found.accountId } },
  });
  // There is no key that ends, and no order that ends with it.
  expect(review?.rows.map(({ label }) => label.key)).toEqual([
    'review_newKey',
    'review_fee',
    'review_expires',
    'review_nonce',
  ]);
  expect(review?.warnings.map(({ rule }) => rule)).not.toContain('orders-end');
  expect((await wallet.ui('getState', {})).accounts).toEqual([]);
  expect(await approveFirstKey(wallet, asked)).toMatchObject({ ok: true });
  const account = await firstKeyInUse(wallet, asked);
  const [record] = await wallet.background().wallet.journal.list();
  expect(record).toMatchObject({
    operation: 'updateAccountKey',
    state: 'processed',
    requestId: asked.approval.id,
    reviewDigest: asked.approval.digest,
    draft: { nonce: 0, keySeed: expect.stringMatching(/with key nonce: 0$/) },
  });
  expect(account).toMatchObject({
    owner: address,
    accountId: found.accountId,
    label: 'Main',
    publicKey: asked.newKey.publicKey,
  });
  const registered = { status: 'registered', nonce: 1, publicKey: account.publicKey };
  expect(await wallet.ui('findAccount', { networkId, owner: address })).toMatchObject(registered);
  expect(await wallet.ui('getState', {})).toMatchObject({ selectedAccount: account.id, accounts: [{ label: 'Main' }] });
  expect(await wallet.ui('getHome', { refresh: true })).toMatchObject({ problem: null, account: { id: account.id } });
  expect(await wallet.uiAnswer('addAccount', { networkId, signer, label: 'Again' })).toMatchObject({
    ok: false,
    error: { code: 'account-exists' },
  });
});

test('a fee that is changed between finding the account and activating it is refused, and nothing is signed', async () => {
  const { wallet, networkId } = await freshWallet();
  const { signer, address } = await wallet.ui('generateSigner', {});
  await fund(relayer, address);
  const found = await wallet.ui('findAccount', { networkId, owner: address });
  expect(found.status).toBe('unregistered');
  const asked = await askFirstKey(wallet, { networkId, signer });
  const { approvals, journal } = wallet.background().wallet;
  await approvals.update(asked.approval.id, (current) => {
    const body = current.draft?.body as { maxFee: { tokenId: number; volume: string } };
    const maxFee = { ...body.maxFee, volume: `${body.maxFee.volume}0` };
    return { ...current, draft: { ...current.draft, body: { ...body, maxFee } } } as typeof current;
  });
  expect(await approveFirstKey(wallet, asked)).toMatchObject({ ok: false, error: { code: 'digest-mismatch' } });
  expect(await journal.list()).toEqual([]);
  // No method of the pages takes a fee.
  const given = { networkId, signer, maxFee: { tokenId: 0, volume: '1' } };
  for (const method of ['activateAccount', 'claimAccount', 'addAccount'])
    expect(await wallet.uiAnswer(method as 'claimAccount', { ...given, label: 'Main' } as never)).toMatchObject({
      ok: false,
      error: { code: 'invalid-input' },
    });
  expect(await wallet.ui('findAccount', { networkId, owner: address })).toEqual(found);
});

test('an account whose registered key is another one is shown as such and not added', async () => {
  const privateKey = generatePrivateKey();
  const client = patientClient(relayer.url);
  const account = await openAccount({ client, baseUrl: relayer.url, privateKey, funds: { ETH: '1' } });
  const foreign = (await replaceKeyElsewhere(client, account)).publicKey;
  const { wallet, networkId } = await freshWallet();
  const { signer, address } = await wallet.ui('importSigner', { privateKey });
  expect(address).toBe(account.owner);
  const derived = await wallet.ui('deriveKey', { networkId, signer });
  expect(derived.matches).toBe(false);
  expect(derived.registered).toEqual(foreign);
  expect(await wallet.uiAnswer('addAccount', { networkId, signer, label: 'x' })).toMatchObject({
    ok: false,
    error: { code: 'key-mismatch' },
  });
  expect((await wallet.ui('getState', {})).accounts).toEqual([]);
});

test('a relayer that names the number of another account of the wallet is refused before anything is stored', async () => {
  let lie: { readonly owner: string; readonly accountId: number } | undefined;
  const { wallet, network, account, accountView } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const { pathname, searchParams } = new URL(String(input));
      if (!lie || pathname !== '/api/v3/account' || searchParams.get('owner') !== lie.owner) return answer;
      return Response.json({ ...((await answer.json()) as object), accountId: lie.accountId });
    },
  });
  const other = await openOther(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const place = { networkId: network.id, signer };
  const { vault } = wallet.background().wallet;
  const kept = async () => ({
    state: await wallet.ui('getState', {}),
    secrets: await vault.listSecrets(),
    key: await vault.withSecret(`eddsa:${accountView}`, (bytes) => Buffer.from(bytes).toString('hex')),
  });
  const before = await kept();
  lie = { owner: other.owner, accountId: account.accountId };
  const key = { text: Buffer.from(other.secretKey).toString('hex'), password: null };
  for (const asked of [
    () => wallet.uiAnswer('deriveKey', place),
    () => wallet.uiAnswer('importKey', { ...place, ...key }),
    () => wallet.uiAnswer('addAccount', { ...place, label: 'Other' }),
    () => wallet.uiAnswer('claimAccount', { ...place, label: 'Other' }),
  ])
    expect(await asked()).toMatchObject({ ok: false, error: { code: 'relayer-unreadable' } });
  expect(await kept()).toEqual(before);
  lie = undefined;
  expect(await wallet.ui('addAccount', { ...place, label: 'Other' })).toMatchObject({ owner: other.owner });
  expect((await kept()).key).toBe(before.key);
});

test('the L1 key is shown only against the password', async () => {
  const { wallet } = await freshWallet();
  const privateKey = generatePrivateKey();
  const { signer } = await wallet.ui('importSigner', { privateKey: privateKey.slice(2) });
  expect(await wallet.uiAnswer('exportSigner', { signer, password: 'guess' })).toMatchObject({
    ok: false,
    error: { code: 'wrong-password' },
  });
  expect(await wallet.ui('exportSigner', { signer, password: PASSWORD })).toEqual({ privateKey, phrase: null });
});

test.each(['0'.repeat(64), 'f'.repeat(64), '12'])('refuses the private key %s', async (privateKey) => {
  const { wallet } = await freshWallet();
  expect(await wallet.uiAnswer('importSigner', { privateKey })).toMatchObject({
    ok: false,
    error: { code: 'invalid-input', values: { field: 'privateKey' } },
  });
});

test('a network is kept once, with its exchange and chain pinned', async () => {
  const { wallet, network } = await freshWallet();
  expect(network).toMatchObject({
    baseUrl: relayer.url,
    chainId: 31337,
    exchangeAddress: DEVELOPMENT_EXCHANGE,
  });
  expect(await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Again' })).toEqual(network);
  expect(await wallet.uiAnswer('probeNetwork', { baseUrl: 'http://127.0.0.1:1' })).toMatchObject({
    ok: false,
    error: { code: 'relayer-unreachable', values: { host: '127.0.0.1:1' } },
  });
});

test('a relayer that shows one exchange and reports another one when it is added is refused', async () => {
  let lies = false;
  const wallet = createWalletHarness({
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (!lies || !String(input).includes('/exchange/info')) return answer;
      return Response.json({ ...((await answer.json()) as object), exchangeAddress: `0x${'1'.repeat(40)}` });
    },
  });
  await wallet.ui('createVault', { password: PASSWORD });
  const shown = await wallet.ui('probeNetwork', { baseUrl: relayer.url });
  lies = true;
  const asked = { baseUrl: relayer.url, name: 'Shown', shown };
  expect(await wallet.uiAnswer('addNetwork', asked)).toMatchObject({
    ok: false,
    error: {
      code: 'exchange-changed',
      values: { pinned: `${shown.exchangeAddress} (31337)`, reported: `0x${'1'.repeat(40)} (31337)` },
    },
  });
  expect((await wallet.ui('getState', {})).networks).toEqual([]);
  lies = false;
  expect(await wallet.ui('addNetwork', asked)).toMatchObject(shown);
});

test.each([
  ['is missing', async ({ vault }: Inner, id: string) => vault.apply({ remove: [`eddsa:${id}`] })],
  [
    'is another one',
    async ({ vault }: Inner, id: string) =>
      vault.apply({
        put: [{ info: { id: `eddsa:${id}`, account: id, kind: 'eddsa-key' }, bytes: new Uint8Array(32).fill(1) }],
      }),
  ],
])('an account whose key %s gets it again when it is added again', async (_what, harm) => {
  const { wallet, accountView, network } = await setUp(relayer);
  const [signer] = await wallet.ui('listSigners', {});
  const add = () => wallet.uiAnswer('addAccount', { networkId: network.id, signer: signer?.id ?? '', label: 'Again' });
  expect(await add()).toMatchObject({ error: { code: 'account-exists' } });
  await harm(wallet.background().wallet, accountView);
  expect(await add()).toMatchObject({ ok: true, result: { id: accountView } });
  expect(resultOf(await approveOrder(wallet)).hash).toMatch(/^0x/);
});

test('an account whose key was replaced since it was looked up is not added with the key of before', async () => {
  let meanwhile = async () => {};
  const { wallet, account, accountView, client, network } = await setUp(relayer, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname.endsWith('/account')) await meanwhile();
      return answer;
    },
  });
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  const [signer] = await wallet.ui('listSigners', {});
  meanwhile = async () => {
    meanwhile = async () => {};
    await replaceKeyElsewhere(client, account);
  };
  expect(
    await wallet.uiAnswer('addAccount', { networkId: network.id, signer: signer?.id ?? '', label: 'Main' }),
  ).toMatchObject({ error: { code: 'key-mismatch' } });
  expect(await wallet.background().wallet.vault.hasSecret(`eddsa:${accountView}`)).toBe(false);
  expect((await wallet.ui('getState', {})).accounts).toEqual([]);
});

test('an account that has another number by the time its key is there is not added', async () => {
  let reads = Number.NaN;
  const { wallet, accountView, network } = await setUp(relayer, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname !== '/api/v3/account' || ++reads !== 2) return answer;
      return Response.json({ ...((await answer.json()) as object), accountId: 4_000_000 });
    },
  });
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  const [signer] = await wallet.ui('listSigners', {});
  reads = 0;
  expect(
    await wallet.uiAnswer('addAccount', { networkId: network.id, signer: signer?.id ?? '', label: 'Main' }),
  ).toMatchObject({ error: { code: 'key-mismatch' } });
  expect(reads).toBe(2);
  expect((await wallet.ui('getState', {})).accounts).toEqual([]);
});

test('of a long text that a relayer names for a key, as much is kept as one can be', async () => {
  const { wallet, network } = await setUp(relayer, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname !== '/api/v3/account') return answer;
      return Response.json({ ...((await answer.json()) as object), keySeed: 'x'.repeat(5_000) });
    },
  });
  const { privateKey } = await openOther(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey });
  await wallet.ui('claimAccount', { networkId: network.id, signer, label: 'Long' });
  const [claim] = (await wallet.background().wallet.config.read()).claimed;
  expect(claim?.keySeed).toBe('x'.repeat(1_024));
});

test('a new wallet has no accounts of a restore that was stopped before it stored their keys', async () => {
  const { wallet } = await setUp(relayer);
  const restored = await wallet.background().wallet.config.read();
  const anew = createWalletHarness();
  await anew.background().wallet.config.replace({ ...restored, claimed: restored.accounts });
  const { vault } = anew.background().wallet;
  const { create } = vault;
  const stopped = new Error('the worker is stopped');
  Object.assign(vault, {
    async create(...of: Parameters<typeof create>) {
      await create(...of);
      throw stopped;
    },
  });
  await anew.uiAnswer('createVault', { password: PASSWORD });
  const state = await anew.ui('getState', {});
  expect(state).toMatchObject({ accounts: [], selectedAccount: null, networks: [] });
  expect(await anew.ui('listSigners', {})).toEqual([]);
  expect((await anew.background().wallet.config.read()).claimed).toEqual([]);
});

test('a second vault is refused, a short password too', async () => {
  const { wallet } = await freshWallet();
  expect(await wallet.uiAnswer('createVault', { password: 'another password' })).toMatchObject({
    ok: false,
    error: { code: 'exists' },
  });
  const empty = createWalletHarness();
  expect(await empty.uiAnswer('createVault', { password: 'short' })).toMatchObject({
    ok: false,
    error: { code: 'invalid-input', values: { field: 'password' } },
  });
  expect((await empty.ui('getState', {})).vault).toBe('absent');
});

test('a key that the setup has brought for an account that is not added goes with its exchange', async () => {
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const [{ id: other = '' } = {}] = await wallet.ui('generateSigner', {}).then(() => wallet.ui('listSigners', {}));
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  expect(await wallet.ui('deriveKey', { networkId: network.id, signer })).toMatchObject({ matches: true });
  expect(await secretsOf(wallet)).toContain('pending-eddsa-key');
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  // The setup may go on, also while another signer goes.
  await wallet.ui('removeSigner', { signer: other, password: PASSWORD });
  expect(await secretsOf(wallet)).toContain('pending-eddsa-key');
  await wallet.ui('removeNetwork', { networkId: network.id });
  expect(await secretsOf(wallet)).not.toContain('pending-eddsa-key');
});

test.each([
  ['addAccount', 'network'],
  ['addAccount', 'signer'],
  ['claimAccount', 'network'],
  ['claimAccount', 'signer'],
] as const)('%s in another tab keeps the %s that is being removed', async (method, what) => {
  const { wallet, networkId } = await freshWallet();
  await wallet.ui('generateSigner', {});
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  await wallet.ui('addContact', { networkId, address: opened.owner, name: 'Ana' });
  const { config, contacts, keyUpdate } = wallet.background().wallet;
  const { releaseClaims } = keyUpdate;
  Object.assign(keyUpdate, {
    async releaseClaims(...of: Parameters<typeof releaseClaims>) {
      const users = await releaseClaims(...of);
      await wallet.ui(method, { networkId, signer, label: 'Main' });
      return users;
    },
  });
  expect(
    what === 'network'
      ? await wallet.uiAnswer('removeNetwork', { networkId })
      : await wallet.uiAnswer('removeSigner', { signer, password: PASSWORD }),
  ).toMatchObject({ ok: false, error: { code: `${what}-in-use`, values: { count: '1' } } });
  const { networks, signers } = await config.read();
  expect([networks, signers]).toMatchObject([[{ id: networkId }], [{}, { id: signer }]]);
  expect(await contacts.read()).toHaveLength(1);
  expect((await secretsOf(wallet)).filter((kind) => kind === 'l1-key')).toHaveLength(2);
});

test('no account is claimed for a signer while its key is being removed', async () => {
  const { wallet, networkId } = await freshWallet();
  await wallet.ui('generateSigner', {});
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  const { config, ports, vault } = wallet.background().wallet;
  const { apply } = vault;
  const { lock } = ports;
  let claim: Promise<unknown> = Promise.resolve();
  Object.assign(vault, {
    async apply(...changes: Parameters<typeof apply>) {
      const waits = new Promise<void>((resolve) => {
        Object.assign(ports, {
          lock: (...of: Parameters<typeof lock>) => {
            if (of[0] === 'signers') resolve();
            return lock(...of);
          },
        });
      });
      claim = wallet.uiAnswer('claimAccount', { networkId, signer, label: 'Main' });
      await Promise.race([claim, waits]);
      return apply(...changes);
    },
  });
  await wallet.ui('removeSigner', { signer, password: PASSWORD });
  expect(await claim).toMatchObject({ ok: false, error: { code: 'not-found' } });
  expect((await config.read()).claimed).toEqual([]);
});

test.each([
  ['addAccount', 'network'],
  ['addAccount', 'signer'],
  ['claimAccount', 'network'],
  ['claimAccount', 'signer'],
] as const)('%s lists nothing when another tab removes the %s meanwhile', async (method, what) => {
  const { wallet, networkId } = await freshWallet();
  await wallet.ui('generateSigner', {});
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  const { l1Signer, relayers } = wallet.background().wallet;
  const remove = () =>
    what === 'network'
      ? wallet.ui('removeNetwork', { networkId })
      : wallet.ui('removeSigner', { signer, password: PASSWORD });
  if (method === 'addAccount') {
    const { signText } = l1Signer;
    Object.assign(l1Signer, {
      signText: async (...given: Parameters<typeof signText>) => {
        const signature = await signText(...given);
        await remove();
        return signature;
      },
    });
  } else {
    const { client } = relayers;
    Object.assign(relayers, {
      client: (...given: Parameters<typeof client>) => {
        const { getAccount, ...others } = client(...given);
        return {
          ...others,
          getAccount: async (...asked: Parameters<typeof getAccount>) => {
            const answer = await getAccount(...asked);
            await remove();
            return answer;
          },
        };
      },
    });
  }
  expect(await wallet.uiAnswer(method, { networkId, signer, label: 'Main' })).toMatchObject({
    ok: false,
    error: { code: 'not-found' },
  });
  const { accounts, claimed } = await wallet.background().wallet.config.read();
  expect([...accounts, ...claimed]).toEqual([]);
  expect(await secretsOf(wallet)).not.toContain('eddsa-key');
});

/** A backup of an account whose owner signs in another extension, restored where that is not. */
async function restoredWithoutSigner() {
  const { wallet, account, accountView } = await setUp(relayer);
  const { config, vault } = wallet.background().wallet;
  const [local] = (await config.read()).signers;
  await vault.apply({ remove: [`l1:${local?.id}`] });
  const outside = { kind: 'external', extensionId: EXTENSION } as const;
  await config.update((data) => ({ ...data, signers: data.signers.map((one) => ({ ...one, ...outside })) }));
  const elsewhere = await restoredElsewhere({ wallet, accountView });
  const stored = async () => (await elsewhere.background().wallet.config.read()).accounts[0];
  return { elsewhere, account, accountView, stored };
}

/** @returns How a transfer to another account ends, once it is approved. */
async function transferFrom(wallet: WalletHarness, account: string) {
  const intent = { token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr: (await openOther(relayer)).owner };
  const { id } = await wallet.ui('startOperation', { operation: 'transfer', account, intent } as never);
  const { digest } = await until(async () => {
    const view = await wallet.ui('getApproval', { id });
    return view.stage === 'ready' && view;
  });
  await wallet.uiAnswer('approve', { id, digest: digest ?? '', account, password: PASSWORD });
  return until(async () => {
    const view = await wallet.ui('getApproval', { id });
    return view.stage !== 'approved' && view;
  });
}

test('an account whose owner’s wallet is gone gets another signer, and everything else of it stays', async () => {
  const { elsewhere, account, accountView, stored } = await restoredWithoutSigner();
  const { standing, config } = elsewhere.background().wallet;
  await standing.open(standingOf('a', { account: accountView }));
  const before = await stored();
  expect((await transferFrom(elsewhere, accountView)).problem).toMatchObject({ key: 'error_walletAbsent' });
  const { signer } = await elsewhere.ui('importSigner', { privateKey: account.privateKey });
  expect(signer).not.toBe(before?.signer);
  const place = { networkId: before?.networkId ?? '', signer };
  expect(await elsewhere.ui('deriveKey', place)).toMatchObject({ matches: true, derived: before?.publicKey });
  expect(await elsewhere.ui('addAccount', { ...place, label: 'Again' })).toMatchObject({ id: accountView });
  expect(await stored()).toEqual({ ...before, signer });
  expect(await transferFrom(elsewhere, accountView)).toMatchObject({ stage: 'done', problem: null });
  expect((await standing.active({})).map(({ approval }) => approval.id)).toEqual(['a']);
  expect(await elsewhere.uiAnswer('addAccount', { ...place, label: 'Again' })).toMatchObject({
    error: { code: 'account-exists' },
  });
  expect((await config.read()).accounts).toHaveLength(1);
});

test('a copy of a random key that is imported again takes no place, and another signer is found with it', async () => {
  const { elsewhere, account, accountView, stored } = await restoredWithoutSigner();
  const { standing, stagedKeys, config } = elsewhere.background().wallet;
  await config.update((data) => ({
    ...data,
    accounts: data.accounts.map((one) => ({ ...one, keySeed: '', key: { kind: 'random', since: 1 } })),
  }));
  await standing.open(standingOf('a', { account: accountView }));
  const { signer } = await elsewhere.ui('importSigner', { privateKey: account.privateKey });
  const place = { networkId: (await stored())?.networkId ?? '', signer };
  const kept = { account: accountView, pending: null, password: PASSWORD, form: 'hex' } as const;
  const { text } = await elsewhere.ui('exportAccountKey', kept);
  await elsewhere.ui('importKey', { ...place, text, password: null });
  expect(await stagedKeys.list()).toHaveLength(1);
  await elsewhere.ui('addAccount', { ...place, label: 'Again' });
  expect(await stored()).toMatchObject({ signer, key: { kind: 'random', since: 1 } });
  expect(await stagedKeys.list()).toEqual([]);
  elsewhere.restart();
  await elsewhere.ui('unlock', { password: PASSWORD });
  expect(await elsewhere.background().wallet.standing.active({})).toHaveLength(1);
});

test('a new key for an account in use is asked of the signer that claims it', async () => {
  const { elsewhere, account, accountView, stored } = await restoredWithoutSigner();
  const { signer } = await elsewhere.ui('importSigner', { privateKey: account.privateKey });
  const before = await stored();
  const claim = { networkId: before?.networkId ?? '', signer, label: 'Again' };
  expect(await elsewhere.ui('claimAccount', claim)).toMatchObject({ id: accountView, label: 'Main' });
  expect(await stored()).toEqual({ ...before, signer });
  expect((await elsewhere.background().wallet.config.read()).claimed).toEqual([]);
});

test('the bytes of an account key are wiped once the key is staged', async () => {
  const { wallet, networkId } = await freshWallet();
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  const put = vi.spyOn(wallet.background().wallet.stagedKeys, 'put');
  expect(await wallet.ui('deriveKey', { networkId, signer })).toMatchObject({ kind: 'derived', matches: true });
  expect(put.mock.calls.map(([, kind, secretKey]) => [kind, secretKey])).toEqual([['derived', new Uint8Array(32)]]);
});

test('the last key of a wallet stays, with the account that is claimed for it', async () => {
  const { wallet, networkId } = await freshWallet();
  const { signer } = await wallet.ui('importSigner', { privateKey: opened.privateKey });
  await wallet.ui('claimAccount', { networkId, signer, label: 'Claimed' });
  expect(await wallet.uiAnswer('removeSigner', { signer, password: PASSWORD })).toMatchObject({
    error: { code: 'empty-overwrite' },
  });
  expect((await wallet.background().wallet.config.read()).claimed).toHaveLength(1);
});
