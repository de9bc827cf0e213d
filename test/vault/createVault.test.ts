import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { listenForReports } from '../../src/report/report.ts';
import { fromEnvelope, toEnvelope, type VaultImage } from '../../src/vault/image.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { repeatedSalts } from '../support/repeatedSalts.ts';
import { canary, cheap, createHarness, imageOf, info, password, readCanary } from './harness.ts';

type Harness = ReturnType<typeof createHarness>;
type Vault = ReturnType<Harness['start']>;

const minute = 60_000;
const prf = (fill = 0x42) => new Uint8Array(32).fill(fill);
const passkey = { credentialId: 'cGFzc2tleQ', prfSalt: `${'A'.repeat(43)}=` };
const second = { id: 'second', account: 'local/10006', kind: 'l1-key' as const };

/** The image in force, as it lies in the copy. */
const stored = ({ copy }: Harness): VaultImage =>
  JSON.parse(JSON.parse(copy.entries.get(`vault:${JSON.parse(copy.entries.get('vault:current') ?? '')}`) ?? '').text);

async function placed(image: VaultImage): Promise<Harness> {
  const harness = createHarness();
  const envelope = await toEnvelope(image);
  for (const [key, value] of [
    ['vault:a', envelope],
    ['vault:current', 'a'],
  ] as const) {
    await harness.writePrimary(key, value);
    harness.copy.entries.set(key, JSON.stringify(value));
  }
  return harness;
}

describe('a new vault', () => {
  it('has random names of 32 digits, the first generation, and one way in', async () => {
    const harness = createHarness();
    const vault = harness.startWith({ randomBytes: (length) => new Uint8Array(length).fill(length === 16 ? 5 : 6) });
    await vault.create(password);
    expect(stored(harness)).toMatchObject({
      ...{ format: 'countersign-vault', version: 3, vaultId: '05'.repeat(16), keyId: '05'.repeat(16) },
      ...{ generation: 1, records: [] },
      wraps: [
        { method: 'password', kdf: { name: 'argon2id', ...cheap, salt: Buffer.alloc(16, 5).toString('base64') } },
      ],
    });
    expect(stored(harness).wraps).toHaveLength(1);
  });

  it('is another one each time, by the browser’s own randomness', async () => {
    const [one, two] = [createHarness(true), createHarness(true)];
    for (const { start } of [one, two]) await start().create(password);
    for (const name of ['vaultId', 'keyId'] as const) expect(stored(one)[name]).not.toBe(stored(two)[name]);
    expect(stored(one).vaultId).not.toBe(stored(one).keyId);
  });

  it('is refused beside another, in its own words', async () => {
    const vault = await createHarness().filled();
    const exists = { name: 'VaultError', code: 'exists', message: 'vault: exists' };
    await expect(vault.create('another password')).rejects.toMatchObject(exists);
    await expect(vault.importBackup(await vault.exportBackup(''), password)).rejects.toMatchObject(exists);
    expect(await readCanary(vault)).toEqual([...canary]);
  });
});

describe('an unlock lasts as long as it is to', () => {
  it.each<[string, (vault: Vault, idleMs?: number) => Promise<unknown>]>([
    ['a new vault', (vault, ms) => vault.wipe().then(() => vault.create(password, ms))],
    ['the password', (vault, ms) => vault.unlock(password, ms)],
    ['the passkey', (vault, ms) => vault.unlockWithPasskey(passkey.credentialId, prf(), ms)],
    [
      'a backup',
      async (vault, ms) => {
        const backup = await vault.exportBackup('');
        await vault.wipe();
        await vault.importBackup(backup, password, ms);
      },
    ],
  ])('by %s', async (_how, opens) => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    await opens(vault, 5 * minute);
    expect(await vault.lockDeadline()).toBe(harness.clock.ms + 5 * minute);
    await vault.putSecret(info, canary);
    await opens(vault);
    expect(await vault.lockDeadline()).toBe(harness.clock.ms + 15 * minute);
  });
});

