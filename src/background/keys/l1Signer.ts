import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { readAddress } from '../../ethereum/address.ts';
import { personalMessageDigest } from '../../ethereum/personalMessage.ts';
import { type TypedData, type TypedDataDomain, typedDataDigest } from '../../protocol/index.ts';
import { ownerSignature } from '../../receipts/recoverSigner.ts';
import { type SecretInfo, type Vault, VaultError } from '../../vault/index.ts';
import { invalidInput, UiFailure } from '../errors/uiFailure.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import type { StoredSigner } from '../settings/storedConfig.ts';
import { createExtensionWallet } from './extensionWallet.ts';

type Hex = `0x${string}`;

/**
 * Lock under which keys and the list of signers change together, because two signers may share a
 * phrase; also accounts that name a signer, because it is not removed while one does.
 */
export const SIGNERS = 'signers';

/** @throws {UiFailure} `signer-in-use`, unless `users` is 0. */
export function refuseUsed(users: number): void {
  if (users > 0) throw new UiFailure('signer-in-use', 'error_signerInUse', { count: String(users) });
}

/** Vault record of an L1 key. */
export const l1Record = (signer: string) => `l1:${signer}`;
/** Vault record of a recovery phrase, by its first address. */
const phraseRecord = (address: string) => `phrase:${address}`;
const addressOfPhrase = (record: string) => record.replace(/^phrase:/, '');
const L1_KINDS: readonly string[] = ['l1-key', 'mnemonic'];

// Few lifetimes of the worker need the curve, fewer the words of phrases: 1.5 and 2.6 ms to load.
const curve = () => import('../../ethereum/signature.ts');
const phrases = async () => (await curve()).phrases();

/**
 * Keys number `start` and the following ones of a phrase; the caller wipes them.
 * @throws {UiFailure} `invalid-input`: a word is not in the list, or the words do not fit together.
 */
async function keysOfPhrase(phrase: string, start: number, count: number): Promise<Uint8Array[]> {
  const keys = await (await phrases()).phraseKeys(phrase, start, count);
  if (!keys) throw new UiFailure('invalid-input', 'error_phraseWrong');
  return keys;
}

/** Addresses number `start` and the following ones of a phrase. @throws As `keysOfPhrase`. */
async function phraseAddresses(phrase: string, start: number, count: number): Promise<string[]> {
  const [{ addressOfKey }, keys] = await Promise.all([curve(), keysOfPhrase(phrase, start, count)]);
  const addresses = keys.map(addressOfKey);
  for (const key of keys) key.fill(0);
  return addresses;
}

