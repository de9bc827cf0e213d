import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createOtherWallet, Refusal } from '../support/otherWallet.ts';
import { patientClient } from '../support/patientClient.ts';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  EXTENSION,
  finalStatus,
  movableClock,
  openOther,
  PASSWORD,
  registeredX,
  replaceKeyElsewhere,
  resultOf,
  SITE,
  secretsOf,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

type Harness = Parameters<typeof createWalletHarness>[0];

/** A setup that has come to an account whose registered key is somebody else's. */
async function stage(changes: Harness = {}, makeOther?: (owner: PrivateKeyAccount) => Harness) {
  const clock = movableClock();
  const client = patientClient(relayer.url);
  const account = await openOther(relayer, { ETH: '10', LRC: '100000' });
  const { publicKey: foreign } = await replaceKeyElsewhere(client, account);
  const owner = privateKeyToAccount(account.privateKey);
  const wallet = createWalletHarness({ now: clock.now, ...changes, ...makeOther?.(owner) });
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = makeOther
    ? await wallet.ui('addExternalSigner', { extensionId: EXTENSION, address: owner.address })
    : await wallet.ui('importSigner', { privateKey: account.privateKey });
  const place = { networkId: network.id, signer };
  return { clock, client, account, wallet, network, place, foreign, id: `${network.id}:${account.accountId}` };
}

type Stage = Awaited<ReturnType<typeof stage>>;

const claim = ({ wallet, place }: Pick<Stage, 'wallet'> & { place: Stage['place'] & { owner?: string } }) =>
  wallet.ui('claimAccount', { ...place, label: 'Claimed' });

const begin = (wallet: WalletHarness, account: string, kind: 'derived' | 'random', approval: string | null = null) =>
  wallet.ui('startKeyUpdate', { account, approval, kind, feeTokenId: null });

const view = (wallet: WalletHarness, account: string) => wallet.ui('getKeyUpdate', { account, approval: null });

async function backUp(wallet: WalletHarness, account: string): Promise<void> {
  const { approval, newKey } = await view(wallet, account);
  const pending = newKey?.publicKey.x ?? '';
  const { text } = await wallet.ui('exportAccountKey', { account, pending, form: 'hex', password: PASSWORD });
  await wallet.ui('confirmBackup', { approval: approval?.id ?? '', shown: { lastDigits: text.slice(-6) } });
}

async function confirm(wallet: WalletHarness, account: string): Promise<void> {
  const { approval } = await view(wallet, account);
  const digest = approval?.digest ?? '';
  await wallet.ui('approve', { id: approval?.id ?? '', digest, account, password: PASSWORD });
}

/**
 * The account is in use with the key that the relayer reports, and nothing else is left of the way
 * there.
 */
async function expectInUse(given: Stage, secrets: readonly string[]): Promise<void> {
  const { wallet, id, foreign } = given;
  await until(async () => !(await secretsOf(wallet)).includes('pending-eddsa-key'));
  const [account] = (await wallet.ui('getState', {})).accounts;
  expect(account).toMatchObject({ id, label: 'Claimed', publicKey: { x: await registeredX(given) } });
  expect(account?.publicKey.x).not.toBe(foreign.x);
  expect((await wallet.background().wallet.config.read()).claimed).toEqual([]);
  expect(await secretsOf(wallet)).toEqual(secrets);
  await until(async () => (await wallet.ui('getAttention', { refresh: true })).length === 0);
  expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();
}

test('another owner under the number of a claimed account replaces the claim until a key is staged for it', async () => {
  let lie: { readonly owner: string; readonly accountId: number } | undefined;
  const given = await stage({
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const { pathname, searchParams } = new URL(String(input));
      if (!lie || pathname !== '/api/v3/account' || searchParams.get('owner') !== lie.owner) return answer;
      return Response.json({ ...((await answer.json()) as object), accountId: lie.accountId });
    },
  });
  const { wallet, network, account, id } = given;
  const other = await openOther(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const place = { networkId: network.id, signer, label: 'Other' };
  const claimedOwners = async () =>
    (await wallet.background().wallet.config.read()).claimed.map((claimed) => claimed.owner);
  await claim(given);
  lie = { owner: other.owner, accountId: account.accountId };
  expect(await wallet.ui('claimAccount', place)).toMatchObject({ id, owner: other.owner });
  expect(await claimedOwners()).toEqual([other.owner]);

  await claim(given);
  await begin(wallet, id, 'random');
  expect(await wallet.uiAnswer('claimAccount', place)).toMatchObject({ error: { code: 'relayer-unreadable' } });
  expect(await wallet.uiAnswer('addAccount', place)).toMatchObject({ error: { code: 'relayer-unreadable' } });
  expect(await claimedOwners()).toEqual([account.owner]);
});

