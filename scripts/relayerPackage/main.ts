/**
 * `npm run build:relayer`: builds the relayer and the operator's command into `dist/relayer`, to be
 * copied to a machine that has Node and nothing else. `--folder` names another folder; with
 * `--embedded` the build can also run on the embedded database, which stays in `node_modules`.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelayer, folder as usual } from './buildRelayer.ts';

const { folder, embedded } = parseArgs({
  options: { folder: { type: 'string', default: usual }, embedded: { type: 'boolean', default: false } },
}).values;
await buildRelayer({ folder, embedded });
for (const name of readdirSync(folder).sort())
  process.stdout.write(`${String(statSync(join(folder, name)).size).padStart(9)}  ${name}\n`);
