import { buildAll } from '../../scripts/prepare.mjs';

/** The extension is built once for all end-to-end files, from the tree as it is. */
export async function setup(): Promise<void> {
  await buildAll({ show: false });
}
