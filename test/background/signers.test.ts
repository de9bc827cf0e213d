import { hashTypedData } from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { keyText } from '../../src/background/keys/keyText.ts';
import { getPublicKey } from '../../src/crypto/index.ts';
import { formatHash } from '../../src/protocol/index.ts';
import { fund } from '../support/dev.ts';
import { createOtherWallet, Refusal, signBytes, withV } from '../support/otherWallet.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  activate,
  approveFirstKey,
  approveOrder,
  approveRequest,
  askFirstKey,
  EXTENSION,
  firstKeyInUse,
  openOther,
  PASSWORD,
  replaceKeyElsewhere,
  resultOf,
  SITE,
  secretsOf,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

/** First phrase of the BIP-39 reference vectors. */
const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

async function fresh(changes: Parameters<typeof createWalletHarness>[0] = {}) {
  const wallet = createWalletHarness(changes);
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  return { wallet, network, networkId: network.id };
}

describe('a recovery phrase', () => {
  test('shows its addresses with what the relayer knows of each, and gives the chosen one', async () => {
    const { wallet, networkId } = await fresh();
    const third = mnemonicToAccount(PHRASE, { addressIndex: 2 });
    const second = mnemonicToAccount(PHRASE, { addressIndex: 1 });
    await fund(relayer, second.address);
    const typed = ` ${PHRASE.toUpperCase().replaceAll(' ', '  ')}\n`;
    const accounts = await wallet.ui('listPhraseAccounts', { phrase: typed, networkId, start: 0 });
    expect(accounts.map(({ index, address, status }) => [index, address, status])).toEqual([
      [0, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', 'absent'],
      [1, second.address, 'unregistered'],
      [2, third.address, 'absent'],
      [3, expect.any(String), 'absent'],
      [4, expect.any(String), 'absent'],
    ]);
    expect(accounts[1]?.accountId).toEqual(expect.any(Number));
    expect(await secretsOf(wallet)).toEqual([]);

    const { signer, address } = await wallet.ui('importPhrase', { phrase: typed, index: 1 });
    expect(address).toBe(second.address);
    await wallet.ui('importPhrase', { phrase: PHRASE, index: 2 });
    expect(await wallet.ui('importPhrase', { phrase: PHRASE, index: 1 })).toEqual({ signer, address });
    // One phrase, two keys.
    expect(await secretsOf(wallet)).toEqual(['l1-key', 'l1-key', 'mnemonic']);
    expect(await wallet.ui('listSigners', {})).toMatchObject([{ phrase: { index: 1 } }, { phrase: { index: 2 } }]);
    expect(await wallet.ui('exportSigner', { signer, password: PASSWORD })).toMatchObject({ phrase: PHRASE });
    expect(await wallet.uiAnswer('exportSigner', { signer, password: 'guess' })).toMatchObject({
      ok: false,
      error: { code: 'wrong-password' },
    });
    // The phrase stays while a key of it does.
    await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    await wallet.ui('removeSigner', { signer, password: PASSWORD });
    expect(await secretsOf(wallet)).toEqual(['l1-key', 'l1-key', 'mnemonic']);
    const [other] = await wallet.ui('listSigners', {});
    await wallet.ui('removeSigner', { signer: other?.id ?? '', password: PASSWORD });
    expect(await secretsOf(wallet)).toEqual(['l1-key']);
  });

  test('stays with its keys when the password for the removal is wrong', async () => {
    const { wallet } = await fresh();
    const { signer } = await wallet.ui('importPhrase', { phrase: PHRASE, index: 0 });
    await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    const kept = async () => [await wallet.ui('listSigners', {}), await secretsOf(wallet)];
    const before = await kept();
    expect(await wallet.uiAnswer('removeSigner', { signer, password: 'guess' })).toMatchObject({
      error: { code: 'wrong-password' },
    });
    expect(await kept()).toEqual(before);
  });

  test('goes with the last of its keys, also when two are removed at a time', async () => {
    const { wallet } = await fresh();
    await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    const both = [];
    for (const index of [0, 1]) both.push((await wallet.ui('importPhrase', { phrase: PHRASE, index })).signer);
    await Promise.all(both.map((signer) => wallet.ui('removeSigner', { signer, password: PASSWORD })));
    expect(await secretsOf(wallet)).toEqual(['l1-key']);
  });

  test('stays for a key that is brought while another one of it is removed', async () => {
    const { wallet } = await fresh();
    const { signer } = await wallet.ui('importPhrase', { phrase: PHRASE, index: 0 });
    await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    const { config, vault } = wallet.background().wallet;
    // The removal has read the list, and the key comes before it changes anything.
    const { checkPassword } = vault;
    let brought: Promise<unknown> = Promise.resolve();
    Object.assign(vault, {
      async checkPassword(password: string) {
        await checkPassword(password);
        brought = wallet.ui('importPhrase', { phrase: PHRASE, index: 1 });
        await until(async () => (await vault.listSecrets()).filter(({ kind }) => kind === 'l1-key').length === 3);
      },
    });
    await wallet.ui('removeSigner', { signer, password: PASSWORD });
    await brought;
    Object.assign(vault, { checkPassword });
    const last = (await config.read()).signers.at(-1)?.id ?? '';
    expect(await wallet.ui('exportSigner', { signer: last, password: PASSWORD })).toMatchObject({ phrase: PHRASE });
    await vault.apply({
      remove: (await vault.listSecrets()).filter(({ kind }) => kind === 'mnemonic').map(({ id }) => id),
    });
    expect(await wallet.ui('exportSigner', { signer: last, password: PASSWORD })).toMatchObject({
      privateKey: expect.stringMatching(/^0x/),
      phrase: null,
    });
  });

  test('is refused with a word or letter that is not in the list, and with a wrong checksum', async () => {
    const { wallet } = await fresh();
    for (const word of ['abouts', 'abouttheir', 'aboüt', 'abandon']) {
      const answer = await wallet.uiAnswer('importPhrase', { phrase: PHRASE.replace('about', word), index: 0 });
      expect(answer).toMatchObject({ ok: false, error: { code: 'invalid-input', key: 'error_phraseWrong' } });
      expect(JSON.stringify(answer)).not.toContain('abandon');
    }
  });

  test('is made by the wallet, and opens the account that it signs for', async () => {
    const { wallet, networkId } = await fresh();
    const { signer, address } = await wallet.ui('generateSigner', {});
    const { phrase } = await wallet.ui('exportSigner', { signer, password: PASSWORD });
    expect(phrase?.split(' ')).toHaveLength(12);
    expect(mnemonicToAccount(phrase ?? '').address).toBe(address);
    await fund(relayer, address);
    const { account } = await activate(wallet, { networkId, signer });
    expect(await wallet.ui('getKeyInfo', { account })).toMatchObject({ kind: 'derived' });
    expect(await secretsOf(wallet)).toEqual(['eddsa-key', 'l1-key', 'mnemonic']);
  });
});

test('a key that is imported into a locked wallet is not called wrong', async () => {
  const { wallet } = await fresh();
  await wallet.ui('lock', {});
  expect(await wallet.uiAnswer('importSigner', { privateKey: generatePrivateKey() })).toMatchObject({
    ok: false,
    error: { code: 'locked' },
  });
});

describe('the key of an account', () => {
  test('can be random: registered, backed up against the password, and used', async () => {
    const { wallet, networkId } = await fresh();
    const { signer, address } = await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
    await fund(relayer, address);
    const asked = await askFirstKey(wallet, { networkId, signer }, 'random');
    const { account, newKey, backup: key } = asked;
    const made = { derived: newKey.publicKey };
    const asFile = { account, pending: newKey.publicKey.x, form: 'file' } as const;
    const refused = await wallet.uiAnswer('exportAccountKey', { ...asFile, password: 'guess' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'wrong-password' } });
    const { text: file } = await wallet.ui('exportAccountKey', { ...asFile, password: PASSWORD });
    const backup = { key, file };
    expect(backup.file).not.toContain(backup.key.slice(2));
    // The worker stops: the key that is about to be registered is in the vault.
    wallet.restart();
    expect(await approveFirstKey(wallet, asked)).toMatchObject({ ok: true });
    await firstKeyInUse(wallet, asked);
    expect(await wallet.ui('getKeyInfo', { account })).toMatchObject({ kind: 'random', publicKey: newKey.publicKey });
    expect(await secretsOf(wallet)).toEqual(['eddsa-key', 'l1-key']);
    expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();

    // Elsewhere the L1 key alone does not give it, the backup does: as digits and as a file.
    const elsewhere = await fresh();
    const { privateKey } = await wallet.ui('exportSigner', { signer, password: PASSWORD });
    const again = await elsewhere.wallet.ui('importSigner', { privateKey });
    const place = { networkId: elsewhere.networkId, signer: again.signer };
    expect(await elsewhere.wallet.ui('deriveKey', place)).toMatchObject({ kind: 'derived', matches: false });
    const unnamed = await elsewhere.wallet.uiAnswer('addAccount', { ...place, label: 'Main' });
    expect(unnamed).toMatchObject({ ok: false, error: { code: 'key-mismatch' } });
    expect(await elsewhere.wallet.uiAnswer('importKey', { ...place, text: backup.file, password: null })).toMatchObject(
      {
        ok: false,
        error: { code: 'password-needed' },
      },
    );
    expect(
      await elsewhere.wallet.uiAnswer('importKey', { ...place, text: backup.file, password: 'guess' }),
    ).toMatchObject({ ok: false, error: { code: 'wrong-password' } });
    const shown = { kind: 'imported', derived: made.derived, registered: made.derived, matches: true };
    for (const [text, password] of [
      [backup.file, PASSWORD],
      [backup.key, null],
      [backup.key.slice(2).toUpperCase(), null],
      [JSON.stringify({ accountId: 1, privateKey: backup.key }), null],
      [Buffer.from(backup.key.slice(2), 'hex').reverse().toString('hex'), null],
    ] as const)
      expect(await elsewhere.wallet.ui('importKey', { ...place, text, password })).toMatchObject(shown);
    await elsewhere.wallet.ui('addAccount', { ...place, label: 'Main' });
    expect((await elsewhere.wallet.ui('getHome', { refresh: true })).problem).toBeNull();
  });

  test('is not taken from a text that has none', async () => {
    const { wallet, networkId } = await fresh();
    const { privateKey } = await openOther(relayer);
    const { signer } = await wallet.ui('importSigner', { privateKey });
    expect(await wallet.uiAnswer('importKey', { networkId, signer, text: 'hello', password: null })).toMatchObject({
      ok: false,
      error: { code: 'invalid-input', key: 'error_keyUnusable' },
    });
  });

  test('that was replaced elsewhere is brought into the account that is here, and nothing of the old one stays', async () => {
    const stage = await setUp(relayer);
    const { wallet, client, account, network, accountView } = stage;
    const place = { networkId: network.id, signer: (await wallet.ui('listSigners', {}))[0]?.id ?? '' };
    expect(await wallet.uiAnswer('addAccount', { ...place, label: 'Again' })).toMatchObject({
      error: { code: 'account-exists' },
    });
    const { secretKey, publicKey } = await replaceKeyElsewhere(client, account);
    const items = await wallet.ui('getAttention', { refresh: true });
    expect(items.map(({ kind, actions }) => [kind, ...actions])).toEqual([
      ['key-mismatch', 'replace-key', 'add-key', 'check'],
    ]);
    // Side by side before anything is saved: the signer's own key, which is not it, and the one
    // that was made elsewhere.
    expect(await wallet.ui('deriveKey', place)).toMatchObject({ matches: false, registered: publicKey });
    const shown = await wallet.ui('importKey', { ...place, text: keyText(secretKey), password: null });
    expect(shown).toMatchObject({ derived: publicKey, registered: publicKey, matches: true });
    expect((await wallet.ui('getState', {})).accounts).toMatchObject([
      { publicKey: { x: expect.not.stringMatching(publicKey.x) } },
    ]);
    expect(await wallet.ui('addAccount', { ...place, label: 'Main' })).toMatchObject({ id: accountView, publicKey });
    expect((await wallet.ui('getState', {})).accounts).toMatchObject([{ id: accountView, publicKey }]);
    expect(await secretsOf(wallet)).toEqual(['eddsa-key', 'l1-key']);
    expect(await wallet.ui('getAttention', { refresh: true })).toEqual([]);
    resultOf(await approveOrder(wallet));
    expect(await wallet.ui('getKeyInfo', { account: accountView })).toMatchObject({ kind: 'imported', publicKey });
  });

  test('that is imported and not the registered one is shown beside it and not saved', async () => {
    const { wallet, networkId } = await fresh();
    const { privateKey, secretKey } = await openOther(relayer);
    const { signer } = await wallet.ui('importSigner', { privateKey });
    const other = Uint8Array.from({ length: 32 }, (_, index) => index % 6);
    const { x } = getPublicKey(other);
    const shown = await wallet.ui('importKey', { networkId, signer, text: keyText(other), password: null });
    expect(shown).toMatchObject({ matches: false, derived: { x: formatHash(x) } });
    expect(shown.registered?.x).toBe(formatHash(getPublicKey(secretKey).x));
    // A wrong key at hand does not keep the right one, which the signer gives, from being found.
    await wallet.ui('addAccount', { networkId, signer, label: 'Main' });
    expect(await secretsOf(wallet)).toEqual(['eddsa-key', 'l1-key']);
  });
});

