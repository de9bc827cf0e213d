/**
 * Renders `src/ui/design/icon.svg` into `public/icons/*.png`: `npx tsx test/ui/gallery/icons.ts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { findOrInstallChromium } from '../../../scripts/prepare.mjs';
import { say } from '../../../scripts/say.ts';
import { palettePng } from './palettePng.ts';

const root = resolve(import.meta.dirname, '../../..');
const svg = await readFile(resolve(root, 'src/ui/design/icon.svg'), 'utf8');
const browser = await chromium.launch({
  executablePath: await findOrInstallChromium(say),
  args: ['--no-sandbox', '--disable-gpu'],
});
await mkdir(resolve(root, 'public/icons'), { recursive: true });
for (const size of [16, 32, 128]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  const drawn = (await page.screenshot({ omitBackground: true })).toString('base64');
  const pixels = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])];
  }, `data:image/png;base64,${drawn}`);
  await writeFile(resolve(root, `public/icons/${size}.png`), await palettePng(size, pixels));
  await page.close();
}
await browser.close();
