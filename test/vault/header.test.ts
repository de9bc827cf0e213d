import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/vault/encoding.ts';
import { fromEnvelope, imageVersion, migrations, toEnvelope, type VaultImage } from '../../src/vault/image.ts';
import { canary, cheap, createHarness, imageOf, info, password, readCanary } from './harness.ts';

interface Stored {
  format: string;
  version: number;
  vaultId: string;
  wraps: [
    {
      kdf: { name: string; memoryKiB: number; passes: number; parallelism: number; salt: string };
      privateKey: Sealed;
      dataKey: { ephemeral: string; sealed: Sealed };
    },
  ];
  records: [StoredRecord, StoredRecord];
}
interface Sealed {
  nonce: string;
  data: string;
}
interface StoredRecord {
  id: string;
  account: string;
  kind: string;
  sealed: Sealed;
}

/** A backup that somebody who knows the format has changed, checksum included. */
async function forged(change: (image: Stored) => void): Promise<string> {
  const vault = await createHarness().filled();
  await vault.putSecret({ id: 'second', account: 'local/10006', kind: 'eddsa-key' }, new Uint8Array(32).fill(9));
  const image = await imageOf(vault);
  change(image);
  const text = JSON.stringify(image);
  return JSON.stringify({ sha256: await sha256Hex(text), text });
}

const flip = (base64: string) => (base64.startsWith('A') ? 'B' : 'A') + base64.slice(1);

describe('a hostile header', () => {
  it.each<[string, (image: Stored) => void, string]>([
    ['nothing changed', () => {}, ''],
    ['memory below 19 MiB', (i) => (i.wraps[0].kdf.memoryKiB = 19 * 1024 - 1), 'kdf-bounds'],
    ['memory above 1 GiB', (i) => (i.wraps[0].kdf.memoryKiB = 1024 * 1024 + 1), 'kdf-bounds'],
    ['one pass', (i) => (i.wraps[0].kdf.passes = 1), 'kdf-bounds'],
    ['eleven passes', (i) => (i.wraps[0].kdf.passes = 11), 'kdf-bounds'],
    ['no lane', (i) => (i.wraps[0].kdf.parallelism = 0), 'kdf-bounds'],
    ['five lanes', (i) => (i.wraps[0].kdf.parallelism = 5), 'kdf-bounds'],
    ['a cost within bounds that is not the real one', (i) => (i.wraps[0].kdf.passes = 3), 'wrong-password'],
    ['another salt', (i) => (i.wraps[0].kdf.salt = flip(i.wraps[0].kdf.salt)), 'wrong-password'],
    ['another vault id', (i) => (i.vaultId = '0'.repeat(32)), 'wrong-password'],
    [
      'a flipped bit in the wrapped key',
      (i) => (i.wraps[0].dataKey.sealed.data = flip(i.wraps[0].dataKey.sealed.data)),
      'corrupt',
    ],
    [
      'a flipped bit in the private key of the wrap',
      (i) => (i.wraps[0].privateKey.data = flip(i.wraps[0].privateKey.data)),
      'wrong-password',
    ],
    ['a flipped bit in a record', (i) => (i.records[0].sealed.data = flip(i.records[0].sealed.data)), 'damaged'],
    ['a flipped bit in a nonce', (i) => (i.records[0].sealed.nonce = flip(i.records[0].sealed.nonce)), 'damaged'],
    [
      'two swapped records',
      (i) => ([i.records[0].sealed, i.records[1].sealed] = [i.records[1].sealed, i.records[0].sealed]),
      'damaged',
    ],
    ['a record under another account', (i) => (i.records[0].account = 'local/10006'), 'damaged'],
    ['a record of another kind', (i) => (i.records[0].kind = 'l1-key'), 'damaged'],
    ['a record under another id', (i) => (i.records[0].id = 'other'), 'damaged'],
    ['a version of the future', (i) => (i.version = imageVersion + 1), 'unsupported-version'],
    ['a version before the first', (i) => (i.version = 0), 'unsupported-version'],
    ['another derivation', (i) => (i.wraps[0].kdf.name = 'pbkdf2'), 'corrupt'],
    ['no way to the key', (i) => Object.assign(i, { wraps: [] }), 'corrupt'],
    ['an unknown field', (i) => Object.assign(i, { extra: 1 }), 'corrupt'],
    ['another format', (i) => (i.format = 'other-vault'), 'corrupt'],
  ])('with %s gives its own error', async (_title, change, code) => {
    const attempt = createHarness()
      .start()
      .importBackup(await forged(change), password);
    if (code === '') await attempt;
    else await expect(attempt).rejects.toMatchObject({ name: 'VaultError', code });
  });

  it('does not start a derivation out of bounds, in a stored vault either', async () => {
    const harness = createHarness();
    await harness.filled();
    const { text } = JSON.parse(await forged((image) => (image.wraps[0].kdf.memoryKiB = 2 ** 31)));
    const envelope = { sha256: await sha256Hex(text), text };
    for (const key of ['vault:a', 'vault:b']) {
      await harness.writePrimary(key, envelope);
      harness.copy.entries.set(key, JSON.stringify(envelope));
    }
    await expect(harness.start().unlock(password)).rejects.toThrow(
      'key derivation: memoryKiB must be 19456 to 1048576, not 2147483648',
    );
  });

  it('is never written: a cost out of bounds is refused at construction', () => {
    expect(() => createHarness().start({ ...cheap, passes: 1 })).toThrow('passes must be 2 to 10, not 1');
    expect(() => createHarness().start({ ...cheap, memoryKiB: Number.NaN })).toThrow('memoryKiB');
  });
});

