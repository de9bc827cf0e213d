import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import { expect, it } from 'vitest';
import { useFastCore } from '../../src/crypto/fast.ts';
import { createSigner } from '../../src/crypto/index.ts';
import type { SignatureCheck } from '../../src/relayer/engine/signatureChecks.ts';
import { signatureThreads } from '../../src/relayer/engine/signatureThreads.ts';
import { createMetrics } from '../../src/relayer/server/metrics.ts';
import { randomSecretKey } from './support/testAccount.ts';

useFastCore();
/** The last bit of a key chooses between two threads: three keys for each. */
const signers = Array.from({ length: 6 }, (_, n) => {
  for (;;) {
    const signer = createSigner(randomSecretKey());
    if (signer.publicKey.x % 2n === BigInt(n % 2)) return signer;
  }
});

/** Every third is by another key, every fifth carries the signed message as its second. */
const checks = Array.from({ length: 60 }, (_, n): SignatureCheck & { readonly right: boolean } => {
  const signer = signers[n % 6] as (typeof signers)[number];
  const message = BigInt(n);
  const right = n % 3 !== 0;
  return {
    signature: signer.sign(message),
    messages: n % 5 === 0 ? [1_000n, message] : [message],
    publicKey: (right ? signer : (signers[(n + 1) % 6] as typeof signer)).publicKey,
    right,
  };
});
const verdicts = checks.map(({ right }) => right);
const silent = pino({ level: 'silent' });
const threadsOf = async (metrics: ReturnType<typeof createMetrics>) =>
  Number(/^relayer_signature_threads (\d+)$/m.exec(await metrics.text())?.[1]);

it('few signatures are checked on the event loop, many in threads, with the same answers', async () => {
  const metrics = createMetrics();
  const threads = signatureThreads(2, metrics, silent);
  expect(await threads.check(checks[1] as SignatureCheck)).toBe(true);
  expect(await threadsOf(metrics)).toBe(0);
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
  expect(await threadsOf(metrics)).toBe(2);
  expect(await metrics.text()).toContain('relayer_signature_check_seconds_count{kind="eddsa"} 61');
  await threads.close();
});

it('checks that were in progress in a thread that ends are repeated, and later ones still answered', async () => {
  const threads = signatureThreads(1, createMetrics(), silent);
  await Promise.all(checks.map(threads.check));
  const inProgress = Promise.all(checks.map(threads.check));
  await new Promise((resolve) => setImmediate(resolve));
  await threads.close();
  expect(await inProgress).toEqual(verdicts);
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
});

it('a thread that ended while it waited is replaced, and no check is without answer', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  const metrics = createMetrics();
  const threads = signatureThreads(1, metrics, silent);
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
  const [thread] = await started;
  await thread.terminate();
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
  expect(await threadsOf(metrics)).toBe(1);
  await threads.close();
});

it('without threads everything is checked on the event loop', async () => {
  const metrics = createMetrics();
  const threads = signatureThreads(0, metrics, silent);
  expect(await Promise.all(checks.map(threads.check))).toEqual(verdicts);
  expect(await threadsOf(metrics)).toBe(0);
});
