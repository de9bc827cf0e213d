/**
 * Random bytes, except that each caller gets the same salts and names, which are 16 bytes long: a password is then derived once for
 * all wallets of a file (`rememberedPasswords.ts`).
 */
export function repeatedSalts(): (length: number) => Uint8Array<ArrayBuffer> {
  let given = 0;
  return (length) => {
    const bytes = new Uint8Array(length);
    if (length !== 16) return crypto.getRandomValues(bytes);
    given += 1;
    new DataView(bytes.buffer).setUint32(0, given);
    return bytes;
  };
}
