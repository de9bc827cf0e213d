/**
 * `npm run screens [-- parts of names] [--look=NAME]`: pictures of every screen under
 * `out/screens/`, at popup and tab size, light, dark, with more contrast and from right to left,
 * some with forced colours; an index page, and what axe-core finds on each. Ends with 1 when axe
 * reports something serious, a page throws, is wider than its window (also at 200 % zoom), or the
 * content security policy stops something. `--look=light` draws that look alone, `--exact` takes
 * names whole. `--check` takes no pictures, as `npm test` does it, and reads with the machine's own
 * font; pictures have Inter.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { withUiFont } from '../../../scripts/pictures/uiFont.ts';
import { findOrInstallChromium } from '../../../scripts/prepare.mjs';
import { readFlags } from '../../../scripts/readFlags.mjs';
import { say } from '../../../scripts/say.ts';
import { type Drawn, drawScenario, openStudio, sizes } from './drawScenario.ts';
import { frameScenarios } from './frameScenarios.ts';
import { indexPage } from './indexPage.ts';
import { keyUpdateScenarios } from './keyUpdateScenarios.ts';
import { operationScenarios } from './operationScenarios.ts';
import { scenarios } from './scenarios.ts';
import { serveScreens } from './serveScreens.ts';
import { tradeScenarios } from './tradeScenarios.ts';

/** Pages drawn at once; a page waits for the browser most of the time. */
const atOnce = 4;
const folder = resolve(import.meta.dirname, '../../../out/screens');
const usage = `npm run screens [-- PARTS OF NAMES]: draws the screens into out/screens/, with what axe-core finds

  --look=NAME  this look alone, such as light; several as well
  --exact      takes the names whole
  --check      takes no pictures`;
const {
  values: { check, exact, look: looks },
  positionals: wanted,
} = readFlags(usage, {
  options: {
    look: { type: 'string', multiple: true, default: [] },
    exact: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const chosen = [
  ...scenarios,
  ...operationScenarios,
  ...frameScenarios,
  ...keyUpdateScenarios,
  ...tradeScenarios,
].filter(
  ({ name }) => wanted.length === 0 || (exact ? wanted.includes(name) : wanted.some((part) => name.includes(part))),
);
if (wanted.length === 0 && looks.length === 0 && !check) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const served = await serveScreens(Object.keys(sizes));
const browser = await chromium.launch({
  executablePath: await findOrInstallChromium(say),
  args: ['--no-sandbox', '--disable-gpu'],
  ...(check ? {} : { env: await withUiFont() }),
});
const drawn: Drawn[] = [];
const queue = [...chosen];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    const studio = openStudio(browser, served, looks);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const one = await drawScenario(studio, next, check ? null : folder);
      drawn.push(one);
      for (const { scenario, look, weight, text } of one.findings)
        process.stdout.write(`${weight === 'problem' ? '' : '  minor: '}${scenario} (${look}): ${text}\n`);
    }
  }),
);
await browser.close();
await served.close();

const order = new Map(chosen.map(({ name }, index) => [name, index]));
drawn.sort((a, b) => (order.get(a.scenario) ?? 0) - (order.get(b.scenario) ?? 0));
if (!check) {
  await writeFile(join(folder, 'index.html'), indexPage(drawn));
  await writeFile(join(folder, 'axe.json'), `${JSON.stringify(drawn, null, 2)}\n`);
}
const problems = drawn.flatMap(({ findings }) => findings).filter(({ weight }) => weight === 'problem').length;
const pictures = drawn.reduce((sum, { pictures: own }) => sum + own.length, 0);
const checks = drawn.reduce((sum, one) => sum + one.checks, 0);
process.stdout.write(
  `${drawn.length} screens, ${pictures} pictures, ${checks} rules of axe-core kept, ${problems} problems${check ? '' : ': out/screens/index.html'}\n`,
);
process.exitCode = problems === 0 && drawn.length > 0 ? 0 : 1;
