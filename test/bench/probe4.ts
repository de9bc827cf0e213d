import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { createRelayerClient } from '../../src/client/index.ts';
import { openAccount } from '../../src/demo/openAccount.ts';
import { findOrInstallChromium } from '../../src/demo/prepare.mjs';
import { createRelayer } from '../../src/relayer/createRelayer.ts';
import { serveSite } from '../e2e/support/site.ts';
import { writeMinimalExtension } from './support/ui/minimalExtension.ts';

// probe.ts ROUNDS folder... : A/B of builds; TRACE=dir writes traces of the last round
const ROUNDS = Number(process.argv[2] ?? 5);
const folders = process.argv.slice(3).map((f) => resolve(f));
const PASSWORD = 'correct horse battery staple';
const ORDER = { sellToken: { tokenId: 1, volume: '100000000000000000000' }, buyToken: { tokenId: 0, volume: '50000000000000000' } };
const median = (l: number[]) => [...l].sort((a, b) => a - b)[Math.floor(l.length / 2)] ?? Number.NaN;
const watchPage = `(() => {
  const marks = (globalThis.marks = {});
  const wall = (time) => performance.timeOrigin + time;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') marks.painted = wall(entry.startTime); }).observe({ type: 'paint', buffered: true });
  const look = () => {
    if (marks.usable !== undefined || document.querySelector('[data-testid=approve], .balance, #total:not(:empty)') === null) return;
    marks.usable = -1;
    requestAnimationFrame(() => requestAnimationFrame(() => { marks.usable = wall(performance.now()); performance.mark('USABLE'); }));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  look();
})()`;
async function marksOf(page: Page): Promise<any> {
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    const marks = (await page.evaluate('globalThis.marks').catch(() => undefined)) as any;
    if (marks?.painted !== undefined && (marks.usable ?? -1) > 0) return marks;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${page.url()} was not usable`);
}
const answerTime = (page: Page, message: object): Promise<number> => page.evaluate(async (given) => { const s = performance.now(); await chrome.runtime.sendMessage(given); return performance.now() - s; }, message);
async function stopWorkers(context: BrowserContext, page: Page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.stopAllWorkers');
  await cdp.detach();
  await new Promise((done) => setTimeout(done, 150));
}
import { readdirSync, readFileSync } from 'node:fs';
function treeTicks(profile: string): number {
  const procs = new Map<number, { ppid: number; ticks: number; cmd: string }>();
  for (const d of readdirSync('/proc')) {
    if (!/^\d+$/.test(d)) continue;
    try {
      const st = readFileSync(`/proc/${d}/stat`, 'utf8'); const r = st.slice(st.lastIndexOf(')') + 2).split(' ');
      procs.set(+d, { ppid: +r[1], ticks: +r[11] + +r[12], cmd: readFileSync(`/proc/${d}/cmdline`, 'utf8') });
    } catch {}
  }
  const roots = [...procs].filter(([, p]) => p.cmd.includes(profile) && !p.cmd.includes('--type=')).map(([id]) => id);
  const all = new Set(roots); let grew = true;
  while (grew) { grew = false; for (const [id, p] of procs) if (!all.has(id) && all.has(p.ppid)) { all.add(id); grew = true; } }
  return [...all].reduce((sum, id) => sum + (procs.get(id)?.ticks ?? 0), 0) * 10;
}
const scratch = await mkdtemp(join(tmpdir(), 'probe-'));
const relayer = await createRelayer({ dev: true, port: 0, logLevel: 'silent', requestsPerSecond: 1000 });
const site = await serveSite();
const traceDir = process.env.TRACE;
if (traceDir) await mkdir(traceDir, { recursive: true });

type Which = { name: string; folder: string; context: BrowserContext; page: Page; tab: Page; id: string; own: boolean; account?: any; ui: any };
async function launch(name: string, folder: string, own: boolean): Promise<Which> {
  const context = await chromium.launchPersistentContext(join(scratch, `profile-${name}`), {
    executablePath: await findOrInstallChromium(() => {}),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-gpu', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  await context.addInitScript(watchPage);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const id = new URL(worker.url()).host;
  const page = await context.newPage();
  await page.goto(`chrome-extension://${id}/${own ? 'src/ui/receipt.html' : 'popup.html'}`);
  if (process.env.QUIET) {
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.reload();
    console.log('bindings', await page.evaluate('typeof chrome?.runtime?.sendMessage').catch(String), await page.evaluate('document.body.innerHTML.length'));
  }
  const ui = async (method: string, params: any) => {
    const answer: any = await page.evaluate((given) => chrome.runtime.sendMessage({ type: 'ui', ...given }), { method, params });
    if (!answer?.ok) throw new Error(`${method}: ${JSON.stringify(answer?.error)}`);
    return answer.result;
  };
  const which: Which = { name, folder, context, page, tab: page, id, own, ui };
  if (own) {
    const client = createRelayerClient({ baseUrl: relayer.url });
    await ui('createVault', { password: PASSWORD });
    await ui('setSettings', { lockAfterMinutes: 240 });
    const network = await ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
    const { privateKey } = await openAccount({ client, baseUrl: relayer.url, privateKey: generatePrivateKey(), funds: { ETH: '10', LRC: '1000000' } });
    const { signer } = await ui('importSigner', { privateKey });
    await ui('deriveKey', { networkId: network.id, signer });
    which.account = await ui('addAccount', { networkId: network.id, signer, label: 'Main' });
  }
  const tab = await context.newPage();
  await tab.goto(site.origin);
  which.tab = tab;
  if (own) {
    const { window } = await askFrom(which, "window.connected = wallet.request({ method: 'eth_requestAccounts' })");
    await window.locator('[data-testid=approve][aria-disabled=false]').click();
    await tab.evaluate('window.connected');
    await window.close();
  }
  return which;
}
async function askFrom(w: Which, script: string) {
  const opening = w.context.waitForEvent('page', (page) => page.waitForURL('**/approval.html*', { waitUntil: 'commit' }).then(() => true, () => false));
  const asked = (await w.tab.evaluate(`(() => { const at = performance.timeOrigin + performance.now(); performance.mark('ASKED'); ${script}; return at; })()`)) as number;
  return { window: await opening, asked };
}
const minimalFolder = join(scratch, 'minimal');
await writeMinimalExtension(minimalFolder);
const all: Which[] = [await launch('minimal', minimalFolder, false)];
for (const [i, f] of folders.entries()) all.push(await launch(`own${i}`, f, true));
const times: Record<string, Record<string, number[]>> = {};
const keep = (round: number, what: string, name: string, value: number) => { if (round > 0) ((times[what] ??= {})[name] ??= []).push(value); };
async function traced<T>(w: Which, label: string, on: boolean, body: () => Promise<T>): Promise<T> {
  if (!traceDir || !on) return body();
  const browser = w.context.browser()!;
  const cdp = await browser.newBrowserCDPSession();
  const events: any[] = [];
  cdp.on('Tracing.dataCollected', (e: any) => events.push(...e.value));
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'v8', 'v8.compile', 'disabled-by-default-v8.compile', 'devtools.timeline', 'blink.user_timing', 'ServiceWorker', 'loading', 'navigation', 'IndexedDB', 'startup', 'browser', 'extensions', 'disabled-by-default-devtools.timeline', 'net', 'mojom', ...(process.env.CPUPROF ? ['disabled-by-default-v8.cpu_profiler'] : [])] } } as any);
  const result = await body();
  const done = new Promise((r) => cdp.once('Tracing.tracingComplete', r));
  await cdp.send('Tracing.end');
  await done;
  await writeFile(join(traceDir, `${w.name}-${label}.json`), JSON.stringify({ traceEvents: events }));
  return result;
}
for (let round = 0; round <= ROUNDS; round++) for (const w of all) {
  const last = round === ROUNDS;
  await stopWorkers(w.context, w.page);
  await traced(w, 'answer', last, async () => keep(round, 'answer', w.name, await answerTime(w.page, w.own ? { type: 'ui', method: 'getState', params: {} } : { type: 'ping' })));
  if (w.own && last) { const s0 = w.context.serviceWorkers().at(-1)!; console.log('ANSWER'); console.log((await s0.evaluate('self.__t') as any[]).map(([n,t])=>n+' '+Number(t).toFixed(1)).join('\n')); }
  if (w.own) await new Promise((r) => setTimeout(r, 300));
  await stopWorkers(w.context, w.page);
  const c0 = treeTicks(`profile-${w.name}`);
  const { window } = await traced(w, 'question', last, async () => {
    const q = await askFrom(w, w.own ? `window.placed = wallet.request({ method: 'relayer_submitOrder', params: [${JSON.stringify(ORDER)}] })` : "dispatchEvent(new Event('minimal-ask'))");
    const m = await marksOf(q.window);
    keep(round, 'question', w.name, m.usable - q.asked); if (w.own && last) { const s0 = w.context.serviceWorkers().at(-1)!; const o = await s0.evaluate('performance.timeOrigin') as number; console.log('QUESTION', 'asked', (q.asked - o).toFixed(0), 'origin', (await q.window.evaluate('performance.timeOrigin') as number - o).toFixed(0), 'paint', (m.painted-o).toFixed(0), 'usable', (m.usable-o).toFixed(0)); console.log((await s0.evaluate('self.__t') as any[]).map(([n,t])=>n+' '+Number(t).toFixed(1)).join('\n')); }
    keep(round, 'question-origin', w.name, (await q.window.evaluate('performance.timeOrigin') as number) - q.asked);
    keep(round, 'question-paint', w.name, m.painted - q.asked);
    keep(round, 'question-cpu', w.name, treeTicks(`profile-${w.name}`) - c0);
    return q;
  });
  if (w.own) {
    const [open] = await w.ui('listApprovals', {});
    const view = await w.ui('getApproval', { id: open.id });
    await stopWorkers(w.context, w.page);
    const c1 = treeTicks(`profile-${w.name}`);
    await traced(w, 'signature', last, async () => {
      const posted = w.context.waitForEvent('request', (sent) => sent.method() === 'POST' && sent.url().endsWith('/order'));
      const decided = (await w.page.evaluate((given) => { const at = performance.timeOrigin + performance.now(); performance.mark('DECIDED'); void chrome.runtime.sendMessage({ type: 'ui', method: 'approve', params: given }); return at; }, { id: open.id, digest: view.digest ?? '', account: w.account.id })) as number;
      const sent = await posted;
      keep(round, 'signature', w.name, performance.timeOrigin + performance.now() - decided);
      keep(round, 'signature-cpu', w.name, treeTicks(`profile-${w.name}`) - c1);
      keep(round, 'signature-net', w.name, sent.timing().startTime - decided);
    });
    if (last) { const s0 = w.context.serviceWorkers().at(-1)!; console.log('SIGNATURE'); console.log((await s0.evaluate('self.__t') as any[]).map(([n,t])=>n+' '+Number(t).toFixed(1)).join('\n')); } await w.tab.evaluate('window.placed');
  }
  await window.close().catch(() => {});
  await stopWorkers(w.context, w.page);
  const c2 = treeTicks(`profile-${w.name}`);
  await traced(w, 'popup', last, async () => {
    const page = await w.context.newPage();
    await page.goto(`chrome-extension://${w.id}/${w.own ? 'src/ui/popup.html' : 'popup.html'}`);
    const m = await marksOf(page);
    const started = (await page.evaluate('performance.timeOrigin')) as number;
    keep(round, 'painted', w.name, m.painted - started);
    keep(round, 'known', w.name, m.usable - started);
    keep(round, 'known-cpu', w.name, treeTicks(`profile-${w.name}`) - c2);
    await page.close();
  });
}
for (const [what, by] of Object.entries(times)) {
  const base = by.minimal ? median(by.minimal) : undefined;
  console.log(what.padEnd(16), Object.entries(by).map(([n, l]) => `${n} ${what.endsWith('cpu') ? 'mean ' + (l.reduce((a, b) => a + b, 0) / l.length).toFixed(0) : median(l).toFixed(0)}${base && n !== 'minimal' ? ` (${(median(l) / base).toFixed(2)}x)` : ''} [${Math.min(...l).toFixed(0)}–${Math.max(...l).toFixed(0)}]`).join('   '));
}
for (const w of all) await w.context.close();
await site.close(); await relayer.close(); await rm(scratch, { recursive: true, force: true });
