import { type CryptoCore, plainCore, useCore } from './core.ts';
import { CORE_MODULE } from './wasm/coreModule.ts';
import { createFastCore } from './wasm/fastCore.ts';

/** `null` for a content security policy without 'wasm-unsafe-eval', an engine without SIMD, or none at all. */
function compiledModule(): WebAssembly.Module | null {
  const bytes = Uint8Array.from(atob(CORE_MODULE), (character) => character.charCodeAt(0));
  try {
    return new WebAssembly.Module(bytes);
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
 * Makes the functions of `index.ts` use the fast core where there is one, else the plain one. Importing this file
 * brings the module along (23 kB), which is why `index.ts` does not.
 * @returns Which one it is.
 */
export function useFastCore(): CryptoCore['name'] {
  const core = fastCore() ?? plainCore;
  useCore(core);
  return core.name;
}
