import type { CryptoCore } from '../../src/crypto/core.ts';
import { createFastCore } from '../../src/crypto/wasm/fastCore.ts';
import { CORE_MODULE } from '../../src/crypto/wasm/generated/coreModule.ts';

/** A fast core of its own, and a look into the memory of the instance that its signers use. */
export function observedCore(module = new WebAssembly.Module(Buffer.from(CORE_MODULE, 'hex'))): {
  core: CryptoCore;
  memory: () => Uint8Array;
} {
  const Original = WebAssembly.Instance;
  const instances: WebAssembly.Instance[] = [];
  WebAssembly.Instance = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      instances.push(this);
    }
  };
  try {
    const core = createFastCore(module);
    const { memory } = (instances[0] as WebAssembly.Instance).exports as { memory: WebAssembly.Memory };
    return { core, memory: () => new Uint8Array(memory.buffer) };
  } finally {
    WebAssembly.Instance = Original;
  }
}
