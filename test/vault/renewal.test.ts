import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex, toBase64 } from '../../src/vault/encoding.ts';
import { canary, createHarness, info, password, readCanary } from './harness.ts';

type Harness = ReturnType<typeof createHarness>;
type Vault = ReturnType<Harness['start']>;
type Stored = Record<string, unknown>;

const PLACES = ['a', 'b'] as const;
const STORES = ['primary', 'copy'] as const;
const prf = () => new Uint8Array(32).fill(0x42);
const passkey = { credentialId: 'cGFzc2tleQ', prfSalt: `${'A'.repeat(43)}=` };
const kept = { credentialId: 'a2VwdA', prfSalt: `${'B'.repeat(43)}=` };
const keptPrf = () => new Uint8Array(32).fill(0x17);
const second = { id: 'second', account: 'local/10006', kind: 'l1-key' as const };

const lyingIn = async (harness: Harness, store: (typeof STORES)[number], place: 'a' | 'b'): Promise<unknown> =>
  store === 'primary'
    ? harness.readPrimary(`vault:${place}`)
    : JSON.parse(harness.copy.entries.get(`vault:${place}`) ?? 'null');

/**
 * Tries `opens` on a fresh vault made of each image that lies anywhere on the disk.
 * @returns The places where it worked.
 */
async function placesOpenedBy(harness: Harness, opens: (vault: Vault) => Promise<unknown>): Promise<string[]> {
  const opened: string[] = [];
  for (const store of STORES)
    for (const place of PLACES) {
      const image = await lyingIn(harness, store, place);
      if (!image) continue;
      const thief = createHarness();
      await thief.writePrimary('vault:a', image);
      await thief.writePrimary('vault:current', 'a');
      await opens(thief.start()).then(
        () => opened.push(`${store} ${place}`),
        () => {},
      );
    }
  return opened;
}

/** Changes every image that lies anywhere on the disk, with the checksum that fits. */
async function tamper(
  harness: Harness,
  change: (image: { wraps: Stored[]; records: Stored[] }) => void,
): Promise<void> {
  for (const store of STORES)
    for (const place of PLACES) {
      const image = JSON.parse(((await lyingIn(harness, store, place)) as { text: string }).text);
      change(image);
      const text = JSON.stringify(image);
      const envelope = { sha256: await sha256Hex(text), text };
      if (store === 'primary') await harness.writePrimary(`vault:${place}`, envelope);
      else harness.copy.entries.set(`vault:${place}`, JSON.stringify(envelope));
    }
}

async function prepared(): Promise<{ harness: Harness; vault: Vault }> {
  const harness = createHarness();
  const vault = await harness.filled();
  await vault.putSecret(second, new Uint8Array([5]));
  await vault.addPasskey(password, { ...passkey, prf: prf() });
  await vault.addPasskey(password, { ...kept, prf: keptPrf() });
  return { harness, vault };
}

describe('what is taken away', () => {
  it('a password opens no image in any place of any store', async () => {
    const { harness, vault } = await prepared();
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toHaveLength(4);
    await vault.changePassword(password, 'new password');
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toEqual([]);
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock('new password'))).toHaveLength(4);
  });

  it('a passkey opens no image in any place of any store; another one and the password still do', async () => {
    const { harness, vault } = await prepared();
    await vault.removePasskey(password, passkey.credentialId);
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlockWithPasskey(passkey.credentialId, prf()))).toEqual(
      [],
    );
    expect(
      await placesOpenedBy(harness, (stolen) => stolen.unlockWithPasskey(kept.credentialId, keptPrf())),
    ).toHaveLength(4);
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toHaveLength(4);
  });

  it.each<[string, (vault: Vault) => Promise<void>]>([
    ['a secret that was removed', (vault) => vault.apply({ remove: [info.id] })],
    ['a secret that was replaced', (vault) => vault.putSecret(info, new Uint8Array(32).fill(1))],
  ])('%s is in no image in any place of any store', async (_what, take) => {
    const { harness, vault } = await prepared();
    await take(vault);
    const readIt = async (stolen: Vault) => {
      await stolen.unlock(password);
      if ((await readCanary(stolen)).join() !== [...canary].join()) throw new Error('another value');
    };
    expect(await placesOpenedBy(harness, readIt)).toEqual([]);
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toHaveLength(4);
  });
});

