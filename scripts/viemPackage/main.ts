/** `npm run build:viem`: writes the types of the methods anew from the schemas, then the npm package into `dist/viem`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTypes, methodTypes, statusTypes } from '../generate/methodTypes.ts';
import { root } from '../prepare.mjs';
import { buildPackage, tool } from './buildPackage.ts';

const methods = join(root, 'src/viem/generated/methods.ts');
writeFileSync(methods, methodTypes());
const statuses = join(root, 'src/viem/generated/statuses.ts');
writeFileSync(statuses, statusTypes());
const errors = join(root, 'src/viem/generated/errorTypes.ts');
writeFileSync(errors, errorTypes());
await tool('biome', ['format', '--write', methods, statuses, errors]);
await buildPackage();
process.stdout.write('The package is in dist/viem\n');
