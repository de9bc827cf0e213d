import { hexToBytes } from '@noble/hashes/utils.js';
import { type CryptoCore, coreInUse, plainCore, useCore } from './core.ts';
import { createFastCore } from './wasm/fastCore.ts';
import { CORE_MODULE } from './wasm/generated/coreModule.ts';

/**
 * `null` for a content security policy without 'wasm-unsafe-eval', an engine without SIMD, or none
 * at all.
 */
function compiledModule(): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(hexToBytes(CORE_MODULE) as BufferSource);
  } catch {
    return null;
  }
}

let loaded: CryptoCore | null | undefined;

/** The fast core, made at the first call; `null` where WebAssembly (with SIMD) is refused. */
export function fastCore(): CryptoCore | null {
  if (loaded === undefined) {
    const module = compiledModule();
    loaded = module && createFastCore(module);
  }
  return loaded;
}

/**
 * Makes the functions of `index.ts` use the fast core where there is one, else the plain one. The
 * core is loaded at the first use, so that a start that computes nothing pays nothing. Importing
 * this file brings the module along (28 kB), which is why `index.ts` does not.
 */
export function preferFastCore(): void {
  useCore(() => fastCore() ?? plainCore);
}

/**
 * `preferFastCore`, and loads it.
 * @returns Which one it is.
 */
export function useFastCore(): CryptoCore['name'] {
  preferFastCore();
  return coreInUse();
}
