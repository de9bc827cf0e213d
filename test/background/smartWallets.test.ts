import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { grantsChanged } from '../../src/background/approvals/siteRights.ts';
import { eddsaRecord } from '../../src/background/keys/keyRecords.ts';
import { keyText } from '../../src/background/keys/keyText.ts';
import { smartWalletOf } from '../../src/background/keys/smartWallet.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import { formatSignature, getPublicKey, sign } from '../../src/crypto/index.ts';
import {
  accountUpdateTypedData,
  endpoints,
  formatHash,
  type Hex,
  requestHash,
  requestMessage,
  typedDataDigest,
} from '../../src/protocol/index.ts';
import { randomSecretKey } from '../relayer/support/testAccount.ts';
import { dev, fund } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  activate,
  approveRequest,
  balanceOf,
  finalStatus,
  movableClock,
  moveRelayerClock,
  openOther,
  PASSWORD,
  resultOf,
  SITE,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const LRC = 1;

const counterfactual = async (walletOwner: string, walletSalt: string) =>
  (await dev<{ wallet?: string }>(relayer, 'wallet', { walletOwner, walletSalt })).wallet;

const approveOnL1 = (owner: string, digest: string) => dev(relayer, 'l1', { approval: { owner, digest } });

/**
 * A wallet that holds the account of a smart wallet: funded, with a registered key. The owner's
 * approval of the first key is given as each kind of owner gives it.
 */
async function stage(kind: 'counterfactual' | 'contract') {
  const client = patientClient(relayer.url);
  const privateKey = generatePrivateKey();
  const signer = privateKeyToAccount(privateKey);
  let owner: string = privateKeyToAccount(generatePrivateKey()).address;
  if (kind === 'counterfactual') owner = (await counterfactual(signer.address, '7')) ?? owner;
  else {
    await dev(relayer, 'l1', { code: { address: owner, code: '0x6001' } });
  }
  await dev(relayer, 'faucet', {
    owner,
    tokens: [
      { symbol: 'ETH', amount: '1000000000000000000' },
      { symbol: 'LRC', amount: '1000000000000000000000' },
    ],
  });
  const { accountId, owner: named } = await client.getAccount({ query: { owner: owner as Hex } });
  const { chainId, exchangeAddress } = await client.getExchangeInfo({});

  const clock = movableClock();
  const wallet = createWalletHarness({ now: clock.now });
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const imported = await wallet.ui('importSigner', { privateKey });
  const smart = await smartWalletOf(wallet.background().wallet.relayers, network, named, signer.address);

  const secretKey = randomSecretKey();
  const point = getPublicKey(secretKey);
  const body = {
    exchange: exchangeAddress,
    owner: named,
    accountId,
    publicKey: { x: formatHash(point.x), y: formatHash(point.y) },
    maxFee: { tokenId: 0, volume: '1000000000000000' },
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    nonce: 0,
  };
  const typedData = accountUpdateTypedData(chainId, body);
  if (smart?.kind === 'counterfactual') {
    const { kind: _, ...counterFactualInfo } = smart;
    const ecdsaSignature = await signer.signTypedData(typedData as never);
    await client.updateAccount({
      body: { ...body, ecdsaSignature, counterFactualInfo } as never,
      signature: ecdsaSignature,
    });
  } else {
    await approveOnL1(named, typedDataDigest(typedData));
    await client.updateAccount({ body: { ...body, hashApproved: typedDataDigest(typedData) } });
  }
  await until(async () => BigInt((await client.getAccount({ query: { accountId } })).publicKey.x || 0) === point.x);

  const stored: StoredAccount = {
    id: `${network.id}:${accountId}`,
    networkId: network.id,
    accountId,
    owner: named,
    label: 'Smart',
    publicKey: body.publicKey,
    signer: imported.signer,
    keySeed: '',
    ...(smart ? { smart } : {}),
  };
  const { vault, config, grants } = wallet.background().wallet;
  await vault.putSecret(
    { id: eddsaRecord(stored.id), account: stored.id, kind: 'eddsa-key' },
    new Uint8Array(secretKey),
  );
  await config.update((data) => ({ ...data, accounts: [stored], selectedAccount: stored.id }));
  await grants.grant(SITE, [stored.id], ['read', 'orders', 'transfers', 'withdrawals', 'sign']);
  await grantsChanged(wallet.background().wallet, SITE);

  const { method, path } = endpoints.getApiKey;
  const login = requestHash(requestMessage({ method, baseUrl: relayer.url, path, query: { accountId } }));
  const { apiKey } = await client.getApiKey({
    query: { accountId },
    signature: formatSignature(sign(login, secretKey)),
  });
  const friend = await openOther(relayer);
  const place = { networkId: network.id, owner: named, signer: imported.signer };
  return { client, wallet, clock, owner: named, smart, signer, network, place, account: { accountId, apiKey }, friend };
}