const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`;

/**
 * Holders of L1 keys: keys in the vault, and wallets in other extensions. A key leaves the vault
 * only inside a signature, or by `exportKey` for a backup.
 */
export function createL1Signer(
  { lock, uuid, randomBytes, connectWallet }: Pick<Ports, 'lock' | 'uuid' | 'randomBytes' | 'connectWallet'>,
  vault: Vault,
  config: Config,
) {
  const alone = <T>(work: () => Promise<T>): Promise<T> => lock(SIGNERS, work);
  const extension = createExtensionWallet(connectWallet);

  async function signerNamed(id: string): Promise<StoredSigner> {
    const signer = await config.signer(id);
    if (!signer) throw new UiFailure('not-found', 'error_notFound');
    return signer;
  }

  /**
   * Records of L1 keys and phrases that no signer names: a worker stopped between the two writes.
   */
  async function unlisted(addresses: readonly string[]): Promise<readonly SecretInfo[]> {
    const { signers } = await config.read();
    const named = new Set(signers.flatMap(({ id, phrase }) => [l1Record(id), ...(phrase ? [phrase.id] : [])]));
    return (await vault.listSecrets()).filter(
      ({ id, account, kind }) => L1_KINDS.includes(kind) && addresses.includes(account) && !named.has(id),
    );
  }

  /**
   * The key first, then the name that it is found by. One that is listed is stored again: its
   * secret may be lost, or come without its phrase.
   */
  async function save(
    privateKey: Uint8Array,
    phrase?: { readonly text: string; readonly index: number },
  ): Promise<StoredSigner> {
    const { addressOfKey } = await curve();
    const address = addressOfKey(privateKey);
    const { signers } = await config.read();
    const known = signers.find((signer) => signer.kind === 'local' && signer.address === address);
    const left = known ? undefined : (await unlisted([address])).find(({ kind }) => kind === 'l1-key');
    const signer = known ?? ({ id: left?.id.replace(/^l1:/, '') ?? uuid(), address, kind: 'local' } as const);
    const put = [{ info: { id: l1Record(signer.id), account: address, kind: 'l1-key' as const }, bytes: privateKey }];
    if (!phrase) {
      await vault.apply({ put });
      return known ?? add(signer);
    }
    // All keys of a phrase name one record: the first address of a phrase tells whether it is
    // there.
    const [account = ''] = await phraseAddresses(phrase.text, 0, 1);
    const record = phraseRecord(account);
    const { normalPhrase } = await phrases();
    const bytes = new TextEncoder().encode(normalPhrase(phrase.text));
    try {
      await vault.apply({ put: [...put, { info: { id: record, account, kind: 'mnemonic' }, bytes }] });
    } finally {
      bytes.fill(0);
    }
    return add({ ...signer, phrase: { id: record, index: phrase.index } });
  }

  /**
   * Vault records that go with a signer: a phrase goes with the last one that names it, and so does
   * what a stopped worker left of the same keys.
   */
  async function recordsOf(id: string): Promise<string[]> {
    const { address, kind, phrase } = await signerNamed(id);
    if (kind === 'external') return [l1Record(id)];
    const { signers } = await config.read();
    const isShared = signers.some((entry) => entry.id !== id && entry.phrase?.id === phrase?.id);
    const ending = phrase && !isShared ? [phrase.id] : [];
    const left = await unlisted([address, ...ending.map(addressOfPhrase)]);
    return [l1Record(id), ...ending, ...left.map((record) => record.id)];
  }

  /** Lists a signer, in the place of an earlier entry with its id. */
  async function add(signer: StoredSigner): Promise<StoredSigner> {
    await config.update((data) => {
      const isThere = data.signers.some(({ id }) => id === signer.id);
      const signers = data.signers.map((one) => (one.id === signer.id ? signer : one));
      return { ...data, signers: isThere ? signers : [...signers, signer] };
    });
    return signer;
  }

  async function fromPhrase(phrase: string, index: number): Promise<StoredSigner> {
    const [privateKey] = (await keysOfPhrase(phrase, index, 1)) as [Uint8Array];
    try {
      return await alone(() => save(privateKey, { text: phrase, index }));
    } finally {
      privateKey.fill(0);
    }
  }

  return {
    /** @throws {UiFailure} `invalid-input`: the number is zero or not below the curve order. */
    async import(privateKey: string): Promise<StoredSigner> {
      const bytes = hexToBytes(privateKey.replace(/^0x/, ''));
      try {
        const { isPrivateKey } = await curve();
        if (!isPrivateKey(bytes)) throw invalidInput('privateKey');
        return await alone(() => save(bytes));
      } finally {
        bytes.fill(0);
      }
    },

    fromPhrase,

    phraseAddresses,

    /** A new phrase of twelve words (128 bits) and its first key. */
    async generate() {
      const entropy = randomBytes(16);
      try {
        const { phraseOf } = await phrases();
        return await fromPhrase(phraseOf(entropy), 0);
      } finally {
        entropy.fill(0);
      }
    },

    /** The addresses that a wallet in another extension lets us use. Asks its user. */
    externalAccounts: async (extensionId: string): Promise<string[]> =>
      (await extension.accounts(extensionId)).map((address) => readAddress(address)),

    async addExternal(extensionId: string, given: string): Promise<StoredSigner> {
      // Wallets write addresses in any letter case, and what is compared and shown has one.
      const address = readAddress(given);
      const accounts = await extension.accounts(extensionId);
      const own = accounts.find((account) => account.toLowerCase() === address.toLowerCase());
      if (!own) throw new UiFailure('wallet-account', 'error_walletAccount');
      return alone(async () => {
        const { signers } = await config.read();
        const known = signers.find((signer) => signer.address === address && signer.extensionId === extensionId);
        return known ?? add({ id: uuid(), address, kind: 'external', extensionId });
      });
    },

    addressOf: async (signer: string): Promise<string> => (await signerNamed(signer)).address,

    /**
     * EIP-191 `personal_sign` over the UTF-8 text, as the signer returned it. The caller wipes it
     * when it is key material.
     */
    async signText(id: string, text: string): Promise<Uint8Array> {
      const { extensionId, address } = await signerNamed(id);
      if (extensionId !== undefined) return extension.signText(extensionId, address, text);
      const { signDigest } = await curve();
      return vault.withSecret(l1Record(id), (key) => signDigest(personalMessageDigest(text), key));
    },

    /**
     * EIP-712, from an external wallet only for the exchange's own domains; 0x + 130 hex digits, v
     * of 27 or 28, checked to be the signer's own.
     * @throws {UiFailure} `signer-mismatch`
     */
    async signTypedData(id: string, typedData: TypedData): Promise<Hex> {
      const { extensionId, address } = await signerNamed(id);
      const { signDigest } = await curve();
      const digest = typedDataDigest(typedData);
      const answer =
        extensionId === undefined
          ? hexOf(await vault.withSecret(l1Record(id), (key) => signDigest(digest, key)))
          : await extension.signTypedData(
              extensionId,
              address,
              (typedData.domain as TypedDataDomain).chainId,
              JSON.stringify(withDomainType(typedData), plainIntegers),
            );
      const signature = await ownerSignature(digest, answer, address);
      if (!signature) throw new UiFailure('signer-mismatch', 'error_signerMismatch');
      return signature;
    },

    recordsOf,

    /** Its key first, then the name that it is found by. @throws As `refuseUsed`. */
    remove: (id: string): Promise<void> =>
      alone(async () => {
        const { accounts, claimed } = await config.read();
        refuseUsed([...accounts, ...claimed].filter(({ signer }) => signer === id).length);
        await vault.apply({ remove: await recordsOf(id) });
        await config.update((data) => ({ ...data, signers: data.signers.filter((entry) => entry.id !== id) }));
      }),

    /**
     * A phrase that is lost or damaged does not keep the key.
     * @throws {UiFailure} `wallet-holds-key` for an external signer.
     */
    async exportKey(id: string): Promise<{ privateKey: Hex; phrase: string | null }> {
      const { extensionId, phrase } = await signerNamed(id);
      if (extensionId !== undefined) throw new UiFailure('wallet-holds-key', 'error_walletHoldsKey');
      const privateKey = await vault.withSecret(l1Record(id), hexOf);
      if (!phrase) return { privateKey, phrase: null };
      const words = await vault
        .withSecret(phrase.id, (bytes) => new TextDecoder().decode(bytes))
        .catch((error: unknown) => {
          if (error instanceof VaultError && (error.code === 'not-found' || error.code === 'damaged')) return null;
          throw error;
        });
      return { privateKey, phrase: words };
    },
  };
}

/** JSON has no form for a BigInt; wallets take integers as decimal text. */
const plainIntegers = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

/** Wallets want the domain's own type spelled out. */
const withDomainType = (typedData: TypedData) => ({
  ...typedData,
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    ...typedData.types,
  },
});

export type L1Signer = ReturnType<typeof createL1Signer>;