describe('without a vault', () => {
  it('each question has its answer', async () => {
    const vault = createHarness().start();
    const missing = { code: 'missing', message: 'vault: missing' };
    await expect(vault.unlock(password)).rejects.toMatchObject(missing);
    await expect(vault.unlockWithPasskey('id', prf())).rejects.toMatchObject(missing);
    await expect(vault.listSecrets()).rejects.toMatchObject(missing);
    await expect(vault.checkPassword(password)).rejects.toMatchObject(missing);
    expect(await vault.listPasskeys()).toEqual([]);
    expect(await vault.hasSecret('one')).toBe(false);
  });

  it('one that was wiped while it was being opened is not brought back', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    const { set } = harness.session.area;
    harness.session.area.set = async (values) => {
      await set(values);
      await harness.removePrimary();
      harness.copy.entries.clear();
    };
    await vault.unlock(password);
    expect(await vault.exists()).toBe(false);
  });
});

describe('a change of secrets', () => {
  const refused = async (vault: Vault, attempt: Promise<unknown>, code: string, message: string) => {
    await expect(attempt).rejects.toMatchObject({ name: 'VaultError', code, message });
    expect(await readCanary(vault)).toEqual([...canary]);
  };

  it('says what it refuses', async () => {
    const vault = await createHarness().filled();
    const put = (changes: object, bytes = canary) => vault.putSecret({ ...info, ...changes }, bytes);
    const unnamed = 'a secret needs an id, an account and a known kind';
    const long = 'x'.repeat(257);
    for (const changes of [{ id: '' }, { id: long }, { account: '' }, { account: long }, { kind: 'note' }, { more: 1 }])
      await refused(vault, put(changes), 'bad-input', unnamed);
    const other = `the secret ${info.id} belongs to another account or is of another kind`;
    await refused(vault, put({ account: 'x' }), 'bad-input', other);
    await refused(vault, put({ kind: 'l1-key' }), 'bad-input', other);
    await refused(vault, put({}, new Uint8Array()), 'empty-overwrite', `the secret ${info.id} would be empty`);
    const last = 'vault: empty-overwrite';
    await refused(vault, vault.apply({ remove: [info.id] }), 'empty-overwrite', last);
    await refused(vault, readCanary(vault, 'nobody'), 'not-found', 'vault: not-found');
    const bounds = { id: 'x'.repeat(256), account: 'x'.repeat(256) };
    await put(bounds);
    expect(await vault.hasSecret(bounds.id)).toBe(true);
  });

  it('removes nothing from an empty vault, and adds the first secret to it', async () => {
    const vault = createHarness().start();
    await vault.create(password);
    await vault.apply({ remove: ['nobody'] });
    await vault.apply({});
    await vault.apply({ remove: ['nobody'], put: [{ info, bytes: canary }] });
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('raises the generation, and keeps the data key unless something is taken away', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const facts = () => ({ generation: stored(harness).generation, keyId: stored(harness).keyId });
    const first = facts();
    expect(first.generation).toBe(2);
    await vault.putSecret(second, canary);
    await vault.apply({ remove: ['nobody'] });
    expect(facts()).toEqual({ ...first, generation: 4 });
    await vault.putSecret(second, new Uint8Array([1]));
    const renewed = facts();
    expect(renewed.generation).toBe(5);
    expect(renewed.keyId).not.toBe(first.keyId);
    expect(renewed.keyId).toMatch(/^[0-9a-f]{32}$/);
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    expect(facts()).toEqual({ ...renewed, generation: 6 });
    await vault.apply({ remove: [second.id], put: [{ info: { ...second, id: 'third' }, bytes: canary }] });
    expect(facts().generation).toBe(7);
    expect(facts().keyId).not.toBe(renewed.keyId);
  });

  it('keeps the time of each secret, and gives a new value its own', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const at = harness.clock.ms;
    harness.clock.ms += minute;
    await vault.putSecret(second, canary);
    await vault.changePassword(password, 'new password');
    const times = async () => (await vault.listSecrets()).map(({ id, createdAt }) => [id, createdAt - at]);
    expect(await times()).toEqual([
      [info.id, 0],
      [second.id, minute],
    ]);
    harness.clock.ms += minute;
    await vault.putSecret(info, canary);
    expect(Object.fromEntries(await times())).toEqual({ [info.id]: 2 * minute, [second.id]: minute });
  });

  it('is not stored when a secret does not open to what was given', async () => {
    const vault = await createHarness().filled();
    const { decrypt } = crypto.subtle;
    const wrongs = [
      canary.map((byte) => byte ^ 1),
      canary.map((byte, index) => (index === 31 ? byte ^ 1 : byte)),
      canary.slice(1),
      canary.slice(0, -1),
      new Uint8Array([...canary, 0]),
    ];
    for (const wrong of wrongs) {
      const spy = vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...of) => {
        const plain = await decrypt.apply(crypto.subtle, of);
        return plain.byteLength === canary.length ? Uint8Array.from(wrong).buffer : plain;
      });
      const attempt = vault.putSecret(second, canary);
      await expect(attempt).rejects.toMatchObject({
        code: 'corrupt',
        message: 'the secret second could not be encrypted',
      });
      spy.mockRestore();
    }
    expect(await vault.hasSecret(second.id)).toBe(false);
  });
});

