import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** Inside the project, because the build leaves the embedded database in `node_modules`. */
const builds = join(root, 'node_modules/.cache/countersign/relayers');
const DAY_MS = 86_400_000;

let built: Promise<string> | undefined;

/**
 * Builds the relayer from the sources as they are, unless there is a build of the same sources. A
 * process that loads the sources through tsx takes 3 s of processor time before it listens, more
 * than most tests need for all they do.
 * @returns the path of its main module.
 */
export function builtRelayer(): Promise<string> {
  built ??= build();
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

async function build(): Promise<string> {
  const folder = join(builds, digestOfSources());
  if (!existsSync(folder)) {
    mkdirSync(builds, { recursive: true });
    for (const name of readdirSync(builds)) {
      const path = join(builds, name);
      if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
    }
    const unfinished = `${folder}.${process.pid}`;
    const command = ['--import', 'tsx', 'scripts/relayerPackage/main.ts', '--embedded', '--folder', unfinished];
    await promisify(execFile)(process.execPath, command, { cwd: root });
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another test file has built the same meanwhile.
      if (!existsSync(folder)) throw error;
      rmSync(unfinished, { recursive: true });
    }
  }
  return join(folder, 'relayer.mjs');
}

/** Names everything that a build is made from. */
function digestOfSources(): string {
  const hash = createHash('sha256');
  const under = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const files = [...under('src'), ...under('scripts/relayerPackage'), join(root, 'package-lock.json')];
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
