/**
 * `npm run store`: draws the pictures of the store listings into `out/store/`: screenshots of 1280
 * × 800 and the small promo tile of 440 × 280. They show the screens of `npm run screens`, with
 * their made-up accounts. The texts stand in `docs/store.md`.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { withUiFont } from '../pictures/uiFont.ts';
import { bin, findOrInstallChromium, root, run } from '../prepare.mjs';
import { readFlags } from '../readFlags.mjs';
import { say } from '../say.ts';
import { shotPage, tilePage } from './pages.ts';
import { SHOT, scenes, TILE } from './scenes.ts';

readFlags('npm run store: draws the pictures of the store listings into out/store/');

const folder = join(root, 'out/store');
const wanted = [...new Set(scenes.flatMap(({ screens }) => screens))];
const drawnFile = (screen: string) => join(root, `out/screens/${screen}.light.png`);
for (const screen of wanted) await rm(drawnFile(screen), { force: true });
const { output } = await run(bin('tsx'), ['test/ui/gallery/screens.ts', '--look=light', '--exact', ...wanted], {
  show: false,
});
// What the gallery finds wrong with a screen is for its own run; a picture needs the screen.
const missing = wanted.filter((screen) => !existsSync(drawnFile(screen)));
if (missing.length > 0) {
  process.stderr.write(`These screens were not drawn: ${missing.join(', ')}\n${output}`);
  process.exit(1);
}
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

const icon = await readFile(join(root, 'src/ui/design/icon.svg'), 'utf8');
const sourceOf = async (screen: string) =>
  `data:image/png;base64,${(await readFile(drawnFile(screen))).toString('base64')}`;

const browser = await chromium.launch({
  executablePath: await findOrInstallChromium(say),
  args: ['--no-sandbox', '--disable-gpu'],
  env: await withUiFont(),
});

async function draw(name: string, viewport: { width: number; height: number }, html: string): Promise<void> {
  const page = await browser.newPage({ viewport });
  await page.setContent(html);
  // Stores refuse pictures with an alpha channel; Chromium writes none for an opaque page.
  await writeFile(join(folder, `${name}.png`), await page.screenshot());
  await page.close();
  process.stdout.write(`out/store/${name}.png, ${viewport.width} × ${viewport.height}\n`);
}

for (const scene of scenes)
  await draw(scene.name, SHOT, shotPage(scene, icon, await Promise.all(scene.screens.map(sourceOf))));
await draw('tile', TILE, tilePage(icon));
await browser.close();
