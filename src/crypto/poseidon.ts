import { FIELD_PRIME, LOOSE_MODULUS } from './constants.ts';
import { CryptoError } from './errors.ts';
import { dot, PARTIAL_ROUNDS, type PoseidonTables, type PoseidonWidth, poseidonTables } from './poseidonTables.ts';

/**
 * Sums of products take most of a hash. Two vectors u, v against two fixed ones a, b cost one
 * multiplication a pair instead of two (Winograd, "A new algorithm for inner product", 1968):
 *
 *     Σ a·u + b·v = Σ (a + v)·(b + u) − Σ a·b − Σ u·v
 *
 * The second sum is fixed, the third is shared by all rows. A matrix row is cut into its even and
 * odd columns.
 */
interface Row {
  readonly even: readonly bigint[];
  readonly odd: readonly bigint[];
}

/**
 * The tables of a width with the fixed sums of the pairs; each offset contains the constant that is
 * added there anyway.
 */
interface Plan {
  readonly tables: PoseidonTables;
  readonly matrix: readonly Row[];
  /**
   * For each mix: before the second and third round, before the partial rounds, before the last two
   * rounds, at the end.
   */
  readonly mixOffsets: readonly (readonly bigint[])[];
  readonly entry: readonly Row[];
  readonly entryOffsets: readonly bigint[];
  /** `β[1] … β[n − 1], m00`: what stands beside α when x and y of one round are a pair. */
  readonly driven: readonly bigint[];
  readonly recurrenceOffset: bigint;
  readonly exitOffsets: readonly bigint[];
}

