/**
 * `npm run build:viem`: writes the reads and the types of the methods anew from the tables and
 * schemas, then the npm package into `dist/viem`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTypes, methodTypes, rpcSchemaType, statusTypes } from '../generate/methodTypes.ts';
import { readActions } from '../generate/readActions.ts';
import { root } from '../prepare.mjs';
import { readFlags } from '../readFlags.mjs';
import { buildPackage, tool } from './buildPackage.ts';
import { buildTesting } from './buildTesting.ts';

readFlags('npm run build:viem: writes the reads and types of the viem package anew, then the package into dist/viem');

const written = Object.entries({
  methods: methodTypes,
  statuses: statusTypes,
  errorTypes,
  rpcSchema: rpcSchemaType,
  reads: readActions,
}).map(([name, text]) => {
  const path = join(root, `src/viem/generated/${name}.ts`);
  writeFileSync(path, text());
  return path;
});
await tool('biome', ['format', '--write', ...written]);
const folder = join(root, 'dist/viem');
await buildPackage(folder);
await buildTesting(folder);
process.stdout.write('The package is in dist/viem\n');
