/**
 * `node docs/takePictures.mjs`: walks the demo's tour, draws the screens that it does not meet, and takes the pictures over into
 * `docs/pictures/`, so that the guides show what the wallet looks like now.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bin, root, run } from '../src/demo/prepare.mjs';

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

/** Screen of the gallery, and name in the guides. */
const drawn = { 'popup-site': 'site.png' };
const gallery = await run(bin('tsx'), ['test/ui/gallery/screens.ts', ...Object.keys(drawn)], { show: false });
if (gallery.code !== 0) {
  process.stderr.write(`The screens have problems, so none was taken.\n${gallery.output}`);
  process.exit(1);
}
for (const [name, picture] of Object.entries(drawn)) {
  copyFileSync(join(root, `out/screens/${name}.light.png`), join(root, 'docs/pictures', picture));
  process.stdout.write(`docs/pictures/${picture} from out/screens/${name}.light.png\n`);
}