const element = (sum: bigint) => ((sum % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;

/** Even and odd lanes; the last odd one is 0 when there is none. */
function halved(lanes: readonly bigint[]): Row {
  const even: bigint[] = [];
  const odd: bigint[] = [];
  for (let i = 0; i < lanes.length; i += 2) {
    even.push(lanes[i] as bigint);
    odd.push(lanes[i + 1] ?? 0n);
  }
  return { even, odd };
}

/** `Σ (a[i] + v[i])·(b[i] + u[i])` with u and v read from a place on, not reduced. */
function paired(
  a: readonly bigint[],
  b: readonly bigint[],
  u: readonly bigint[],
  v: readonly bigint[],
  uFrom = 0,
  vFrom = 0,
): bigint {
  let sum = 0n;
  for (let i = 0; i < a.length; i++)
    sum += ((a[i] as bigint) + (v[vFrom + i] as bigint)) * ((b[i] as bigint) + (u[uFrom + i] as bigint));
  return sum;
}

function planOf(tables: PoseidonTables): Plan {
  const { t, openingConstants, closingConstants, alpha, beta, exitX, exitY, exitConstants } = tables;
  const matrix = tables.matrix.map(halved);
  const entry = tables.entry.map(halved);
  const fixedSums = matrix.map(({ even, odd }) => dot(even, odd));
  const constants = [...openingConstants.slice(1), 0n, ...closingConstants, 0n];
  const driven = [...beta.slice(1), tables.matrix[0]?.[0] as bigint];
  return {
    tables,
    matrix,
    mixOffsets: constants.map((constant) => fixedSums.map((sum) => element(constant - sum))),
    entry,
    entryOffsets: entry.map(({ even, odd }) => element(-dot(even, odd))),
    driven,
    recurrenceOffset: element(-dot(alpha, driven)),
    exitOffsets: Array.from({ length: t - 1 }, (_, lane) =>
      element(
        (exitConstants[lane + 1] as bigint) - dot(exitX[lane] as readonly bigint[], exitY[lane] as readonly bigint[]),
      ),
    ),
  };
}

const plans = new Map<PoseidonWidth, Plan>();

function planFor(t: PoseidonWidth): Plan {
  let plan = plans.get(t);
  if (!plan) {
    plan = planOf(poseidonTables(t));
    plans.set(t, plan);
  }
  return plan;
}

/** `x^5`, up to a multiple of p; `x` below 2^256. */
function sbox(x: bigint): bigint {
  const x2 = (x * x) % LOOSE_MODULUS;
  return (x2 * x2 * x) % LOOSE_MODULUS;
}

function sboxAll(lanes: bigint[]): void {
  for (let i = 0; i < lanes.length; i++) lanes[i] = sbox(lanes[i] as bigint);
}

/** The first `count` lanes of the matrix times the lanes, plus what the offsets contain. */
function mix({ matrix, mixOffsets }: Plan, nth: number, lanes: readonly bigint[], count = lanes.length): bigint[] {
  const { even, odd } = halved(lanes);
  const own = dot(even, odd);
  const offsets = mixOffsets[nth] as readonly bigint[];
  const mixed = Array<bigint>(count);
  for (let i = 0; i < count; i++) {
    const row = matrix[i] as Row;
    mixed[i] = ((offsets[i] as bigint) - own + paired(row.even, row.odd, even, odd)) % LOOSE_MODULUS;
  }
  return mixed;
}

/**
 * Element 0 of the permuted state, with the partial rounds as a recurrence; notation of
 * `PoseidonTables`.
 */
function permute(plan: Plan, state: readonly bigint[]): bigint {
  const { tables, entry, entryOffsets, driven, recurrenceOffset, exitOffsets } = plan;
  const { t, laneConstants, g, alpha, beta, partialRounds, exitX, exitY, exitConstants } = tables;
  const m00 = tables.matrix[0]?.[0] as bigint;
  const beta0 = beta[0] as bigint;
  const n = t - 1;

  const first = tables.openingConstants[0] as bigint;
  let lanes = state.map((lane) => sbox(lane + first));
  for (let nth = 0; nth < 2; nth++) {
    lanes = mix(plan, nth, lanes);
    sboxAll(lanes);
  }

  const [lane0, ...h] = mix(plan, 2, lanes);
  const { even, odd } = halved(h);
  const own = dot(even, odd);
  const x = Array<bigint>(partialRounds + 1);
  const y = Array<bigint>(partialRounds);
  x[0] = lane0 as bigint;
  /** x·y of each round, and their sum over the last n rounds. */
  const products = Array<bigint>(partialRounds);
  let window = 0n;
  for (let r = 0; r < partialRounds; r++) {
    const input = x[r] as bigint;
    const output = sbox(input + (laneConstants[r] as bigint));
    y[r] = output;
    products[r] = input * output;
    window += products[r] as bigint;
    let next: bigint;
    if (r < n) {
      const row = entry[r] as Row;
      next = (entryOffsets[r] as bigint) - own + paired(row.even, row.odd, even, odd) + m00 * output;
      for (let i = 0; i < r; i++) next += (g[r - 1 - i] as bigint) * (y[i] as bigint);
    } else {
      window -= products[r - n] as bigint;
      const from = r - n + 1;
      next = recurrenceOffset - window + paired(alpha, driven, x, y, from, from) + beta0 * (y[r - n] as bigint);
    }
    x[r + 1] = next % LOOSE_MODULUS;
  }

  const xFrom = partialRounds - n + 1;
  const yFrom = partialRounds - n;
  const shared = dot(x.slice(xFrom), y, yFrom);
  lanes = [(x[partialRounds] as bigint) + (exitConstants[0] as bigint)];
  for (let lane = 0; lane < n; lane++) {
    const sum = paired(exitX[lane] as readonly bigint[], exitY[lane] as readonly bigint[], x, y, xFrom, yFrom);
    lanes.push(((exitOffsets[lane] as bigint) - shared + sum) % LOOSE_MODULUS);
  }
  sboxAll(lanes);
  for (let nth = 3; nth < 5; nth++) {
    lanes = mix(plan, nth, lanes);
    sboxAll(lanes);
  }
  return (mix(plan, 5, lanes, 1)[0] as bigint) % FIELD_PRIME;
}

/** @throws {CryptoError} as `poseidon` says. */
export function checkInputs(inputs: readonly bigint[], t: PoseidonWidth): void {
  if (!Object.hasOwn(PARTIAL_ROUNDS, t)) throw new CryptoError('input-count', `poseidon has no width t=${t}`);
  if (inputs.length < 1 || inputs.length > t - 1)
    throw new CryptoError('input-count', `poseidon t=${t} takes 1 to ${t - 1} inputs, got ${inputs.length}`);
  for (const [index, input] of inputs.entries())
    if (input < 0n || input >= FIELD_PRIME)
      throw new CryptoError('field-range', `poseidon input ${index} is outside the field`);
}

/**
 * Hashes field elements with the protocol's Poseidon: inputs, zero padding up to width `t`,
 * permutation, element 0. There is no length tag, so fewer inputs hash like the same inputs with
 * trailing zeros; callers fix the count.
 *
 * Not constant time: for public data only (message hashes, the signature challenge).
 * @param inputs - 1 to `t − 1` elements, each `0n <= x < p`; never reduced silently.
 * @param t - State width; fixes the round count and the matrix.
 * @returns One field element.
 * @throws {CryptoError} `input-count` (also for a width that is not in use), or `field-range`
 *   naming the index.
 * @see https://eprint.iacr.org/2019/458; constants: ./poseidonConstants.ts
 */
export function poseidon(inputs: readonly bigint[], t: PoseidonWidth): bigint {
  checkInputs(inputs, t);
  const state = Array<bigint>(t).fill(0n);
  for (const [index, input] of inputs.entries()) state[index] = input;
  return permute(planFor(t), state);
}
