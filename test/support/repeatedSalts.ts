/** What a new vault asks for: its name, the name of its data key, and the salt of its password. */
const AT_FIRST = 3;

/**
 * Random bytes, except that each vault has the same names and salt, which are its first values of
 * 16 bytes: a password is then derived once for all wallets of a file (`rememberedPasswords.ts`).
 */
export function repeatedSalts(): (length: number) => Uint8Array<ArrayBuffer> {
  let given = 0;
  return (length) => {
    const bytes = new Uint8Array(length);
    if (length !== 16 || given === AT_FIRST) return crypto.getRandomValues(bytes);
    given += 1;
    bytes[0] = given;
    return bytes;
  };
}
