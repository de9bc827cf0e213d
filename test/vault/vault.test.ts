import { describe, expect, it } from 'vitest';
import { canary, cheap, createHarness, info, password, readCanary } from './harness.ts';

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
    expect(await vault.health()).toEqual({ primary: 'good', copy: 'good' });
  });

  it('refuses a wrong password, and nothing changes', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    const before = [await harness.dumpDatabase(), harness.copy.dump(), harness.session.dump()];
    await expect(vault.unlock('wrong')).rejects.toThrow('the password does not open this vault');
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

  it.each([
    ['a second vault', (v: Vault) => v.create(password), 'exists'],
    ['an empty value over a secret', (v: Vault) => v.putSecret(info, new Uint8Array()), 'empty-overwrite'],
    ['the removal of the last secret', (v: Vault) => v.removeSecret(info.id), 'empty-overwrite'],
    ['another account under the same id', (v: Vault) => v.putSecret({ ...info, account: 'x' }, canary), 'bad-input'],
    ['another kind under the same id', (v: Vault) => v.putSecret({ ...info, kind: 'l1-key' }, canary), 'bad-input'],
    ['an unknown kind', (v: Vault) => v.putSecret({ ...info, kind: 'note' as never }, canary), 'bad-input'],
    ['an unknown secret', (v: Vault) => v.withSecret('nobody', () => {}), 'not-found'],
  ])('refuses %s', async (_title, attempt, code) => {
    const vault = await createHarness().filled();
    await expect(attempt(vault)).rejects.toMatchObject({ name: 'VaultError', code });
    expect(await readCanary(vault)).toEqual([...canary]);
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
  it('touches the wrapped data key only', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const before = JSON.parse(JSON.parse(await vault.exportEncrypted()).text);
    await vault.changePassword(password, 'new password');
    const after = JSON.parse(JSON.parse(await vault.exportEncrypted()).text);
    expect(after.records).toEqual(before.records);
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
    expect(JSON.parse(JSON.parse(await dearer.exportEncrypted()).text).wraps[0].kdf.passes).toBe(3);
    await harness.start().unlock('new password');
  });
});

describe('backup', () => {
  it('opens on another machine with the password', async () => {
    const backup = await (await createHarness().filled()).exportEncrypted();
    const vault = createHarness().start();
    await vault.importEncrypted(backup, password);
    expect(await readCanary(vault)).toEqual([...canary]);
    expect(await vault.health()).toEqual({ primary: 'good', copy: 'good' });
  });

  it('is refused with a wrong password, over an existing vault, damaged or too large; nothing is stored', async () => {
    const backup = await (await createHarness().filled()).exportEncrypted();
    const harness = createHarness();
    const vault = harness.start();
    const attempt = (text: string, word = password) => vault.importEncrypted(text, word);
    await expect(attempt(backup, 'wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(attempt(backup.replace('generation', 'generatiom'))).rejects.toMatchObject({ code: 'corrupt' });
    await expect(attempt('no json')).rejects.toThrow('the file is no vault backup');
    await expect(attempt(`"${'x'.repeat(5_000_000)}"`)).rejects.toMatchObject({ code: 'corrupt' });
    expect(await vault.exists()).toBe(false);
    await vault.create(password);
    await expect(attempt(backup)).rejects.toMatchObject({ code: 'exists' });
  });
});

type Vault = ReturnType<ReturnType<typeof createHarness>['start']>;
