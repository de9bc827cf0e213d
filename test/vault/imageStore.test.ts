import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForReports } from '../../src/report/report.ts';
import { fromEnvelope, toEnvelope, type VaultImage } from '../../src/vault/image.ts';
import { createImageStore } from '../../src/vault/imageStore.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

const bytes = (length: number, fill = 1) => Buffer.alloc(length, fill).toString('base64');
const sealed = { nonce: bytes(12), data: bytes(32) };
const KEY = 'a'.repeat(32);
const OTHER_KEY = 'b'.repeat(32);

/** An image that can be stored; nothing in it opens. */
const image = (generation: number, changes: Partial<VaultImage> = {}): VaultImage => ({
  ...{ format: 'countersign-vault', version: 3, vaultId: '1'.repeat(32), keyId: KEY, generation, records: [] },
  wraps: [
    {
      method: 'password',
      kdf: { name: 'argon2id', memoryKiB: 19_456, passes: 2, parallelism: 1, salt: bytes(16) },
      ...{ sealVersion: 2, publicKey: bytes(65), privateKey: sealed, dataKey: { ephemeral: bytes(65), sealed } },
      voucher: sealed,
    },
  ],
  ...changes,
});

type Area = ReturnType<typeof createFaultyArea>;
let primary: Area;
let copy: Area;
let images: ReturnType<typeof createImageStore>;
const startAnew = () => {
  images = createImageStore(primary.area, copy.area);
};
let told: string[];
beforeEach(() => {
  told = [];
  listenForReports(({ where }) => told.push(where));
  [primary, copy] = [createFaultyArea(), createFaultyArea()];
  startAnew();
});

/**
 * Generation in each place and the one in force: `a`, `b`, current. A place that holds no image is
 * `null`.
 */
async function kept({ area }: Area) {
  const generationAt = async (key: string) => {
    const value = await area.get(key);
    if (value === undefined) return undefined;
    return fromEnvelope(value).then(
      ({ generation }) => generation,
      () => null,
    );
  };
  return [await generationAt('vault:a'), await generationAt('vault:b'), await area.get('vault:current')];
}
const both = async () => [await kept(primary), await kept(copy)];
const put = async ({ area }: Area, place: 'a' | 'b', value: VaultImage | string) =>
  area.set({ [`vault:${place}`]: typeof value === 'string' ? value : await toEnvelope(value) });
const current = ({ area }: Area, place: unknown) => area.set({ 'vault:current': place });
const breaks = (area: Area, error: unknown = new Error('shut')) => {
  area.area.get = () => Promise.reject(error);
};
/** The next reads fail: three for each time that the images of a store are read. */
const breaksFor = (area: Area, reads: number) => {
  const { get } = area.area;
  area.area.get = async (key) => {
    if (reads-- > 0) throw new Error('shut');
    return get(key);
  };
};

