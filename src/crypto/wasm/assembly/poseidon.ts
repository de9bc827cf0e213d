import { add, carry, copy, ELEMENT, mul, square, sumWords } from './field';
import { allocate } from './memory';
import { buildTables } from './poseidonTables';
import { addProducts, beginSum, EXPANDED, endSum, expand } from './sumOfProducts';

/**
 * The protocol's Poseidon with the partial rounds as a linear recurrence. Its tables are made by
 * poseidonTables.ts; coefficients are in expanded form (see sumOfProducts.ts). Public data only.
 */
const HALF_FULL_ROUNDS: i32 = 3;

/**
 * Seven words for each width: addresses of its tables, and how many partial rounds it has.
 */
const tables = memory.data(14 * 32, 16);
const CONSTANTS: usize = 0;
const MATRIX: usize = 4;
const ENTRY: usize = 8;
const EARLY: usize = 12;
const RECURRENCE: usize = 16;
const EXIT: usize = 20;
const PARTIAL_ROUNDS: usize = 24;

/** Lanes of the state, plain and expanded. */
const lanes = memory.data(13 * 36, 16);
const expanded = memory.data(13 * 144, 16);
const entered = memory.data(13 * 36, 16);
/** x and y of the partial rounds by turns, expanded: x[0], y[0], x[1], y[1], … */
const history = memory.data((2 * 53 + 2) * 144, 16);
const x = memory.data(36, 16);
const y = memory.data(36, 16);
const power = memory.data(36, 16);

/**
 * Makes the tables of a width: constants (3 opening, one a partial round, t at the exit, 2
 * closing), matrix (t·t), entry (n·t with n = t − 1: the rows of O times the rest of M), early
 * (g[n−2] … g[0], m00), recurrence (β[0], α[0], … β[n−1], α[n−1], m00), exit (for each of n lanes
 * F[0], E[0], … F[n−1], E[n−1]). Constants are plain, coefficients expanded.
 * @param bytes - See `buildTables`.
 */
export function setWidth(t: i32, partialRounds: i32, bytes: usize): void {
  const size = t as usize;
  const rounds = partialRounds as usize;
  const n = size - 1;
  const at = tables + (size << 5);
  const constants = allocate((2 * (HALF_FULL_ROUNDS as usize) - 1 + rounds + size) * ELEMENT);
  const matrix = allocate(size * size * EXPANDED);
  const entry = allocate(n * size * EXPANDED);
  const early = allocate(n * EXPANDED);
  const recurrence = allocate((2 * n + 1) * EXPANDED);
  const exit = allocate(2 * n * n * EXPANDED);
  buildTables(size, rounds, bytes, constants, matrix, entry, early, recurrence, exit);
  store<u32>(at, constants as u32, CONSTANTS);
  store<u32>(at, matrix as u32, MATRIX);
  store<u32>(at, entry as u32, ENTRY);
  store<u32>(at, early as u32, EARLY);
  store<u32>(at, recurrence as u32, RECURRENCE);
  store<u32>(at, exit as u32, EXIT);
  store<u32>(at, partialRounds as u32, PARTIAL_ROUNDS);
}

/** Sum of all that a hash at width t reads but the state. */
export function sumOfTables(t: i32): u64 {
  const n = t - 1;
  const at = tables + ((t as usize) << 5);
  const first = load<u32>(at, CONSTANTS) as usize;
  // `setWidth` allocates the tables one behind the other, the exit last.
  const end = (load<u32>(at, EXIT) as usize) + ((2 * n * n) as usize) * EXPANDED;
  return sumWords(sumWords(0, at, 32), first, end - first);
}

/** `out = in^5` for a bound of at most 2 u. */
function sbox(out: usize, element: usize): void {
  square(power, element);
  square(power, power);
  mul(out, power, element);
}

/**
 * Adds constants to the lanes (the same to each when `stride` is 0), applies the S-box and expands.
 */
function sboxAll(t: i32, constants: usize, stride: usize): void {
  for (let i: usize = 0; i < (t as usize); i++) {
    const lane = lanes + i * ELEMENT;
    add(lane, lane, constants + i * stride);
    sbox(lane, lane);
    expand(expanded + i * EXPANDED, lane);
  }
}

/** `out` = a row of coefficients times the expanded lanes. */
function rowTimesLanes(out: usize, row: usize, t: i32): void {
  beginSum();
  addProducts(row, expanded, t, EXPANDED);
  endSum(out);
}

function mix(t: i32, matrix: usize): void {
  const row = (t as usize) * EXPANDED;
  for (let i: usize = 0; i < (t as usize); i++) rowTimesLanes(lanes + i * ELEMENT, matrix + i * row, t);
}

/**
 * Address of lane `i` of the state, to be filled before `permute`: elements in Montgomery form,
 * bound 1 u.
 */
export function lane(i: usize): usize {
  return lanes + i * ELEMENT;
}

/** `out` = element 0 of the permuted state. */
export function permute(out: usize, t: i32): void {
  const at = tables + ((t as usize) << 5);
  let constants = load<u32>(at, CONSTANTS) as usize;
  const matrix = load<u32>(at, MATRIX) as usize;
  const entry = load<u32>(at, ENTRY) as usize;
  const early = load<u32>(at, EARLY) as usize;
  const recurrence = load<u32>(at, RECURRENCE) as usize;
  let exitRow = load<u32>(at, EXIT) as usize;
  const partialRounds = load<u32>(at, PARTIAL_ROUNDS) as i32;
  const n = t - 1;
  const row = (t as usize) * EXPANDED;

  for (let round = 0; round < HALF_FULL_ROUNDS; round++) {
    if (round > 0) mix(t, matrix);
    sboxAll(t, constants, 0);
    constants += ELEMENT;
  }

  rowTimesLanes(x, matrix, t);
  for (let r: usize = 0; r < (n as usize); r++) rowTimesLanes(entered + r * ELEMENT, entry + r * row, t);
  expand(history, x);
  let now = history;
  for (let r = 0; r < partialRounds; r++) {
    add(y, x, constants);
    constants += ELEMENT;
    sbox(y, y);
    expand(now + EXPANDED, y);
    beginSum();
    if (r < n) {
      addProducts(early + ((n - 1 - r) as usize) * EXPANDED, history + EXPANDED, r + 1, 2 * EXPANDED);
      endSum(x);
      add(x, x, entered + (r as usize) * ELEMENT);
      carry(x);
    } else {
      // From y[r − n] to y[r], which stands behind `now`.
      addProducts(recurrence, now + EXPANDED - ((2 * n) as usize) * EXPANDED, 2 * n + 1, EXPANDED);
      endSum(x);
    }
    now += 2 * EXPANDED;
    expand(now, x);
  }

  copy(lanes, x);
  for (let i: usize = 1; i <= (n as usize); i++) {
    beginSum();
    // From y[R − n] to x[R], which is `now`.
    addProducts(exitRow, now - ((2 * n - 1) as usize) * EXPANDED, 2 * n, EXPANDED);
    endSum(lanes + i * ELEMENT);
    exitRow += ((2 * n) as usize) * EXPANDED;
  }
  sboxAll(t, constants, ELEMENT);
  constants += (t as usize) * ELEMENT;
  for (let round = 1; round < HALF_FULL_ROUNDS; round++) {
    mix(t, matrix);
    sboxAll(t, constants, 0);
    constants += ELEMENT;
  }
  rowTimesLanes(out, matrix, t);
}
