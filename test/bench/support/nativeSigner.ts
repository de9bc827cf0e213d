import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_X, BASE_Y } from '../../../src/crypto/constants.ts';
import { tableElements } from '../../../src/crypto/poseidonTables.ts';
import { TWO_D, X_SCALE } from '../../../src/crypto/publicArithmetic.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

const OUT = join(import.meta.dirname, '../../../out/bench');

/** What the program says about the orders that it signed; nanoseconds each. */
export interface NativeRun {
  readonly signature: string;
  readonly clockNs: number;
  readonly processorNs: number;
}

/**
 * Compiles `native/signer.c` with the first compiler that is there.
 * @param inputs - The eleven inputs of the order; the program counts the second up, from 2 by 2.
 * @returns A function that signs so many orders, or `null` without a compiler.
 * @throws {Error} The compiler is there and fails.
 */
export function nativeSigner(
  inputs: readonly bigint[],
  secretKey: Uint8Array,
): { compiler: string; sign: (count: number) => NativeRun } | null {
  mkdirSync(OUT, { recursive: true });
  const program = join(OUT, 'signer');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (!compiler) return null;
  const compiled = spawnSync(
    compiler,
    ['-O3', '-march=native', '-o', program, join(import.meta.dirname, '../native/signer.c')],
    { encoding: 'utf8' },
  );
  if (compiled.status !== 0) throw new Error(`${compiler} cannot build the native signer: ${compiled.stderr}`);
  const data = join(OUT, 'signer.bin');
  const numbers = [X_SCALE, TWO_D, BASE_X, BASE_Y, ...tableElements(12), ...tableElements(6), ...inputs];
  writeFileSync(data, Buffer.concat([...numbers.map(secretKeyOf), secretKey]));
  return {
    compiler,
    sign(count) {
      const { status, stdout } = spawnSync(program, [data, String(count)], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`the native signer ended with code ${status}`);
      return JSON.parse(stdout) as NativeRun;
    },
  };
}
