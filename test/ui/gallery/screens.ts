/**
 * Pictures of every screen in both themes under `out/screens/`, and what axe-core finds on each:
 * `npx tsx test/ui/gallery/screens.ts [part of a name]`. Ends with 1 when axe reports something serious, a page throws, or the
 * content security policy of the manifest stops something.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import manifest from '../../../manifest.json' with { type: 'json' };
import { now } from '../support/fixtures.ts';
import { installFakeRuntime } from './fakeRuntime.ts';
import { type Scenario, scenarios } from './scenarios.ts';

const root = resolve(import.meta.dirname, '../../..');
const built = join(tmpdir(), `countersign-gallery-${process.pid}`);
const pictures = resolve(root, 'out/screens');
const wanted = process.argv[2] ?? '';

const sizes = {
  popup: { width: 360, height: 600 },
  approval: { width: 400, height: 720 },
  onboarding: { width: 1100, height: 820 },
} as const;
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  build: {
    outDir: built,
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: {
      input: Object.fromEntries(Object.keys(sizes).map((page) => [page, resolve(root, `src/ui/${page}.html`)])),
    },
  },
});

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://local').pathname);
  readFile(join(built, path)).then(
    (content) => {
      response.writeHead(200, {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': manifest.content_security_policy.extension_pages,
      });
      response.end(content);
    },
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function picture(
  browser: Browser,
  scenario: Scenario,
  theme: 'light' | 'dark',
  problems: string[],
): Promise<void> {
  const context = await browser.newContext({
    viewport: scenario.size ?? sizes[scenario.page],
    colorScheme: theme,
    contrast: scenario.contrast ?? 'no-preference',
    locale: scenario.language ?? 'en-US',
    timezoneId: 'Europe/Berlin',
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.setDefaultTimeout(5_000);
  // The loader that runs this file wraps inner functions in a helper of its own, which the page does not have.
  await page.addInitScript(
    `globalThis.__name = (value) => value; (${installFakeRuntime.toString()})(${JSON.stringify(scenario.answers)})`,
  );
  await page.goto(
    `${origin}/src/ui/${scenario.page}.html?id=a1${scenario.view === undefined ? '' : `&view=${scenario.view}`}#${scenario.at ?? ''}`,
  );
  await page.waitForSelector('h1, h2, .skeleton');
  await page.waitForTimeout(150);
  for (const step of scenario.steps ?? []) {
    if ('click' in step) await page.click(step.click);
    else if ('fill' in step) await page.fill(step.fill, step.text);
    else if ('scroll' in step) await page.locator(step.scroll).first().scrollIntoViewIfNeeded();
    else
      await page.evaluate(
        (next) => (globalThis as never as { fakeRuntime: { replace(a: unknown): void } }).fakeRuntime.replace(next),
        step.answers,
      );
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(scenario.page === 'approval' ? 900 : 150);
  await page.screenshot({ path: join(pictures, `${scenario.name}.${theme}.png`), animations: 'disabled' });
  await page.evaluate(axe);
  const result = (await page.evaluate('axe.run()')) as AxeResult;
  for (const violation of result.violations) {
    const serious = violation.impact === 'serious' || violation.impact === 'critical';
    for (const node of violation.nodes) {
      const text = `axe ${violation.impact} ${violation.id}: ${node.html.slice(0, 160)}`;
      if (serious) problems.push(`${text}\n    ${node.failureSummary.replaceAll('\n', ' ')}`);
      else process.stdout.write(`  (${scenario.name} ${theme}) ${text}\n`);
    }
  }
  const overflow = await page.evaluate(
    `[...document.querySelectorAll('html, .popup-scroll, .approval-content, .sheet')].some((box) => box.scrollWidth > box.clientWidth)`,
  );
  if (overflow) problems.push('wider than the window');
  await context.close();
}

await mkdir(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
let failed = 0;
const chosen = scenarios.filter((scenario) => scenario.name.includes(wanted));
for (const scenario of chosen) {
  for (const theme of ['light', 'dark'] as const) {
    const problems: string[] = [];
    await picture(browser, scenario, theme, problems).catch((error: Error) => problems.push(error.message));
    failed += problems.length > 0 ? 1 : 0;
    for (const problem of problems) process.stdout.write(`${scenario.name} (${theme}): ${problem}\n`);
  }
}
await browser.close();
server.close();
await rm(built, { recursive: true, force: true });
process.stdout.write(`${chosen.length} screens in two themes, ${failed} pictures with problems\n`);
process.exitCode = failed === 0 ? 0 : 1;