describe('no operation leaves in memory what it opened', () => {
  it.each<[string, (vault: Vault) => Promise<unknown>]>([
    ['a new vault', (vault) => vault.wipe().then(() => vault.create(password))],
    ['an unlock', (vault) => vault.unlock(password)],
    ['an unlock with a passkey', (vault) => vault.unlockWithPasskey(passkey.credentialId, prf())],
    ['a check of the password', (vault) => vault.checkPassword(password)],
    ['a new secret', (vault) => vault.putSecret({ ...info, id: 'third' }, canary)],
    ['another value', (vault) => vault.putSecret(info, canary)],
    ['a removed secret', (vault) => vault.apply({ remove: [second.id] })],
    ['a lent secret', (vault) => vault.withSecret(info.id, () => {})],
    ['an unknown secret', (vault) => vault.withSecret('nobody', () => {}).catch(() => {})],
    ['a change of the password', (vault) => vault.changePassword(password, 'new password')],
    ['a new passkey', (vault) => vault.addPasskey(password, { ...passkey, prf: prf() })],
    ['a removed passkey', (vault) => vault.removePasskey(password, passkey.credentialId)],
    ['a passkey that is not there', (vault) => vault.removePasskey(password, 'b3RoZXI')],
    ['a backup', (vault) => vault.exportBackup('')],
    [
      'a restored backup',
      async (vault) => {
        const backup = await vault.exportBackup('');
        await vault.wipe();
        await vault.importBackup(backup, password);
      },
    ],
    [
      'a session under another data key',
      (vault) => vault.changePassword(password, 'new').then(() => readCanary(vault)),
    ],
  ])('%s', async (_what, run) => {
    const harness = createHarness();
    const random = repeatedSalts();
    const seen: Uint8Array[] = [];
    const see = (bytes: unknown) => {
      if (bytes instanceof ArrayBuffer) seen.push(new Uint8Array(bytes));
      if (bytes instanceof Uint8Array) seen.push(bytes);
    };
    const vault = harness.startWith({
      randomBytes(length) {
        const bytes = random(length);
        // A data key, and no nonce or salt.
        if (length === 32) see(bytes);
        return bytes;
      },
    });
    await vault.create(password);
    await vault.apply({
      put: [
        { info, bytes: canary },
        { info: second, bytes: canary },
      ],
    });
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    seen.length = 0;
    const { decrypt, encrypt, importKey } = crypto.subtle;
    const spies = [
      vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...of) => {
        const plain = await decrypt.apply(crypto.subtle, of);
        see(plain);
        return plain;
      }),
      vi.spyOn(crypto.subtle, 'encrypt').mockImplementation((...of) => {
        see(of[2]);
        return encrypt.apply(crypto.subtle, of);
      }),
      // Raw keys; those of 65 bytes are public, and the caller of the vault wipes what the passkey
      // computed.
      vi.spyOn(crypto.subtle, 'importKey').mockImplementation(((...of: Parameters<typeof importKey>) => {
        const bytes = of[1] as unknown as Uint8Array;
        if ((of[0] as string) === 'raw' && bytes.length === 32 && bytes[0] !== 0x42) see(bytes);
        return importKey.apply(crypto.subtle, of);
      }) as typeof importKey),
    ];
    try {
      await run(vault);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(seen.length).toBeGreaterThan(0);
    for (const bytes of seen) expect([...bytes].every((byte) => byte === 0)).toBe(true);
  });
});

