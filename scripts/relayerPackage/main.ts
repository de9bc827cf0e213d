/**
 * `npm run build:relayer`: builds the relayer and the operator's command into `dist/relayer`, to be copied to a machine
 * that has Node and nothing else.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildRelayer, folder } from './buildRelayer.ts';

await buildRelayer();
for (const name of readdirSync(folder).sort())
  process.stdout.write(`${String(statSync(join(folder, name)).size).padStart(9)}  ${name}\n`);