describe('a wallet in another extension', () => {
  async function connected(changes: Parameters<typeof createOtherWallet>[1] = {}, open = false) {
    const key = generatePrivateKey();
    const owner = privateKeyToAccount(key);
    const { wallet: other, connect } = createOtherWallet(owner, changes);
    const { wallet, networkId, network } = await fresh({ connectWallet: connect });
    if (open) await fund(relayer, owner.address);
    const { addresses } = await wallet.ui('connectExtension', { extensionId: EXTENSION });
    const [address = ''] = addresses;
    const { signer } = await wallet.ui('addExternalSigner', { extensionId: EXTENSION, address });
    return { wallet, networkId, network, owner, other, signer };
  }

  test('opens an account, and signs a transfer that the relayer takes; no L1 key is kept', async () => {
    const { wallet, networkId, owner, other, signer } = await connected({}, true);
    other.asked.length = 0;
    const { account } = await activate(wallet, { networkId, signer });
    // Typed data is signed on the chain of the exchange; the seed twice, to see that the signer is
    // deterministic.
    expect(other.asked.filter((method) => method === 'personal_sign')).toHaveLength(2);
    expect(other.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    expect(await secretsOf(wallet)).toEqual(['eddsa-key']);
    expect(await wallet.ui('listSigners', {})).toMatchObject([
      { kind: 'external', address: owner.address, accounts: [account] },
    ]);
    expect(await wallet.uiAnswer('exportSigner', { signer, password: PASSWORD })).toMatchObject({
      ok: false,
      error: { code: 'wallet-holds-key' },
    });
    const { grants } = wallet.background().wallet;
    await grants.grant(SITE, [account], ['read', 'orders', 'transfers']);
    // The vault keeps its last secret, and then the account keeps what it has.
    const last = await wallet.uiAnswer('removeAccount', { account, password: PASSWORD });
    expect(last).toMatchObject({ ok: false, error: { code: 'empty-overwrite', key: 'error_lastSecret' } });
    expect(await grants.of(SITE)).toMatchObject({ grants: [{ account }] });
    other.chainId = 1;
    const payee = await openOther(relayer);
    const transfer = { payeeAddr: payee.owner, token: { tokenId: 0, volume: '1000000000000000' }, feeTokenId: 0 };
    expect(resultOf(await approveRequest(wallet, 'relayer_transfer', transfer)).hash).toMatch(/^0x/);
    expect(other.chainId).toBe(31337);
    expect(other.open).toBe(0);
  });

  test('while it asks, an approval cannot be taken back here; its no signs and sends nothing', async () => {
    let isAsked = false;
    let sayNo: ((refusal: Refusal) => void) | undefined;
    const { wallet, networkId, owner, signer } = await connected(
      {
        eth_signTypedData_v4: ([, typedData]) =>
          isAsked
            ? new Promise((_resolve, no) => {
                sayNo = no;
              })
            : owner.signTypedData(JSON.parse(typedData as string)),
      },
      true,
    );
    const { account } = await activate(wallet, { networkId, signer });
    await wallet.background().wallet.grants.grant(SITE, [account], ['read', 'transfers']);
    const payee = await openOther(relayer);
    const transfer = { payeeAddr: payee.owner, token: { tokenId: 0, volume: '1000000000000000' }, feeTokenId: 0 };
    isAsked = true;
    const answer = approveRequest(wallet, 'relayer_transfer', transfer);
    await until(async () => sayNo !== undefined);
    const [{ id = '' } = {}] = await wallet.ui('listApprovals', {});
    expect(await wallet.uiAnswer('reject', { id, block: false })).toMatchObject({
      error: { code: 'already-signed', key: 'error_alreadySigned' },
    });
    expect(await wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId: id }])).toMatchObject({
      error: { code: -32602 },
    });
    sayNo?.(new Refusal(4001));
    // Another code would be repeated by viem itself.
    expect(await answer).toEqual({ error: { code: 4001, message: 'The user rejected the request.' } });
    expect(await wallet.ui('getActivity', { limit: 1 })).toMatchObject([{ status: 'abandoned', hash: null }]);
  });

  test('an account that is registered already costs one signature, whatever form v has', async () => {
    for (const v of [0, 27] as const) {
      const opened = await openOther(relayer);
      const account = privateKeyToAccount(opened.privateKey);
      const { wallet: other, connect } = createOtherWallet(account, {
        personal_sign: async ([message]) => {
          const signature = await account.signMessage({ message: { raw: message as `0x${string}` } });
          return withV(signature, (Number.parseInt(signature.slice(130), 16) % 27) + v);
        },
      });
      const { wallet, networkId } = await fresh({ connectWallet: connect });
      const { signer } = await wallet.ui('addExternalSigner', { extensionId: EXTENSION, address: opened.owner });
      await wallet.ui('addAccount', { networkId, signer, label: 'Main' });
      expect(other.asked.filter((method) => method === 'personal_sign')).toHaveLength(1);
    }
  });

  test('a signature over the digest, as hardware wallets give it, registers a key', async () => {
    const key = generatePrivateKey();
    const account = privateKeyToAccount(key);
    const { connect } = createOtherWallet(account, {
      eth_signTypedData_v4: async ([, text]) => {
        return signBytes(account, hashTypedData(JSON.parse(text as string)));
      },
    });
    const { wallet, networkId } = await fresh({ connectWallet: connect });
    await fund(relayer, account.address);
    const { signer } = await wallet.ui('addExternalSigner', { extensionId: EXTENSION, address: account.address });
    const { added, newKey } = await activate(wallet, { networkId, signer });
    expect(added.publicKey).toEqual(newKey.publicKey);
  });

  test('a signer that is not deterministic is found at the first use, and a random key opens the account', async () => {
    let count = 0;
    const { wallet, networkId, owner, signer } = await connected(
      {
        // Another nonce each time, as threshold signers have: here by another text, since only the
        // difference matters.
        personal_sign: async ([message]) => {
          count += 1;
          const signature = await owner.signMessage({ message: { raw: message as `0x${string}` } });
          return count % 2 === 0 ? withV(signature, Number.parseInt(signature.slice(130), 16) - 27) : signature;
        },
      },
      true,
    );
    const refused = await wallet.uiAnswer('deriveKey', { networkId, signer });
    expect(refused).toMatchObject({ ok: false, error: { code: 'signer-not-deterministic' } });
    expect(await secretsOf(wallet)).toEqual([]);
    await activate(wallet, { networkId, signer }, 'random');
    expect((await wallet.ui('getHome', { refresh: true })).problem).toBeNull();
  });

  const stranger = privateKeyToAccount(generatePrivateKey());
  test.each([
    ['says no', 'wallet-rejected', { personal_sign: refuse(4001) }],
    [
      'signs with another account',
      'signer-mismatch',
      {
        personal_sign: ([message]: readonly unknown[]) =>
          stranger.signMessage({ message: { raw: message as `0x${string}` } }),
      },
    ],
  ] as const)('that %s is told as %s', async (_what, code, changes) => {
    const { wallet, networkId, signer } = await connected(changes, true);
    expect(await wallet.uiAnswer('deriveKey', { networkId, signer })).toMatchObject({ ok: false, error: { code } });
    expect(await secretsOf(wallet)).toEqual([]);
  });

  test('that says no to the registration of a first key is asked again, with the same key', async () => {
    let refusing = true;
    const { wallet, networkId, owner, signer } = await connected(
      {
        eth_signTypedData_v4: ([, text]) => {
          if (refusing) throw new Refusal(4001);
          return owner.signTypedData(JSON.parse(text as string));
        },
      },
      true,
    );
    const asked = await askFirstKey(wallet, { networkId, signer });
    expect(await approveFirstKey(wallet, asked)).toMatchObject({ ok: true });
    const again = await until(async () => {
      const now = await wallet.ui('getKeyUpdate', { account: asked.account, approval: null });
      return now.approval?.stage === 'choosing' && now.approval;
    });
    expect(again.again).toMatchObject({ key: 'error_walletRejected' });
    expect(await wallet.background().wallet.journal.pending()).toEqual([]);
    expect(await secretsOf(wallet)).toEqual(['pending-eddsa-key']);
    refusing = false;
    wallet.restart();
    const { account } = asked;
    const approval = await wallet.ui('startKeyUpdate', {
      account,
      approval: again.id,
      kind: 'derived',
      feeTokenId: null,
    });
    expect(await approveFirstKey(wallet, { account, approval })).toMatchObject({ ok: true });
    expect((await firstKeyInUse(wallet, asked)).publicKey).toEqual(asked.newKey.publicKey);
    await until(async () => !(await secretsOf(wallet)).includes('pending-eddsa-key'));
    expect(await secretsOf(wallet)).toEqual(['eddsa-key']);
  });

  test('that is not there, hangs up, hides the account or stays on another chain is told as such', async () => {
    const { wallet, networkId, owner, other, signer } = await connected(
      {
        wallet_switchEthereumChain: refuse(4902),
        personal_sign: () => {
          other.hangUp();
          return new Promise(() => {});
        },
      },
      true,
    );
    const place = { networkId, signer };
    const derived = () => wallet.uiAnswer('deriveKey', place);
    expect(await derived()).toMatchObject({ error: { code: 'wallet-disconnected' } });
    other.accounts = [stranger.address];
    expect(await derived()).toMatchObject({ error: { code: 'wallet-account' } });
    const foreign = await wallet.uiAnswer('addExternalSigner', { extensionId: EXTENSION, address: owner.address });
    expect(foreign).toMatchObject({ error: { code: 'wallet-account' } });
    other.accounts = [owner.address];
    other.chainId = 1;
    const asked = await askFirstKey(wallet, place, 'random');
    expect(await approveFirstKey(wallet, asked)).toMatchObject({ ok: true });
    const again = await until(async () => {
      const now = await wallet.ui('getKeyUpdate', { account: asked.account, approval: null });
      return now.approval?.stage === 'choosing' && now.approval;
    });
    expect(again.again).toMatchObject({ key: 'error_walletChain' });
    other.installed = false;
    expect(await derived()).toMatchObject({ error: { code: 'wallet-absent' } });
    expect(other.open).toBe(0);
  });
});

function refuse(code: number) {
  return () => {
    throw new Refusal(code);
  };
}
