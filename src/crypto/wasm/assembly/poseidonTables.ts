import { add, carry, copy, ELEMENT, fromBytes, invert, mul, ONE, subtract } from './field';
import { addProducts, beginSum, EXPANDED, endSum, expand } from './sumOfProducts';

/**
 * The tables of a width, computed from the constants of the protocol and the two solved columns
 * that are shipped with them. `src/crypto/poseidonTables.ts` explains the mathematics and does the
 * same with BigInt; here it takes a tenth of the time, which the first signature of a fresh process
 * waits for. Vectors: n elements, n = t − 1.
 */

const chain = memory.data(26 * 36, 16);
/** M, row by row, plain. */
const plain = memory.data(169 * 36, 16);
const prefixes = memory.data(169 * 36, 16);
/** Columns of M without row 0, expanded: column c begins with its element of row 1. */
const columns = memory.data(13 * 12 * 144, 16);
const vector = memory.data(12 * 36, 16);
const expandedVector = memory.data(12 * 144, 16);
const alpha = memory.data(12 * 36, 16);
const beta = memory.data(12 * 36, 16);
const gamma = memory.data(12 * 36, 16);
const g = memory.data(12 * 36, 16);
const gOnes = memory.data(12 * 36, 16);
const epsilon = memory.data(12 * 36, 16);
const w = memory.data(12 * 36, 16);
const fromOnes = memory.data(12 * 36, 16);
const driving = memory.data(53 * 36, 16);
const lane0 = memory.data(54 * 36, 16);
const u = memory.data(36, 16);
const term = memory.data(36, 16);
const total = memory.data(36, 16);

/** `out += a·b`, carried; `out` grows by less than 2p. */
function addProduct(out: usize, a: usize, b: usize): void {
  mul(term, a, b);
  add(out, out, term);
  carry(out);
}

/** Brings a carried sum back below 2p. */
function settle(element: usize): void {
  mul(element, element, ONE);
}

/** Sum of `count` elements, below 2p. */
function sumOf(out: usize, elements: usize, count: usize): void {
  memory.fill(out, 0, ELEMENT);
  for (let i: usize = 0; i < count; i++) {
    add(out, out, elements + i * ELEMENT);
    carry(out);
  }
  settle(out);
}

/** `M[i][j] = 1 / (c[i] − c[t + j])`, with one inversion. */
function cauchyMatrix(t: usize): void {
  const count = t * t;
  for (let i: usize = 0; i < t; i++)
    for (let j: usize = 0; j < t; j++) {
      const at = plain + (i * t + j) * ELEMENT;
      subtract(at, chain + i * ELEMENT, chain + (t + j) * ELEMENT);
      settle(at);
    }
  copy(prefixes, plain);
  for (let i: usize = 1; i < count; i++) mul(prefixes + i * ELEMENT, prefixes + (i - 1) * ELEMENT, plain + i * ELEMENT);
  invert(total, prefixes + (count - 1) * ELEMENT);
  for (let i = count - 1; i > 0; i--) {
    const at = plain + i * ELEMENT;
    mul(term, total, prefixes + (i - 1) * ELEMENT);
    mul(total, total, at);
    copy(at, term);
  }
  copy(plain, total);
}

/** `out[j] = g[n−1−j] − m·α[j] − Σ over k > j of g[k−1−j]·α[k]`. */
function drivenCoefficients(out: usize, m: usize, from: usize, n: usize): void {
  for (let j: usize = 0; j < n; j++) {
    mul(total, m, alpha + j * ELEMENT);
    for (let k = j + 1; k < n; k++) addProduct(total, from + (k - 1 - j) * ELEMENT, alpha + k * ELEMENT);
    settle(total);
    subtract(out + j * ELEMENT, from + (n - 1 - j) * ELEMENT, total);
    settle(out + j * ELEMENT);
  }
}

/**
 * Columns n − 1 … 0 of an exit matrix by `column[i−1] = H·column[i] − coefficient[i]·ε`, beginning
 * with `vector`. Adds each column times `weights[i]` to `sums`; writes it, expanded, to `out + 2·i`
 * of each lane's row when `out` is not 0.
 * @param weights - Of column i, or 0.
 */
function exitColumns(coefficients: usize, weights: usize, sums: usize, out: usize, matrix: usize, n: usize): void {
  const lane: usize = 2 * n * EXPANDED;
  for (let i = n - 1; ; i--) {
    for (let k: usize = 0; k < n; k++) {
      const element = vector + k * ELEMENT;
      expand(expandedVector + k * EXPANDED, element);
      if (out) expand(out + k * lane + 2 * i * EXPANDED, element);
      if (weights) addProduct(sums + k * ELEMENT, element, weights + i * ELEMENT);
    }
    if (i === 0) return;
    for (let k: usize = 0; k < n; k++) {
      beginSum();
      addProducts(matrix + ((k + 1) * (n + 1) + 1) * EXPANDED, expandedVector, n as i32, EXPANDED);
      endSum(vector + k * ELEMENT);
      mul(term, coefficients + i * ELEMENT, epsilon + k * ELEMENT);
      subtract(vector + k * ELEMENT, vector + k * ELEMENT, term);
      settle(vector + k * ELEMENT);
    }
  }
}

