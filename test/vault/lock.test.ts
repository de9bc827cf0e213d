import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canary, createHarness, info, password, readCanary } from './harness.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Image and session are read side by side; the session is in memory. */
const sessionRead = () => new Promise((resolve) => setTimeout(resolve));

async function expectLocked(vault: ReturnType<ReturnType<typeof createHarness>['start']>) {
  expect(await vault.isUnlocked()).toBe(false);
  expect(await vault.lockDeadline()).toBeUndefined();
  expect(await vault.touch()).toBe(false);
  await expect(readCanary(vault)).rejects.toMatchObject({ code: 'locked' });
  await expect(vault.putSecret(info, canary)).rejects.toMatchObject({ code: 'locked' });
}

describe('lock', () => {
  it('comes at once by hand and leaves nothing in the session area', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    await vault.lock();
    await expectLocked(vault);
    expect(harness.session.dump()).toBe('');
  });

  it('comes when the deadline passes, with no timer running', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    harness.clock.ms += 15 * minute - 1;
    expect(await readCanary(vault)).toEqual([...canary]);
    harness.clock.ms += 1;
    await expectLocked(vault);
    expect(harness.session.dump()).toBe('');
  });

  it('comes after the deadline in a worker that was just started', async () => {
    const harness = createHarness();
    await harness.filled();
    harness.clock.ms += 15 * minute;
    await expectLocked(harness.start());
  });

  it('comes after 8 hours of sleep, however long the idle time', async () => {
    const harness = createHarness();
    await harness.filled();
    const vault = harness.start();
    await vault.unlock(password, 24 * hour);
    harness.clock.ms += 8 * hour - 1;
    expect(await vault.isUnlocked()).toBe(true);
    harness.clock.ms += 1;
    await expectLocked(vault);
  });

  it('comes when the clock goes back by more than a correction', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    harness.clock.ms -= 1000;
    expect(await vault.isUnlocked()).toBe(true);
    harness.clock.ms -= 1;
    await expectLocked(vault);
    harness.clock.ms += hour;
    await expectLocked(vault);
  });

  it.each(['the same worker', 'a worker that was just started'])(
    'comes when the clock goes back to before the last use, also in %s',
    async (which) => {
      const harness = createHarness();
      const vault = await harness.filled();
      harness.clock.ms += 14 * minute;
      expect(await readCanary(vault)).toEqual([...canary]);
      harness.clock.ms -= 13 * minute;
      await expectLocked(which === 'the same worker' ? vault : harness.start());
      expect(harness.session.dump()).toBe('');
      await vault.unlock(password);
      expect(await readCanary(vault)).toEqual([...canary]);
    },
  );

  it('does not come by a correction of the clock, nor when the last use cannot be stored, which nobody waits for', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const real = harness.session.area.set;
    harness.session.area.set = () => Promise.reject(new Error('full'));
    harness.clock.ms += minute;
    expect(await vault.isUnlocked()).toBe(true);
    // What is answered must not be old by the time at which the store has answered.
    harness.session.area.set = () => new Promise(() => {});
    expect(await readCanary(vault)).toEqual([...canary]);
    harness.session.area.set = real;
    expect(await vault.isUnlocked()).toBe(true);
    harness.clock.ms -= 1000;
    expect(await vault.isUnlocked()).toBe(true);
    harness.clock.ms -= 1;
    await expectLocked(vault);
  });

  it('comes when the machine is paused between the check and the use', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const real = harness.copy.area.get;
    harness.copy.area.get = async (key) => {
      await sessionRead();
      harness.clock.ms += 10 * minute;
      return real(key);
    };
    let used = false;
    await expect(
      vault.withSecret(info.id, () => {
        used = true;
      }),
    ).rejects.toMatchObject({ code: 'locked' });
    expect(used).toBe(false);
  });

  it.each(['a lock by hand', 'the deadline'])(
    'lets no secret be written that was on its way before %s',
    async (how) => {
      const harness = createHarness();
      const vault = await harness.filled();
      const [before, secrets] = [harness.copy.dump(), await vault.listSecrets()];
      const real = harness.copy.area.get;
      harness.copy.area.get = async (key) => {
        await sessionRead();
        if (how === 'the deadline') harness.clock.ms += 15 * minute;
        else await vault.lock();
        return real(key);
      };
      const late = { ...info, id: 'late' };
      await expect(vault.putSecret(late, canary)).rejects.toMatchObject({ code: 'locked' });
      harness.copy.area.get = real;
      expect(harness.copy.dump()).toBe(before);
      await vault.unlock(password);
      expect(await vault.listSecrets()).toEqual(secrets);
    },
  );

  it('is put off by activity, from the time of the activity', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    harness.clock.ms += 10 * minute;
    expect(await vault.touch()).toBe(true);
    expect(await vault.lockDeadline()).toBe(harness.clock.ms + 15 * minute);
    expect(await vault.touch(5 * minute)).toBe(true);
    harness.clock.ms += 5 * minute;
    await expectLocked(vault);
  });

  it('is not undone by a touch that began before it', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const real = harness.session.area.set;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    harness.session.area.set = async (entries) => {
      await held;
      return real(entries);
    };
    const touches = [vault.touch(), harness.start().touch()];
    await new Promise((resolve) => setTimeout(resolve, 10));
    await vault.lock();
    release();
    await Promise.all(touches);
    harness.session.area.set = real;
    await expectLocked(vault);
    expect(harness.session.dump()).not.toContain('dataKey');
    await vault.unlock(password);
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('is not undone by an unlock that began before it, by password or passkey', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const prf = () => new Uint8Array(32).fill(7);
    await vault.addPasskey(password, { credentialId: 'pass', prfSalt: `${'A'.repeat(43)}=`, prf: prf() });
    await vault.lock();
    for (const unlock of [() => vault.unlock(password), () => vault.unlockWithPasskey('pass', prf())]) {
      const failed = unlock().catch((error: unknown) => error);
      await vault.lock();
      expect(await failed).toMatchObject({ code: 'locked' });
      await expectLocked(vault);
      expect(harness.session.dump()).toBe('');
      await unlock();
      expect(await readCanary(vault)).toEqual([...canary]);
      await vault.lock();
    }
  });

  it('does not keep out an unlock that begins after it, nor does a deadline that passed before', async () => {
    const harness = createHarness();
    const vault = await harness.filled();
    const locking = vault.lock();
    await vault.unlock(password);
    await locking;
    expect(await readCanary(vault)).toEqual([...canary]);
    harness.clock.ms += 15 * minute;
    const unlocking = vault.unlock(password);
    expect(await vault.isUnlocked()).toBe(false);
    await unlocking;
    expect(await readCanary(vault)).toEqual([...canary]);
  });

  it('leaves a vault locked that is being made or restored', async () => {
    const harness = createHarness();
    const vault = harness.start();
    const creating = vault.create(password);
    await vault.lock();
    await creating;
    expect(await vault.isUnlocked()).toBe(false);
    await vault.unlock(password);
    await vault.putSecret(info, canary);
    const backup = await vault.exportBackup('');
    const other = createHarness().start();
    const restoring = other.importBackup(backup, password);
    await other.lock();
    await restoring;
    expect(await other.isUnlocked()).toBe(false);
    await other.unlock(password);
    expect(await readCanary(other)).toEqual([...canary]);
  });

  it('holds when the session area holds something else than was written', async () => {
    const harness = createHarness();
    for (const [key, value] of [
      ['vault:session:deadline', '{}'],
      ['vault:session:deadline', JSON.stringify({ unlockId: 'other', deadline: 9e15, seen: 1, idleMs: 1 })],
      ['vault:session:key', '"key"'],
    ] as const) {
      const vault = harness.start();
      if (!(await vault.exists())) await harness.filled();
      await vault.unlock(password);
      harness.session.entries.set(key, value);
      await expectLocked(vault);
    }
  });

  it('is never late, in any order of time, touches, locks and restarts', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: -3 * minute, max: 20 * minute }) }),
      fc.record({ kind: fc.constantFrom('touch', 'lock', 'restart', 'race') }),
    );
    const harness = createHarness();
    await harness.filled();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        let vault = harness.start();
        await vault.unlock(password);
        let seen = harness.clock.ms;
        let used = seen;
        let open = true;
        const settle = () => {
          const at = harness.clock.ms;
          if (at - seen >= 15 * minute || at < Math.max(seen, used) - 1000) open = false;
          // Every step uses the vault, and stores that ten seconds after the last time.
          if (open && at >= Math.max(seen, used) + 10_000) used = at;
        };
        for (const next of steps) {
          if (next.kind === 'wait') harness.clock.ms += 'ms' in next ? next.ms : 0;
          settle();
          if (next.kind === 'touch') {
            expect(await vault.touch()).toBe(open);
            if (open) seen = harness.clock.ms;
          }
          if (next.kind === 'lock') {
            await vault.lock();
            open = false;
          }
          if (next.kind === 'race') {
            await Promise.all([vault.touch(), vault.lock(), harness.start().touch()]);
            open = false;
          }
          if (next.kind === 'restart') vault = harness.start();
          expect(await vault.isUnlocked()).toBe(open);
        }
      }),
      { numRuns: 25 },
    );
  });
});
