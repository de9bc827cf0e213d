import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainCore } from '../../src/crypto/core.ts';
import { fastCore } from '../../src/crypto/fast.ts';
import { formatSignature, parseSignature, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { createBatchVerifier } from '../../src/crypto/wasm/batchVerifier.ts';
import { secretKeyOf } from '../support/secretKeys.ts';
import { nativeSigner } from './support/nativeSigner.ts';
import { peer } from './support/peers.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { interleaved, median, ratioOf, type Times } from './support/rounds.ts';
import { compareTwoThreads } from './support/twoThreads.ts';

const ROUNDS = 9;
const NATIVE_ORDERS = 1_000;

interface LoopringSdk {
  getEdDSASigWithPoseidon(inputs: readonly string[], key: string): { hash: unknown; result: string };
}

interface CircomEddsa {
  readonly babyJub: { readonly F: { e(value: bigint): Uint8Array } };
  signPoseidon(key: Uint8Array, message: Uint8Array): unknown;
}

/**
 * The WebAssembly core beside the protocol's SDK, circomlibjs, the plain core, and a native signer
 * of the same algorithm in C (when a compiler is there), in one run of interleaved rounds. All
 * sides sign the same order, and the signatures are compared before the clock starts.
 */
export const run: BenchRun = async (say) => {
  const fast = fastCore();
  if (!fast) throw new Error('this engine refuses WebAssembly with SIMD');
  const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/order-spot.json'), 'utf8'));
  const { poseidonInputs, eddsaPrivateKey } = vectors.vectors[0] as {
    poseidonInputs: string[];
    eddsaPrivateKey: string;
  };
  const inputs = poseidonInputs.map(BigInt);
  const secretKey = secretKeyOf(eddsaPrivateKey);
  const signer = fast.createSigner(secretKey);
  const plainSigner = plainCore.createSigner(secretKey);

  const sdk = peer('loopring-sdk', say).require('@loopring-web/loopring-sdk') as LoopringSdk;
  const circomPeer = peer('circomlibjs', say).require('circomlibjs') as { buildEddsa(): Promise<CircomEddsa> };
  const circom = await circomPeer.buildEddsa();
  const native = nativeSigner(inputs, secretKey);
  if (!native) say('no C compiler is there: the native signer is left out');

  const message = fast.poseidon(inputs, 12);
  const signature = signer.sign(message);
  const theirs = parseSignature(sdk.getEdDSASigWithPoseidon(poseidonInputs, eddsaPrivateKey).result);
  if (formatSignature(signature) !== formatSignature({ ...theirs, S: theirs.S % SUBGROUP_ORDER }))
    throw new Error('our order signature is not that of the SDK');
  if (native) {
    const expected = formatSignature(signer.sign(fast.poseidon(inputs.with(1, 6n), 12)));
    if (native.sign(3).signature !== expected) throw new Error('the native signature is not ours');
  }

  let storageId = 0;
  const nextStorageId = () => {
    storageId += 2;
    return BigInt(storageId);
  };
  const nextInputs = () => inputs.with(1, nextStorageId());
  const known = fast.createVerifier({ maxTables: 0 });
  const withTable = fast.createVerifier({ usesBeforeTable: 1 });
  for (let i = 0; i < 5; i++) withTable(signature, message, signer.publicKey);
  const circomKey = Uint8Array.from({ length: 32 }, (_, i) => i + 1);

  // As many accounts as a relayer checks together at most, none of them often enough for a table.
  const group = Array.from({ length: 64 }, (_, i) => {
    const one = fast.createSigner(secretKey.with(0, i + 1));
    return { signature: one.sign(message), message, publicKey: one.publicKey };
  });
  const together = createBatchVerifier({ maxTables: 0 });
  if (!together?.(group).every(Boolean)) throw new Error('a group of right signatures is refused');

  const nativeTimes: Times = { clock: [], processor: [] };
  say(`${ROUNDS} interleaved rounds`);
  const times = await interleaved(
    {
      order: { perRound: 1_000, run: () => signer.sign(fast.poseidon(nextInputs(), 12)) },
      native: {
        perRound: 1,
        run: () => {
          if (!native) return;
          const { clockNs, processorNs } = native.sign(NATIVE_ORDERS);
          nativeTimes.clock.push(clockNs / 1e6);
          nativeTimes.processor.push(processorNs / 1e6);
        },
      },
      sdkOrder: {
        perRound: 1,
        run: () => sdk.getEdDSASigWithPoseidon(poseidonInputs.with(1, String(nextStorageId())), eddsaPrivateKey),
      },
      plainOrder: { perRound: 100, run: () => plainSigner.sign(plainCore.poseidon(nextInputs(), 12)) },
      element: { perRound: 1_000, run: () => signer.sign(nextStorageId()) },
      elementOnce: { perRound: 200, run: () => fast.sign(nextStorageId(), secretKey) },
      circomElement: {
        perRound: 8,
        run: () => circom.signPoseidon(circomKey, circom.babyJub.F.e(nextStorageId())),
      },
      verifyOnce: { perRound: 300, run: () => fast.verify(signature, message, signer.publicKey) },
      verifyKnown: { perRound: 500, run: () => known(signature, message, signer.publicKey) },
      verifyTable: { perRound: 1_000, run: () => withTable(signature, message, signer.publicKey) },
      verifyTogether: { perRound: 15, run: () => together(group) },
      verifyEach: {
        perRound: 15,
        run: () => group.map((one) => known(one.signature, one.message, one.publicKey)),
      },
      hash: { perRound: 1_000, run: () => fast.poseidon(nextInputs(), 12) },
      plainHash: { perRound: 200, run: () => plainCore.poseidon(nextInputs(), 12) },
    },
    ROUNDS,
  );
  // The first round is the warm-up.
  nativeTimes.clock.shift();
  nativeTimes.processor.shift();

  say('one thread and two');
  const threads = await compareTwoThreads();

  const row = (what: string, ours: Times, beside: string, besideTimes: Times, goal?: number): BenchRow => ({
    what,
    ours: median(ours.clock),
    unit: 'ms',
    beside,
    theirs: median(besideTimes.clock),
    ratio: ratioOf(besideTimes.clock, ours.clock),
    processorRatio: ratioOf(besideTimes.processor, ours.processor),
    ...(goal === undefined ? {} : { goal }),
  });
  const rate = (what: string, ours: Times, goal?: number): BenchRow => ({
    what,
    ours: 1000 / median(ours.processor),
    unit: 'a second of processor time',
    ...(goal === undefined
      ? {}
      : { beside: 'goal', theirs: goal, ratio: 1000 / median(ours.processor) / goal, goal: 1 }),
  });
  return {
    rows: [
      row('sign an order', times.order, 'loopring-sdk 3.9.22', times.sdkOrder, 3000),
      row('sign an order', times.order, 'the plain core', times.plainOrder),
      ...(native ? [row('sign an order', times.order, `C, ${native.compiler} -O3`, nativeTimes, 0.385)] : []),
      row('sign one element', times.element, 'circomlibjs 0.1.7', times.circomElement, 150),
      row('sign one element, key used once', times.elementOnce, 'circomlibjs 0.1.7', times.circomElement),
      row('hash an order (Poseidon t = 12)', times.hash, 'the plain core', times.plainHash),
      row('verify 64 signatures of remembered keys', times.verifyTogether, 'one by one', times.verifyEach, 1.5),
      rate('verify, unknown key', times.verifyOnce),
      rate('verify, remembered key', times.verifyKnown, 2500),
      rate('verify, remembered key with table', times.verifyTable, 5000),
      {
        what: 'verify with two threads, remembered keys',
        ours: threads.twoMs,
        unit: 'ms',
        beside: 'one thread',
        theirs: threads.oneMs,
        ratio: threads.verifying,
        goal: 1.7,
      },
    ],
    notes: [
      `Two threads that only count, beside the two that verify: ${threads.counting.toFixed(2)} × one; what the machine had to give.`,
      `Medians of ${ROUNDS} interleaved rounds; ratios are medians of the ratios of the rounds: beside divided by ours.`,
      'C: the goal 0.385 means at most 2.6 times its time. It does the same with limbs of 64 bits and 128-bit products, which WebAssembly does not have.',
    ],
  };
};
