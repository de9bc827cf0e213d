/**
 * A deterministic stream of numbers (SplitMix64), so that a failing fuzz run can be repeated from
 * its seed.
 */
export class Random {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  /** 64 bits. */
  word(): bigint {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let z = this.#state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }

  /** `0 <= n < limit`, limit below 2^32. */
  index(limit: number): number {
    return Number(this.word() % BigInt(limit));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.index(list.length)] as T;
  }

  /** `0 <= n < limit`, for limits up to 2^512; the bias is below 2^−60. */
  below(limit: bigint): bigint {
    let value = 0n;
    for (let bits = 0; bits < 576; bits += 64) value = (value << 64n) | this.word();
    return value % limit;
  }

  /**
   * Below `limit`, half of the time an edge: near 0 or the limit, powers of two at limb borders and
   * beside them, runs of ones, one bit, few bits.
   */
  edgy(limit: bigint): bigint {
    const size = limit.toString(2).length;
    const bit = () => 1n << BigInt(this.index(size));
    switch (this.index(12)) {
      case 0:
        return BigInt(this.index(4)) % limit;
      case 1:
        return limit - 1n - (BigInt(this.index(4)) % limit);
      case 2:
        return ((1n << BigInt(29 * this.index(9))) - BigInt(this.index(2)) + limit) % limit;
      case 3:
        return (bit() - 1n) % limit;
      case 4:
        return bit() % limit;
      case 5:
        return (bit() | bit() | bit()) % limit;
      case 6:
        return (limit - bit() + limit) % limit;
      default:
        return this.below(limit);
    }
  }
}