describe('versions', () => {
  async function filledImage(): Promise<VaultImage> {
    const vault = await createHarness().filled();
    return fromEnvelope(JSON.parse(await vault.exportBackup('beside')).vault);
  }

  it.each([1, 2])(
    '%d opens, as it was written then, and is stored as the newest at the next change',
    async (version) => {
      const file = readFileSync(new URL(`./versions/${version}.json`, import.meta.url), 'utf8');
      expect(JSON.parse(JSON.parse(file).text).version).toBe(version);
      const harness = createHarness();
      const vault = harness.start();
      expect(await vault.importBackup(file, password)).toBeNull();
      expect(await readCanary(vault)).toEqual([...canary]);
      expect((await vault.listSecrets()).map(({ kind }) => kind)).toEqual(['eddsa-key', 'l1-key']);

      // And where it lies in both stores, as a browser finds it after the update of the extension.
      const updated = createHarness();
      for (const [key, value] of [
        ['vault:a', JSON.parse(file)],
        ['vault:current', 'a'],
      ] as const) {
        await updated.writePrimary(key, value);
        updated.copy.entries.set(key, JSON.stringify(value));
      }
      const later = updated.start();
      await expect(later.unlock('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
      await later.unlock(password);
      expect(await readCanary(later)).toEqual([...canary]);
      await later.putSecret({ ...info, id: 'third' }, canary);
      expect((await imageOf(later)).version).toBe(imageVersion);
      expect(await updated.isInBoth()).toBe(true);
      expect(await readCanary(updated.start(), 'third')).toEqual([...canary]);
    },
  );

  it('have one file each', () => {
    const files = readdirSync(new URL('./versions', import.meta.url)).sort();
    expect(files).toEqual(Array.from({ length: imageVersion - 1 }, (_, index) => `${index + 1}.json`));
  });

  it('are lifted step by step, and the lifted image opens', async () => {
    const image = await filledImage();
    // The mechanism, shown with a made-up version −1 and 0.
    const old = JSON.stringify({ ...image, version: -1, wraps: undefined, header: image.wraps[0] });
    const lifted = await fromEnvelope(
      { sha256: await sha256Hex(old), text: old },
      {
        [-1]: (before) => ({ ...before, lifted: true }),
        0: ({ header, lifted: _lifted, ...rest }) => ({ ...rest, wraps: [header] }),
        1: (before) => before,
        2: (before) => before,
      },
    );
    expect(lifted).toEqual(image);
    const harness = createHarness();
    await harness.start().importBackup(JSON.stringify(await toEnvelope(lifted)), password);
    expect(await readCanary(harness.start())).toEqual([...canary]);
  });

  it('a step that does not give the next shape is damage', async () => {
    const text = JSON.stringify({ ...(await filledImage()), version: 0, records: 'none' });
    const attempt = fromEnvelope(
      { sha256: await sha256Hex(text), text },
      {
        ...migrations,
        0: (image) => image,
      },
    );
    await expect(attempt).rejects.toThrow('the stored vault is damaged at records');
  });

  it('of the future in one store are not undone by an older copy in the other', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const image = await imageOf(vault);
    const text = JSON.stringify({ ...image, version: imageVersion + 1 });
    const current = await harness.readPrimary('vault:current');
    await harness.writePrimary(`vault:${current}`, { sha256: await sha256Hex(text), text });
    const later = harness.start();
    await expect(later.unlock(password)).rejects.toMatchObject({ code: 'unsupported-version' });
    await expect(later.create(password)).rejects.toMatchObject({ code: 'unsupported-version' });
    expect(await later.exists()).toBe(true);
    await expect(later.putSecret(info, canary)).rejects.toMatchObject({ code: 'unsupported-version' });
  });
});