const transferTo = (payeeAddr: string) => ({
  token: { tokenId: LRC, volume: '5000000000000000000' },
  payeeAddr,
  feeTokenId: 0,
});
const withdrawal = { token: { tokenId: LRC, volume: '7000000000000000000' }, feeTokenId: 0 };

describe('a smart wallet that is not deployed yet', () => {
  test('its owner signs transfers and withdrawals, which carry how the wallet is derived', async () => {
    const { client, wallet, clock, smart, signer, account, friend } = await stage('counterfactual');
    expect(smart).toMatchObject({ kind: 'counterfactual', walletOwner: signer.address });
    resultOf(await approveRequest(wallet, 'relayer_transfer', transferTo(friend.owner)));
    expect(await finalStatus(wallet, clock)).toBe('processed');
    expect(await balanceOf(client, friend, LRC)).toBe(5_000_000_000_000_000_000n);
    const before = await balanceOf(client, account, LRC);
    resultOf(await approveRequest(wallet, 'relayer_withdraw', withdrawal));
    expect(await finalStatus(wallet, clock)).toBe('processed');
    expect(before - (await balanceOf(client, account, LRC))).toBe(7_000_000_000_000_000_000n);
  });

  test('is shown with how it is derived, refused to another owner, and signs no texts: its address has no key', async () => {
    const { wallet, network, owner, friend } = await stage('counterfactual');
    expect(await wallet.page(SITE, 'personal_sign', ['Hello', owner])).toMatchObject({ error: { code: 4200 } });
    const stranger = privateKeyToAccount(generatePrivateKey()).address;
    await expect(smartWalletOf(wallet.background().wallet.relayers, network, owner, stranger)).rejects.toMatchObject({
      code: 'signer-mismatch',
    });
    wallet.page(SITE, 'relayer_transfer', [transferTo(friend.owner)]);
    const view = await until(async () => {
      const [open] = await wallet.ui('listApprovals', {});
      const found = open && (await wallet.ui('getApproval', { id: open.id }));
      return found?.stage === 'ready' ? found : undefined;
    });
    expect(view.review?.unbound.map(({ path }) => path)).toEqual([
      'counterFactualInfo.walletFactory',
      'counterFactualInfo.walletOwner',
      'counterFactualInfo.walletSalt',
    ]);
    expect(view.account?.smart).toBe('counterfactual');
  });

  test('is a contract once it is deployed: for its new owner, and for who adds the account again', async () => {
    const { client, wallet, clock, owner, place, account } = await stage('counterfactual');
    const { signer, address } = await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    await dev(relayer, 'l1', { code: { address: owner, code: `0x6000${address.slice(2)}` } });
    // The relayer remembers for a second that there is none.
    await until(async () => (await client.getCode({ body: { address: owner } })).result !== '0x');
    expect(await wallet.ui('findAccount', { ...place, signer })).toMatchObject({ smart: 'contract' });
    expect(await wallet.ui('addAccount', { ...place, label: 'Smart' })).toMatchObject({ smart: 'contract' });
    const before = await balanceOf(client, account, LRC);
    const { approveHash } = resultOf<{ approveHash: string }>(
      await approveRequest(wallet, 'relayer_withdraw', withdrawal),
    );
    await approveOnL1(owner, approveHash);
    expect(await finalStatus(wallet, clock)).toBe('processed');
    expect(before - (await balanceOf(client, account, LRC))).toBe(7_000_000_000_000_000_000n);
  });
});

