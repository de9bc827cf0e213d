import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrInstallChromium, root } from '../../scripts/prepare.mjs';
import { buildPackage } from '../../scripts/viemPackage/buildPackage.ts';
import { buildTesting } from '../../scripts/viemPackage/buildTesting.ts';
import type * as testing from '../../src/viem/testing/index.ts';
import { developmentRelayer } from '../relayer/support/startRelayer.ts';
import { request, serveSite } from './support/site.ts';

const folder = join(root, 'dist/viem');

/**
 * The starter of the package in a folder of its own, and the test build of the extension that its
 * tests drive.
 */
let home: string;
let project: string;
let executablePath: string;
beforeAll(async () => {
  executablePath = await findOrInstallChromium(() => {});
  await buildPackage(folder);
  await buildTesting(folder);
  home = mkdtempSync(join(tmpdir(), 'countersign-starter-'));
  project = join(home, 'my-dapp');
  // As its README says, from the folder of the clone.
  const [, commands = ''] =
    /```sh\n(.*?)```/s.exec(readFileSync(join(root, 'examples/starter/README.md'), 'utf8')) ?? [];
  const steps = commands.split('\n').filter((line) => /^(cp -r|npm install) /.test(line));
  expect(steps).toHaveLength(2);
  // What the clone itself has installed lies in npm's cache.
  const settings = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  for (const step of steps)
    execFileSync('sh', ['-c', step.replaceAll('../my-dapp', project)], {
      cwd: root,
      env: { ...process.env, ...settings, PWD: root },
      stdio: 'pipe',
    });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A command in the folder of the starter, without what the test runner has set. */
const inProject = (
  command: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const { VITEST: _, NODE_ENV: __, NODE_OPTIONS: ___, ...env } = process.env;
    const options = { cwd: project, env: { ...env, CHROMIUM: executablePath } };
    const child = execFile(command, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });

test('the starter builds, and its own tests pass against the relayer and the wallet of the package', async () => {
  const built = await inProject(join(project, 'node_modules/.bin/vite'), 'build');
  expect(built.code, built.output).toBe(0);
  const { code, output } = await inProject(process.execPath, '--test', '--test-reporter=tap');
  expect(code, output).toBe(0);
  expect(output).toMatch(/^# pass 5$/m);
});

test('the relayer of a test run that was killed ends by itself', async ({ onTestFinished }) => {
  const script = `const { startRelayer } = await import(process.argv[1]); console.log((await startRelayer()).url);`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', script, join(folder, 'testing/index.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    run.stdout.once('data', (text) => resolve(String(text).trim()));
    run.once('exit', (code) => reject(new Error(`the test run ended with code ${code}`)));
  });
  const answers = () =>
    fetch(`${url}/live`).then(
      () => true,
      () => false,
    );
  expect(await answers()).toBe(true);
  run.kill('SIGKILL');
  await expect.poll(answers).toBe(false);
});

test('the test build says so in every page and to every site, and takes no exchange but one for development', async ({
  onTestFinished,
}) => {
  const pages = join(folder, 'testing/extension/src/ui');
  for (const page of readdirSync(pages)) expect(readFileSync(join(pages, page), 'utf8')).toContain('/automation.css');
  for (const size of ['16', '128'])
    expect(readFileSync(join(folder, `testing/extension/icons/${size}.png`))).not.toEqual(
      readFileSync(join(root, `public/icons/${size}.png`)),
    );

  const { openWallet, startRelayer } = (await import(join(folder, 'testing/index.js'))) as typeof testing;
  const real = await developmentRelayer({ chainId: 1 });
  onTestFinished(() => real.close());
  const relayer = await startRelayer();
  onTestFinished(() => relayer.close());
  const site = await serveSite();
  onTestFinished(() => site.close());
  const wallet = await openWallet({ chromium, relayer, executablePath });
  onTestFinished(() => wallet.close());
  const page = await wallet.context.newPage();
  await page.goto(site.origin);
  expect(
    await page.evaluate(() => (globalThis as unknown as { announced: { name: string }[] }).announced),
  ).toMatchObject([{ name: 'Countersign TEST', rdns: 'dev.countersign' }]);
  const popup = wallet.context.pages().find((open) => open.url().endsWith('/src/ui/popup.html'));
  const banner = await popup?.evaluate(() => getComputedStyle(document.body, '::before').content);
  expect(banner).toBe('"TEST BUILD: not for real money"');
  expect(
    await popup?.evaluate(
      (baseUrl) => chrome.runtime.sendMessage({ type: 'ui', method: 'addNetwork', params: { baseUrl, name: 'Real' } }),
      real.url,
    ),
  ).toMatchObject({ ok: false, error: { code: 'not-development', key: 'error_notDevelopment' } });
  // In the real build the fourth is not asked.
  for (let n = 0; n < 4; n++) {
    const asked = request(page, 'eth_requestAccounts');
    await wallet.reject();
    expect(await asked).toMatchObject({ error: { code: 4001 } });
  }
});
