/** A scalar as the fast core holds it: nine limbs of 29 bits. */
export function limbs(value: bigint): Uint8Array {
  const numbers = Array.from({ length: 9 }, (_, i) => Number((value >> BigInt(29 * i)) & 0x1fffffffn));
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

/** Whether any eight bytes in a row of the pattern stand in the memory. */
export function contains(memory: Uint8Array, pattern: Uint8Array): boolean {
  const haystack = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  for (let i = 0; i + 8 <= pattern.length; i += 4) {
    const part = Buffer.from(pattern.subarray(i, i + 8));
    if (part.some((byte) => byte !== 0) && haystack.includes(part)) return true;
  }
  return false;
}
