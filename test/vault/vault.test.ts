import { describe, expect, it } from 'vitest';
import { toEnvelope } from '../../src/vault/image.ts';
import { canary, cheap, createHarness, imageOf, info, password, readCanary } from './harness.ts';

describe('vault', () => {
  it('gives back what was put in, after a restart of the worker and of the browser', async () => {
    const harness = createHarness();
    await harness.filled();
    expect(await readCanary(harness.start())).toEqual([...canary]);
    harness.restartBrowser();
    const vault = harness.start();
    expect(await vault.isUnlocked()).toBe(false);
    await expect(readCanary(vault)).rejects.toMatchObject({ name: 'VaultError', code: 'locked' });
    await vault.unlock(password);
    expect(await readCanary(vault)).toEqual([...canary]);
    expect(await harness.isInBoth()).toBe(true);
  });

  it('refuses a wrong password, and nothing changes', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    const before = [await harness.dumpDatabase(), harness.copy.dump(), harness.session.dump()];
    await expect(vault.unlock('wrong')).rejects.toThrow('vault: wrong-password');
    await expect(vault.checkPassword('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(vault.changePassword('wrong', 'new')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(vault.unlock('')).rejects.toMatchObject({ code: 'bad-input' });
    expect([await harness.dumpDatabase(), harness.copy.dump(), harness.session.dump()]).toEqual(before);
    expect(await vault.isUnlocked()).toBe(false);
    await vault.checkPassword(password);
  });

  it('takes the same password typed in another Unicode form', async () => {
    const vault = createHarness().start();
    await vault.create('Zürich\u212b');
    await vault.unlock('Zu\u0308rich\u00c5');
  });

  it('wipes the lent bytes after use, also after a throw', async () => {
    const vault = await createHarness().filled();
    let lent = new Uint8Array();
    await vault.withSecret(info.id, (bytes) => {
      lent = bytes as Uint8Array<ArrayBuffer>;
    });
    expect([...lent]).toEqual(new Array(32).fill(0));
    await expect(
      vault.withSecret(info.id, async (bytes) => {
        lent = bytes as Uint8Array<ArrayBuffer>;
        await Promise.resolve();
        throw new Error('signing failed');
      }),
    ).rejects.toThrow('signing failed');
    expect([...lent]).toEqual(new Array(32).fill(0));
  });

  it('lists what there is while locked, without values', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    expect(await vault.listSecrets()).toEqual([{ ...info, createdAt: harness.clock.ms }]);
    expect(await vault.hasSecret(info.id)).toBe(true);
    expect(await vault.hasSecret('other')).toBe(false);
  });

  it('changes several secrets together or not at all', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const pending = { id: 'pending', account: info.account, kind: 'pending-eddsa-key' as const };
    await vault.putSecret(pending, new Uint8Array([1, 2, 3]));
    harness.database.failNext('abort');
    const promote = () =>
      vault.withSecret(pending.id, (bytes) => vault.apply({ put: [{ info, bytes }], remove: [pending.id] }));
    await expect(promote()).rejects.toMatchObject({ code: 'storage' });
    expect((await vault.listSecrets()).map(({ id }) => id)).toEqual([info.id, pending.id]);
    expect(await readCanary(vault)).toEqual([...canary]);
    await promote();
    expect((await vault.listSecrets()).map(({ id }) => id)).toEqual([info.id]);
    expect(await readCanary(vault)).toEqual([1, 2, 3]);
  });

  it('loses no secret to changes at the same time', async () => {
    const vault = await createHarness().filled();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => vault.putSecret({ ...info, id: `id-${i}` }, new Uint8Array([i + 1]))),
    );
    expect(await vault.listSecrets()).toHaveLength(21);
    expect(await readCanary(vault, 'id-7')).toEqual([8]);
  });

  it('says that there is none', async () => {
    const vault = createHarness().start();
    expect(await vault.exists()).toBe(false);
    await expect(vault.unlock(password)).rejects.toMatchObject({ code: 'missing' });
    await expect(vault.putSecret(info, canary)).rejects.toMatchObject({ code: 'locked' });
  });

  it('can be wiped and made anew; the old unlocked state does not open the new one', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const remembered = new Map(harness.session.entries);
    await vault.wipe();
    expect(await vault.exists()).toBe(false);
    expect(await harness.dumpDatabase()).toBe('[]');
    expect(harness.copy.dump() + harness.session.dump()).toBe('');
    await vault.create('another password');
    for (const [key, value] of remembered) harness.session.entries.set(key, value);
    await expect(vault.putSecret(info, canary)).rejects.toMatchObject({ code: 'locked' });
  });
});

