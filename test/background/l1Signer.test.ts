import { hashTypedData, recoverMessageAddress, recoverTypedDataAddress, toHex } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createL1Signer, type L1Signer, l1Record } from '../../src/background/keys/l1Signer.ts';
import { createConfig } from '../../src/background/settings/config.ts';
import { phraseOf } from '../../src/ethereum/recoveryPhrase.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createOtherWallet, Refusal, signBytes, withV } from '../support/otherWallet.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { wipedIn } from '../support/wipedIn.ts';
import { createHarness, info, password } from '../vault/harness.ts';
import { EXTENSION } from './support.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const OWNER = privateKeyToAccount(KEY);
const STRANGER = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const ENTROPY = 0x7f;
const PHRASE = phraseOf(new Uint8Array(16).fill(ENTROPY));
const addressAt = (addressIndex: number) => mnemonicToAccount(PHRASE, { addressIndex }).address;
const TYPED = {
  domain: { name: 'Exchange', version: '1', chainId: 31_337, verifyingContract: OWNER.address },
  types: { Mail: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Mail',
  message: { amount: 2n ** 200n },
} as const;

const vault = await createHarness().filled();

async function createStage(changes: Parameters<typeof createOtherWallet>[1] = {}) {
  if (!(await vault.isUnlocked())) await vault.unlock(password);
  await vault.apply({ remove: (await vault.listSecrets()).map(({ id }) => id).filter((id) => id !== info.id) });
  const config = createConfig(createFaultyArea().area, createFaultyArea().area, createPromiseLock());
  const { wallet: other, connect } = createOtherWallet(OWNER, changes);
  const entropy: Uint8Array[] = [];
  let ids = 0;
  const connectWallet = vi.fn(connect);
  const randomBytes = (length: number) => {
    const bytes = new Uint8Array(length).fill(ENTROPY);
    entropy.push(bytes);
    return bytes;
  };
  const ports = { connectWallet, randomBytes, lock: createPromiseLock(), uuid: () => `id ${++ids}` };
  const signers = createL1Signer(ports, vault, config);
  const secrets = async () =>
    (await vault.listSecrets())
      .filter(({ id }) => id !== info.id)
      .map(({ id, account, kind }) => ({ id, account, kind }));
  const names = async () => (await config.read()).signers;
  return { config, other, connectWallet, signers, entropy, secrets, names };
}

describe('a key in the vault', () => {
  let stage: Awaited<ReturnType<typeof createStage>>;
  beforeEach(async () => {
    stage = await createStage();
  });

  test('is stored under its name once, with the address that it signs for', async () => {
    const { signers, secrets, names } = stage;
    const signer = await signers.import(KEY);
    expect(signer).toEqual({ id: 'id 1', address: OWNER.address, kind: 'local' });
    expect(await signers.import(KEY.slice(2))).toEqual(signer);
    const other = await signers.import(`0x${'22'.repeat(32)}`);
    expect(await names()).toEqual([signer, other]);
    expect(await secrets()).toEqual([
      { id: l1Record('id 1'), account: OWNER.address, kind: 'l1-key' },
      { id: l1Record('id 2'), account: STRANGER.address, kind: 'l1-key' },
    ]);
    expect(await signers.addressOf('id 2')).toBe(STRANGER.address);
  });

  test('that cannot be removed stays listed', async () => {
    const { signers, names, secrets } = stage;
    const signer = await signers.import(KEY);
    const apply = vi.spyOn(vault, 'apply').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(signers.remove(signer.id)).rejects.toThrow('full');
    apply.mockRestore();
    expect(await names()).toEqual([signer]);
    await signers.remove(signer.id);
    expect([await names(), await secrets()]).toEqual([[], []]);
  });

  test.each(['accounts', 'claimed'] as const)('is not removed while one of the %s names it', async (kind) => {
    const { config, signers, names, secrets } = stage;
    const { id: signer } = await signers.import(KEY);
    const account = {
      ...{ id: 'net:7', networkId: 'net', accountId: 7, owner: OWNER.address, label: 'Main', signer, keySeed: '' },
      publicKey: { x: '0x1', y: '0x2' },
    };
    await config.update((data) => ({ ...data, [kind]: [account] }));
    await expect(signers.remove(signer)).rejects.toMatchObject({ code: 'signer-in-use', values: { count: '1' } });
    expect([await names(), await secrets()]).toMatchObject([[{ id: signer }], [{ id: l1Record(signer) }]]);
  });

  test.each([
    ['zero', `0x${'00'.repeat(32)}`],
    ['the order of the curve', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['one byte', '0x00'],
  ])('is none with the number %s', async (_what, key) => {
    const { signers, secrets } = stage;
    await expect(signers.import(key)).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'invalid-input', values: { field: 'privateKey' } },
    });
    await expect(signers.import(`1${KEY.slice(0, -1)}`)).rejects.toThrow();
    expect(await secrets()).toEqual([]);
  });

  test('that is listed and not in the vault any more is stored again', async () => {
    const { signers, names } = stage;
    const { id } = await signers.import(KEY);
    await vault.apply({ remove: [l1Record(id)] });
    expect((await signers.import(KEY)).id).toBe(id);
    expect(await signers.exportKey(id)).toEqual({ privateKey: KEY, phrase: null });
    expect(await names()).toHaveLength(1);
  });

  test('that comes again with its phrase keeps the phrase, also when it comes without one later', async () => {
    const { signers, names } = stage;
    const key = toHex(mnemonicToAccount(PHRASE, { addressIndex: 1 }).getHdKey().privateKey ?? '');
    const { id } = await signers.import(key);
    for (const again of [() => signers.fromPhrase(PHRASE, 1), () => signers.import(key)]) {
      expect((await again()).id).toBe(id);
      expect(await signers.exportKey(id)).toEqual({ privateKey: key, phrase: PHRASE });
      expect(await names()).toHaveLength(1);
    }
  });

  test('is another one than that of a wallet in an extension, for the same address', async () => {
    const { signers, names } = stage;
    const external = await signers.addExternal(EXTENSION, OWNER.address);
    const local = await signers.import(KEY);
    expect(await names()).toEqual([external, local]);
  });

  test('signs texts and typed data for its address', async () => {
    const { signers } = stage;
    await signers.import(KEY);
    const signature = toHex(await signers.signText('id 1', 'héllo'));
    expect(await recoverMessageAddress({ message: 'héllo', signature })).toBe(OWNER.address);
    const typed = await signers.signTypedData('id 1', TYPED);
    expect(await recoverTypedDataAddress({ ...TYPED, signature: typed })).toBe(OWNER.address);
    await vault.lock();
    await expect(signers.signText('id 1', 'héllo')).rejects.toMatchObject({ code: 'locked' });
  });

  test('leaves the vault for a backup, alone or with its phrase', async () => {
    const { signers } = stage;
    await signers.import(KEY);
    expect(await signers.exportKey('id 1')).toEqual({ privateKey: KEY, phrase: null });
    const { id } = await signers.fromPhrase(PHRASE, 0);
    expect(await signers.exportKey(id)).toMatchObject({ phrase: PHRASE });
  });

  test('that is in the vault as another one signs nothing', async () => {
    const { signers, config } = stage;
    await signers.import(KEY);
    await config.update((data) => ({
      ...data,
      signers: data.signers.map((one) => ({ ...one, address: STRANGER.address })),
    }));
    await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject({ code: 'signer-mismatch' });
  });

  test.each(['addressOf', 'exportKey'] as const)('that has no name is not there for %s', async (method) => {
    const unknown = { name: 'UiFailure', code: 'not-found', key: 'error_notFound' };
    await expect(stage.signers[method]('nobody')).rejects.toMatchObject(unknown);
    await expect(stage.signers.signText('nobody', 'text')).rejects.toMatchObject(unknown);
    await expect(stage.signers.signTypedData('nobody', TYPED)).rejects.toMatchObject(unknown);
  });
});

