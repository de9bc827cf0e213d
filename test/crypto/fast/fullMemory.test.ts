import { expect, it } from 'vitest';
import { plainCore } from '../../../src/crypto/core.ts';
import { createFastCore } from '../../../src/crypto/wasm/fastCore.ts';
import { CORE_MODULE } from '../../../src/crypto/wasm/generated/coreModule.ts';
import { contains, limbs } from '../../support/memorySearch.ts';
import { observedCore } from '../../support/observedCore.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

/** The wallet's module, whose memory cannot grow beyond `most` pages (below 128). */
function limited(most: number): WebAssembly.Module {
  const binary = Buffer.from(CORE_MODULE, 'hex');
  // The section of memories: one, with its least size and no greatest.
  const at = binary.indexOf(Buffer.from([5, 3, 1, 0]));
  const section = Buffer.from([5, 4, 1, 1, binary[at + 4] as number, most]);
  return new WebAssembly.Module(Buffer.concat([binary.subarray(0, at), section, binary.subarray(at + 5)]));
}

const SECRET = 0x2b53363f5e5cccf13bf00e650310d0e2d97c743af12b8b1ce683b5152749914n;
const secretKey = secretKeyOf(SECRET);
const publicKey = plainCore.getPublicKey(secretKey);

/** A core with memory for one signature and hardly more. */
function fullCore() {
  for (let most = 1; most < 128; most++)
    try {
      createFastCore(limited(most)).createSigner(secretKey).sign(0n);
      return createFastCore(limited(most + 1));
    } catch (cause) {
      if (most === 127) throw cause;
    }
  throw new Error('no memory is enough');
}

it('signs and checks without tables when there is no memory for them', () => {
  const core = fullCore();
  const signer = core.createSigner(secretKey);
  const expected = plainCore.createSigner(secretKey).sign(7n);
  for (let i = 0; i < 30; i++) expect(signer.sign(7n)).toEqual(expected);
  // What is small still finds its place.
  expect(core.poseidon([1n, 2n], 3)).toBe(plainCore.poseidon([1n, 2n], 3));
  const verify = core.createVerifier({ usesBeforeTable: 2 });
  for (let i = 0; i < 10; i++) {
    expect(verify(expected, 7n, publicKey)).toBe(true);
    expect(verify(expected, 8n, publicKey)).toBe(false);
  }
});

it('leaves nothing of a key in a memory that is full before the first table', () => {
  let stops = 0;
  for (let most = 1; most < 128; most++) {
    let observed: ReturnType<typeof observedCore>;
    try {
      observed = observedCore(limited(most));
    } catch {
      // Not even the module itself has room.
      continue;
    }
    try {
      observed.core.getPublicKey(secretKey);
      break;
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'self-check-failed' });
      expect(contains(observed.memory(), secretKey)).toBe(false);
      expect(contains(observed.memory(), limbs(SECRET))).toBe(false);
      stops++;
    }
  }
  expect(stops).toBeGreaterThan(0);
});
