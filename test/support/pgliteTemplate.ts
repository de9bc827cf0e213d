import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import { type Sql, type SqlValue, toWire } from '../../src/relayer/db/port.ts';

/**
 * Makes a database with the newest schema and nothing in it once, from which every in-memory
 * database of the tests starts: making one takes about 4 s of processor time, reading one 0.3 s.
 * `npm ci` removes it; another version of PGlite, and another list of migrations, make their own.
 */
export async function setup(): Promise<void> {
  const folder = join(root, 'node_modules/.cache/countersign');
  const version = project.dependencies['@electric-sql/pglite'];
  const schema = createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16);
  const path = join(folder, `empty-${version}-${schema}.tar`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    // Complete or not there, also when two runs begin together.
    writeFileSync(`${path}.${process.pid}`, await migratedCluster());
    renameSync(`${path}.${process.pid}`, path);
  }
  process.env.COUNTERSIGN_PGLITE_TEMPLATE = path;
}

async function migratedCluster(): Promise<Buffer> {
  const pglite = new PGlite();
  const over = (runner: Pick<PGlite, 'query'>): Sql => ({
    query: async <Row>(text: string, values: readonly SqlValue[] = []) =>
      (await runner.query<Row>(text, values.map(toWire))).rows,
  });
  await migrate({ transaction: (work) => pglite.transaction((tx) => work(over(tx as unknown as PGlite))) });
  // What each start would do for nothing: half of all files, to which nobody connects, and 112 MB
  // to fill.
  await pglite.query('UPDATE pg_database SET datistemplate = false');
  for (const name of ['template0', 'template1']) await pglite.query(`DROP DATABASE ${name}`);
  await pglite.query(`ALTER SYSTEM SET shared_buffers = '16MB'`);
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  return Buffer.from(await dump.arrayBuffer());
}
