import { plainCore } from '../../src/crypto/core.ts';
import { fastCore } from '../../src/crypto/fast.ts';
import { formatSignature } from '../../src/crypto/index.ts';
import { createBatchVerifier } from '../../src/crypto/wasm/batchVerifier.ts';
import { nativeSigner } from './support/nativeSigner.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { interleaved, median, ratioOf, type Times } from './support/rounds.ts';
import { fewer } from './support/short.ts';
import { signingPeers } from './support/signingPeers.ts';
import { compareTwoThreads } from './support/twoThreads.ts';

const ROUNDS = fewer(9);
const NATIVE_ORDERS = 1_000;
/** An order takes at most so many times as long as in native C. */
const NATIVE_GOAL = 1.1;
/** Signatures are verified together at least so many times as fast. */
const BATCH_GOAL = 1.5;
/**
 * Ratios that are reached, less a tenth for noise: a smaller one is a regression. Rates are not
 * held by themselves, because they depend on the machine and on what else it does.
 */
const FLOOR = { order: 4_000, element: 190, known: 180, table: 450 } as const;

/**
 * The WebAssembly core beside the protocol's SDK, circomlibjs, the plain core, and a native signer
 * of the same algorithm in C (when a compiler is there), in one run of interleaved rounds. All
 * sides sign the same order, and the signatures are compared before the clock starts.
 */
export const run: BenchRun = async (say) => {
  const fast = fastCore();
  if (!fast) throw new Error('this engine refuses WebAssembly with SIMD');
  const {
    poseidonInputs,
    eddsaPrivateKey,
    inputs,
    secretKey,
    signer,
    message,
    signature,
    sdk,
    circom,
    circomKey,
    circomPublic,
    circomMessage,
    circomSignature,
  } = await signingPeers(fast, say);
  const plainSigner = plainCore.createSigner(secretKey);

  const native = nativeSigner(inputs, secretKey);
  if (!native) say('no C compiler is there: the native signer is left out');

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
  // As many accounts as a relayer checks together at most, none of them often enough for a table.
  const group = Array.from({ length: 64 }, (_, i) => {
    const one = fast.createSigner(secretKey.with(0, i + 1));
    return { signature: one.sign(message), message, publicKey: one.publicKey };
  });
  const together = createBatchVerifier({ maxTables: 0 });
  if (!together?.(group).every(Boolean)) throw new Error('a group of right signatures is refused');
  const eachWithTable = fast.createVerifier({ usesBeforeTable: 1, maxTables: group.length });
  const checkEach = (check: typeof known) =>
    group.map((one) => check(one.signature, one.message, one.publicKey)).every(Boolean);
  for (let i = 0; i < 3; i++)
    if (!checkEach(eachWithTable)) throw new Error('a right signature is refused where the key has a table');

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
      elementOnce: {
        perRound: 200,
        run: () => {
          const once = fast.createSigner(secretKey);
          once.sign(nextStorageId());
          once.wipe();
        },
      },
      circomElement: {
        perRound: 8,
        run: () => circom.signPoseidon(circomKey, circom.babyJub.F.e(nextStorageId())),
      },
      verifyOnce: { perRound: 300, run: () => fast.verify(signature, message, signer.publicKey) },
      verifyKnown: { perRound: 500, run: () => known(signature, message, signer.publicKey) },
      verifyTable: { perRound: 1_000, run: () => withTable(signature, message, signer.publicKey) },
      verifyTogether: { perRound: 15, run: () => together(group) },
      verifyEach: { perRound: 15, run: () => checkEach(known) },
      verifyEachTable: { perRound: 15, run: () => checkEach(eachWithTable) },
      circomVerify: {
        perRound: 8,
        run: () => circom.verifyPoseidon(circomMessage, circomSignature, circomPublic),
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

  const row = (
    what: string,
    ours: Times,
    beside: string,
    besideTimes: Times,
    goal?: Pick<BenchRow, 'goal' | 'atMost'>,
  ): BenchRow => ({
    what,
    ours: median(ours.clock),
    unit: 'ms',
    beside,
    theirs: median(besideTimes.clock),
    ratio: ratioOf(besideTimes.clock, ours.clock),
    processorRatio: ratioOf(besideTimes.processor, ours.processor),
    ...goal,
  });
  const rate = (what: string, ours: Times, each = 1): BenchRow => ({
    what: `${what}, one thread`,
    ours: (1000 * each) / median(ours.processor),
    unit: 'a second of processor time',
  });
  const SDK = 'loopring-sdk 3.9.22';
  const CIRCOM = 'circomlibjs 0.1.7';
  const GROUP = `verify ${group.length} signatures together`;
  return {
    rows: [
      ...(native
        ? [row('sign an order', times.order, `C, ${native.compiler} -O3`, nativeTimes, { atMost: NATIVE_GOAL })]
        : []),
      row('sign an order', times.order, SDK, times.sdkOrder, { goal: FLOOR.order }),
      row('sign an order', times.order, 'the plain core', times.plainOrder),
      row('sign one element', times.element, CIRCOM, times.circomElement, { goal: FLOOR.element }),
      row('sign one element, key used once', times.elementOnce, CIRCOM, times.circomElement),
      row('hash an order (Poseidon t = 12)', times.hash, 'the plain core', times.plainHash),
      row('verify, unknown key', times.verifyOnce, CIRCOM, times.circomVerify),
      row('verify, remembered key', times.verifyKnown, CIRCOM, times.circomVerify, { goal: FLOOR.known }),
      row('verify, remembered key with table', times.verifyTable, CIRCOM, times.circomVerify, { goal: FLOOR.table }),
      row(GROUP, times.verifyTogether, 'one by one', times.verifyEach, { goal: BATCH_GOAL }),
      row(GROUP, times.verifyTogether, 'one by one, keys with tables', times.verifyEachTable, { goal: BATCH_GOAL }),
      {
        what: 'verify with two threads, remembered keys',
        ours: threads.twoMs,
        unit: 'ms',
        beside: 'one thread',
        theirs: threads.oneMs,
        ratio: threads.verifying,
        goal: 1.7,
      },
      rate('verify, unknown key', times.verifyOnce),
      rate('verify, remembered key', times.verifyKnown),
      rate('verify, remembered key with table', times.verifyTable),
      rate(GROUP, times.verifyTogether, group.length),
    ],
    notes: [
      `Two threads that only count, beside the two that verify: ${threads.counting.toFixed(2)} × one; what the machine had to give.`,
      `Medians of ${ROUNDS} interleaved rounds; ratios are medians of the ratios of the rounds: beside divided by ours.`,
      'C does the same with limbs of 64 bits and 128-bit products, which WebAssembly does not have.',
      'The relayer verifies keys without a table together, and keys with one one by one.',
    ],
  };
};
