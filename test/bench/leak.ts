import { getPublicKey, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { AT, CoreInstance } from '../../src/crypto/wasm/coreInstance.ts';
import { CORE_MODULE } from '../../src/crypto/wasm/generated/coreModule.ts';
import { Point } from '../support/curve.ts';
import { Random } from '../support/random.ts';
import { secretKeyOf } from '../support/secretKeys.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { fewer } from './support/short.ts';
import { largestT } from './support/welch.ts';

/** |t| from which a difference counts, as in dudect. */
const LIMIT = 4.5;
/** `LEAK=10` measures ten times as long; a leak grows with the square root, noise does not. */
const FACTOR = Number(process.env.LEAK ?? 1);
/** Inputs of each class, used by turns: more than any predictor can learn. */
const INPUTS = 1_024;

const random = new Random(BigInt(Date.now()));
const bits = (count: number) => {
  let value = 0n;
  for (let i = 0; i < count; i++) value |= 1n << BigInt(random.index(250));
  return value;
};
const within = (value: bigint) => (value % (SUBGROUP_ORDER - 1n)) + 1n;

/**
 * Scalars of one kind. Each kind is compared with `random`; `random again` is the control: the same
 * kind, other scalars.
 */
const classes: Readonly<Record<string, () => bigint>> = {
  random: () => 1n + random.below(SUBGROUP_ORDER - 1n),
  'random again': () => 1n + random.below(SUBGROUP_ORDER - 1n),
  sparse: () => within(bits(2)),
  dense: () => within(((1n << 250n) - 1n) ^ bits(2)),
  short: () => 1n + random.below(1n << 32n),
  fixed: () => 12345678901234567890n,
};

interface Routine {
  readonly name: string;
  /** Measurements of each class. */
  readonly each: number;
  /** Puts a scalar in place, not timed; `run` is. */
  readonly prepare: (scalar: bigint) => void;
  readonly run: () => void;
  /** Kinds to compare; all when absent. */
  readonly kinds?: readonly string[];
  /** Whether a difference must be found. */
  readonly leaks?: boolean;
}

/**
 * Measures the classes in random order, so that a slow moment of the machine meets all of them
 * alike.
 */
function measure({ each, prepare, run, kinds }: Routine): Record<string, number[]> {
  const names = ['random', ...(kinds ?? Object.keys(classes).slice(1))];
  const inputs = names.map((name) => Array.from({ length: INPUTS }, classes[name] as () => bigint));
  const times: number[][] = names.map(() => []);
  const warmUp = 2_000;
  for (let i = -warmUp; i < fewer(each) * names.length; i++) {
    const kind = random.index(names.length);
    prepare(inputs[kind]?.[random.index(INPUTS)] as bigint);
    const started = performance.now();
    run();
    const elapsed = performance.now() - started;
    if (i >= 0) times[kind]?.push(elapsed);
  }
  return Object.fromEntries(names.map((name, i) => [name, times[i] as number[]]));
}

/**
 * Whether the time of the secret arithmetic depends on the secret, in the manner of dudect
 * (https://eprint.iacr.org/2016/1123): Welch's t between scalars of a kind and random ones, over
 * all measurements and over those below several percentiles. It finds leaks, it does not prove that
 * there is none. Two routines that are known to leak stand beside, and must be found.
 */
export const run: BenchRun = async (say) => {
  const core = new CoreInstance(new WebAssembly.Module(Buffer.from(CORE_MODULE, 'hex')));
  core.putBytes(AT.secret, secretKeyOf(1n));
  core.publicKey();
  const A = getPublicKey(secretKeyOf(777n));
  const key = secretKeyOf(777n);
  let scalar = 1n;
  let bytes = secretKeyOf(1n);
  const digest = new Uint8Array(64);

  const routines: Routine[] = [
    {
      name: 'fast core, k·B',
      each: 15_000 * FACTOR,
      prepare: (k) => core.putBytes(AT.secret, secretKeyOf(k)),
      run: () => core.publicKey(),
    },
    {
      name: 'fast core, signature by keys',
      each: 10_000 * FACTOR,
      prepare: (k) => {
        for (let i = 0; i < 64; i += 8) new DataView(digest.buffer).setBigUint64(i, random.word());
        core.put(AT.A, A.x, A.y, random.word());
        core.putBytes(AT.digest, digest);
        core.putBytes(AT.secret, secretKeyOf(k));
      },
      run: () => core.sign(),
    },
    {
      name: 'fast core, signature by nonces',
      each: 10_000 * FACTOR,
      prepare: (r) => {
        digest.fill(0);
        digest.set(secretKeyOf(r));
        core.put(AT.A, A.x, A.y, random.word());
        core.putBytes(AT.digest, digest);
        core.putBytes(AT.secret, key);
      },
      run: () => core.sign(),
    },
    {
      name: 'plain core, k·B',
      each: 3_000 * FACTOR,
      prepare: (k) => {
        bytes = secretKeyOf(k);
      },
      run: () => getPublicKey(bytes),
    },
    {
      name: 'noble unblinded, k·B',
      each: 1_000,
      kinds: ['sparse', 'short'],
      leaks: true,
      prepare: (k) => {
        scalar = k;
      },
      run: () => Point.BASE.multiplyUnsafe(scalar),
    },
    {
      name: 'fast core, public arithmetic',
      each: 3_000,
      kinds: ['sparse', 'short'],
      leaks: true,
      prepare: (s) => {
        core.put(AT.A, A.x, A.y, 5n, A.x, A.y, s);
        core.useMultiples(core.multiplesOf());
      },
      run: () => core.equationHolds(0),
    },
  ];

  const rows: BenchRow[] = [];
  for (const routine of routines) {
    say(`${routine.name}: ${routine.each} of each kind`);
    const times = measure(routine);
    for (const [kind, sample] of Object.entries(times)) {
      if (kind === 'random') continue;
      const t = Math.abs(largestT(times.random as number[], sample));
      rows.push({
        what: `${routine.name}: ${kind}${kind === 'random again' ? ' (control)' : ''}${routine.leaks ? ' (known to leak)' : ''}`,
        ours: t,
        unit: '|t|',
        beside: routine.leaks ? 'to be found above' : 'limit',
        theirs: LIMIT,
        ratio: routine.leaks ? t / LIMIT : LIMIT / t,
        goal: 1,
      });
    }
  }
  return {
    rows,
    notes: [
      `Largest |t| over seven cuts of the measurements; a difference counts from ${LIMIT}. Kinds against random scalars.`,
      'A busy machine hides small differences: LEAK=10 on an idle one for a finding that counts.',
    ],
  };
};
