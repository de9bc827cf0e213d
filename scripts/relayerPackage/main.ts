/**
 * `npm run build:relayer`: builds the relayer and the operator's command into `dist/relayer`, to be
 * copied to a machine that has Node and nothing else. `--folder` names another folder; with
 * `--embedded` the build can also run on the embedded database, which stays in `node_modules`.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFlags } from '../readFlags.mjs';
import { buildRelayer, folder as usual } from './buildRelayer.ts';

const usage = `npm run build:relayer [-- --folder FOLDER] [-- --embedded]: builds the relayer into dist/relayer

  --folder FOLDER  another folder
  --embedded       can also run on the embedded database`;

const { folder, embedded } = readFlags(usage, {
  options: { folder: { type: 'string', default: usual }, embedded: { type: 'boolean', default: false } },
}).values;
await buildRelayer({ folder, embedded });
for (const name of readdirSync(folder).sort())
  process.stdout.write(`${String(statSync(join(folder, name)).size).padStart(9)}  ${name}\n`);
