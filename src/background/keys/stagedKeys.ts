import { type AffinePoint, getPublicKey, type SecretKey } from '../../crypto/index.ts';
import type { NewKey } from '../../operations/operation.ts';
import { formatHash } from '../../protocol/index.ts';
import { reported } from '../../report/report.ts';
import { type SecretInfo, type Vault, VaultError } from '../../vault/index.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { accountRecords, apiKeyRecord, eddsaRecord } from './keyRecords.ts';

type PublicKey = NewKey['publicKey'];
export type KeyKind = NonNullable<StoredAccount['key']>['kind'];

export const hexPoint = ({ x, y }: AffinePoint): PublicKey => ({ x: formatHash(x), y: formatHash(y) });

export const isSameKey = (a: PublicKey, b: PublicKey) => BigInt(a.x) === BigInt(b.x) && BigInt(a.y) === BigInt(b.y);

/** A key that is in the vault and not yet the account's. */
export interface StagedKey {
  /** Vault record. */
  readonly id: string;
  readonly account: string;
  /** Of its public key. */
  readonly x: string;
  /** `undefined`: stored by an earlier version, for a key update whose record says it. */
  readonly kind: KeyKind | undefined;
  /** When it was staged, milliseconds since 1970. */
  readonly since: number;
}

type Secret = Awaited<ReturnType<Vault['listSecrets']>>[number];

const KIND = 'pending-eddsa-key' satisfies SecretInfo['kind'];

/**
 * The vault record is named by the public key, so that no staged key ever overwrites another one.
 */
const recordOf = (account: string, x: string, kind: KeyKind) => `pending:${account}:${x}:${kind}`;

function stagedKey({ id, account, createdAt: since }: Secret): StagedKey | undefined {
  const prefix = `pending:${account}:`;
  if (!id.startsWith(prefix)) return undefined;
  const [x = '', kind] = id.slice(prefix.length).split(':');
  return { id, account, x, kind: kind as KeyKind | undefined, since };
}

/** Kind of a key whose record an earlier version named by the account alone. */
const unnamedKind = ({ id, account }: SecretInfo): KeyKind | undefined =>
  (['derived', 'random', 'imported'] as const).find((kind) => id === `new-key:${kind}:${account}`);

/**
 * Keys on their way into an account: made, or imported, and stored before the relayer hears of
 * them; in the account's place once the relayer reports them. A key that may be registered is never
 * removed without that.
 */
