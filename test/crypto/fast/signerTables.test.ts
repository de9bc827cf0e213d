import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainCore } from '../../../src/crypto/core.ts';
import { FastKey } from '../../../src/crypto/wasm/fastKey.ts';
import { observedCore } from '../../support/observedCore.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('tables of the signers of the fast core', () => {
  const keys = Array.from({ length: 9 }, (_, i) => secretKeyOf(BigInt(i + 5) ** 50n));

  it('are four at the most, and signers without one sign the same', () => {
    const { core } = observedCore();
    const build = vi.spyOn(FastKey.prototype, 'buildTable');
    const signers = keys.map((key) => core.createSigner(key));
    for (let message = 0n; message < 30n; message++)
      for (const [i, signer] of signers.entries())
        if (message % 10n === 0n)
          expect(signer.sign(message)).toEqual(plainCore.createSigner(keys[i] as Uint8Array).sign(message));
        else signer.sign(message);
    expect(build).toHaveBeenCalledTimes(4);
  });

  it('move to a signer that is used much more, seldom enough to pay', () => {
    const { core } = observedCore();
    const build = vi.spyOn(FastKey.prototype, 'buildTable');
    const drop = vi.spyOn(FastKey.prototype, 'dropTable');
    const signers = keys.map((key) => core.createSigner(key));
    for (let message = 0n; message < 300n; message++) for (const signer of signers.slice(0, 6)) signer.sign(message);
    // Six signers of 300 signatures share four tables: two of them wait 256 signatures each time.
    expect(build.mock.calls.length).toBeGreaterThan(4);
    expect(build.mock.calls.length).toBeLessThanOrEqual(4 + (6 * 300) / 256);
    expect(drop.mock.calls.length).toBe(build.mock.calls.length - 4);
  });

  it('are free again when a signer is wiped, and the memory stops growing', () => {
    const { core, memory } = observedCore();
    const useAndWipe = (key: Uint8Array) => {
      const signer = core.createSigner(key);
      for (let message = 0n; message < 12n; message++) signer.sign(message);
      signer.wipe();
    };
    for (const key of keys) useAndWipe(key);
    const size = memory().length;
    for (let round = 0; round < 5; round++) for (const key of keys) useAndWipe(key);
    expect(memory().length).toBe(size);
  });
});
