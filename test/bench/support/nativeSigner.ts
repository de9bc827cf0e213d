import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_X, BASE_Y, FIELD_PRIME } from '../../../src/crypto/constants.ts';
import { type PoseidonWidth, poseidonTables } from '../../../src/crypto/poseidonTables.ts';
import { TWO_D, X_SCALE } from '../../../src/crypto/publicArithmetic.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

const OUT = join(import.meta.dirname, '../../../out/bench');

/** The tables of a width in the order of `setWidth` in src/crypto/wasm/assembly/poseidon.ts. */
function tableElements(t: PoseidonWidth): bigint[] {
  const tables = poseidonTables(t);
  const { matrix, alpha, beta, exitX, exitY, g } = tables;
  const m00 = matrix[0]?.[0] as bigint;
  const byTurns = (first: readonly bigint[], second: readonly bigint[]) =>
    first.flatMap((element, i) => [element, second[i] as bigint]);
  const entry = tables.entry.flatMap((row) =>
    Array.from({ length: t }, (_, column) =>
      row.reduce((sum, element, i) => (sum + element * (matrix[i + 1]?.[column] as bigint)) % FIELD_PRIME, 0n),
    ),
  );
  return [
    ...tables.openingConstants,
    ...tables.laneConstants,
    ...tables.exitConstants,
    ...tables.closingConstants,
    ...matrix.flat(),
    ...entry,
    ...g.slice(0, -1).reverse(),
    m00,
    ...byTurns(beta, alpha),
    m00,
    ...exitY.flatMap((row, lane) => byTurns(row, exitX[lane] as readonly bigint[])),
  ];
}

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
