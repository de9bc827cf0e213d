import { ax, ay, computeChallenge, message, rx, ry } from './challenge';
import { fromBytes, integerToBytes, sumOfConstants, toBytes } from './field';
import { multiplyBase, WINDOW, WINDOWS } from './fixedBase';
import { BUFFER, BULK, DIGEST, KEY_MULTIPLES, MESSAGE, R, S, SECRET } from './layout';
import { allocate } from './memory';
import { equalsAffine, PROJECTIVE_ADDEND, scaleX, setCurve, sumOfCurve, wipeTerms } from './point';
import * as poseidon from './poseidon';
import {
  BASE_MULTIPLES,
  BASE_TABLE_WINDOW,
  BASE_TABLE_WINDOWS,
  baseMultiples,
  buildTable,
  differenceFromMultiples,
  differenceFromTables,
  KEY,
  KEY_TABLE_WINDOW,
  KEY_TABLE_WINDOWS,
  oddMultiples,
  tableSize,
  vanishesTimes,
} from './publicMultiply';
import { multiplyAdd, reducePublic, reduceWide, scalarFromBytes, wipeScalars } from './scalar';

/** Exports of the wallet's module; `layout.ts` says how values are passed. */
export { BUFFER, BULK, KEY_MULTIPLES } from './layout';
export const KEY_BYTES: usize = KEY;

const challenge = memory.data(36, 16);
const k = memory.data(36, 16);
const r = memory.data(36, 16);
const s = memory.data(36, 16);
/** Public scalars as bytes, each with 8 zero bytes behind. */
const sBytes = memory.data(40, 16);
const cBytes = memory.data(40, 16);
const orderBytes = memory.data(40, 16);

const baseX = memory.data(36, 16);
const baseY = memory.data(36, 16);
let secretTable: usize = 0;
let baseTable: usize = 0;

/**
 * Reads at BULK: √−a, −2d/a, B.x, B.y, L. To be called once, before anything else but `setWidth`.
 */
export function setUp(): void {
  const at = BUFFER + BULK;
  setCurve(at);
  fromBytes(baseX, at + 64);
  scaleX(baseX, baseX);
  fromBytes(baseY, at + 96);
  memory.copy(orderBytes, at + 128, 32);
  oddMultiples(baseMultiples, baseX, baseY, BASE_MULTIPLES);
}

/** Makes the tables of a width from the constants at BULK; see poseidonTables.ts. */
export function setWidth(t: i32, partialRounds: i32): void {
  poseidon.setWidth(t, partialRounds, BUFFER + BULK);
  if (t === 6) wholeSum = sumOfSharedData();
}

/** Sum of everything constant that signature and check share, when it was set. */
let wholeSum: u64 = 0;

function sumOfSharedData(): u64 {
  return sumOfConstants() + sumOfCurve() + poseidon.sumOfTables(6);
}

/**
 * Whether the constants, and the tables of the challenge, are as they were set. A changed bit there
 * gives signature and check the same wrong challenge, so that the equation holds; a second, right
 * signature with the same nonce would reveal the key.
 */
export function sharedDataIsWhole(): bool {
  return sumOfSharedData() === wholeSum;
}

/** Hashes `count` inputs at BULK at width t; the hash replaces the first of them. */
export function hash(t: i32, count: i32): void {
  const at = BUFFER + BULK;
  memory.fill(poseidon.lane(0), 0, (t as usize) * 36);
  for (let i: usize = 0; i < (count as usize); i++) fromBytes(poseidon.lane(i), at + 32 * i);
  poseidon.permute(challenge, t);
  toBytes(at, challenge);
}

/** To be called before a secret is read: without memory it stops, and nothing would wipe that. */
function readySecretTable(): usize {
  if (!secretTable) {
    const at = allocate(tableSize(WINDOW, WINDOWS));
    buildTable(at, baseX, baseY, WINDOW, WINDOWS);
    secretTable = at;
  }
  return secretTable;
}

