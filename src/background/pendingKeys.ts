import { type AffinePoint, getPublicKey, type SecretKey } from '../crypto/index.ts';
import type { NewKey } from '../operations/operation.ts';
import { formatHash } from '../protocol/index.ts';
import type { Vault } from '../vault/index.ts';
import { apiKeyRecord, eddsaRecord } from './accountKeys.ts';

type PublicKey = NewKey['publicKey'];

/** Vault record of a key that is not the account's yet; named by its public key, so that none is ever overwritten. */
const pendingRecord = (account: string, { x }: PublicKey) => `pending:${account}:${x}`;

export const hexPoint = ({ x, y }: AffinePoint): PublicKey => ({ x: formatHash(x), y: formatHash(y) });

export const isSameKey = (a: PublicKey, b: PublicKey) => BigInt(a.x) === BigInt(b.x) && BigInt(a.y) === BigInt(b.y);

/**
 * Keys on their way into an account: stored before the relayer hears of them, in the account's place once it reports them.
 * Only a key that can never be registered is removed without that.
 */
export function createPendingKeys(vault: Vault) {
  const publicKeyOf = (id: string) => vault.withSecret(id, (secretKey) => hexPoint(getPublicKey(secretKey)));

  return {
    /** Stores a key; again with the same bytes changes nothing. The caller wipes them. */
    put: (account: string, publicKey: PublicKey, secretKey: SecretKey) =>
      vault.putSecret({ id: pendingRecord(account, publicKey), account, kind: 'pending-eddsa-key' }, secretKey),

    /** x of each pending key of an account, or of all. Works while locked. */
    async list(account?: string): Promise<{ readonly account: string; readonly x: string }[]> {
      if (!(await vault.exists())) return [];
      return (await vault.listSecrets())
        .filter((secret) => secret.id.startsWith(`pending:${account ?? secret.account}:`))
        .map((secret) => ({ account: secret.account, x: secret.id.slice(`pending:${secret.account}:`.length) }));
    },

    /** Vault records of an account's pending keys. */
    recordsOf: async (account: string): Promise<string[]> =>
      (await vault.listSecrets()).map(({ id }) => id).filter((id) => id.startsWith(`pending:${account}:`)),

    /** True when the secret is there and opens to this public key. */
    async holds(account: string, publicKey: PublicKey): Promise<boolean> {
      const id = pendingRecord(account, publicKey);
      return (await vault.hasSecret(id)) && isSameKey(await publicKeyOf(id), publicKey);
    },

    /** Lends the secret; it is wiped after. */
    use: <T>(account: string, publicKey: PublicKey, use: (secretKey: Uint8Array) => T | Promise<T>): Promise<T> =>
      vault.withSecret(pendingRecord(account, publicKey), use),

    /** Puts a pending key in the place of the account's key and forgets the API key of the old one, in one write. */
    async promote(account: string, publicKey: PublicKey): Promise<void> {
      await vault.withSecret(pendingRecord(account, publicKey), async (secretKey) => {
        if (!isSameKey(hexPoint(getPublicKey(secretKey)), publicKey))
          throw new Error('the pending key does not open to its public key');
        const info = { id: eddsaRecord(account), account, kind: 'eddsa-key' } as const;
        await vault.apply({ put: [{ info, bytes: secretKey }], remove: [apiKeyRecord(account)] });
      });
    },

    /**
     * Removes a pending key. This write is also the second one after `promote`, and so the one that takes the old key out of
     * the vault's spare image.
     */
    remove: (account: string, x: string) => vault.removeSecret(pendingRecord(account, { x, y: x })),
  };
}

export type PendingKeys = ReturnType<typeof createPendingKeys>;