export function createStagedKeys(vault: Vault) {
  let renaming: Promise<void> | undefined;

  /**
   * Gives the records of earlier versions their names, each in one vault write. One that fails
   * stays as it is, for the next time.
   */
  async function rename(secrets: readonly SecretInfo[]): Promise<void> {
    for (const secret of secrets) {
      const kind = unnamedKind(secret);
      if (kind)
        await vault
          .withSecret(secret.id, (bytes) => store(secret.account, kind, bytes, [secret.id]))
          .catch(reported('keys: earlier staged keys'));
    }
  }

  const store = (account: string, kind: KeyKind, bytes: SecretKey, remove: readonly string[]): Promise<void> => {
    const { x } = hexPoint(getPublicKey(bytes));
    return vault.apply({ put: [{ info: { id: recordOf(account, x, kind), account, kind: KIND }, bytes }], remove });
  };

  const stagedSecrets = async () =>
    (await vault.exists()) ? (await vault.listSecrets()).filter(({ kind }) => kind === KIND) : [];

  /** Staged keys of an account, or of all. Works while locked. */
  async function list(account?: string): Promise<StagedKey[]> {
    let secrets = await stagedSecrets();
    if (secrets.some((secret) => unnamedKind(secret)) && (await vault.isUnlocked())) {
      renaming ??= rename(secrets).finally(() => {
        renaming = undefined;
      });
      await renaming;
      secrets = await stagedSecrets();
    }
    return secrets.flatMap((secret) => {
      const key = account === undefined || secret.account === account ? stagedKey(secret) : undefined;
      return key ? [key] : [];
    });
  }

  const find = async (account: string, x: string) => (await list(account)).find((key) => key.x === x);

  /** Lends the secret key to `work` and wipes it after. @throws {VaultError} `not-found` */
  async function use<T>(account: string, x: string, work: (secretKey: Uint8Array) => T | Promise<T>): Promise<T> {
    const key = await find(account, x);
    if (!key) throw new VaultError('not-found', `no staged key ${x} of account ${account}`);
    return vault.withSecret(key.id, work);
  }

  /** A vault keeps its last secret; the next start or unlock tries again. */
  const removeUnlessLast = (remove: readonly string[]): Promise<void> =>
    vault.apply({ remove }).catch((error: unknown) => {
      if (!(error instanceof VaultError) || error.code !== 'empty-overwrite') throw error;
    });

  /** True when the key in use of an account is there, opens, and passes. */
  const isPlaced = (account: string, isIt: (publicKey: PublicKey) => boolean): Promise<boolean> =>
    vault
      .withSecret(eddsaRecord(account), (secretKey) => isIt(hexPoint(getPublicKey(secretKey))))
      .catch((error: unknown) => {
        if (error instanceof VaultError && (error.code === 'not-found' || error.code === 'damaged')) return false;
        throw error;
      });

  return {
    list,
    find,
    use,

    /** Stores a key; again with the same bytes changes nothing. The caller wipes them. */
    async put(account: string, kind: KeyKind, secretKey: SecretKey): Promise<PublicKey> {
      const publicKey = hexPoint(getPublicKey(secretKey));
      // The same key that came another way: one record holds it.
      const other = await find(account, publicKey.x);
      const id = recordOf(account, publicKey.x, kind);
      await store(account, kind, secretKey, other && other.id !== id ? [other.id] : []);
      return publicKey;
    },

    /** Vault records of an account's staged keys. */
    recordsOf: async (account: string): Promise<string[]> =>
      (await stagedSecrets()).filter((secret) => secret.account === account).map(({ id }) => id),

    /** True when the secret is there and opens to this public key. */
    holds: async (account: string, publicKey: PublicKey): Promise<boolean> =>
      (await find(account, publicKey.x)) !== undefined &&
      use(account, publicKey.x, (secretKey) => isSameKey(hexPoint(getPublicKey(secretKey)), publicKey)),

    /** True when the key in use of an account is there and opens to this public key. */
    isInUse: (account: string, publicKey: PublicKey): Promise<boolean> =>
      isPlaced(account, (placed) => isSameKey(placed, publicKey)),

    /**
     * Puts a staged key in the place of the account's key and removes the API key of the old one,
     * in one write.
     */
    promote: (account: string, publicKey: PublicKey): Promise<void> =>
      use(account, publicKey.x, async (secretKey) => {
        if (!isSameKey(hexPoint(getPublicKey(secretKey)), publicKey))
          throw new Error('the staged key does not open to its public key');
        const info = { id: eddsaRecord(account), account, kind: 'eddsa-key' } as const;
        await vault.apply({ put: [{ info, bytes: secretKey }], remove: [apiKeyRecord(account)] });
      }),

    /**
     * Removes a staged key, unless the vault holds nothing else. This write is also the second one
     * after `promote`, and so the one that takes the old key out of the vault's spare image.
     */
    async remove(account: string, x: string): Promise<void> {
      await removeUnlessLast((await list(account)).filter((key) => key.x === x).map(({ id }) => id));
    },

    /**
     * Removes a staged key of an account that is not listed, also from the account's place, where
     * an addition that was stopped has left it.
     */
    async discard({ id, account, x }: StagedKey): Promise<void> {
      const placed = (await isPlaced(account, (publicKey) => publicKey.x === x)) ? accountRecords(account) : [];
      await removeUnlessLast([id, ...placed]);
    },
  };
}

export type StagedKeys = ReturnType<typeof createStagedKeys>;
