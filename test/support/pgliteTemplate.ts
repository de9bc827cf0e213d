import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';

/**
 * Makes an empty database cluster once, from which every in-memory database of the tests starts: making one takes 2.2 s of
 * processor time, reading one 0.6 s. `npm ci` removes it, and another version of PGlite makes its own.
 */
export async function setup(): Promise<void> {
  const folder = join(root, 'node_modules/.cache/countersign');
  const path = join(folder, `pglite-${project.dependencies['@electric-sql/pglite']}.tar`);
  if (!existsSync(path)) {
    const pglite = new PGlite();
    await pglite.waitReady;
    const dump = await pglite.dumpDataDir('none');
    await pglite.close();
    mkdirSync(folder, { recursive: true });
    // Complete or not there, also when two runs begin together.
    writeFileSync(`${path}.${process.pid}`, Buffer.from(await dump.arrayBuffer()));
    renameSync(`${path}.${process.pid}`, path);
  }
  process.env.COUNTERSIGN_PGLITE_TEMPLATE = path;
}