describe.each(['derived', 'random'] as const)('a %s key', (kind) => {
  test('takes the place of one that nobody here has, over a restart after every step', async () => {
    const given = await stage();
    const { wallet, clock, place, id, foreign } = given;
    expect(await wallet.ui('deriveKey', place)).toMatchObject({ matches: false, registered: foreign });
    expect(await claim(given)).toMatchObject({ id, publicKey: foreign });
    wallet.restart();

    // Nobody sees it before it can sign.
    expect(await wallet.ui('getState', {})).toMatchObject({ accounts: [], selectedAccount: null });
    expect(await view(wallet, id)).toMatchObject({ inUse: false, key: { publicKey: foreign }, approval: null });
    expect(await wallet.ui('getKeyUpdateFacts', { account: id })).toMatchObject({
      openOrders: null,
      standingApprovals: 0,
      hasApiKey: false,
      nonce: 2,
    });
    const asked = await begin(wallet, id, kind);
    expect(asked).toMatchObject({ stage: 'ready', review: { sentence: { key: 'review_updateAccountKey' } } });
    expect(asked.review?.rows).toContainEqual(
      expect.objectContaining({ label: { key: 'review_oldKey' }, value: { kind: 'hex', hex: foreign.x } }),
    );
    // In the vault before anybody is asked to sign for it.
    expect(await secretsOf(wallet)).toContain('pending-eddsa-key');
    wallet.restart();
    if (kind === 'random') await backUp(wallet, id);
    wallet.restart();
    await confirm(wallet, id);
    // What was stopped half-way is left to the fault-injection tests; two lives of one worker at a
    // time do not exist.
    await until(
      async () => (await wallet.background().wallet.journal.list({ states: ['acknowledged', 'processed'] })).length > 0,
    );
    wallet.restart();
    expect(await finalStatus(wallet, clock)).toBe('processed');
    wallet.restart();
    await expectInUse(given, ['eddsa-key', 'l1-key']);
    expect(await view(wallet, id)).toMatchObject({ inUse: true, key: { kind } });
    await wallet.background().wallet.grants.grant(SITE, [id], ['read', 'orders']);
    expect(resultOf(await approveOrder(wallet)).status).toBe('acknowledged');
  });
});

test('a disk that refuses while the new key is put in place costs nothing', async () => {
  const local = createFaultyArea();
  const given = await stage({ local: local.area });
  const { wallet, clock, id } = given;
  await claim(given);
  await begin(wallet, id, 'derived');
  await confirm(wallet, id);
  await until(async () => (await registeredX(given)) !== given.foreign.x);
  local.failWrite(0);
  await finalStatus(wallet, clock).catch(() => {});
  expect((await wallet.ui('getState', {})).accounts).toEqual([]);
  local.heal();
  wallet.restart();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  await expectInUse(given, ['eddsa-key', 'l1-key']);
});

test('the wallet of another extension that says no is asked again, and the account is claimed with its second answer', async () => {
  const refusing = { text: true, typedData: true };
  const given = await stage({}, (owner) => ({
    connectWallet: createOtherWallet(owner, {
      personal_sign: async ([message]) => {
        if (refusing.text) throw new Refusal(4001);
        return owner.signMessage({ message: { raw: message as `0x${string}` } });
      },
      eth_signTypedData_v4: ([, text]) => {
        if (refusing.typedData) throw new Refusal(4001);
        return owner.signTypedData(JSON.parse(text as string));
      },
    }).connect,
  }));
  const { wallet, clock, id } = given;
  await claim(given);
  const derive = { account: id, approval: null, kind: 'derived', feeTokenId: null } as const;
  expect(await wallet.uiAnswer('startKeyUpdate', derive)).toMatchObject({ error: { code: 'wallet-rejected' } });
  expect(await secretsOf(wallet)).toEqual([]);
  expect((await view(wallet, id)).approval).toBeNull();
  refusing.text = false;
  await begin(wallet, id, 'derived');
  const before = await view(wallet, id);
  expect(before.approval?.asksOtherWallet).toBe(true);
  await confirm(wallet, id);
  const again = await until(async () => {
    const now = await view(wallet, id);
    return now.approval?.stage === 'choosing' ? now : undefined;
  });
  expect(again.approval?.again).toMatchObject({ key: 'error_walletRejected' });
  expect(await wallet.ui('getAttention', { refresh: false })).toMatchObject([
    { kind: 'key-choice', reason: { key: 'error_walletRejected' } },
  ]);
  expect(await registeredX(given)).toBe(given.foreign.x);
  refusing.typedData = false;
  wallet.restart();
  await begin(wallet, id, 'derived', again.approval?.id ?? null);
  // The same nonce gives the same key.
  expect((await view(wallet, id)).newKey?.publicKey).toEqual(before.newKey?.publicKey);
  await confirm(wallet, id);
  const { approval } = await view(wallet, id);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect((await wallet.ui('getApproval', { id: approval?.id ?? '' })).asksOtherWallet).toBe(false);
  await expectInUse(given, ['eddsa-key']);
});

test('a claim nobody goes on with ends with its network, and not while its key may be registered', async () => {
  const given = await stage();
  const { wallet, clock, network, id } = given;
  await claim(given);
  await begin(wallet, id, 'derived');
  await confirm(wallet, id);
  await until(async () => (await wallet.background().wallet.journal.pending()).length === 1);
  const remove = () => wallet.uiAnswer('removeNetwork', { networkId: network.id });
  expect(await remove()).toMatchObject({ error: { code: 'key-update-open', key: 'error_keyUpdateOpen' } });
  expect(await finalStatus(wallet, clock)).toBe('processed');

  const other = await stage();
  await claim(other);
  expect(await other.wallet.ui('removeNetwork', { networkId: other.network.id })).toMatchObject({ networks: [] });
  expect((await other.wallet.background().wallet.config.read()).claimed).toEqual([]);
});

test('an account that is in use, and one of another owner, are not claimed', async () => {
  const given = await stage();
  const { wallet, place } = given;
  const stranger = privateKeyToAccount(generatePrivateKey()).address;
  const other = await openOther(relayer);
  const asked = (owner: string) => wallet.uiAnswer('claimAccount', { ...place, owner, label: 'Claimed' });
  expect(await asked(other.owner)).toMatchObject({ error: { code: 'signer-mismatch' } });
  expect(await asked(stranger)).toMatchObject({ error: { code: 'account-absent' } });
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const added = await wallet.ui('addAccount', { ...place, signer, label: 'In use' });
  expect(await wallet.ui('claimAccount', { ...place, signer, label: 'Claimed' })).toEqual(added);
  expect((await wallet.background().wallet.config.read()).claimed).toEqual([]);
});
