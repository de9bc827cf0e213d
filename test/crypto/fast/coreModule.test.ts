import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { compileWithText, moduleSource, modules } from '../../../scripts/build/buildCore.ts';
import { BATCH_MODULE } from '../../../src/crypto/wasm/generated/batchModule.ts';
import { CORE_MODULE } from '../../../src/crypto/wasm/generated/coreModule.ts';

const compiled: Awaited<ReturnType<typeof compileWithText>>[] = [];
/** The text form of the wallet's module, one instruction a line. */
let instructions: string;
beforeAll(async () => {
  for (const { entry } of modules) compiled.push(await compileWithText(entry));
  instructions = compiled[0]?.text ?? '';
});

const built = { wallet: CORE_MODULE, relayer: BATCH_MODULE };

/** The body of a function, by the end of its path. */
function bodyOf(name: string): string {
  const start = instructions.indexOf(`assembly/${name} `);
  expect(start).toBeGreaterThan(0);
  return instructions.slice(start, instructions.indexOf('\n (func', start));
}

const count = (body: string, instruction: RegExp) =>
  body.split('\n').filter((line) => instruction.test(line.trim())).length;

describe('the WebAssembly module', () => {
  it.each(modules)('of $entry is what its sources give, byte for byte', async (module) => {
    const { binary = new Uint8Array() } = compiled[modules.indexOf(module)] ?? {};
    const generated = new URL(`../../../src/crypto/wasm/generated/${module.file}`, import.meta.url);
    expect(await readFile(generated, 'utf8')).toBe(moduleSource(module, binary));
  });

  it.each([
    // Conditions beside those of loops: writing limbs as bytes asks its own counter of bits if a
    // word is full.
    ['fixedBase/multiplyBase', 1],
    ['scalar/montgomeryProduct', 0],
    ['scalar/scalarFromBytes', 0],
    ['field/mul', 0],
    ['field/square', 0],
    ['field/subtract', 0],
    ['field/subtractOnce', 0],
    ['field/invert', 0],
  ])(
    'has no choice, division or jump table in %s, and no condition but those of %i counters and its loops',
    (name, others) => {
      const body = bodyOf(name);
      expect(count(body, /^(select|br_if|br_table|call_indirect|i\d\d\.(div|rem)_)/)).toBe(0);
      expect(count(body, /^if\b/)).toBe(count(body, /^loop\b/) + others);
      expect(body.length).toBeGreaterThan(500);
    },
  );

  it.each(Object.entries(built))('of %s imports nothing, so that it can only compute', (_name, hex) => {
    const module = new WebAssembly.Module(Buffer.from(hex, 'hex'));
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  });

  it.each(Object.entries(built))(
    'of %s carries no names and no source map, which would differ from machine to machine',
    (_name, hex) => {
      const module = new WebAssembly.Module(Buffer.from(hex, 'hex'));
      for (const section of ['name', 'sourceMappingURL', 'producers'])
        expect(WebAssembly.Module.customSections(module, section)).toEqual([]);
    },
  );
});

describe('useFastCore', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** A fresh copy of the crypto modules. */
  async function load() {
    vi.resetModules();
    const { fastCore, useFastCore } = await import('../../../src/crypto/fast.ts');
    const { coreInUse } = await import('../../../src/crypto/core.ts');
    const { sign } = await import('../../../src/crypto/index.ts');
    return { fastCore, useFastCore, coreInUse, sign };
  }
  const secretKey = new Uint8Array(32).fill(1);

  it('makes the exported functions use the fast core', async () => {
    const { useFastCore, coreInUse } = await load();
    expect(coreInUse()).toBe('plain');
    expect(useFastCore()).toBe('fast');
    expect(coreInUse()).toBe('fast');
  });

  it('is loaded by preferFastCore at the first use and not before', async () => {
    const compiled = vi.fn();
    const Module = WebAssembly.Module;
    vi.stubGlobal('WebAssembly', {
      Instance: WebAssembly.Instance,
      Module: class extends Module {
        constructor(bytes: BufferSource) {
          super(bytes);
          compiled();
        }
      },
    });
    vi.resetModules();
    const { preferFastCore } = await import('../../../src/crypto/fast.ts');
    const { poseidon } = await import('../../../src/crypto/index.ts');
    const { coreInUse } = await import('../../../src/crypto/core.ts');
    preferFastCore();
    expect(compiled).toHaveBeenCalledTimes(0);
    poseidon([1n], 6);
    poseidon([2n], 6);
    expect(compiled).toHaveBeenCalledTimes(1);
    expect(coreInUse()).toBe('fast');
  });

  it('stays with the plain core where a content security policy refuses WebAssembly', async () => {
    const { CompileError } = WebAssembly;
    const refusing = {
      Module: class {
        constructor() {
          throw new CompileError('blocked by the content security policy');
        }
      },
    };
    const { sign: expected } = await load();
    const signature = expected(7n, secretKey);
    vi.stubGlobal('WebAssembly', refusing);
    const { fastCore, useFastCore, coreInUse, sign } = await load();
    expect(fastCore()).toBeNull();
    expect(useFastCore()).toBe('plain');
    expect(coreInUse()).toBe('plain');
    expect(sign(7n, secretKey)).toEqual(signature);
  });

  it('stays with the plain core where there is no WebAssembly at all', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    const { useFastCore, sign } = await load();
    expect(useFastCore()).toBe('plain');
    expect(sign(7n, secretKey).S).toBeGreaterThan(0n);
  });
});
