import { hexToBytes } from '@noble/hashes/utils.js';
import { hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccountKeys } from '../../src/background/keys/accountKeys.ts';
import { deriveKey, registeredKey, seedTextFor } from '../../src/background/keys/deriveKey.ts';
import { accountRecords, apiKeyRecord, eddsaRecord } from '../../src/background/keys/keyRecords.ts';
import { smartWalletOf } from '../../src/background/keys/smartWallet.ts';
import { hexPoint } from '../../src/background/keys/stagedKeys.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import { RelayerClientError } from '../../src/client/index.ts';
import { createSigner, formatSignature, getPublicKey, parseSignature, verify } from '../../src/crypto/index.ts';
import {
  keySeedText,
  type RelayerErrorName,
  relayerErrors,
  requestHash,
  requestMessage,
  secretKeyFromSignature,
} from '../../src/protocol/index.ts';
import { VaultError } from '../../src/vault/index.ts';
import { createHarness, password } from '../vault/harness.ts';
import { network, account as stored } from './approvalStage.ts';

const OWNER = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const STRANGER = privateKeyToAccount(`0x${'8'.repeat(64)}`);
const account: StoredAccount = { ...stored, owner: OWNER.address };
const secret = new Uint8Array(32).fill(3);
const signer = createSigner(secret);
const TYPED = {
  domain: { name: 'Exchange', version: '1', chainId: 31_337, verifyingContract: OWNER.address },
  types: { Mail: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Mail',
  message: { amount: 5n },
} as const;

const refused = (relayerName: RelayerErrorName) =>
  new RelayerClientError('no', {
    ...{ kind: 'refused', outcome: 'refused', endpoint: 'getApiKey', relayerName },
    relayerCode: relayerErrors[relayerName].code,
  } as never);

let vault: Awaited<ReturnType<ReturnType<typeof createHarness>['filled']>>;
beforeAll(async () => {
  vault = await createHarness().filled();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Keys of an account whose relayer gives `keys` in turn, and whose owner's signer is `l1`. */
async function createStage(
  l1 = OWNER,
  keys: string[] = ['first-key', 'second-key', 'third-key'],
  beforeAnswer = async () => {},
) {
  if (!(await vault.isUnlocked())) await vault.unlock(password);
  const remove = (await vault.listSecrets())
    .map(({ id }) => id)
    .filter((id) => accountRecords(account.id).includes(id));
  await vault.apply({ remove });
  await vault.putSecret({ id: eddsaRecord(account.id), account: account.id, kind: 'eddsa-key' }, secret);
  const asked: { query: unknown; signature?: string }[] = [];
  const counted: unknown[] = [];
  const held: unknown[] = [];
  const relayers = {
    client: (of: unknown) => {
      expect(of).toBe(network);
      return {
        async getApiKey(input: { query: unknown; signature: string }) {
          asked.push(input);
          await beforeAnswer();
          return { apiKey: keys[asked.length - 1] };
        },
      };
    },
  };
  const signers: string[] = [];
  const l1Signer = {
    async signTypedData(signer: string, typedData: never) {
      signers.push(signer);
      return l1.signTypedData(typedData);
    },
    async signText(signer: string, message: string) {
      signers.push(signer);
      return hexToBytes((await l1.signMessage({ message })).slice(2));
    },
  };
  const created = createAccountKeys(
    vault,
    relayers as never,
    l1Signer as never,
    { count: (of: unknown) => counted.push(of) } as never,
    async (...of) => {
      held.push(of);
      return true;
    },
  );
  const storedKey = () =>
    vault.withSecret(apiKeyRecord(account.id), (bytes) => new TextDecoder().decode(bytes)).catch(({ code }) => code);
  const store = (key: string) =>
    vault.putSecret(
      { id: apiKeyRecord(account.id), account: account.id, kind: 'api-key' },
      new TextEncoder().encode(key),
    );
  return { ...created, asked, counted, held, signers, storedKey, store };
}

test('everything that the vault holds for an account is named', () => {
  expect(accountRecords('net:1')).toEqual(['eddsa:net:1', 'api-key:net:1']);
});

describe('the keys of an account', () => {
  test('sign with its own key, say which it is, and count it', async () => {
    const { keysOf, counted } = await createStage();
    const used: unknown[] = [];
    const keys = keysOf(account, (publicKey) => used.push(publicKey));
    expect(verify(await keys.signEddsa(77n), 77n, signer.publicKey)).toBe(true);
    expect(used).toEqual([hexPoint(signer.publicKey)]);
    expect(counted).toEqual([account]);
  });

  test('sign typed data and texts with the owner’s, through its signer', async () => {
    const { keysOf, signers } = await createStage();
    const keys = keysOf(account);
    const signature = await OWNER.signTypedData(TYPED);
    expect(await keys.signTypedData(TYPED as never)).toBe(signature);
    expect(await keys.approveByOwner(TYPED as never)).toEqual({
      fields: { ecdsaSignature: signature },
      header: { signature },
    });
    expect(await keys.signText('Hello')).toBe(await OWNER.signMessage({ message: 'Hello' }));
    expect(signers).toEqual(['one', 'one', 'one']);
  });

  test('send nothing that another key signed', async () => {
    const keys = (await createStage(STRANGER)).keysOf(account);
    const message = "the L1 signature over Mail is not the owner's";
    await expect(keys.signTypedData(TYPED as never)).rejects.toThrow(message);
    await expect(keys.approveByOwner(TYPED as never)).rejects.toThrow(message);
    await expect(keys.signText('Hello')).rejects.toThrow("the L1 signature over the text is not the owner's");
  });

  test('of a smart wallet sign with its owner’s, or have a hash approved where it is a contract', async () => {
    const { keysOf, signers } = await createStage();
    const wallet = STRANGER.address;
    const smart = {
      kind: 'counterfactual',
      walletOwner: OWNER.address,
      walletFactory: wallet,
      walletSalt: '0',
    } as const;
    expect(await keysOf({ ...account, owner: wallet, smart }).signTypedData(TYPED as never)).toBe(
      await OWNER.signTypedData(TYPED),
    );
    signers.length = 0;
    expect(
      await keysOf({ ...account, owner: wallet, smart: { kind: 'contract' } }).approveByOwner(TYPED as never),
    ).toEqual({ fields: { hashApproved: hashTypedData(TYPED) }, header: {} });
    expect(signers).toEqual([]);
  });

  test('are asked for whether a new one is held', async () => {
    const { keysOf, held } = await createStage();
    expect(await keysOf(account).holdsNewKey({ x: '0x1', y: '0x2' })).toBe(true);
    expect(held).toEqual([[account.id, { x: '0x1', y: '0x2' }]]);
  });
});

describe('the API key', () => {
  const use = async (stage: Awaited<ReturnType<typeof createStage>>) =>
    stage.withApiKey(account, network, async (key) => key);

  test('is asked for once, by a signed request, and kept', async () => {
    const stage = await createStage();
    expect(await Promise.all([use(stage), use(stage)])).toEqual(['first-key', 'first-key']);
    expect(await use(stage)).toBe('first-key');
    expect(stage.asked).toHaveLength(1);
    expect(await stage.storedKey()).toBe('first-key');
    const query = { accountId: account.accountId };
    const hash = requestHash(
      requestMessage({ method: 'GET', baseUrl: network.baseUrl, path: '/api/v3/apiKey', query }),
    );
    const [{ query: sent, signature = '' } = { query: null }] = stage.asked;
    expect(sent).toEqual(query);
    expect(verify(parseSignature(signature), hash, signer.publicKey)).toBe(true);
    expect(formatSignature(parseSignature(signature))).toBe(signature);
    expect((await vault.listSecrets()).find(({ id }) => id === apiKeyRecord(account.id))).toMatchObject({
      ...{ account: account.id, kind: 'api-key' },
    });
  });

  test('that the relayer does not know any more is replaced once', async () => {
    const stage = await createStage();
    const tried: string[] = [];
    const call = (failures: number) => (key: string) => {
      tried.push(key);
      return tried.length <= failures ? Promise.reject(refused('API_KEY_INVALID')) : Promise.resolve(key);
    };
    expect(await stage.withApiKey(account, network, call(1))).toBe('second-key');
    expect(tried).toEqual(['first-key', 'second-key']);
    tried.length = 0;
    await expect(stage.withApiKey(account, network, call(2))).rejects.toMatchObject({ relayerName: 'API_KEY_INVALID' });
    expect(tried).toHaveLength(2);
  });

  test('stays when a call fails for another reason', async () => {
    const stage = await createStage();
    const calls: string[] = [];
    const failing = async (key: string) => {
      calls.push(key);
      throw refused('ACCOUNT_NOT_FOUND');
    };
    await expect(stage.withApiKey(account, network, failing)).rejects.toMatchObject({
      relayerName: 'ACCOUNT_NOT_FOUND',
    });
    expect(calls).toEqual(['first-key']);
    expect(await stage.storedKey()).toBe('first-key');
  });

  test('of a connection is another only when the relayer refused that one', async () => {
    const stage = await createStage();
    expect(await stage.apiKeyFor(account, network)).toBe('first-key');
    expect(await stage.apiKeyFor(account, network, 'older-key')).toBe('first-key');
    expect(await stage.apiKeyFor(account, network, 'first-key')).toBe('second-key');
    expect(await stage.storedKey()).toBe('second-key');
  });

  test('that no header can carry is asked for anew', async () => {
    const stage = await createStage();
    await stage.store('a b\nc');
    expect(await use(stage)).toBe('first-key');
    expect(await stage.storedKey()).toBe('first-key');
  });

  test('that does not open is asked for anew', async () => {
    const stage = await createStage();
    await stage.store('damaged');
    vi.spyOn(vault, 'withSecret').mockRejectedValueOnce(new VaultError('damaged', 'damaged'));
    expect(await use(stage)).toBe('first-key');
    expect(await stage.storedKey()).toBe('first-key');
  });

  test('that cannot be stored is used all the same, but not while the vault is locked', async () => {
    const stage = await createStage();
    const put = vi.spyOn(vault, 'putSecret');
    put.mockRejectedValueOnce(new VaultError('storage-full', 'storage is full'));
    expect(await use(stage)).toBe('first-key');
    expect(await stage.storedKey()).toBe('not-found');
    put.mockRejectedValueOnce(new VaultError('locked'));
    await expect(use(stage)).rejects.toMatchObject({ code: 'locked' });
    put.mockRestore();
  });

  test.each([
    ['the store fails', new VaultError('storage', 'the store does not answer')],
    ['something else fails', Object.assign(new Error('no such row'), { code: 'not-found' })],
  ])('is not asked for anew when %s', async (_when, error) => {
    const stage = await createStage();
    await stage.store('stored-key');
    vi.spyOn(vault, 'withSecret').mockRejectedValueOnce(error);
    await expect(use(stage)).rejects.toBe(error);
    expect(stage.asked).toEqual([]);
    expect(await use(stage)).toBe('stored-key');
  });

  test('is asked for by nobody who has no key, and a login that failed is tried again', async () => {
    const stage = await createStage();
    await vault.apply({ remove: [eddsaRecord(account.id)] });
    for (let tries = 0; tries < 2; tries++)
      await expect(use(stage)).rejects.toMatchObject({
        ...{ name: 'KeyAbsent', message: `no key of account ${account.id} is here` },
      });
    expect(stage.asked).toEqual([]);
    await vault.putSecret({ id: eddsaRecord(account.id), account: account.id, kind: 'eddsa-key' }, secret);
    expect(await use(stage)).toBe('first-key');
  });

  test('of an account that was removed while the relayer was asked is neither stored nor used', async () => {
    const stage = await createStage(OWNER, ['first-key'], () => vault.apply({ remove: [eddsaRecord(account.id)] }));
    await expect(use(stage)).rejects.toMatchObject({ name: 'KeyAbsent' });
    expect(stage.asked).toHaveLength(1);
    expect(await stage.storedKey()).toBe('not-found');
  });

  test('is not asked for while the wallet is locked', async () => {
    const stage = await createStage();
    await stage.store('stored-key');
    await vault.lock();
    await expect(use(stage)).rejects.toMatchObject({ code: 'locked' });
    expect(stage.asked).toEqual([]);
  });

  test('that was read ahead serves for a second, also while the vault gives none', async () => {
    const stage = await createStage();
    await stage.store('stored-key');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    stage.readApiKeyAhead(account.id);
    await use(stage);
    await stage.store('newer-key');
    expect(await use(stage)).toBe('stored-key');
    vi.advanceTimersByTime(999);
    expect(await use(stage)).toBe('stored-key');
    vi.advanceTimersByTime(1);
    expect(await use(stage)).toBe('newer-key');
  });

  test('that was read ahead is forgotten at a lock and when the relayer refuses it', async () => {
    const stage = await createStage();
    await stage.store('stored-key');
    stage.readApiKeyAhead(account.id);
    await use(stage);
    await stage.store('newer-key');
    stage.forgetAhead();
    expect(await use(stage)).toBe('newer-key');
    stage.readApiKeyAhead(account.id);
    expect(await stage.apiKeyFor(account, network, 'newer-key')).toBe('first-key');
    expect(await use(stage)).toBe('first-key');
  });

  test('that could not be read ahead is read again, and a later reading outlasts an earlier one', async () => {
    const stage = await createStage();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    stage.readApiKeyAhead(account.id);
    await new Promise((done) => setImmediate(done));
    expect(await use(stage)).toBe('first-key');
    vi.advanceTimersByTime(500);
    stage.readApiKeyAhead(account.id);
    await use(stage);
    await stage.store('newer-key');
    vi.advanceTimersByTime(500);
    expect(await use(stage)).toBe('first-key');
    vi.advanceTimersByTime(500);
    expect(await use(stage)).toBe('newer-key');
  });
});

describe('the key that the relayer has registered', () => {
  const of = (x: string, y: string) => registeredKey({ publicKey: { x, y } } as never);

  test('is a point, or none while it is empty or zero', () => {
    expect(of('0x5', '0x6')).toEqual({ x: 5n, y: 6n });
    for (const [x, y] of [
      ['', ''],
      ['', '0x1'],
      ['0x1', ''],
      ['0x0', '0x0'],
      ['0x00', '0'],
    ] as const)
      expect(of(x, y)).toBeNull();
    expect(of('0x0', '0x1')).toEqual({ x: 0n, y: 1n });
    expect(of('0x1', '0x0')).toEqual({ x: 1n, y: 0n });
  });

  const seed = (nonce: number) => keySeedText(network.exchangeAddress, nonce);
  const textFor = (keySeed: string, nonce: number, x = '0x5', kept = '') =>
    seedTextFor(network, { publicKey: { x, y: x }, keySeed, nonce } as never, kept);

  test('comes from the text of the account’s nonce, the one before, or the one that was stored', () => {
    expect(textFor('anything', 3, '')).toBe(seed(3));
    expect(textFor('', 3)).toBe(seed(2));
    expect(textFor('', 0)).toBe(seed(0));
    for (const nonce of [0, 2, 3]) expect(textFor(seed(nonce), 3)).toBe(seed(nonce));
    for (const nonce of [9, 10, 4_294_967_294]) expect(textFor(seed(nonce), 4_294_967_295)).toBe(seed(nonce));
  });

  test.each([
    ['of a nonce that is to come', seed(4)],
    ['of another exchange', keySeedText(OWNER.address, 2)],
    ['with something before it', `x${seed(1)}`],
    ['with something behind it', `${seed(1)} `],
    ['without a nonce', seed(1).slice(0, -1)],
    ['of another site', 'Sign in to bank.example: 1'],
  ])(
    'comes from no text %s, but from the one that is kept with the key, or that of the nonce before',
    (_what, text) => {
      expect(textFor(text, 3)).toBe(seed(2));
      expect(textFor(text, 3, '0x5', seed(0))).toBe(seed(0));
      expect(textFor(seed(1), 3, '0x5', text)).toBe(seed(1));
      expect(textFor(text, 3, '0x5', text)).toBe(seed(2));
    },
  );

  test('comes from the text that is kept with it before the one that the relayer stores', () => {
    expect(textFor(seed(1), 3, '0x5', seed(0))).toBe(seed(0));
    expect(textFor('', 3, '', seed(0))).toBe(seed(3));
  });
});

describe('a key that is derived', () => {
  const SEED = keySeedText(network.exchangeAddress, 1);
  const given: Uint8Array[] = [];
  let answers: Uint8Array[];
  let asked: unknown[];
  let bytes: Uint8Array;
  beforeEach(async () => {
    given.length = 0;
    asked = [];
    bytes = hexToBytes((await OWNER.signMessage({ message: SEED })).slice(2));
    answers = [bytes, bytes];
  });
  const derive = (registered: Parameters<typeof deriveKey>[4], owner: string = OWNER.address) =>
    deriveKey(
      {
        async signText(...of: unknown[]) {
          asked.push(of);
          const copy = Uint8Array.from(answers.shift() as Uint8Array);
          given.push(copy);
          return copy;
        },
      } as never,
      'one',
      SEED,
      owner,
      registered,
    );
  const expectWiped = () => expect(given.every((one) => one.every((byte) => byte === 0))).toBe(true);

  test('is proven by the registered one, with one signature', async () => {
    const secretKey = secretKeyFromSignature(Uint8Array.from(bytes));
    expect(await derive(getPublicKey(secretKey))).toEqual(secretKey);
    expect(asked).toEqual([['one', SEED]]);
    expectWiped();
  });

  test.each([
    ['no key is registered', null],
    ['another is', { x: 1n, y: 2n }],
  ])('is signed for twice when %s', async (_when, registered) => {
    const secretKey = secretKeyFromSignature(Uint8Array.from(bytes));
    expect(await derive(registered)).toEqual(secretKey);
    expect(asked).toEqual([
      ['one', SEED],
      ['one', SEED],
    ]);
    expectWiped();
  });

  test('comes from a last byte that other clients try, whatever the signer returns', async () => {
    const odd = Uint8Array.from(bytes).fill(bytes[64] === 27 ? 37 : 38, 64);
    answers = [odd, odd];
    const secretKey = await derive(null);
    expect(secretKey).toEqual(secretKeyFromSignature(bytes));
    answers = [bytes];
    expect(await derive(getPublicKey(secretKey))).toEqual(secretKey);
    // One that was registered from such a byte is still found.
    answers = [odd];
    const fromOdd = secretKeyFromSignature(odd);
    expect(await derive(getPublicKey(fromOdd))).toEqual(fromOdd);
    const bit = Uint8Array.from(bytes).fill((bytes[64] as number) - 27, 64);
    answers = [bit, bit];
    expect(await derive(null)).toEqual(secretKeyFromSignature(bit));
    expectWiped();
  });

  test('is refused from a signer that signs differently each time', async () => {
    const other = hexToBytes((await STRANGER.signMessage({ message: SEED })).slice(2));
    answers = [bytes, other];
    await expect(derive(null)).rejects.toMatchObject({
      ...{ code: 'signer-not-deterministic', key: 'error_signerNotDeterministic' },
    });
    expect(given).toHaveLength(2);
    expectWiped();
  });

  test('is refused from the signer of another owner', async () => {
    await expect(derive(null, STRANGER.address)).rejects.toMatchObject({
      ...{ code: 'signer-mismatch', key: 'error_signerMismatch' },
    });
    expect(asked).toHaveLength(1);
    expectWiped();
  });
});

describe('the wallet behind an owner', () => {
  const WALLET = `0x${'9a'.repeat(20)}`;
  const info = { wallet: WALLET, walletFactory: '0xfa', walletOwner: OWNER.address, walletSalt: '7' };
  let asked: unknown[];
  const walletOf = (found: object, code = '0x', owner = WALLET, by: string = OWNER.address) => {
    asked = [];
    const client = {
      async getCounterFactualInfo(input: unknown) {
        asked.push(input);
        if (found instanceof Error) throw found;
        return found;
      },
      async getCode(input: unknown) {
        asked.push(input);
        return { result: code };
      },
    };
    return smartWalletOf({ client: () => client } as never, network, owner, by);
  };

  test('is none when the owner is the signer', async () => {
    expect(await walletOf(info, '0x60', OWNER.address.toLowerCase())).toBeUndefined();
    expect(await walletOf(info, '0x60', OWNER.address, OWNER.address.toLowerCase())).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('is not deployed yet when the relayer says how it is derived for this signer', async () => {
    const { wallet: _, ...derivation } = info;
    expect(await walletOf(info)).toEqual({ kind: 'counterfactual', ...derivation });
    expect(asked).toEqual([{ body: { address: WALLET } }, { query: { address: WALLET } }]);
    expect(await walletOf({ ...info, wallet: WALLET.toUpperCase().replace('0X', '0x') })).toMatchObject({
      kind: 'counterfactual',
    });
    expect(await walletOf({ ...info, walletOwner: OWNER.address.toLowerCase() })).toMatchObject({
      kind: 'counterfactual',
    });
  });

  test.each([
    ['another wallet', { ...info, wallet: OWNER.address }],
    ['another signer', { ...info, walletOwner: STRANGER.address }],
  ])('is refused when it is that of %s', async (_what, found) => {
    await expect(walletOf(found)).rejects.toMatchObject({ code: 'signer-mismatch', key: 'error_signerMismatch' });
  });

  test.each([
    ['is not known', refused('ADDRESS_NOT_FOUND')],
    ['is that of this signer', info],
    ['is that of another signer, as after a recovery', { ...info, walletOwner: STRANGER.address }],
  ])('is a contract once it has code, where its derivation %s', async (_what, found) => {
    expect(await walletOf(found, '0x60')).toEqual({ kind: 'contract' });
    expect(asked).toEqual([{ body: { address: WALLET } }]);
  });

  test.each(['ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND'] as const)(
    'is an ordinary address without code, or with a delegation (EIP-7702), when the relayer says %s',
    async (name) => {
      expect(await walletOf(refused(name))).toBeUndefined();
      expect(await walletOf(refused(name), `0xef0100${'1'.repeat(40)}`)).toBeUndefined();
    },
  );

  test('is not guessed when the relayer fails', async () => {
    await expect(walletOf(refused('UNKNOWN_ERROR'))).rejects.toMatchObject({ relayerName: 'UNKNOWN_ERROR' });
    expect(asked).toHaveLength(2);
  });
});
