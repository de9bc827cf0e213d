/**
 * `node scripts/pictures/takePictures.mjs`: walks the demo's tour, draws the screens that it does
 * not meet, and takes the pictures over into `docs/pictures/`, so that the guides show what the
 * wallet looks like now.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bin, root, run } from '../prepare.mjs';
import { fromScreens, tourFiles } from './pictures.mjs';

const { code, output } = await run(process.execPath, ['scripts/start.mjs', '--headless', ...process.argv.slice(2)], {
  show: false,
});
if (code !== 0) {
  process.stderr.write(`The tour did not hold, so no picture was taken.\n${output}`);
  process.exit(1);
}
const gallery = await run(bin('tsx'), ['test/ui/gallery/screens.ts', ...Object.keys(fromScreens)], { show: false });
if (gallery.code !== 0) {
  process.stderr.write(`The screens have problems, so no picture was taken.\n${gallery.output}`);
  process.exit(1);
}
const tour = join(root, 'out/tour');
for (const [name, file, picture] of tourFiles(readdirSync(tour))) {
  if (!file) throw new Error(`the tour took no picture named ${name}`);
  copyFileSync(join(tour, file), join(root, 'docs/pictures', picture));
  process.stdout.write(`docs/pictures/${picture} from ${file}\n`);
}
for (const [name, picture] of Object.entries(fromScreens)) {
  copyFileSync(join(root, `out/screens/${name}.light.png`), join(root, 'docs/pictures', picture));
  process.stdout.write(`docs/pictures/${picture} from out/screens/${name}.light.png\n`);
}