describe('a change', () => {
  it('goes to the place that is not in force, in both stores', async () => {
    expect(await images.read()).toBeUndefined();
    await images.write(image(1));
    expect(await both()).toEqual([
      [1, undefined, 'a'],
      [1, undefined, 'a'],
    ]);
    await images.write(image(2));
    expect(await both()).toEqual([
      [1, 2, 'b'],
      [1, 2, 'b'],
    ]);
    await images.write(image(3));
    expect(await kept(primary)).toEqual([3, 2, 'a']);
    expect(await images.read()).toEqual(image(3));
  });

  it('takes the images before it from both stores when it is to', async () => {
    await images.write(image(1));
    await images.write(image(2), { overwrite: true });
    expect(await both()).toEqual([
      [2, 2, 'b'],
      [2, 2, 'b'],
    ]);
  });

  it.each([
    ['the primary store', () => primary, 0],
    ['the copy', () => copy, 0],
    ['the switch of the primary store', () => primary, 1],
  ] as const)('that fails at %s leaves nothing of itself, and the one before in force', async (_what, area, write) => {
    await images.write(image(1));
    area().failWrite(write, 'forgets-answer');
    // A switch whose answer was lost is put back by nobody: its place is empty again, and the other
    // one is read.
    await expect(images.write(image(2))).rejects.toMatchObject({
      code: 'storage',
      message: 'vault: storage',
    });
    expect((await both()).map(([a, b]) => [a, b])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
    startAnew();
    expect(await images.read()).toEqual(image(1));
  });

  it('that a store did not keep as it was given is refused', async () => {
    await images.write(image(1));
    copy.failWrite(0, 'lies');
    const kind = { code: 'storage', message: 'a store did not keep what was written to it' };
    await expect(images.write(image(2))).rejects.toMatchObject(kind);
    const { set } = primary.area;
    primary.area.set = async (values) => {
      const [[key, value] = ['', {}]] = Object.entries(values);
      return set(key === 'vault:b' ? { [key]: { ...(value as object), sha256: '0'.repeat(64) } } : values);
    };
    await expect(images.write(image(2))).rejects.toMatchObject(kind);
    expect(await images.read()).toEqual(image(1));
  });

  it('says its own failure, also when what it left cannot be removed', async () => {
    primary.failWrite(0, 'throws', 'first');
    primary.area.remove = () => Promise.reject(new Error('second'));
    copy.area.remove = () => Promise.reject(new Error('third'));
    await expect(images.write(image(1))).rejects.toMatchObject({ cause: new Error('first') });
    expect(told).toEqual(['vault: a store', 'vault: a store']);
  });

  it('counts when only the copy could not be switched, or keeps something of the one before', async () => {
    await images.write(image(1));
    copy.failWrite(1);
    await images.write(image(2));
    expect(await both()).toEqual([
      [1, 2, 'b'],
      [1, 2, 'a'],
    ]);
    expect(told).toEqual(['vault: second copy']);
    primary.failWrite(2);
    await images.write(image(3), { overwrite: true });
    expect(told).toEqual(['vault: second copy', 'vault: a store']);
    expect(await both()).toEqual([
      [3, 2, 'a'],
      [3, 3, 'b'],
    ]);
  });

  it('that was made from a copy that is behind, because the primary store did not answer, is refused', async () => {
    await images.write(image(1));
    copy.failWrite(1);
    await images.write(image(2));
    const before = await both();
    breaksFor(primary, 3);
    const read = await images.read();
    expect(read).toEqual(image(1));
    await expect(images.write(image((read?.generation ?? 0) + 1))).rejects.toMatchObject({
      code: 'storage',
      message: 'a store of the vault holds a later image than the one that was read',
    });
    expect(await both()).toEqual(before);
    await images.write(image(3));
    expect(await images.read()).toEqual(image(3));
  });

  it('is refused while the primary store does not answer, and touches nothing of it', async () => {
    await images.write(image(1));
    const before = await both();
    const { set } = primary.area;
    breaksFor(primary, 3);
    primary.area.set = () => Promise.reject(new Error('shut'));
    await expect(images.write(image(2))).rejects.toMatchObject({ code: 'storage', cause: new Error('shut') });
    primary.area.set = set;
    expect(await both()).toEqual(before);
    breaksFor(primary, 3);
    await expect(images.write(image(2))).rejects.toMatchObject({ code: 'storage' });
    expect(await both()).toEqual(before);
  });

  it('reads each stored image once', async () => {
    await images.write(image(1));
    await images.read();
    const digest = vi.spyOn(crypto.subtle, 'digest');
    const [first, second] = [await images.read(), await images.read()];
    expect(first).toBe(second);
    expect(digest).not.toHaveBeenCalled();
    await images.write(image(2));
    expect(await images.read()).toEqual(image(2));
    digest.mockRestore();
  });
});

describe('what is read', () => {
  it('is the newest image in force, of either store', async () => {
    for (const [one, two] of [
      [primary, copy],
      [copy, primary],
    ] as const) {
      await put(one, 'a', image(4));
      await put(two, 'b', image(5));
      await current(one, 'a');
      await current(two, 'b');
      expect(await images.read()).toEqual(image(5));
    }
  });

  it('is one in force before any that is not, and else the newest of all', async () => {
    await put(primary, 'a', image(4));
    await put(primary, 'b', image(9));
    expect(await images.read()).toEqual(image(9));
    await put(copy, 'b', image(3));
    expect(await images.read()).toEqual(image(9));
    await current(copy, 'b');
    expect(await images.read()).toEqual(image(3));
    await put(primary, 'b', 'damaged');
    await current(copy, 'c');
    expect(await images.read()).toEqual(image(4));
  });

  it('is what the other place holds when the one in force is damaged', async () => {
    for (const place of ['a', 'b'] as const) {
      const other = place === 'a' ? 'b' : 'a';
      await put(primary, place, 'damaged');
      await put(primary, other, image(2));
      await current(primary, place);
      expect(await images.read()).toEqual(image(2));
      await images.write(image(3));
      // In place of the damaged one.
      expect((await kept(primary))[2]).toBe(place);
      await images.remove();
    }
  });

  it('is an error while every image is damaged, and none while there is none', async () => {
    const corrupt = { name: 'VaultError', code: 'corrupt', message: 'the vault and its copy are both damaged' };
    for (const area of [primary, copy]) {
      await put(area, 'a', 'damaged');
      await expect(images.read()).rejects.toMatchObject(corrupt);
      await area.area.remove(['vault:a']);
      await put(area, 'b', 'damaged');
      await expect(images.read()).rejects.toMatchObject(corrupt);
      await area.area.remove(['vault:b']);
      await current(area, 'a');
      await expect(images.read()).rejects.toMatchObject(corrupt);
      await area.area.remove(['vault:current']);
      expect(await images.read()).toBeUndefined();
    }
  });

  it('is what the other store holds while one does not answer; without any, nothing may be made', async () => {
    for (const [one, two] of [
      ['primary', 'copy'],
      ['copy', 'primary'],
    ] as const) {
      [primary, copy] = [createFaultyArea(), createFaultyArea()];
      startAnew();
      const areas = { primary, copy };
      breaks(areas[one]);
      const shut = { code: 'storage', message: 'vault: storage', cause: new Error('shut') };
      await expect(images.read()).rejects.toMatchObject(shut);
      await put(areas[two], 'a', 'damaged');
      await expect(images.read()).rejects.toMatchObject(shut);
      await put(areas[two], 'a', image(1));
      await current(areas[two], 'a');
      expect(await images.read()).toEqual(image(1));
    }
  });

  it('is refused when either store holds a later version', async () => {
    const { text } = await toEnvelope(image(9));
    const later = text.replace('"version":3', '"version":4');
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(later))).toString('hex');
    await put(primary, 'a', image(1));
    await current(primary, 'a');
    await copy.area.set({ 'vault:a': { sha256, text: later }, 'vault:current': 'a' });
    await expect(images.read()).rejects.toMatchObject({ code: 'unsupported-version' });
  });

  it('does not outlive the removal from both stores', async () => {
    await images.write(image(1));
    expect(await images.exists()).toBe(true);
    await images.remove();
    expect([primary.dump(), copy.dump()]).toEqual(['', '']);
    expect(await images.exists()).toBe(false);
    expect(await images.read()).toBeUndefined();
    primary.area.remove = () => Promise.reject(new Error('shut'));
    await expect(images.remove()).rejects.toMatchObject({ code: 'storage' });
  });
});

