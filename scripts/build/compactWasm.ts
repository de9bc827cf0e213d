import type { Plugin } from 'vite';

const MODULE = /\/hash-wasm\/dist\/index\.esm\.js$/;
/** `\0asm` and the version, in base64. */
const PROGRAM = /"(AGFzbQEAAAA[A-Za-z0-9+/=]+)"/g;
const DECODED = 'decodeBase64(binary.data)';

/**
 * The WebAssembly of the password's key derivation in hex, which is a sixth smaller than base64
 * when packed: 1 kB less in a zip. It is decoded when it is first used.
 * @throws {Error} the package holds its programs in another way.
 */
export const compactWasm = (): Plugin => ({
  name: 'compact-wasm',
  enforce: 'pre',
  transform(code, id) {
    if (!MODULE.test(id)) return null;
    if (code.search(PROGRAM) < 0 || code.split(DECODED).length !== 2) throw new Error(`${id} holds no programs`);
    return {
      code: code
        .replace(PROGRAM, (_, base64: string) => `"${Buffer.from(base64, 'base64').toString('hex')}"`)
        .replace(DECODED, 'Uint8Array.from(binary.data.match(/../g), (byte) => parseInt(byte, 16))'),
      map: null,
    };
  },
});