describe('a key that was stored by a worker that stopped before it was listed', () => {
  /** Everything stops between the vault and the list. */
  async function stopped({ config, signers }: Awaited<ReturnType<typeof createStage>>, phrase: boolean) {
    const update = vi.spyOn(config, 'update').mockRejectedValue(new Error('stopped'));
    await expect(phrase ? signers.fromPhrase(PHRASE, 0) : signers.import(KEY)).rejects.toThrow('stopped');
    update.mockRestore();
  }

  test('is listed under its first name, and removed with it', async () => {
    const stage = await createStage();
    const { signers, secrets } = stage;
    await stopped(stage, false);
    const { id } = await signers.import(KEY);
    expect(await secrets()).toEqual([{ id: l1Record(id), account: OWNER.address, kind: 'l1-key' }]);
    await signers.remove(id);
    expect(await secrets()).toEqual([]);
  });

  test('goes with the signer of its address that an earlier version listed under another name', async () => {
    const { signers, secrets } = await createStage();
    const { id } = await signers.import(KEY);
    const bytes = new Uint8Array(32).fill(0x11);
    await vault.apply({ put: [{ info: { id: l1Record('first'), account: OWNER.address, kind: 'l1-key' }, bytes }] });
    const other = await signers.import(`0x${'22'.repeat(32)}`);
    await signers.remove(other.id);
    expect(await secrets()).toHaveLength(2);
    await signers.remove(id);
    expect(await secrets()).toEqual([]);
  });

  test.each([
    ['another key of its phrase is removed', (signers: L1Signer) => signers.fromPhrase(PHRASE, 1)],
    [
      'it is removed without its phrase',
      (signers: L1Signer) => signers.import(toHex(mnemonicToAccount(PHRASE).getHdKey().privateKey ?? '')),
    ],
  ])('goes with the phrase when %s', async (_what, add) => {
    const stage = await createStage();
    const { signers, secrets } = stage;
    await stopped(stage, true);
    const { id } = await add(signers);
    await signers.remove(id);
    expect(await secrets()).toEqual([]);
  });

  test('stays when a wallet in an extension that has its address is removed', async () => {
    const stage = await createStage();
    const { signers, secrets } = stage;
    await stopped(stage, false);
    const { id } = await signers.addExternal(EXTENSION, OWNER.address);
    await signers.remove(id);
    expect(await secrets()).toHaveLength(1);
  });
});