describe('a passkey', () => {
  const other = { credentialId: 'b3RoZXI', prfSalt: `${'B'.repeat(43)}=` };

  it('that is added again takes the place of itself alone', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    await vault.addPasskey(password, { ...other, prf: prf(1) });
    harness.clock.ms += minute;
    await vault.addPasskey(password, { ...passkey, prf: prf(2) });
    expect(await vault.listPasskeys()).toEqual([
      { ...other, createdAt: harness.clock.ms - minute },
      { ...passkey, createdAt: harness.clock.ms },
    ]);
    const none = { code: 'wrong-passkey', message: 'vault: wrong-passkey' };
    await expect(vault.unlockWithPasskey(passkey.credentialId, prf())).rejects.toMatchObject(none);
    await vault.unlockWithPasskey(passkey.credentialId, prf(2));
    await vault.unlockWithPasskey(other.credentialId, prf(1));
    await vault.unlock(password);
  });

  it('that is not there is not removed, and nothing changes; while locked none is', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.addPasskey(password, { ...passkey, prf: prf() });
    const before = harness.copy.dump();
    await vault.removePasskey(password, other.credentialId);
    await expect(vault.removePasskey('wrong', passkey.credentialId)).rejects.toMatchObject({ code: 'wrong-password' });
    await vault.lock();
    await expect(vault.removePasskey(password, passkey.credentialId)).rejects.toMatchObject({ code: 'locked' });
    expect(harness.copy.dump()).toBe(before);
  });
});

describe('a backup', () => {
  it('is stored only when what has to be done before it is done', async () => {
    const backup = await (await createHarness().filled()).exportBackup('beside');
    const vault = createHarness().start();
    const told: (string | null)[] = [];
    const before = async (attached: string | null) => {
      told.push(attached);
      expect(await vault.exists()).toBe(false);
      throw new Error('not now');
    };
    await expect(vault.importBackup(backup, password, minute, before)).rejects.toThrow('not now');
    expect(told).toEqual(['beside']);
    expect(await vault.exists()).toBe(false);
    expect(await vault.isUnlocked()).toBe(false);
  });

  it('leaves out each secret that does not open, says which, and restores the others', async () => {
    const source = createHarness();
    await (await source.filled()).putSecret(second, canary);
    const image = stored(source);
    const records = image.records.map((record) => (record.id === second.id ? { ...record, id: 'renamed' } : record));
    const vault = (await placed({ ...image, records })).start();
    await vault.unlock(password);
    const leftOut: string[] = [];
    const backup = await vault.exportBackup('', (id) => leftOut.push(id));
    expect(leftOut).toEqual(['renamed']);
    const restored = createHarness().start();
    await restored.importBackup(backup, password);
    expect((await restored.listSecrets()).map(({ id }) => id)).toEqual([info.id]);
    expect(await readCanary(restored)).toEqual([...canary]);
  });

  it('with an attachment or a secret that does not open is refused, each by its name', async () => {
    const own = JSON.parse(await (await createHarness().filled()).exportBackup('beside'));
    const other = JSON.parse(await (await createHarness().filled()).exportBackup('beside'));
    const attempt = createHarness()
      .start()
      .importBackup(JSON.stringify({ ...own, attached: other.attached }), password);
    await expect(attempt).rejects.toMatchObject({
      code: 'corrupt',
      message: 'what is attached to the backup is damaged',
    });
    const image = JSON.parse(own.vault.text) as VaultImage;
    const records = image.records.map((record) => ({ ...record, id: 'renamed' }));
    const vault = await toEnvelope({ ...image, records });
    await expect(
      createHarness()
        .start()
        .importBackup(JSON.stringify({ ...own, vault }), password),
    ).rejects.toMatchObject({
      code: 'damaged',
      message: 'the secret renamed is damaged or belongs to another record',
    });
  });
});

it('restores a backup whose number was changed to a vault that still changes', async () => {
  const file = JSON.parse(await (await createHarness().filled()).exportBackup('{}'));
  const edited = await toEnvelope({ ...(await fromEnvelope(file.vault)), generation: Number.MAX_SAFE_INTEGER });
  const vault = createHarness().start();
  await vault.importBackup(JSON.stringify({ ...file, vault: edited }), password);
  await vault.putSecret({ ...info, id: 'eddsa:local/10006' }, canary);
  await vault.changePassword(password, 'another password');
});

