import { bytesToHex } from '@noble/hashes/utils.js';

/** Lists as hex what arrays held that were filled with zeros during some work, in that order. */
export async function wipedIn(work: () => unknown): Promise<string[]> {
  const wiped: string[] = [];
  const { fill } = Uint8Array.prototype;
  Uint8Array.prototype.fill = function (this: Uint8Array, value: number, ...range: number[]) {
    if (value === 0) wiped.push(bytesToHex(this));
    return fill.call(this, value, ...range);
  } as typeof fill;
  try {
    await work();
  } finally {
    // It is the typed arrays' common one that is seen again.
    delete (Uint8Array.prototype as Partial<Uint8Array>).fill;
  }
  return wiped;
}
