import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/**
 * Builds the WebAssembly of the fast core from `src/crypto/wasm/assembly/` and writes it as base64 into
 * `src/crypto/wasm/coreModule.ts`: `npx tsx test/crypto/buildCore.ts`, which `npm run build` does first. The result is checked
 * in, so that nothing needs the compiler but a change of the sources; a test builds again and compares.
 */
const root = join(import.meta.dirname, '../..');

/**
 * Compiles one module with the options of the product.
 * @param entry - Path of the entry file, relative to the repository.
 * @returns The binary, and its instructions as text; the same for the same sources.
 * @throws {Error} With the messages of the compiler.
 */
export async function compileWithText(entry: string): Promise<{ binary: Uint8Array; text: string }> {
  let binary: Uint8Array | undefined;
  let text = '';
  let messages = '';
  const { error } = await asc.main(
    [
      ...[entry, '--baseDir', root, '--outFile', 'out.wasm', '--textFile', 'out.wat'],
      ...['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--zeroFilledMemory', '--use', 'abort='],
    ],
    {
      stderr: {
        write: (message: string | Uint8Array) => {
          messages += String(message);
          return true;
        },
      },
      writeFile: (_name: string, contents: string | Uint8Array) => {
        if (typeof contents === 'string') text = contents;
        else binary = contents;
      },
    },
  );
  if (error || !binary) throw new Error(`the WebAssembly core does not compile: ${messages || error?.message}`);
  return { binary, text };
}

export const compile = async (entry: string): Promise<Uint8Array> => (await compileWithText(entry)).binary;

export const CORE_ENTRY = 'src/crypto/wasm/assembly/index.ts';

/** The text of `coreModule.ts`. */
export function moduleSource(binary: Uint8Array): string {
  return `/** The WebAssembly of the fast core, base64. Written by test/crypto/buildCore.ts from assembly/; a test builds it again and compares. */
export const CORE_MODULE =
  '${Buffer.from(binary).toString('base64')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(join(root, 'src/crypto/wasm/coreModule.ts'), moduleSource(await compile(CORE_ENTRY)));