describe('ways in of an earlier form', () => {
  const file = () => JSON.parse(readFileSync(new URL('./versions/2.json', import.meta.url), 'utf8'));
  const forms = ({ copy }: Harness) =>
    (stored({ copy } as Harness).wraps as { method: string; sealVersion: number }[]).map(
      ({ sealVersion }) => sealVersion,
    );

  async function earlier(): Promise<{ harness: Harness; vault: Vault }> {
    const harness = createHarness();
    for (const [key, value] of [
      ['vault:a', file()],
      ['vault:current', 'a'],
    ] as const) {
      await harness.writePrimary(key, value);
      harness.copy.entries.set(key, JSON.stringify(value));
    }
    return { harness, vault: harness.start() };
  }

  it('are renewed one by one, each when it is used', async () => {
    const { harness, vault } = await earlier();
    expect(forms(harness)).toEqual([1, 1]);
    await vault.unlock(password);
    expect(forms(harness)).toEqual([2, 1]);
    const { generation } = stored(harness);
    expect(generation).toBe(JSON.parse(file().text).generation + 1);
    await vault.unlock(password);
    expect(stored(harness).generation).toBe(generation);
    await vault.unlockWithPasskey(passkey.credentialId, prf());
    expect(forms(harness)).toEqual([2, 2]);
    await vault.unlock(password);
    await vault.unlockWithPasskey(passkey.credentialId, prf());
  });

  it('are renewed alone: no other way in is replaced by the one that was used', async () => {
    const image = await fromEnvelope(file());
    const other = { ...image.wraps[1], credentialId: 'b3RoZXI' } as VaultImage['wraps'][number];
    const harness = await placed({ ...image, wraps: [...image.wraps, other] });
    const vault = harness.start();
    await vault.unlockWithPasskey(passkey.credentialId, prf());
    expect(stored(harness).wraps).toMatchObject([
      image.wraps[0],
      { credentialId: passkey.credentialId, sealVersion: 2 },
      other,
    ]);
    await vault.unlock(password);
    expect(forms(harness)).toEqual([2, 2, 1]);
  });

  it.each<[string, (image: VaultImage) => VaultImage]>([
    ['another data key', (image) => ({ ...image, keyId: '0'.repeat(32) })],
    [
      'another password',
      (image) => ({
        ...image,
        wraps: image.wraps.map((wrap) =>
          wrap.method === 'password' ? { ...wrap, kdf: { ...wrap.kdf, salt: btoa('another salt ###') } } : wrap,
        ),
      }),
    ],
  ])('are left as they are when %s came while one was used', async (_what, change) => {
    const { harness, vault } = await earlier();
    const changed = change(await fromEnvelope(file()));
    const { set } = harness.session.area;
    harness.session.area.set = async (values) => {
      const envelope = await toEnvelope(changed);
      await harness.writePrimary('vault:a', envelope);
      harness.copy.entries.set('vault:a', JSON.stringify(envelope));
      await set(values);
    };
    await vault.unlock(password);
    expect(stored(harness)).toEqual(changed);
  });

  it('refuse a wrong password and a wrong passkey in the words of the later form', async () => {
    for (const { vault } of [await earlier(), { vault: await createHarness().filled() }]) {
      await expect(vault.unlock('wrong')).rejects.toMatchObject({
        code: 'wrong-password',
        message: 'vault: wrong-password',
      });
      await expect(vault.unlockWithPasskey(passkey.credentialId, prf(1))).rejects.toMatchObject({
        code: 'wrong-passkey',
        message: 'vault: wrong-passkey',
      });
    }
  });

  it('do not keep the vault shut when their renewal cannot be stored', async () => {
    const { harness, vault } = await earlier();
    harness.copy.failWrite(0);
    const told: string[] = [];
    listenForReports(({ where }) => told.push(where));
    await vault.unlock(password);
    expect(told).toContain('vault: strengthen the password');
    expect(await readCanary(vault)).toEqual([...canary]);
    harness.copy.heal();
    await vault.unlock(password);
    expect(forms(harness)).toEqual([2, 1]);
  });

  it('keep the data key while one of them is left, and what is taken away is overwritten all the same', async () => {
    const { harness, vault } = await earlier();
    await vault.unlock(password);
    const { keyId } = stored(harness);
    await vault.apply({ remove: ['l1:one'] });
    expect(stored(harness).keyId).toBe(keyId);
    for (const place of ['a', 'b']) expect(harness.copy.entries.get(`vault:${place}`)).not.toContain('l1:one');
    await vault.unlockWithPasskey(passkey.credentialId, prf());
    await vault.apply({ remove: ['nobody'] });
    expect(stored(harness).keyId).toBe(keyId);
  });

  it('that nobody used go with a change of the password, which cannot renew them', async () => {
    const { vault } = await earlier();
    await vault.unlock(password);
    expect(await vault.changePassword(password, 'new password')).toBe(1);
    expect(await vault.changePassword('new password', password)).toBe(0);
    expect(await vault.listPasskeys()).toEqual([]);
    expect(await readCanary(vault)).toEqual([...canary]);
  });
});