/** `vector = a − m·ε`: the last column of an exit matrix. */
function lastColumn(a: usize, m: usize, n: usize): void {
  for (let k: usize = 0; k < n; k++) {
    mul(term, m, epsilon + k * ELEMENT);
    subtract(vector + k * ELEMENT, a + k * ELEMENT, term);
    settle(vector + k * ELEMENT);
  }
}

function readElements(out: usize, bytes: usize, count: usize): void {
  for (let i: usize = 0; i < count; i++) fromBytes(out + i * ELEMENT, bytes + 32 * i);
}

/**
 * Fills the tables of a width (`poseidon.ts` says what they are).
 * @param bytes - 32-byte elements: the 6 + R constants of the rounds, the first 2t of the matrix
 *   chain, α, the last exit column.
 */
export function buildTables(
  t: usize,
  partialRounds: usize,
  bytes: usize,
  constants: usize,
  matrix: usize,
  entry: usize,
  early: usize,
  recurrence: usize,
  exit: usize,
): void {
  const n = t - 1;
  const openingBytes = bytes;
  const closingBytes = bytes + 32 * (3 + partialRounds);
  readElements(driving, bytes + 96, partialRounds);
  bytes += 32 * (6 + partialRounds);
  readElements(chain, bytes, 2 * t);
  bytes += 64 * t;
  readElements(alpha, bytes, n);
  readElements(epsilon, bytes + 32 * n, n);

  cauchyMatrix(t);
  for (let i: usize = 0; i < t * t; i++) expand(matrix + i * EXPANDED, plain + i * ELEMENT);
  for (let c: usize = 0; c < t; c++)
    for (let i: usize = 0; i < n; i++) expand(columns + (c * n + i) * EXPANDED, plain + ((i + 1) * t + c) * ELEMENT);
  for (let i: usize = 0; i < n; i++) {
    copy(w + i * ELEMENT, plain + (i + 1) * t * ELEMENT);
    sumOf(fromOnes + i * ELEMENT, plain + ((i + 1) * t + 1) * ELEMENT, n);
  }
  sumOf(u, plain + ELEMENT, n);

  // Row r of O times the rest of M is g[r] followed by row r + 1 of O, whose sum is O[r]·H·(1, …,
  // 1).
  memory.copy(vector, plain + ELEMENT, n * ELEMENT);
  for (let r: usize = 0; r < n; r++) {
    for (let i: usize = 0; i < n; i++) expand(expandedVector + i * EXPANDED, vector + i * ELEMENT);
    for (let c: usize = 0; c < t; c++) {
      const out = c === 0 ? g + r * ELEMENT : vector + (c - 1) * ELEMENT;
      beginSum();
      addProducts(columns + c * n * EXPANDED, expandedVector, n as i32, EXPANDED);
      endSum(out);
      expand(entry + (r * t + c) * EXPANDED, out);
    }
    sumOf(gOnes + r * ELEMENT, vector, n);
  }
  for (let i: usize = 0; i < n - 1; i++) expand(early + i * EXPANDED, g + (n - 2 - i) * ELEMENT);
  expand(early + (n - 1) * EXPANDED, plain);

  drivenCoefficients(beta, plain, g, n);
  drivenCoefficients(gamma, u, gOnes, n);
  for (let i: usize = 0; i < n; i++) {
    expand(recurrence + 2 * i * EXPANDED, beta + i * ELEMENT);
    expand(recurrence + (2 * i + 1) * EXPANDED, alpha + i * ELEMENT);
  }
  expand(recurrence + 2 * n * EXPANDED, plain);

  // The round constants alone, through the same recurrence.
  memory.fill(lane0, 0, ELEMENT);
  for (let r: usize = 0; r < partialRounds; r++) {
    mul(total, u, driving + r * ELEMENT);
    if (r < n)
      for (let i: usize = 0; i < r; i++) addProduct(total, gOnes + (r - 1 - i) * ELEMENT, driving + i * ELEMENT);
    else
      for (let i: usize = 0; i < n; i++) {
        addProduct(total, alpha + i * ELEMENT, lane0 + (r - n + 1 + i) * ELEMENT);
        addProduct(total, gamma + i * ELEMENT, driving + (r - n + i) * ELEMENT);
      }
    settle(total);
    copy(lane0 + (r + 1) * ELEMENT, total);
  }

  readElements(constants, openingBytes, 3);
  constants += 3 * ELEMENT;
  for (let r: usize = 0; r < partialRounds; r++) {
    add(constants, lane0 + r * ELEMENT, driving + r * ELEMENT);
    settle(constants);
    constants += ELEMENT;
  }
  for (let i: usize = 0; i < t; i++) fromBytes(constants + i * ELEMENT, closingBytes);
  add(constants, constants, lane0 + partialRounds * ELEMENT);
  carry(constants);
  const sums = constants + ELEMENT;
  const lastDriving = driving + (partialRounds - n) * ELEMENT;
  memory.copy(vector, epsilon, n * ELEMENT);
  exitColumns(alpha, lane0 + (partialRounds - n + 1) * ELEMENT, sums, exit + EXPANDED, matrix, n);
  lastColumn(w, plain, n);
  exitColumns(beta, 0, 0, exit, matrix, n);
  lastColumn(fromOnes, u, n);
  exitColumns(gamma, lastDriving, sums, 0, matrix, n);
  for (let i: usize = 0; i < t; i++) settle(constants + i * ELEMENT);
  readElements(constants + t * ELEMENT, closingBytes + 32, 2);
}
