import { describe, expect, it, vi } from 'vitest';
import type { PasswordWrap } from '../../src/vault/image.ts';
import { importDataKey } from '../../src/vault/seal.ts';
import { isKeyPairWrap, newWrap, openWrap, rewrap } from '../../src/vault/wrap.ts';

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const owner = { vaultId: 'vault', keyId: 'key' };
const kdf = { name: 'argon2id' as const, memoryKiB: 19_456, passes: 2, parallelism: 1, salt: 'salt' };
const byPassword = { method: 'password' as const, kdf };
const byPasskey = { method: 'passkey' as const, credentialId: 'id', prfSalt: 'salt' };
const dataKey = random(32);
const opening = await importDataKey(random(32));
const other = await importDataKey(random(32));

/** Made inside of the tests, so that a way that cannot be made fails them. */
const wrapBy = async <T extends typeof byPassword | typeof byPasskey>(head: T) => ({
  ...head,
  ...(await newWrap(opening, head, owner, dataKey, random)),
});
const renewed = { vaultId: 'vault', keyId: 'next', dataKey: random(32) };
const before = { ...owner, dataKey };

describe.each([
  ['a password', byPassword],
  ['a passkey', byPasskey],
])('a way to the data key by %s', (_what, head) => {
  const isDamaged = (opened: ReturnType<typeof openWrap>) =>
    head === byPassword
      ? expect(opened).rejects.toMatchObject({ name: 'VaultError', code: 'corrupt' })
      : expect(opened).resolves.toBeUndefined();

  it('opens with its own key alone', async () => {
    const wrap = await wrapBy(head);
    expect(await openWrap(opening, wrap, owner)).toEqual(dataKey);
    expect(await openWrap(other, wrap, owner)).toBeUndefined();
  });

  it('opens for its vault and its data key alone', async () => {
    const wrap = await wrapBy(head);
    expect(await openWrap(opening, wrap, { ...owner, vaultId: 'other' })).toBeUndefined();
    await isDamaged(openWrap(opening, wrap, { ...owner, keyId: 'other' }));
  });

  it('does not open with a part of another one', async () => {
    const wrap = await wrapBy(head);
    const {
      publicKey,
      privateKey,
      dataKey: inside,
    } = { ...wrap, ...(await newWrap(opening, wrap, owner, dataKey, random)) };
    for (const part of [{ publicKey }, { privateKey }])
      expect(await openWrap(opening, { ...wrap, ...part }, owner), JSON.stringify(part)).toBeUndefined();
    // A right password is not called wrong; beside a passkey the password may still open the vault.
    for (const part of [
      { ephemeral: inside.ephemeral },
      { ephemeral: btoa('no point') },
      { ephemeral: 'no base64!' },
      { sealed: inside.sealed },
    ])
      await isDamaged(openWrap(opening, { ...wrap, dataKey: { ...wrap.dataKey, ...part } }, owner));
  });

  it('leads to another data key without the password or passkey, and then no more to the one before', async () => {
    const wrap = await wrapBy(head);
    const after = await rewrap(wrap, before, renewed, random);
    if (!after) throw new Error('it was not vouched for');
    expect(after).toMatchObject({ sealVersion: 2, publicKey: wrap.publicKey, privateKey: wrap.privateKey });
    expect(after.dataKey.ephemeral).not.toBe(wrap.dataKey.ephemeral);
    expect(await openWrap(opening, after, renewed)).toEqual(renewed.dataKey);
    await isDamaged(openWrap(opening, after, owner));
    const again = { vaultId: 'vault', keyId: 'third', dataKey: random(32) };
    const third = await rewrap(after, renewed, again, random);
    expect(third && (await openWrap(opening, third, again))).toEqual(again.dataKey);
  });

  it('is given no other data key unless the present one vouches for it', async () => {
    const wrap = await wrapBy(head);
    const foreign = { ...wrap, ...(await newWrap(opening, wrap, owner, random(32), random)) };
    const { publicKey } = foreign;
    expect(await rewrap(foreign, before, renewed, random)).toBeUndefined();
    expect(await rewrap({ ...wrap, publicKey }, before, renewed, random)).toBeUndefined();
    expect(await rewrap(wrap, { ...before, dataKey: random(32) }, renewed, random)).toBeUndefined();
    expect(await rewrap(wrap, { ...before, keyId: 'other' }, renewed, random)).toBeUndefined();
    expect(await rewrap(wrap, { ...before, vaultId: 'other' }, renewed, random)).toBeUndefined();
  });
});

