import { describe, expect, it } from 'vitest';
import type { FaultPoint } from '../support/faultyStore.ts';
import { canary, createHarness, info, password, readCanary } from './harness.ts';

type Harness = ReturnType<typeof createHarness>;
type Vault = ReturnType<Harness['start']>;

const second = { id: 'second', account: 'local/10006', kind: 'l1-key' as const };
const changes: Record<string, (vault: Vault) => Promise<unknown>> = {
  'a new secret': (vault) => vault.putSecret(second, new Uint8Array([5])),
  'a change of password': (vault) => vault.changePassword(password, 'new password'),
};

/** One of the two passwords opens it after a browser restart, and the first secret is there. */
async function opens(harness: Harness, ...passwords: string[]): Promise<string> {
  harness.restartBrowser();
  const vault = harness.start();
  for (const word of passwords) {
    try {
      await vault.unlock(word);
    } catch {
      continue;
    }
    expect(await readCanary(vault)).toEqual([...canary]);
    expect(await harness.isInBoth()).toBe(true);
    return word;
  }
  throw new Error('no password opens the vault');
}

/** The change is in force after a browser restart, and nothing else is. */
async function holds(harness: Harness, change: string): Promise<void> {
  const isPassword = change === 'a change of password';
  const word = isPassword ? 'new password' : password;
  expect(await opens(harness, 'new password', password)).toBe(word);
  const vault = harness.start();
  await vault.unlock(word);
  expect(await vault.listSecrets()).toHaveLength(isPassword ? 1 : 2);
}

describe.each(Object.keys(changes))('%s', (change) => {
  const apply = (vault: Vault) => (changes[change] as (vault: Vault) => Promise<unknown>)(vault);

  it.each<FaultPoint>(['before', 'put-1', 'abort'])(
    'that breaks at %s of the primary store changes nothing',
    async (point) => {
      const harness = createHarness();
      const vault = await harness.filled();
      harness.database.failNext(point);
      await expect(apply(vault)).rejects.toMatchObject({ code: 'storage' });
      expect(await vault.listSecrets()).toHaveLength(1);
      expect(await opens(harness, password, 'new password')).toBe(password);
    },
  );

  it.each(['throws', 'lies', 'forgets-answer'] as const)(
    'that breaks when the copy %s changes nothing',
    async (kind) => {
      const harness = createHarness();
      const vault = await harness.filled();
      harness.copy.failWrite(0, kind);
      await expect(apply(vault)).rejects.toMatchObject({ code: 'storage' });
      harness.copy.heal();
      expect(await vault.listSecrets()).toHaveLength(1);
      expect(await opens(harness, password, 'new password')).toBe(password);
    },
  );

  it('while the copy does not open counts, and the next unlock brings the copy up to it', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const { get } = harness.copy.area;
    harness.copy.area.get = () => Promise.reject(new DOMException('no such file', 'UnknownError'));
    await apply(vault);
    harness.copy.area.get = get;
    expect(await harness.isInBoth()).toBe(false);
    await holds(harness, change);
    await harness.removePrimary();
    await holds(harness, change);
  });

  it('while the copy does not open and the primary store is damaged is refused: the copy may be newer', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const { get } = harness.copy.area;
    const before = harness.copy.dump();
    harness.copy.area.get = () => Promise.reject(new DOMException('no such file', 'UnknownError'));
    await flipCurrent(harness);
    await expect(vault.putSecret(second, new Uint8Array([5]))).rejects.toMatchObject({
      name: 'VaultError',
      code: 'storage',
    });
    harness.copy.area.get = get;
    expect(harness.copy.dump()).toBe(before);
    expect(await opens(harness, password)).toBe(password);
  });

  it('that finds the quota full says so and changes nothing', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    harness.copy.failWrite(0, 'throws', 'QUOTA_BYTES quota exceeded');
    await expect(apply(vault)).rejects.toMatchObject({ code: 'storage-full' });
    harness.copy.heal();
    expect(await opens(harness, password, 'new password')).toBe(password);
    await apply(harness.start());
  });

  it('whose copy could not be switched counts, and is mended at the next unlock', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    harness.copy.failWrite(1);
    await apply(vault);
    // A change that takes something away writes to the places of the images before it as well.
    expect(await harness.isInBoth()).toBe(change === 'a change of password');
    await holds(harness, change);
    await harness.removePrimary();
    await holds(harness, change);
  });

  it('is there as a whole or not at all when the worker dies at any write', async () => {
    let write = 0;
    for (; ; write++) {
      const harness = createHarness();
      const vault = await harness.filled();
      if (!(await killAt(harness, write, apply))) break;
      const word = await opens(harness, password, 'new password');
      const records = (await vault.listSecrets()).length;
      if (change === 'a new secret') expect(records).toBe(write < 3 ? 1 : 2);
      else expect(word).toBe(write < 3 ? password : 'new password');
    }
    expect(write).toBe(change === 'a new secret' ? 4 : 6);
  });
});

