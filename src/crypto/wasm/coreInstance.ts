import { BASE_X, BASE_Y, SUBGROUP_ORDER } from '../constants.ts';
import { PARTIAL_ROUNDS, type PoseidonWidth, tableSeeds } from '../poseidonTables.ts';
import { TWO_D, X_SCALE } from '../publicArithmetic.ts';

/**
 * The exports of the module; `assembly/index.ts` explains each, `assembly/layout.ts` the buffer.
 * Answers are 0 and 1.
 */
interface CoreExports {
  readonly memory: WebAssembly.Memory;
  readonly BUFFER: WebAssembly.Global;
  readonly BULK: WebAssembly.Global;
  readonly KEY_MULTIPLES: WebAssembly.Global;
  readonly KEY_BYTES: WebAssembly.Global;
  setUp(): void;
  setWidth(t: number, partialRounds: number): void;
  hash(t: number, count: number): void;
  publicKey(): number;
  sign(): void;
  prepareKey(): void;
  hasPrimeOrder(): number;
  newKeyTable(): number;
  buildKeyTable(table: number): void;
  equationHolds(table: number): number;
  sharedDataIsWhole(): number;
}

/** Places in the buffer. */
export const AT = { A: 0, message: 64, R: 96, S: 160, secret: 192, digest: 224, weight: 320 } as const;

const WORD = 0xffff_ffff_ffff_ffffn;

/**
 * One instance of the module with a memory of its own. Numbers pass as integers of 32 little-endian
 * bytes.
 */
export class CoreInstance {
  readonly exports: CoreExports;
  readonly #start: number;
  readonly #bulk: number;
  readonly #multiples: number;
  readonly #widths = new Set<PoseidonWidth>();
  /** Room of tables that were given up. */
  readonly #freeTables: number[] = [];
  #words: BigUint64Array;
  #bytes: Uint8Array;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as CoreExports;
    const { memory, BUFFER, BULK, KEY_MULTIPLES } = this.exports;
    this.#words = new BigUint64Array(memory.buffer);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#start = BUFFER.value;
    this.#bulk = BUFFER.value + BULK.value;
    this.#multiples = BUFFER.value + KEY_MULTIPLES.value;
    this.writeBulk([X_SCALE, TWO_D, BASE_X, BASE_Y, SUBGROUP_ORDER]);
    this.exports.setUp();
  }

  /** Views of the memory, new ones after it has grown. */
  #refresh(): void {
    const { buffer } = this.exports.memory;
    if (this.#bytes.buffer === buffer) return;
    this.#words = new BigUint64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  #write(at: number, value: bigint): void {
    const word = at >> 3;
    this.#words[word] = value & WORD;
    this.#words[word + 1] = (value >> 64n) & WORD;
    this.#words[word + 2] = (value >> 128n) & WORD;
    this.#words[word + 3] = value >> 192n;
  }

  #read(at: number): bigint {
    const word = (i: number) => this.#words[(at >> 3) + i] as bigint;
    return word(0) | (word(1) << 64n) | (word(2) << 128n) | (word(3) << 192n);
  }

  writeBulk(values: readonly bigint[]): void {
    this.#refresh();
    let at = this.#bulk;
    for (const value of values) {
      this.#write(at, value);
      at += 32;
    }
  }

  /** @param at - Of `AT`; further values follow each 32 bytes. */
  put(at: number, ...values: readonly bigint[]): void {
    this.#refresh();
    for (const [i, value] of values.entries()) this.#write(this.#start + at + 32 * i, value);
  }

  get(at: number): bigint {
    this.#refresh();
    return this.#read(this.#start + at);
  }

  putBytes(at: number, bytes: Uint8Array): void {
    this.#refresh();
    this.#bytes.set(bytes, this.#start + at);
  }

  /** A view that is good until the next call of the module. */
  bytesAt(at: number, length: number): Uint8Array {
    this.#refresh();
    return this.#bytes.subarray(this.#start + at, this.#start + at + length);
  }

  /** Has the module make the tables of a width, once. */
  needWidth(t: PoseidonWidth): void {
    if (this.#widths.has(t)) return;
    this.writeBulk(tableSeeds(t));
    this.exports.setWidth(t, PARTIAL_ROUNDS[t]);
    this.#widths.add(t);
  }

  hash(inputs: readonly bigint[], t: PoseidonWidth): bigint {
    this.needWidth(t);
    this.writeBulk(inputs);
    this.exports.hash(t, inputs.length);
    return this.#read(this.#bulk);
  }

  /** A at `AT.A` from the secret key at `AT.secret`; false when that is out of range. */
  publicKey(): boolean {
    return this.exports.publicKey() !== 0;
  }

  /** R and S at their places from A, message, secret key and digest at theirs. */
  sign(): void {
    this.needWidth(6);
    this.exports.sign();
  }

  /** The odd multiples of the point at `AT.A`. */
  multiplesOf(): Uint8Array {
    this.exports.prepareKey();
    this.#refresh();
    return this.#bytes.slice(this.#multiples, this.#multiples + this.exports.KEY_BYTES.value);
  }

  /** Puts odd multiples back, for `hasPrimeOrder` of the module and `equationHolds(0)`. */
  useMultiples(multiples: Uint8Array): void {
    this.#refresh();
    this.#bytes.set(multiples, this.#multiples);
  }

  /**
   * Address of room for a table, of one that was given up where there is any: the module takes no
   * memory back.
   */
  takeTableRoom(): number {
    return this.#freeTables.pop() ?? this.exports.newKeyTable();
  }

  giveTableRoomBack(table: number): void {
    this.#freeTables.push(table);
  }

  /** The equation for A, message, R and S at their places. */
  equationHolds(table: number): boolean {
    this.needWidth(6);
    return this.exports.equationHolds(table) !== 0;
  }
}
