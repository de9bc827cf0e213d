/**
 * `node docs/takePictures.mjs`: walks the demo's tour and takes its pictures over into `docs/pictures/`, so that the guides
 * show what the wallet looks like now.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../src/demo/prepare.mjs';

/** Name in the tour, without its number, and name in the guides. */
const wanted = {
  network: 'network.png',
  key: 'key.png',
  connect: 'connect.png',
  order: 'approval.png',
  'order-taken': 'taken.png',
  'order-waits': 'demo.png',
};

const { code, output } = await run(process.execPath, ['src/demo/start.mjs', '--headless', ...process.argv.slice(2)], {
  show: false,
});
if (code !== 0) {
  process.stderr.write(`The tour did not hold, so no picture was taken.\n${output}`);
  process.exit(1);
}
const tour = join(root, 'out/tour');
const taken = readdirSync(tour);
for (const [name, picture] of Object.entries(wanted)) {
  const file = taken.find((candidate) => candidate.replace(/^\d+-/, '') === `${name}.png`);
  if (!file) throw new Error(`the tour took no picture named ${name}`);
  copyFileSync(join(tour, file), join(root, 'docs/pictures', picture));
  process.stdout.write(`docs/pictures/${picture} from ${file}\n`);
}