it.each<[string, typeof byPassword | typeof byPasskey, object]>([
  ['memory of the derivation', byPassword, { kdf: { ...kdf, memoryKiB: 1 } }],
  ['number of passes', byPassword, { kdf: { ...kdf, passes: 1 } }],
  ['number of lanes', byPassword, { kdf: { ...kdf, parallelism: 2 } }],
  ['salt of the password', byPassword, { kdf: { ...kdf, salt: 'other' } }],
  ['derivation', byPassword, { kdf: { ...kdf, name: 'other' } }],
  ['credential', byPasskey, { credentialId: 'other' }],
  ['salt of the passkey', byPasskey, { prfSalt: 'other' }],
  ['method', byPasskey, byPassword],
])('opens under no other %s, and is vouched for under none', async (_what, head, changes) => {
  const wrap = { ...(await wrapBy<typeof byPassword | typeof byPasskey>(head)), ...changes };
  expect(await openWrap(opening, wrap, owner)).toBeUndefined();
  expect(await rewrap(wrap, before, renewed, random)).toBeUndefined();
});

it('the keys that it makes cannot be taken out, but for the private key that it seals', async () => {
  const [pairs, derived] = [vi.spyOn(crypto.subtle, 'generateKey'), vi.spyOn(crypto.subtle, 'deriveKey')];
  const imported = vi.spyOn(crypto.subtle, 'importKey');
  const wrap = await wrapBy(byPassword);
  await openWrap(opening, wrap, owner);
  expect(pairs.mock.calls.map(([, canLeave]) => canLeave)).toEqual([true, false]);
  for (const [, , , canLeave] of derived.mock.calls) expect(canLeave).toBe(false);
  for (const [, , , canLeave] of imported.mock.calls) expect(canLeave).toBe(false);
  expect(imported.mock.calls.length).toBeGreaterThan(0);
  for (const spy of [pairs, derived, imported]) spy.mockRestore();
});

it('the keys that open it are left in no memory', async () => {
  const [encrypted, imported] = [vi.spyOn(crypto.subtle, 'encrypt'), vi.spyOn(crypto.subtle, 'importKey')];
  const wrap = { ...byPassword, ...(await newWrap(opening, byPassword, owner, dataKey, random)) };
  await openWrap(opening, wrap, owner);
  // The private key in plain, as it was sealed and as it was opened, and the secret that both sides
  // share.
  const [sealedPlain] = encrypted.mock.calls.map(([, , plain]) => plain as Uint8Array);
  expect(sealedPlain).toEqual(new Uint8Array(sealedPlain?.length ?? -1));
  const given = imported.mock.calls.filter(([form]) => (form as string) === 'pkcs8').map(([, bytes]) => bytes);
  expect(given).toEqual([new Uint8Array((given[0] as Uint8Array).length)]);
  const secrets = imported.mock.calls.filter(([, , use]) => use === 'HKDF').map(([, bytes]) => bytes);
  expect(secrets).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  for (const spy of [encrypted, imported]) spy.mockRestore();
});

/**
 * The data key of a wrap, opened by node:crypto with the forms written out: a change of one of them
 * would close every vault.
 */
it.each([
  [byPassword, ['password', 'argon2id', 19_456, 2, 1, 'salt']],
  [byPasskey, ['passkey', 'id', 'salt']],
])('has the form that vaults were sealed with: %j', async (by, facts) => {
  const node = await import('node:crypto');
  const raw = random(32);
  const wrap = await newWrap(await importDataKey(raw), by, owner, dataKey, random);
  const { publicKey, privateKey, dataKey: inside, voucher } = wrap;
  const open = (key: Uint8Array, { nonce, data }: typeof privateKey, associated: unknown[]) => {
    const [iv, bytes] = [Buffer.from(nonce, 'base64'), Buffer.from(data, 'base64')];
    const decipher = node.createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(JSON.stringify(associated)));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
  };
  const head = [...facts, publicKey];
  const plain = open(raw, privateKey, ['countersign-vault/wrap-private-key', 2, 'vault', ...head]);
  const own = node.createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' });
  const point = Buffer.from(inside.ephemeral, 'base64');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const theirs = node.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' });
  const secret = node.diffieHellman({ privateKey: own, publicKey: theirs });
  const context = `countersign-vault/wrap ${publicKey} ${inside.ephemeral}`;
  const key = new Uint8Array(node.hkdfSync('sha256', secret, '', context, 32));
  const place = ['countersign-vault/data-key', 2, 'vault', 'key', publicKey, inside.ephemeral];
  expect(new Uint8Array(open(key, inside.sealed, place))).toEqual(dataKey);
  expect(open(dataKey, voucher, ['countersign-vault/wrap', 2, 'vault', 'key', ...head])).toHaveLength(0);
});

it('an earlier form is told from it', async () => {
  const wrap = await wrapBy(byPassword);
  expect(isKeyPairWrap(wrap as PasswordWrap)).toBe(true);
  expect(isKeyPairWrap({ ...byPassword, sealVersion: 1, sealed: wrap.voucher })).toBe(false);
});