describe('change of password', () => {
  it('seals every secret again under another data key', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const before = await imageOf(vault);
    await vault.changePassword(password, 'new password');
    const after = await imageOf(vault);
    const withoutSeal = ({ sealed: _, ...head }: { sealed: unknown }) => head;
    expect(after.records.map(withoutSeal)).toEqual(before.records.map(withoutSeal));
    expect(after.records[0].sealed).not.toEqual(before.records[0].sealed);
    expect(after.keyId).not.toBe(before.keyId);
    expect(after.wraps[0].kdf.salt).not.toBe(before.wraps[0].kdf.salt);
    expect(await readCanary(vault)).toEqual([...canary]);
    harness.restartBrowser();
    await expect(vault.unlock(password)).rejects.toMatchObject({ code: 'wrong-password' });
    await vault.unlock('new password');
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('takes the cost of the day, and old vaults open with their own', async () => {
    const harness = createHarness();
    await harness.filled();
    const dearer = harness.start({ ...cheap, passes: 3 });
    await dearer.unlock(password);
    await dearer.changePassword(password, 'new password');
    expect((await imageOf(dearer)).wraps[0].kdf.passes).toBe(3);
    await harness.start().unlock('new password');
  });
});

describe('backup', () => {
  it('opens on another machine with the password', async () => {
    const backup = await (await createHarness().filled()).exportBackup('beside');
    const harness = createHarness();
    const vault = harness.start();
    expect(await vault.importBackup(backup, password)).toBe('beside');
    expect(await readCanary(vault)).toEqual([...canary]);
    expect(await harness.isInBoth()).toBe(true);
  });

  it('is refused with a wrong password, over an existing vault, or damaged; nothing is stored', async () => {
    const backup = await (await createHarness().filled()).exportBackup('beside');
    const harness = createHarness();
    const vault = harness.start();
    const attempt = (text: string, word = password) => vault.importBackup(text, word);
    await expect(attempt(backup, 'wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(attempt(backup.replace('generation', 'generatiom'))).rejects.toMatchObject({ code: 'corrupt' });
    await expect(attempt('no json')).rejects.toThrow('the file is no vault backup');
    expect(await vault.exists()).toBe(false);
    await vault.create(password);
    await expect(attempt(backup)).rejects.toMatchObject({ code: 'exists' });
  });
});

describe('what is attached to a backup', () => {
  it('cannot be changed or left out', async () => {
    const own = JSON.parse(await (await createHarness().filled()).exportBackup('networks and accounts'));
    const { data } = own.attached;
    const changed = { ...own.attached, data: `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}` };
    const attempt = (changes: object) =>
      createHarness()
        .start()
        .importBackup(JSON.stringify({ ...own, ...changes }), password);
    await expect(attempt({ attached: changed })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(attempt({ attached: undefined })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(attempt({ version: 2 })).rejects.toMatchObject({ code: 'unsupported-version' });
    expect(await attempt({})).toBe('networks and accounts');
  });

  it('needs the unlocked vault', async () => {
    const vault = await createHarness().filled();
    await vault.lock();
    await expect(vault.exportBackup('')).rejects.toMatchObject({ code: 'locked' });
  });
});

describe('a passkey', () => {
  const prf = () => new Uint8Array(32).fill(0x42);
  const passkey = { credentialId: 'cGFzc2tleQ', prfSalt: `${'A'.repeat(43)}=` };

  async function withPasskey() {
    const harness = createHarness();
    const vault = await harness.filled();
    await expect(vault.addPasskey('wrong', { ...passkey, prf: prf() })).rejects.toMatchObject({
      code: 'wrong-password',
    });
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    await vault.lock();
    return { harness, vault };
  }

  it('opens the vault beside the password', async () => {
    const { harness, vault } = await withPasskey();
    expect(await vault.listPasskeys()).toEqual([{ ...passkey, createdAt: harness.clock.ms }]);
    await vault.unlockWithPasskey(passkey.credentialId, prf());
    expect(await readCanary(vault)).toEqual([...canary]);
    await vault.lock();
    await vault.unlock(password);
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it.each([
    ['another secret', passkey.credentialId, new Uint8Array(32).fill(1), 'wrong-passkey'],
    ['another credential', 'b3RoZXI', new Uint8Array(32).fill(0x42), 'wrong-passkey'],
    ['too few bytes', passkey.credentialId, new Uint8Array(31), 'bad-input'],
  ])('with %s opens nothing', async (_what, credentialId, secret, code) => {
    const { vault } = await withPasskey();
    await expect(vault.unlockWithPasskey(credentialId, secret)).rejects.toMatchObject({ code });
    expect(await vault.isUnlocked()).toBe(false);
  });

  it('survives a change of the password, is not in a backup, and can be taken away', async () => {
    const { vault } = await withPasskey();
    await vault.unlock(password);
    await vault.changePassword(password, 'new password');
    await vault.lock();
    await vault.unlockWithPasskey(passkey.credentialId, prf());
    expect((await imageOf(vault)).wraps.map(({ method }: { method: string }) => method)).toEqual(['password']);
    const elsewhere = createHarness().start();
    await elsewhere.importBackup(await vault.exportBackup(''), 'new password');
    expect(await elsewhere.listPasskeys()).toEqual([]);
    await vault.removePasskey('new password', passkey.credentialId);
    await vault.lock();
    await expect(vault.unlockWithPasskey(passkey.credentialId, prf())).rejects.toMatchObject({ code: 'wrong-passkey' });
    await vault.unlock('new password');
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('is bound to its salt and its name', async () => {
    const { harness, vault } = await withPasskey();
    await vault.unlock(password);
    const { vault: stored } = JSON.parse(await vault.exportBackup(''));
    const image = JSON.parse(stored.text);
    const whole = JSON.parse((harness.copy.entries.get('vault:a') ?? harness.copy.entries.get('vault:b')) as string);
    const wrap = JSON.parse(whole.text).wraps.find(({ method }: { method: string }) => method === 'passkey');
    for (const change of [{ prfSalt: `B${wrap.prfSalt.slice(1)}` }, { credentialId: 'b3RoZXI' }]) {
      const changed = { ...wrap, ...change };
      const envelope = await toEnvelope({ ...image, wraps: [...image.wraps, changed] });
      const target = createHarness();
      for (const [key, value] of [
        ['vault:a', envelope],
        ['vault:current', 'a'],
      ] as const)
        await target.writePrimary(key, value);
      await expect(target.start().unlockWithPasskey(changed.credentialId, prf())).rejects.toMatchObject({
        code: 'wrong-passkey',
      });
    }
  });
});
