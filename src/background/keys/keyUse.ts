import type { KeyInfo } from '../../messaging/views.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { reported } from '../../report/report.ts';
import type { Ports } from '../ports.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

/** Signatures that a key has made here; another public key starts at none. */
const stored = once(() => z.object({ x: z.string(), signatures: z.int().check(z.minimum(0)) }));

const storageKey = (account: string) => `key-use:${account}`;

/**
 * Counts the signatures of each account's key, so that a user can see how much it was used.
 * Persisted in `local`; a count that a stopped worker or a full disk loses is not worth holding up
 * a signature for.
 */
export function createKeyUse({ local, lock }: Pick<Ports, 'local' | 'lock'>) {
  async function signatures({ id, publicKey }: Pick<StoredAccount, 'id' | 'publicKey'>): Promise<number> {
    const known = stored().safeParse(await local.get(storageKey(id))).data;
    return known?.x === publicKey.x ? known.signatures : 0;
  }
  return {
    signatures,
    count(account: Pick<StoredAccount, 'id' | 'publicKey'>): void {
      lock('key-use', async () => {
        const next = { x: account.publicKey.x, signatures: (await signatures(account)) + 1 };
        await local.set({ [storageKey(account.id)]: next });
      }).catch(reported('keys: count signatures'));
    },
  };
}

export type KeyUse = ReturnType<typeof createKeyUse>;

export async function keyInfo(
  { keyUse }: { readonly keyUse: Pick<KeyUse, 'signatures'> },
  account: StoredAccount,
): Promise<KeyInfo> {
  return {
    account: account.id,
    publicKey: account.publicKey,
    kind: account.key?.kind ?? 'derived',
    since: account.key?.since ?? null,
    signatures: await keyUse.signatures(account),
  };
}
