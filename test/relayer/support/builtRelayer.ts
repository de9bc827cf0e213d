import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { root } from '../../../scripts/prepare.mjs';
import { buildOnce } from '../../support/buildOnce.ts';

let built: Promise<string> | undefined;

/**
 * Builds the relayer from the sources as they are, unless there is a build of the same sources. A
 * process that loads the sources through tsx takes 3 s of processor time before it listens, more
 * than most tests need for all they do.
 * @returns the path of its main module.
 */
export function builtRelayer(): Promise<string> {
  built ??= buildOnce('relayers', ['src', 'scripts/relayerPackage'], (folder) =>
    promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'scripts/relayerPackage/main.ts', '--embedded', '--folder', folder],
      { cwd: root },
    ),
  ).then((folder) => join(folder, 'relayer.mjs'));
  return built;
}

/** Runs a program of that build until it ends by itself. */
export async function runBuilt(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  program = 'relayer',
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const path = join(dirname(await builtRelayer()), `${program}.mjs`);
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path, ...words], { env }, (error, output, errors) =>
      // A program that a signal ended has no code.
      resolve({ code: error ? Number(error.code ?? Number.NaN) : 0, output, errors }),
    );
    onTestFinished(() => void child.kill('SIGKILL'));
  });
}