describe('keys of a recovery phrase', () => {
  test('share its one record, which their first address names', async () => {
    const { signers, secrets, names } = await createStage();
    const phrase = { id: `phrase:${addressAt(0)}` };
    const third = await signers.fromPhrase(` ${PHRASE.toUpperCase()} `, 2);
    expect(third).toEqual({ id: 'id 1', address: addressAt(2), kind: 'local', phrase: { ...phrase, index: 2 } });
    const first = await signers.fromPhrase(PHRASE, 0);
    expect(first).toEqual({ id: 'id 2', address: addressAt(0), kind: 'local', phrase: { ...phrase, index: 0 } });
    expect(await signers.fromPhrase(PHRASE, 2)).toEqual(third);
    expect(await names()).toEqual([third, first]);
    const stored = await secrets();
    expect(stored).toHaveLength(3);
    expect(stored).toEqual(
      expect.arrayContaining([
        { id: phrase.id, account: addressAt(0), kind: 'mnemonic' },
        { id: l1Record('id 1'), account: addressAt(2), kind: 'l1-key' },
        { id: l1Record('id 2'), account: addressAt(0), kind: 'l1-key' },
      ]),
    );
    expect(await signers.exportKey('id 1')).toEqual({
      privateKey: toHex(mnemonicToAccount(PHRASE, { addressIndex: 2 }).getHdKey().privateKey ?? new Uint8Array()),
      phrase: PHRASE,
    });
  });

  test('are looked up by number, without being stored', async () => {
    const { signers, secrets } = await createStage();
    expect(await signers.phraseAddresses(PHRASE, 2, 3)).toEqual([addressAt(2), addressAt(3), addressAt(4)]);
    expect(await secrets()).toEqual([]);
  });

  test('are wiped once their addresses are known', async () => {
    const { signers } = await createStage();
    const keyAt = (addressIndex: number) =>
      Buffer.from(mnemonicToAccount(PHRASE, { addressIndex }).getHdKey().privateKey ?? []).toString('hex');
    const wiped = await wipedIn(() => signers.phraseAddresses(PHRASE, 2, 3));
    expect(wiped).toEqual(expect.arrayContaining([keyAt(2), keyAt(3), keyAt(4)]));
  });

  test('are none of words that do not fit together', async () => {
    const { signers, secrets } = await createStage();
    const wrong = { name: 'UiFailure', code: 'invalid-input', key: 'error_phraseWrong' };
    for (const words of ['abandon abandon', `${PHRASE} abandon`]) {
      await expect(signers.phraseAddresses(words, 0, 1)).rejects.toMatchObject(wrong);
      await expect(signers.fromPhrase(words, 0)).rejects.toMatchObject(wrong);
    }
    expect(await secrets()).toEqual([]);
  });

  test('are made from random bytes, which are wiped', async () => {
    const { signers, entropy } = await createStage();
    expect(await signers.generate()).toMatchObject({ address: addressAt(0), phrase: { index: 0 } });
    expect(entropy).toEqual([new Uint8Array(16)]);
  });

  test('are wiped when they are stored, and when they cannot be', async () => {
    const { signers } = await createStage();
    const given: Uint8Array[] = [];
    let isFull = false;
    const apply = vi.spyOn(vault, 'apply').mockImplementation(async ({ put = [] }) => {
      for (const { bytes } of put) expect(bytes.some((byte) => byte !== 0)).toBe(true);
      given.push(...put.map(({ bytes }) => bytes));
      if (isFull) throw new Error('the disk is full');
    });
    try {
      await signers.fromPhrase(PHRASE, 1);
      expect(given.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true, true]);
      isFull = true;
      await expect(signers.fromPhrase(PHRASE, 2)).rejects.toThrow('the disk is full');
      await expect(signers.import(KEY)).rejects.toThrow('the disk is full');
      expect(given.map((bytes) => bytes.every((byte) => byte === 0))).toEqual(Array(5).fill(true));
    } finally {
      apply.mockRestore();
    }
  });
});