describe('set up by its owner', () => {
  async function fresh(
    owner: string,
    privateKey = generatePrivateKey(),
    changes: Parameters<typeof createWalletHarness>[0] = {},
  ) {
    const wallet = createWalletHarness(changes);
    await wallet.ui('createVault', { password: PASSWORD });
    const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
    const { signer } = await wallet.ui('importSigner', { privateKey });
    return { wallet, place: { networkId: network.id, signer, owner } };
  }
  const funded = async (owner: string) => {
    await fund(relayer, owner);
    return owner;
  };

  test('a wallet that is not deployed yet gets its first key, and opens again elsewhere with the same signer', async () => {
    const privateKey = generatePrivateKey();
    const { address } = privateKeyToAccount(privateKey);
    const owner = await funded((await counterfactual(address, '9')) ?? '');
    const { wallet, place } = await fresh(owner, privateKey);
    const found = await wallet.ui('findAccount', place);
    if (found.status !== 'unregistered') throw new Error(found.status);
    expect(found).toMatchObject({ smart: 'counterfactual', owner: getAddress(owner) });
    const { added } = await activate(wallet, place);
    expect(added).toMatchObject({ smart: 'counterfactual', owner: getAddress(owner) });
    expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();
    // A later key is derived by the same signer.
    await wallet.ui('startKeyUpdate', {
      account: added.id,
      approval: null,
      kind: 'derived',
      feeTokenId: null,
    });
    const { newKey } = await wallet.ui('getKeyUpdate', { account: added.id, approval: null });
    expect(newKey).toMatchObject({ kind: 'derived' });

    const elsewhere = await fresh(owner, privateKey);
    expect(await elsewhere.wallet.ui('deriveKey', elsewhere.place)).toMatchObject({ matches: true });
    // Who owns neither the wallet nor the address has no business with it.
    const stranger = await fresh(owner);
    for (const method of ['findAccount', 'deriveKey'] as const)
      expect(await stranger.wallet.uiAnswer(method, stranger.place)).toMatchObject({
        error: { code: 'signer-mismatch' },
      });
    const { owner: ordinary } = await openOther(relayer);
    expect(await stranger.wallet.uiAnswer('findAccount', { ...stranger.place, owner: ordinary })).toMatchObject({
      error: { code: 'signer-mismatch', key: 'error_ownerMismatch' },
    });

    // Also once it is deployed; where it is set up already, the contract is asked from then on.
    await dev(relayer, 'l1', { code: { address: owner, code: '0x6002' } });
    const later = await fresh(owner, privateKey);
    await until(async () => {
      const now = await later.wallet.ui('findAccount', later.place);
      return now.status === 'registered' && now.smart === 'contract';
    });
    expect(await later.wallet.ui('deriveKey', later.place)).toMatchObject({ matches: true, kind: 'derived' });
    expect(await later.wallet.ui('addAccount', { ...later.place, label: 'Smart' })).toMatchObject({
      smart: 'contract',
    });
    expect(await wallet.ui('addAccount', { ...place, label: 'Smart' })).toMatchObject({ smart: 'contract' });
  });

  /**
   * A random key for an account through the key wizard, up to the hash that the contract has to
   * approve.
   */
  async function hashForNewKey(wallet: Awaited<ReturnType<typeof fresh>>['wallet'], account: string) {
    const begin = (kind: 'derived' | 'random') =>
      wallet.uiAnswer('startKeyUpdate', { account, approval: null, kind, feeTokenId: null });
    // A contract has no key that could sign the text of a derived one.
    expect(await begin('derived')).toMatchObject({ error: { code: 'signer-mismatch' } });
    expect(await begin('random')).toMatchObject({ ok: true });
    const { approval, newKey } = await wallet.ui('getKeyUpdate', { account, approval: null });
    const { id = '', digest } = approval ?? {};
    const pending = newKey?.publicKey.x ?? '';
    const { text } = await wallet.ui('exportAccountKey', { account, pending, form: 'hex', password: PASSWORD });
    await wallet.ui('confirmBackup', { approval: id, shown: { lastDigits: text.slice(-6) } });
    await wallet.ui('approve', { id, digest: digest ?? '', account, password: PASSWORD });
    return until(async () => {
      const { approval: now } = await wallet.ui('getKeyUpdate', { account, approval: null });
      return now?.result?.approveHash ?? undefined;
    });
  }

  test('the account of a contract gets its first key, and the next one, by hashes that the contract approves', async () => {
    const owner = privateKeyToAccount(generatePrivateKey()).address;
    await dev(relayer, 'l1', { code: { address: owner, code: '0x6001' } });
    await funded(owner);
    const clock = movableClock();
    const { wallet, place } = await fresh(owner, generatePrivateKey(), { now: clock.now });
    expect(await wallet.ui('findAccount', place)).toMatchObject({ status: 'unregistered', smart: 'contract' });
    const { id } = await wallet.ui('claimAccount', { ...place, label: 'Contract' });
    const { chainId, exchangeAddress } = await patientClient(relayer.url).getExchangeInfo({});
    const first = await hashForNewKey(wallet, id);
    wallet.restart();
    expect((await wallet.ui('getState', {})).accounts).toEqual([]);
    expect(first).toMatchObject({ owner: getAddress(owner), exchange: exchangeAddress, chainId });
    await approveOnL1(owner, first.hash);
    expect(await finalStatus(wallet, clock)).toBe('processed');
    const inUse = async () => (await wallet.ui('getState', {})).accounts[0]?.publicKey;
    const key = await until(inUse);
    expect(await wallet.ui('findAccount', place)).toMatchObject({ status: 'registered', publicKey: key });

    const next = await hashForNewKey(wallet, id);
    expect(next.hash).not.toBe(first.hash);
    await approveOnL1(owner, next.hash);
    expect(await finalStatus(wallet, clock)).toBe('processed');
    const renewed = await until(async () => {
      const now = await inUse();
      return now?.x === key.x ? undefined : now;
    });
    expect(await wallet.ui('findAccount', place)).toMatchObject({ publicKey: renewed });
    expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();
  });

  test('the account of a contract is opened by bringing its key', async () => {
    const owner = privateKeyToAccount(generatePrivateKey()).address;
    await dev(relayer, 'l1', { code: { address: owner, code: '0x6001' } });
    await funded(owner);
    const { wallet, place } = await fresh(owner);
    const found = await wallet.ui('findAccount', place);
    if (found.status !== 'unregistered') throw new Error(found.status);
    expect(found.smart).toBe('contract');
    const { accountId } = found;
    const client = patientClient(relayer.url);
    const { chainId, exchangeAddress } = await client.getExchangeInfo({});
    const secretKey = randomSecretKey();
    const point = getPublicKey(secretKey);
    const publicKey = { x: formatHash(point.x), y: formatHash(point.y) };
    const body = {
      exchange: exchangeAddress,
      owner,
      accountId,
      publicKey,
      maxFee: { tokenId: 0, volume: '1000000000000000' },
      validUntil: Math.floor(Date.now() / 1000) + 3600,
      nonce: 0,
    };
    const digest = typedDataDigest(accountUpdateTypedData(chainId, body));
    await approveOnL1(owner, digest);
    await client.updateAccount({ body: { ...body, hashApproved: digest } });
    await until(async () => (await wallet.ui('findAccount', place)).status === 'registered');
    expect(await wallet.ui('findAccount', place)).toMatchObject({ smart: 'contract', publicKey });
    // The signer's own text gives nothing that fits, and is not taken for the contract's.
    expect(await wallet.ui('deriveKey', place)).toMatchObject({ matches: false });
    expect(await wallet.uiAnswer('addAccount', { ...place, label: 'Contract' })).toMatchObject({
      error: { code: 'key-mismatch' },
    });
    const text = keyText(secretKey);
    expect(await wallet.ui('importKey', { ...place, text, password: null })).toMatchObject({ matches: true });
    expect(await wallet.ui('addAccount', { ...place, label: 'Contract' })).toMatchObject({ smart: 'contract', owner });
    expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();
  });
});