describe('damage', () => {
  it.each<[string, (harness: Harness) => Promise<void>]>([
    ['a primary store that is gone', (harness) => harness.removePrimary()],
    ['a primary image with a flipped bit', (harness) => flipCurrent(harness)],
    ['a primary pointer that is gone', (harness) => harness.writePrimary('vault:current', 'x')],
    ['a copy that is gone', async (harness) => harness.copy.entries.clear()],
    [
      'a copy that is cut off',
      async ({ copy }) => {
        for (const [key, value] of copy.entries) copy.entries.set(key, JSON.stringify(value.slice(0, 50)));
      },
    ],
  ])('of %s is mended from the other store', async (_title, damage) => {
    const harness = createHarness();
    await harness.filled();
    await damage(harness);
    expect(await opens(harness, password)).toBe(password);
  });

  it('of the newest image falls back to the other store, never to an older generation beside it', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.changePassword(password, 'new password');
    await flipCurrent(harness);
    expect(await opens(harness, password, 'new password')).toBe('new password');
  });

  it('of both newest images falls back to the generation before', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.putSecret(second, new Uint8Array([5]));
    await flipCurrent(harness);
    const current = JSON.parse(harness.copy.entries.get('vault:current') ?? '');
    harness.copy.entries.set(`vault:${current}`, '{}');
    await opens(harness, password);
    expect(await harness.start().listSecrets()).toHaveLength(1);
  });

  it('never brings a change to life that was being written when the worker died', async () => {
    const harness = createHarness();
    await harness.filled();
    await killAt(harness, 2, (vault) => vault.changePassword(password, 'new password'));
    await flipCurrent(harness);
    expect(await opens(harness, password, 'new password')).toBe(password);
  });

  it('of everything is said, and nothing is made in its place until it is wiped', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    for (const key of ['vault:a', 'vault:b']) {
      await harness.writePrimary(key, { sha256: 'x', text: 'y' });
      harness.copy.entries.set(key, '1');
    }
    await expect(vault.unlock(password)).rejects.toThrow('the vault and its copy are both damaged');
    await expect(vault.create(password)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(vault.putSecret(info, canary)).rejects.toMatchObject({ code: 'corrupt' });
    expect(await vault.exists()).toBe(true);
    await vault.wipe();
    await vault.create(password);
  });
});

/**
 * Runs a change in a worker that is killed at its n-th write: nothing more is done, not even the
 * tidying up.
 * @returns Whether it was killed; otherwise the change was done with fewer writes.
 */
async function killAt(harness: Harness, write: number, change: (vault: Vault) => Promise<unknown>): Promise<boolean> {
  let left = write;
  const { area } = harness.copy;
  return new Promise((end) => {
    const orNever = <T>(work: () => Promise<T>): Promise<T> => {
      if (left-- > 0) return work();
      end(true);
      return new Promise(() => {});
    };
    const dying = harness.startWith({
      stores: {
        primary: (mode, callback) =>
          mode === 'readwrite'
            ? orNever(() => harness.database.store(mode, callback))
            : harness.database.store(mode, callback),
        copy: {
          get: area.get,
          set: (entries) => orNever(() => area.set(entries)),
          remove: (keys) => orNever(() => area.remove(keys)),
        },
        session: harness.session.area,
      },
    });
    void change(dying).then(() => end(false));
  });
}

async function flipCurrent(harness: Harness): Promise<void> {
  const key = `vault:${await harness.readPrimary('vault:current')}`;
  const envelope = (await harness.readPrimary(key)) as { sha256: string; text: string };
  await harness.writePrimary(key, { ...envelope, text: envelope.text.replace('"records"', '"recordr"') });
}