describe('a wallet in another extension', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const add = async (changes: Parameters<typeof createOtherWallet>[1] = {}) => {
    const stage = await createStage(changes);
    return { ...stage, signer: await stage.signers.addExternal(EXTENSION, OWNER.address) };
  };

  test('offers its accounts in the form in which addresses are compared', async () => {
    const { signers, other, connectWallet } = await createStage();
    other.accounts = [STRANGER.address.toLowerCase(), OWNER.address.toLowerCase()];
    expect(await signers.externalAccounts(EXTENSION)).toEqual([STRANGER.address, OWNER.address]);
    expect(connectWallet).toHaveBeenCalledWith(EXTENSION);
    expect(other.open).toBe(0);
  });

  test('is kept once for each of its accounts, which it has to let us use', async () => {
    const { signers, signer, other, names } = await add();
    expect(signer).toEqual({ id: 'id 1', address: OWNER.address, kind: 'external', extensionId: EXTENSION });
    expect(await signers.addExternal(EXTENSION, OWNER.address.toLowerCase())).toEqual(signer);
    const elsewhere = await signers.addExternal('another', OWNER.address);
    expect(elsewhere).toMatchObject({ id: 'id 2', extensionId: 'another' });
    await expect(signers.addExternal(EXTENSION, STRANGER.address)).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'wallet-account', key: 'error_walletAccount' },
    });
    other.accounts.push(STRANGER.address.toUpperCase().replace('0X', '0x'));
    expect(await signers.addExternal(EXTENSION, STRANGER.address)).toMatchObject({ address: STRANGER.address });
    expect(await names()).toHaveLength(3);
  });

  test('is kept once when it is added twice at the same time', async () => {
    const { signers, names } = await createStage();
    const adding = () => signers.addExternal(EXTENSION, OWNER.address);
    const [first, second] = await Promise.all([adding(), adding()]);
    expect(second).toEqual(first);
    expect(await names()).toEqual([first]);
  });

  test('keeps its key', async () => {
    const { signers } = await add();
    await expect(signers.exportKey('id 1')).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'wallet-holds-key', key: 'error_walletHoldsKey' },
    });
  });

  test('signs a text as bytes, for an account that it lets us use', async () => {
    const { signers, other } = await add();
    const signature = toHex(await signers.signText('id 1', 'héllo\n'));
    expect(await recoverMessageAddress({ message: 'héllo\n', signature })).toBe(OWNER.address);
    expect(other.asked.slice(-3)).toEqual(['eth_chainId', 'eth_requestAccounts', 'personal_sign']);
    expect(other.open).toBe(0);
    other.accounts = [STRANGER.address, OWNER.address];
    await signers.signText('id 1', 'héllo');
    other.accounts = [STRANGER.address];
    await expect(signers.signText('id 1', 'héllo')).rejects.toMatchObject({
      ...{ code: 'wallet-account', key: 'error_walletAccount' },
    });
    expect(other.open).toBe(0);
  });

  test('signs typed data on the chain of the exchange, with the type of the domain and integers as text', async () => {
    const asked: unknown[][] = [];
    const { signers, other } = await add({
      eth_signTypedData_v4: (params) => {
        asked.push([...params]);
        return OWNER.signTypedData(JSON.parse(params[1] as string));
      },
    });
    other.chainId = 1;
    const signature = await signers.signTypedData('id 1', TYPED);
    expect(await recoverTypedDataAddress({ ...TYPED, signature })).toBe(OWNER.address);
    expect(other.chainId).toBe(31_337);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[0]).toBe(OWNER.address);
    expect(JSON.parse(asked[0]?.[1] as string)).toEqual({
      ...TYPED,
      message: { amount: (2n ** 200n).toString() },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        ...TYPED.types,
      },
    });
    expect(other.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1);
    await signers.signTypedData('id 1', TYPED);
    expect(other.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1);
  });

  test('gives signatures in one form, and only those of its account', async () => {
    const given = { signature: (): Promise<string> => OWNER.signTypedData(TYPED) };
    const { signers } = await add({ eth_signTypedData_v4: () => given.signature() });
    const plain = await OWNER.signTypedData(TYPED);
    const v = Number.parseInt(plain.slice(-2), 16);
    for (const other of [v - 27, 38]) {
      given.signature = async () => withV(plain, other);
      expect(await signers.signTypedData('id 1', TYPED)).toBe(plain);
    }
    given.signature = () => signBytes(OWNER, hashTypedData(TYPED));
    expect(await signers.signTypedData('id 1', TYPED)).toMatch(/^0x[0-9a-f]{128}1[bc]$/);
    given.signature = () => STRANGER.signTypedData(TYPED);
    await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'signer-mismatch', key: 'error_signerMismatch' },
    });
  });

  test.each([
    [4001, 'wallet-rejected', 'error_walletRejected', {}],
    [4100, 'wallet-account', 'error_walletAccount', {}],
    [-32_002, 'wallet-busy', 'error_walletBusy', {}],
    [4200, 'wallet-unable', 'error_walletUnable', {}],
    [-32_601, 'wallet-unable', 'error_walletUnable', {}],
    [-32_000, 'wallet-failed', 'error_walletFailed', { code: '-32000' }],
    [-32_603, 'wallet-failed', 'error_walletFailed', { code: '-32603' }],
  ])('that answers %i has its own message: %s', async (code, name, key, values) => {
    const { signers, other } = await add({
      personal_sign: () => {
        throw new Refusal(code);
      },
    });
    await expect(signers.signText('id 1', 'text')).rejects.toMatchObject({
      name: 'UiFailure',
      code: name,
      key,
      values,
    });
    expect(other.open).toBe(0);
  });

  test.each([
    ['no signature', 7],
    ['no text', { signature: '0x' }],
    ['no hexadecimal text', `0x${'zz'.repeat(65)}`],
    ['half a byte too many', `0x${'1'.repeat(131)}`],
    ['something before it', `x0x${'11'.repeat(65)}`],
    ['a byte too few', `0x${'11'.repeat(64)}`],
    ['more than any signature has', `0x${'11'.repeat(2_049)}`],
  ])('that answers with %s is not understood', async (_what, answer) => {
    const { signers } = await add({ personal_sign: () => answer });
    await expect(signers.signText('id 1', 'text')).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'wallet-unreadable', key: 'error_walletUnreadable' },
    });
  });

  test.each([
    ['more accounts than anybody has', Array(101).fill(OWNER.address)],
    ['an account that is no address', [OWNER.address, `${OWNER.address}0`]],
    ['an account with other letters', [OWNER.address, OWNER.address.replace('0x', '0xg').slice(0, 42)]],
    ['no list', OWNER.address],
  ])('that offers %s is not understood', async (_what, accounts) => {
    const { signers, other } = await createStage();
    other.accounts = accounts as string[];
    await expect(signers.externalAccounts(EXTENSION)).rejects.toMatchObject({ code: 'wallet-unreadable' });
    other.accounts = Array(100).fill(OWNER.address);
    expect(await signers.externalAccounts(EXTENSION)).toHaveLength(100);
  });

  test.each([1, 'x', '0x', '0x1g', '10x1', `0x${'1'.repeat(14)}`])('on a chain %j is not understood', async (chain) => {
    const { signers } = await createStage({ eth_chainId: () => chain });
    await expect(signers.externalAccounts(EXTENSION)).rejects.toMatchObject({ code: 'wallet-unreadable' });
  });

  test('that stays on its chain is told with both chains; a user who says no is told as that', async () => {
    let answer = (): unknown => null;
    const { signers, other } = await add({ wallet_switchEthereumChain: () => answer() });
    other.chainId = 1;
    const chain = { code: 'wallet-chain', key: 'error_walletChain', values: { wanted: '31337', actual: '1' } };
    await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject(chain);
    const refuse = (code: number) => () => {
      throw new Refusal(code);
    };
    for (const code of [4200, -32_000]) {
      answer = refuse(code);
      await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject(chain);
    }
    answer = refuse(4001);
    await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject({ code: 'wallet-rejected' });
    answer = refuse(-32_002);
    await expect(signers.signTypedData('id 1', TYPED)).rejects.toMatchObject({ code: 'wallet-busy' });
    answer = () => {
      other.chainId = 31_337;
      throw new Refusal(-32_000);
    };
    await signers.signTypedData('id 1', TYPED);
  });

  test('that hung up is asked nothing more, and an answer leaves no timer', async () => {
    const { signers, other } = await add();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await signers.signText('id 1', 'text');
    expect(vi.getTimerCount()).toBe(0);
    other.lastAnswers = 'eth_chainId';
    other.asked.length = 0;
    await expect(signers.signText('id 1', 'text')).rejects.toMatchObject({ code: 'wallet-disconnected' });
    expect(other.asked).toEqual(['eth_chainId']);
  });

  test('that is not there, or hangs up, is told as that', async () => {
    const { signers, other } = await add({ personal_sign: () => other.hangUp() });
    await expect(signers.signText('id 1', 'text')).rejects.toMatchObject({
      ...{ code: 'wallet-disconnected', key: 'error_walletDisconnected' },
    });
    other.installed = false;
    const absent = { code: 'wallet-absent', key: 'error_walletAbsent' };
    await expect(signers.signText('id 1', 'text')).rejects.toMatchObject(absent);
    expect(other.open).toBe(0);
  });

  test.each([
    ['eth_chainId', 10_000],
    ['personal_sign', 300_000],
  ])('that does not answer %s is silent after %i ms', async (method, ms) => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let isOpen = true;
    const { signers } = await add(
      method === 'personal_sign'
        ? {
            personal_sign: () => {
              asked();
              return new Promise(() => {});
            },
          }
        : {
            eth_chainId: () => {
              if (isOpen) return '0x7a69';
              asked();
              return new Promise(() => {});
            },
          },
    );
    isOpen = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let failure: unknown;
    const signing = signers.signText('id 1', 'text').catch((error: unknown) => {
      failure = error;
    });
    await isAsked;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await signing;
    expect(failure).toMatchObject({ name: 'UiFailure', code: 'wallet-silent', key: 'error_walletSilent' });
  });
});
