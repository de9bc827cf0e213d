import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/prepare.mjs';

const DAY_MS = 86_400_000;

/**
 * A build of the sources as they are, for all test files and all runs until one of them changes.
 * @param name - Of the folder that the builds of a day are kept in. It is inside the project, where
 *   what stays in `node_modules` is found.
 * @param sources - Folders, from the root, of everything that it is made from.
 * @param build - Writes it into a folder.
 * @returns The folder that holds it.
 */
export async function buildOnce(
  name: string,
  sources: readonly string[],
  build: (folder: string) => Promise<unknown>,
): Promise<string> {
  const builds = join(root, 'node_modules/.cache/countersign', name);
  const folder = join(builds, digestOf(sources));
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true });
  for (const earlier of readdirSync(builds)) {
    const path = join(builds, earlier);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
  const unfinished = `${folder}.${process.pid}`;
  await build(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another test file has built the same meanwhile.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** Names every file of these folders, and the installed packages. */
function digestOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  const under = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const files = [...sources.flatMap(under), join(root, 'package-lock.json')];
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