describe('a wallet contract', () => {
  const submission = async (wallet: Awaited<ReturnType<typeof stage>>['wallet']) =>
    (await wallet.ui('getActivity', { limit: 1 }))[0];

  test.each([
    ['relayer_transfer', 5n],
    ['relayer_withdraw', 7n],
  ])(
    '%s waits with the hash that the contract has to approve, over restarts, and then goes on',
    async (method, units) => {
      const { client, wallet, clock, owner, account, friend } = await stage('contract');
      const before = await balanceOf(client, account, LRC);
      const asked = method === 'relayer_transfer' ? transferTo(friend.owner) : withdrawal;
      const result = resultOf<{ status: string; approveHash: string; validUntil: number }>(
        await approveRequest(wallet, method, asked),
      );
      expect(result).toMatchObject({
        status: 'awaiting-approval',
        approveHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      const { chainId, exchangeAddress } = await client.getExchangeInfo({});
      const approveHash = {
        ...{ hash: result.approveHash, owner, chainId, exchange: exchangeAddress },
        validUntil: result.validUntil,
      };
      expect(await submission(wallet)).toMatchObject({ status: 'unknown', approveHash, problem: null });
      wallet.restart();
      const { id = '' } = (await submission(wallet)) ?? {};
      expect(await wallet.ui('checkSubmission', { id })).toMatchObject({ approveHash });
      expect(await balanceOf(client, account, LRC)).toBe(before);

      await approveOnL1(owner, result.approveHash);
      expect(await finalStatus(wallet, clock)).toBe('processed');
      expect(await submission(wallet)).toMatchObject({ approveHash: null, problem: null });
      expect(before - (await balanceOf(client, account, LRC))).toBe(units * 10n ** 18n);
    },
  );

  test('that never approves lets the request expire, and nothing moves', async () => {
    const { client, wallet, clock, account, friend } = await stage('contract');
    const before = await balanceOf(client, account, LRC);
    const validUntil = Math.floor(clock.now() / 1000) + 600;
    resultOf(await approveRequest(wallet, 'relayer_transfer', { ...transferTo(friend.owner), validUntil }));
    clock.advance(800_000);
    await wallet.ui('touch', {});
    await moveRelayerClock(relayer, 800_000);
    expect(await finalStatus(wallet, clock)).toBe('expired');
    expect(await balanceOf(client, account, LRC)).toBe(before);
  });

  test('that approves while the wallet is locked has its request sent at the unlock, within a day', async () => {
    const { client, wallet, clock, owner, account, friend } = await stage('contract');
    const before = await balanceOf(client, account, LRC);
    const asked = transferTo(friend.owner);
    const { approveHash } = resultOf<{ approveHash: string }>(await approveRequest(wallet, 'relayer_transfer', asked));
    await wallet.ui('lock', {});
    clock.advance(1_800_000);
    await approveOnL1(owner, approveHash);
    clock.advance(2_100_000);
    await moveRelayerClock(relayer, 3_900_000);
    await wallet.background().onWake();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await finalStatus(wallet, clock)).toBe('processed');
    expect(before - (await balanceOf(client, account, LRC))).toBe(5n * 10n ** 18n);
  });
});