describe('the data key', () => {
  const keyIdsOf = async (harness: Harness): Promise<string[]> => {
    const ids = [];
    for (const store of STORES)
      for (const place of PLACES)
        ids.push(JSON.parse(((await lyingIn(harness, store, place)) as { text: string }).text).keyId);
    return ids;
  };
  const heldKey = (harness: Harness): string =>
    JSON.parse(harness.session.entries.get('vault:session:key') ?? '{}').dataKey;

  it.each<[string, (vault: Vault) => Promise<unknown>]>([
    ['a change of the password', (vault) => vault.changePassword(password, 'new password')],
    ['the removal of a passkey', (vault) => vault.removePasskey(password, passkey.credentialId)],
    ['the removal of a secret', (vault) => vault.apply({ remove: [second.id] })],
  ])('is another one after %s, the wallet stays open, and the one before opens no record', async (_what, change) => {
    const { harness, vault } = await prepared();
    const before = { key: heldKey(harness), id: (await keyIdsOf(harness))[0] as string };
    await change(vault);
    const ids = await keyIdsOf(harness);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).not.toBe(before.id);
    expect(heldKey(harness)).not.toBe(before.key);
    expect(await readCanary(vault)).toEqual([...canary]);
    await vault.putSecret({ ...info, id: 'third' }, canary);

    // Somebody who kept the old data key and puts it in the place of the new one.
    const held = JSON.parse(harness.session.entries.get('vault:session:key') as string);
    harness.session.entries.set('vault:session:key', JSON.stringify({ ...held, dataKey: before.key }));
    await expect(readCanary(vault)).rejects.toMatchObject({ code: 'damaged' });
  });

  it('is not given to a public key that somebody put into the stored image', async () => {
    const { harness, vault } = await prepared();
    const theirs = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', theirs.publicKey));
    const forged = (method: string) =>
      tamper(harness, ({ wraps }) => {
        for (const wrap of wraps) if (wrap.method === method) wrap.publicKey = toBase64(raw);
      });
    await forged('passkey');
    await vault.apply({ remove: [second.id] });
    expect(await vault.listPasskeys()).toEqual([]);
    await forged('password');
    await expect(vault.putSecret(info, new Uint8Array([1]))).rejects.toMatchObject({ code: 'corrupt' });
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('a passkey that it does not vouch for is counted when a change of the password drops it', async () => {
    const { harness, vault } = await prepared();
    await tamper(harness, ({ wraps }) => {
      for (const wrap of wraps)
        if (wrap.credentialId === passkey.credentialId)
          wrap.voucher = wraps.find(({ credentialId }) => credentialId === kept.credentialId)?.voucher;
    });
    expect(await vault.changePassword(password, 'new password')).toBe(1);
    expect((await vault.listPasskeys()).map(({ credentialId }) => credentialId)).toEqual([kept.credentialId]);
  });

  it('that was renewed by a worker that stopped before it told the session locks the wallet, and nothing is lost', async () => {
    const { harness, vault } = await prepared();
    const held = harness.session.entries.get('vault:session:key') as string;
    await vault.apply({ remove: [second.id] });
    harness.session.entries.set('vault:session:key', held);
    const next = harness.start();
    await expect(readCanary(next)).rejects.toMatchObject({ code: 'locked' });
    expect(await next.isUnlocked()).toBe(false);
    await next.unlock(password);
    expect(await readCanary(next)).toEqual([...canary]);
  });

  it.each<[string, (vault: Vault) => Promise<unknown>]>([
    ['a change of the password', (vault) => vault.changePassword(password, 'new password')],
    ['the removal of a secret', (vault) => vault.apply({ remove: [second.id] })],
  ])('that the session does not take locks the wallet after %s, which counts', async (_what, change) => {
    const { harness, vault } = await prepared();
    harness.session.failWrite(0);
    await change(vault);
    harness.session.heal();
    await expect(readCanary(vault)).rejects.toMatchObject({ code: 'locked' });
    expect(await vault.isUnlocked()).toBe(false);
  });

  it('that cannot be stored leaves the wallet open, with the password of before', async () => {
    const { harness, vault } = await prepared();
    harness.database.failNext('before');
    await expect(vault.changePassword(password, 'new password')).rejects.toMatchObject({ code: 'storage' });
    expect(await readCanary(vault)).toEqual([...canary]);
    await vault.checkPassword(password);
  });

  it('a damaged record does not keep the others under the old key', async () => {
    const { harness, vault } = await prepared();
    await tamper(harness, ({ records }) => {
      for (const record of records)
        if (record.id === second.id)
          record.sealed = { ...(record.sealed as object), nonce: toBase64(new Uint8Array(12)) };
    });
    await vault.changePassword(password, 'new password');
    expect(await readCanary(vault)).toEqual([...canary]);
    await expect(readCanary(vault, second.id)).rejects.toMatchObject({ code: 'damaged' });
  });

  it('what a failing store keeps of the one before is taken at the next unlock', async () => {
    const { harness, vault } = await prepared();
    // The copy takes the staged image and the switch, and then nothing more.
    harness.copy.failWrite(2);
    await vault.changePassword(password, 'new password');
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toHaveLength(1);
    harness.copy.heal();
    await harness.start().unlock('new password');
    expect(await placesOpenedBy(harness, (stolen) => stolen.unlock(password))).toEqual([]);
  });
});

it('the forms before version 3 are lifted at the unlock, so that their data key can be renewed as well', async () => {
  const file = JSON.parse(readFileSync(new URL('./versions/2.json', import.meta.url), 'utf8'));
  const harness = createHarness();
  for (const [key, value] of [
    ['vault:a', file],
    ['vault:current', 'a'],
  ] as const) {
    await harness.writePrimary(key, value);
    harness.copy.entries.set(key, JSON.stringify(value));
  }
  const vault = harness.start();
  await vault.unlock(password);
  await vault.lock();
  await vault.unlockWithPasskey(passkey.credentialId, prf());
  await vault.apply({ remove: ['l1:one'] });
  await vault.lock();
  await vault.unlockWithPasskey(passkey.credentialId, prf());
  expect(await readCanary(vault)).toEqual([...canary]);
  const images = await Promise.all(PLACES.map((place) => lyingIn(harness, 'copy', place)));
  const ids = images.map((image) => JSON.parse((image as { text: string }).text).keyId);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).not.toBe(JSON.parse(file.text).vaultId);
});