describe('a repair', () => {
  it.each([
    ['is missing', async () => {}],
    ['is damaged', async () => put(copy, 'a', 'damaged')],
    ['is behind', async () => createImageStore(copy.area, createFaultyArea().area).write(image(1))],
    [
      'has another vault',
      async () => createImageStore(copy.area, createFaultyArea().area).write(image(2, { vaultId: '2'.repeat(32) })),
    ],
    ['has it in no place that is in force', async () => put(copy, 'b', image(2))],
  ])('brings a store up to the image when it %s', async (_what, damage) => {
    await put(primary, 'a', image(2));
    await current(primary, 'a');
    await damage();
    await images.repair(image(2));
    expect(await createImageStore(copy.area, createFaultyArea().area).read()).toEqual(image(2));
    expect(await kept(primary)).toEqual([2, undefined, 'a']);
  });

  it('writes nothing where both stores hold it', async () => {
    await images.write(image(1));
    await images.write(image(2));
    const writes = [vi.spyOn(primary.area, 'set'), vi.spyOn(copy.area, 'set')];
    await images.repair(image(2));
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });

  it('takes from both what an earlier data key opens, or what cannot be told', async () => {
    await images.write(image(1, { keyId: OTHER_KEY }));
    await images.write(image(2));
    await put(copy, 'a', 'damaged');
    await images.repair(image(2));
    expect(await both()).toEqual([
      [2, 2, 'b'],
      [2, 2, 'b'],
    ]);
    await images.write(image(3));
    await put(primary, 'b', image(2, { keyId: OTHER_KEY }));
    await images.repair(image(3));
    expect(await both()).toEqual([
      [3, 3, 'a'],
      [3, 2, 'a'],
    ]);
  });

  it('takes what came before from both while a way to the data key has no key pair', async () => {
    const kdf = { name: 'argon2id', memoryKiB: 19_456, passes: 2, parallelism: 1, salt: bytes(16) } as const;
    const wraps: VaultImage['wraps'] = [{ method: 'password', kdf, sealVersion: 1, sealed }];
    await images.write(image(1, { wraps }));
    await images.write(image(2, { wraps }));
    await images.repair(image(2, { wraps }));
    expect(await both()).toEqual([
      [2, 2, 'b'],
      [2, 2, 'b'],
    ]);
    const write = vi.spyOn(primary.area, 'set');
    await images.repair(image(2, { wraps }));
    expect(write).not.toHaveBeenCalled();
  });

  it('takes it also from a store that was behind', async () => {
    await images.write(image(1, { keyId: OTHER_KEY }));
    const latest = image(2);
    await put(primary, 'b', latest);
    await current(primary, 'b');
    await images.repair(latest);
    expect(await both()).toEqual([
      [2, 2, 'b'],
      [2, 2, 'b'],
    ]);
  });

  it('leaves a copy alone that does not answer, and both while the primary store does not or holds a later image', async () => {
    await images.write(image(1, { keyId: OTHER_KEY }));
    copy.failWrite(1);
    await images.write(image(2));
    const before = await both();
    told = [];
    breaksFor(primary, 3);
    await images.repair((await images.read()) as VaultImage);
    expect(await both()).toEqual(before);
    breaksFor(primary, 6);
    await images.repair((await images.read()) as VaultImage);
    expect(await both()).toEqual(before);
    expect(told).toEqual(['vault: a store']);
    breaksFor(copy, 6);
    await images.repair((await images.read()) as VaultImage);
    expect(await both()).toEqual([[2, 2, 'b'], before[1]]);
    expect(told).toEqual(['vault: a store', 'vault: a store']);
  });

  it('goes on with the other store when one fails, and leaves it to the next time', async () => {
    await put(primary, 'b', image(1));
    primary.failWrite(0);
    await images.repair(image(2));
    expect(told).toEqual(['vault: a store']);
    expect(await both()).toEqual([
      [undefined, 1, undefined],
      [2, undefined, 'a'],
    ]);
    await images.repair(image(2));
    expect(await both()).toEqual([
      [2, 1, 'a'],
      [2, undefined, 'a'],
    ]);
  });
});

describe('a store that fails', () => {
  const named = (name: string, message: string) => Object.assign(new Error(message), { name });

  it.each([
    ['storage-full', 'vault: storage-full', named('QuotaExceededError', 'no room')],
    ['storage-full', 'vault: storage-full', new Error('QUOTA_BYTES quota exceeded')],
    ['storage', 'vault: storage', new Error('no room')],
    ['storage', 'vault: storage', { name: 'QuotaExceededError' }],
  ])('gives %s, its cause beside it', async (code, message, cause) => {
    primary.area.set = () => Promise.reject(cause);
    await expect(images.write(image(1))).rejects.toMatchObject({ name: 'VaultError', code, message, cause });
  });
});
