import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainCore } from '../../../src/crypto/core.ts';
import { type Signature, SUBGROUP_ORDER } from '../../../src/crypto/index.ts';
import { AT, CoreInstance } from '../../../src/crypto/wasm/coreInstance.ts';
import { fuzzFactor, fuzzSeed } from '../../support/fuzz.ts';
import { observedCore } from '../../support/observedCore.ts';
import { Random } from '../../support/random.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

const secretKey = secretKeyOf(0x1234567890abcdef1234567890abcdefn);
const other = plainCore.getPublicKey(secretKeyOf(77n));
const refused = expect.objectContaining({ code: 'self-check-failed' });

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Lets `harm` act around the making of one signature: before (secrets and message are in place) and
 * after (R and S are).
 */
function harmNext(harm: { before?: (instance: CoreInstance) => void; after?: (instance: CoreInstance) => void }) {
  const original = CoreInstance.prototype.sign;
  vi.spyOn(CoreInstance.prototype, 'sign').mockImplementationOnce(function (this: CoreInstance) {
    harm.before?.(this);
    original.call(this);
    harm.after?.(this);
  });
}

describe('a fault while the fast core signs', () => {
  it.each([
    ['R becomes another point', { after: (core: CoreInstance) => core.put(AT.R, other.x, other.y) }],
    ['one bit of R.x changes', { after: (core: CoreInstance) => core.put(AT.R, core.get(AT.R) ^ 1n) }],
    ['R becomes neutral', { after: (core: CoreInstance) => core.put(AT.R, 0n, 1n) }],
    ['one bit of S changes', { after: (core: CoreInstance) => core.put(AT.S, core.get(AT.S) ^ 1n) }],
    ['S is L larger', { after: (core: CoreInstance) => core.put(AT.S, core.get(AT.S) + SUBGROUP_ORDER + 1n) }],
    [
      'one bit of the secret key changes',
      { before: (core: CoreInstance) => core.put(AT.secret, core.get(AT.secret) ^ 4n) },
    ],
    ['the challenge is that of another message', { before: (core: CoreInstance) => core.put(AT.message, 99n) }],
    ['the challenge is that of another key', { before: (core: CoreInstance) => core.put(AT.A, other.x, other.y) }],
  ])('lets nothing leave when %s, and the next signature is right', (_what, harm) => {
    const { core } = observedCore();
    const signer = core.createSigner(secretKey);
    for (const signatures of [1n, 20n]) {
      // With the odd multiples of the key, then with its table.
      for (let i = 0n; i < signatures; i++) signer.sign(i);
      harmNext(harm);
      let left: unknown;
      expect(() => {
        left = signer.sign(1000n);
      }).toThrow(refused);
      expect(left).toBeUndefined();
      expect(signer.sign(1001n)).toEqual(plainCore.createSigner(secretKey).sign(1001n));
    }
  });

  it('in the public key lets no signature of the signer leave', () => {
    const { core } = observedCore();
    const original = CoreInstance.prototype.publicKey;
    vi.spyOn(CoreInstance.prototype, 'publicKey').mockImplementationOnce(function (this: CoreInstance) {
      const valid = original.call(this);
      this.put(AT.A, other.x, other.y);
      return valid;
    });
    const signer = core.createSigner(secretKey);
    for (let i = 0n; i < 12n; i++) expect(() => signer.sign(i)).toThrow(refused);
  });

  it('in the public key that leaves the curve is refused at once', () => {
    const { core } = observedCore();
    const original = CoreInstance.prototype.publicKey;
    vi.spyOn(CoreInstance.prototype, 'publicKey').mockImplementationOnce(function (this: CoreInstance) {
      const valid = original.call(this);
      this.put(AT.A, this.get(AT.A) ^ 1n);
      return valid;
    });
    expect(() => core.createSigner(secretKey)).toThrow(refused);
  });

  it(
    'by a changed bit anywhere in the memory lets no wrong signature leave, nor two with one nonce',
    () => {
      const { core, memory } = observedCore();
      const signer = core.createSigner(secretKey);
      for (let i = 0n; i < 20n; i++) signer.sign(i);
      const right = Array.from({ length: 3 }, (_, i) => plainCore.createSigner(secretKey).sign(BigInt(i) + 500n));
      const A = plainCore.getPublicKey(secretKey);
      const random = new Random(fuzzSeed);
      const used = memory().findLastIndex((byte) => byte !== 0);
      /**
       * The places that hold something; flips go there, most of them to the part before the large
       * tables.
       */
      const places = memory().subarray(0, used);
      let caught = 0;
      let flips = 0;
      while (flips < 800 * fuzzFactor) {
        const at = random.index(random.index(4) === 0 ? used : 130_000);
        if (places[at] === 0) continue;
        flips++;
        const before = Uint8Array.from(memory());
        const bytes = memory();
        bytes[at] = (bytes[at] as number) ^ (1 << random.index(8));
        for (const [message, expected] of right.entries()) {
          let left: Signature | undefined;
          try {
            left = signer.sign(BigInt(message) + 500n);
          } catch (error) {
            // The check refused it, or a changed address stopped the module.
            if (!(error instanceof WebAssembly.RuntimeError)) expect(error).toEqual(refused);
            caught++;
          }
          if (left === undefined) continue;
          // A change in the reduction of the nonce gives another nonce: another signature, as good
          // as the first.
          if (left.Rx !== expected.Rx)
            expect([at, plainCore.verify(left, 500n + BigInt(message), A)]).toEqual([at, true]);
          else expect([at, left]).toEqual([at, expected]);
        }
        memory().set(before);
      }
      expect(caught).toBeGreaterThan(25);
      expect(signer.sign(500n)).toEqual(right[0]);
    },
    60_000 * fuzzFactor,
  );
});