describe('an unlock', () => {
  it('says of a right password that the vault is damaged when what it opens is', async () => {
    const image = await imageOf(await createHarness().filled());
    for (const [what, value] of [
      ['sealed', image.wraps[0].voucher],
      ['ephemeral', Buffer.alloc(65, 4).toString('base64')],
    ] as const) {
      const damaged = structuredClone(image);
      damaged.wraps[0].dataKey[what] = value;
      const vault = (await placed(damaged)).start();
      await expect(vault.unlock(password)).rejects.toMatchObject({ name: 'VaultError', code: 'corrupt' });
      await expect(vault.unlock('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    }
  });

  it('counts as done when a store fails after the session was opened', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    const told: string[] = [];
    listenForReports(({ where }) => told.push(where));
    const { get } = harness.copy.area;
    const { set } = harness.session.area;
    const fails = async () => {
      throw new Error('no answer');
    };
    harness.session.area.set = async (values) => {
      await set(values);
      harness.copy.area.get = fails;
      await harness.removePrimary();
    };
    await vault.unlock(password);
    expect(await vault.isUnlocked()).toBe(true);
    expect(told).toContain('vault: repair the stores');
    harness.copy.area.get = get;
    expect(await readCanary(vault)).toEqual([...canary]);
  });
});

describe('a session', () => {
  it('of a data key that is no more says that the wallet is locked', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const kept = new Map(harness.session.entries);
    await vault.changePassword(password, 'new password');
    for (const [key, value] of kept) harness.session.entries.set(key, value);
    await expect(readCanary(vault)).rejects.toMatchObject({ code: 'locked', message: 'vault: locked' });
    expect(harness.session.dump()).toBe('');
  });

  it('that is behind a data key which is being renewed waits for the renewal', async () => {
    const harness = createHarness();
    const lock = createPromiseLock();
    const vault = harness.startWith({ lock });
    let waits = () => {};
    const waiting = new Promise<void>((done) => {
      waits = done;
    });
    const reader = harness.startWith({
      lock: (name, work) => {
        waits();
        return lock(name, work);
      },
    });
    await vault.create(password);
    await vault.putSecret(info, canary);
    const { set } = harness.session.area;
    let reading: Promise<number[]> | undefined;
    harness.session.area.set = async (values) => {
      // The image is stored, and the session has still the key before.
      reading ??= readCanary(reader);
      await Promise.race([waiting, reading]);
      await set(values);
    };
    await vault.changePassword(password, 'new password');
    expect(await reading).toEqual([...canary]);
    expect(await vault.isUnlocked()).toBe(true);
  });

  it('of another vault opens nothing of this one', async () => {
    const harness = await placed(await imageOf(await createHarness().filled()));
    const vault = harness.start();
    await vault.unlock(password);
    const other = createHarness(true);
    await other.filled();
    for (const [key, value] of other.session.entries) harness.session.entries.set(key, value);
    await expect(readCanary(vault)).rejects.toMatchObject({ code: 'locked' });
    expect(await vault.isUnlocked()).toBe(false);
  });
});

it('changes run alone in the whole extension, and the session has a turn of its own', async () => {
  const names: string[] = [];
  const vault = createHarness().startWith({
    lock: (name, work) => {
      names.push(name);
      return work();
    },
  });
  await vault.create(password);
  expect(names).toEqual(['countersign/vault', 'countersign/vault/session']);
});

it.each([
  ['alone', false],
  ['beside a passkey', true],
])(
  'a way in by the password that was exchanged keeps the data key from being renewed, in plain words: %s',
  async (_what, hasPasskey) => {
    const source = createHarness();
    const owner = await source.filled();
    if (hasPasskey) await owner.addPasskey(password, { ...passkey, prf: prf() });
    const image = stored(source);
    const foreign: VaultImage = await imageOf(await createHarness().filled());
    const { voucher } = foreign.wraps[0] as { voucher: object };
    const wraps = image.wraps.map((wrap) => (wrap.method === 'password' ? { ...wrap, voucher } : wrap));
    const vault = (await placed({ ...image, wraps } as VaultImage)).start();
    await vault.unlock(password);
    await expect(vault.putSecret(info, new Uint8Array([1]))).rejects.toMatchObject({
      code: 'corrupt',
      message: 'the way to the data key by the password is damaged',
    });
    expect(await readCanary(vault)).toEqual([...canary]);
  },
);