/**
 * A = k·B from the secret key, which is wiped. False, and no A, when it is not between 1 and L − 1.
 */
export function publicKey(): bool {
  const table = readySecretTable();
  const valid = scalarFromBytes(k, BUFFER + SECRET);
  memory.fill(BUFFER + SECRET, 0, 32);
  if (!valid) {
    memory.fill(k, 0, 36);
    return false;
  }
  multiplyBase(ax, ay, table, k);
  memory.fill(k, 0, 36);
  toBytes(BUFFER, ax);
  toBytes(BUFFER + 32, ay);
  return true;
}

/**
 * R and S from the secret key, the 64 bytes of the nonce's hash, A and the message; the first two
 * are wiped.
 */
export function sign(): void {
  const table = readySecretTable();
  fromBytes(ax, BUFFER);
  fromBytes(ay, BUFFER + 32);
  fromBytes(message, BUFFER + MESSAGE);
  scalarFromBytes(k, BUFFER + SECRET);
  reduceWide(r, BUFFER + DIGEST);
  memory.fill(BUFFER + SECRET, 0, 32 + 64);
  multiplyBase(rx, ry, table, r);
  computeChallenge(challenge);
  multiplyAdd(s, r, k, challenge);
  memory.fill(r, 0, 36);
  memory.fill(k, 0, 36);
  wipeScalars();
  wipeTerms();
  toBytes(BUFFER + R, rx);
  toBytes(BUFFER + R + 32, ry);
  integerToBytes(BUFFER + S, s);
}

/** Writes the odd multiples of A, which is on the curve, to KEY_MULTIPLES. */
export function prepareKey(): void {
  readKey();
  oddMultiples(BUFFER + KEY_MULTIPLES, ax, ay, (KEY / PROJECTIVE_ADDEND) as i32);
}

/** Whether L·A is neutral, for the A whose odd multiples are at KEY_MULTIPLES. */
export function hasPrimeOrder(): bool {
  return vanishesTimes(BUFFER + KEY_MULTIPLES, orderBytes);
}

/** A, with its x brought to the curve of the arithmetic. */
function readKey(): void {
  fromBytes(ax, BUFFER);
  scaleX(ax, ax);
  fromBytes(ay, BUFFER + 32);
}

/** Room for the table of a key. */
export function newKeyTable(): usize {
  return allocate(tableSize(KEY_TABLE_WINDOW, KEY_TABLE_WINDOWS));
}

/** Fills a key's table from A, and makes that of the base point when it is missing. */
export function buildKeyTable(table: usize): void {
  if (!baseTable) {
    const at = allocate(tableSize(BASE_TABLE_WINDOW, BASE_TABLE_WINDOWS));
    buildTable(at, baseX, baseY, BASE_TABLE_WINDOW, BASE_TABLE_WINDOWS);
    baseTable = at;
  }
  readKey();
  buildTable(table, ax, ay, KEY_TABLE_WINDOW, KEY_TABLE_WINDOWS);
}

/**
 * Whether `S·B = R + c·A` for A, message, R and S < L in the buffer.
 * @param table - A's table, or 0 when its odd multiples are at KEY_MULTIPLES.
 */
export function equationHolds(table: usize): bool {
  fromBytes(ax, BUFFER);
  fromBytes(ay, BUFFER + 32);
  fromBytes(message, BUFFER + MESSAGE);
  fromBytes(rx, BUFFER + R);
  fromBytes(ry, BUFFER + R + 32);
  computeChallenge(challenge);
  reducePublic(challenge, challenge);
  integerToBytes(cBytes, challenge);
  memory.copy(sBytes, BUFFER + S, 32);
  const difference = table
    ? differenceFromTables(baseTable, sBytes, table, cBytes)
    : differenceFromMultiples(baseMultiples, sBytes, BUFFER + KEY_MULTIPLES, cBytes);
  return equalsAffine(difference, rx, ry);
}
