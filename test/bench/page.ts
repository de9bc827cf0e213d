import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { buildAll, findOrInstallChromium } from '../../scripts/prepare.mjs';
import { serveSite } from '../e2e/support/site.ts';
import { Random } from '../support/random.ts';
import { PEERS, writePeerExtension } from './support/page/peerExtensions.ts';
import { peer } from './support/peers.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median } from './support/rounds.ts';
import { fewer } from './support/short.ts';

/**
 * What a wallet adds to the load of every page. One Chromium has our extension and one for each
 * peer's page script; each runs at a host of its own, and two hosts have none: the second of them
 * is the control. A round loads the same page once at each host, in random order, each host in a
 * tab of its own; what is compared are the differences to the bare page of the same round.
 */
const ROUNDS = fewer(80);
const WARM_UP = 5;
/** Goals for the page script: bytes after gzip, and ms of script on a page. */
const MOST_BYTES = 1_024;
const MOST_SCRIPT_MS = 1;
/** A page of ordinary size: a few hundred elements and a script of its own. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title><main>${Array.from(
  { length: 300 },
  (_, i) =>
    `<section><h2>Heading ${i}</h2><p>Some text of paragraph ${i} with <a href="#${i}">a link</a>.</p></section>`,
).join('')}</main><script>document.querySelectorAll('a').forEach((a) => { a.title = a.textContent; });</script>`;

/** Hosts below localhost need no names anywhere: browsers resolve them to the loopback address. */
const hosts = {
  none: 'none.localhost',
  'none again': 'again.localhost',
  ours: 'localhost',
  metamask: 'metamask.localhost',
  rabby: 'rabby.localhost',
  polkadot: 'polkadot.localhost',
} as const;
type Variant = keyof typeof hosts;
const variants = Object.keys(hosts) as Variant[];

/** ms of one load. */
interface Load {
  /** From the first byte of the answer to the end of the load event. */
  readonly clock: number;
  /**
   * Script of the new document, extension scripts included; the counter starts anew with the
   * document.
   */
  readonly script: number;
}

async function load(page: Page, cdp: CDPSession): Promise<Load> {
  await page.reload({ waitUntil: 'load' });
  const { metrics } = await cdp.send('Performance.getMetrics');
  const clock = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return entry ? entry.loadEventEnd - entry.responseStart : Number.NaN;
  });
  const script = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1000;
  if (!(clock > 0 && script > 0)) throw new Error(`${page.url()} did not say how it was loaded`);
  return { clock, script };
}

/** Median of the differences with its 95 % interval, by resampling. */
function added(differences: readonly number[], random: Random): { median: number; low: number; high: number } {
  const medians = Array.from({ length: 2_000 }, () => median(differences.map(() => random.pick(differences)))).sort(
    (a, b) => a - b,
  );
  return { median: median(differences), low: medians[49] as number, high: medians[1_949] as number };
}

export const run: BenchRun = async (say) => {
  await buildAll({ show: false });
  const { folder: peerFolder } = peer('page-providers', say);
  const scratch = await mkdtemp(join(tmpdir(), 'countersign-bench-page-'));
  const own = resolve(import.meta.dirname, '../../dist/chromium');
  const sizes: string[] = ['inpage', 'content'].map((name) => sizeOf(name, join(own, `src/${name}/index.js`)));
  const folders = [own];
  for (const name of PEERS) {
    const folder = join(scratch, name);
    sizes.push(sizeOf(name, await writePeerExtension(name, peerFolder, folder, hosts[name])));
    folders.push(folder);
  }
  const site = await serveSite(PAGE);
  const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
    executablePath: await findOrInstallChromium(() => {}),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      `--disable-extensions-except=${folders.join(',')}`,
      `--load-extension=${folders.join(',')}`,
    ],
  });
  try {
    const { port } = new URL(site.origin);
    const tabs = new Map<Variant, { page: Page; cdp: CDPSession }>();
    for (const variant of variants) {
      const page = await context.newPage();
      await page.goto(`http://${hosts[variant]}:${port}/`);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      tabs.set(variant, { page, cdp });
    }
    await checkScriptsRan(tabs);
    const random = new Random(BigInt(Date.now()));
    const loads = Object.fromEntries(variants.map((variant) => [variant, [] as Load[]])) as Record<Variant, Load[]>;
    say(`${ROUNDS} rounds of ${variants.length} page loads`);
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const left = [...variants];
      while (left.length > 0) {
        const [variant] = left.splice(random.index(left.length), 1) as [Variant];
        const { page, cdp } = tabs.get(variant) as { page: Page; cdp: CDPSession };
        const measured = await load(page, cdp);
        if (round >= 0) loads[variant].push(measured);
      }
    }
    const over = (variant: Variant, what: keyof Load) =>
      added(
        loads[variant].map((measured, round) => measured[what] - (loads.none[round] as Load)[what]),
        random,
      );
    const rows = (['clock', 'script'] as const).flatMap((what) =>
      variants.slice(1).map((variant): BenchRow => {
        const { median: ms, low, high } = over(variant, what);
        const within = low <= 0 && high >= 0;
        const row: BenchRow = {
          what: `${what === 'clock' ? 'time to the load event' : 'script time'} added by ${variant}`,
          ours: ms,
          unit: 'ms',
          interval: [low, high],
        };
        if (variant !== 'ours') return { ...row, verdict: `${within ? 'within' : 'outside'} noise` };
        return what === 'script'
          ? { ...row, bound: ['≤', MOST_SCRIPT_MS] }
          : { ...row, verdict: 'within noise', held: within };
      }),
    );
    rows.push({
      what: 'page script, gzip',
      ours: gzipped(join(own, 'src/inpage/index.js')),
      unit: 'bytes',
      bound: ['≤', MOST_BYTES],
    });
    return {
      rows,
      notes: [
        `The bare page takes ${median(loads.none.map(({ clock }) => clock)).toFixed(1)} ms from its first byte to the end of its load event, ${median(loads.none.map(({ script }) => script)).toFixed(2)} ms of it script. Medians of the differences`,
        `of ${ROUNDS} rounds with their 95 % intervals; within noise: the interval contains 0. Ours has page and content script; the`,
        `packages of the others contain their page script only. Sizes: ${sizes.join('; ')}.`,
      ],
    };
  } finally {
    await context.close();
    await site.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

const gzipped = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;

const sizeOf = (name: string, path: string): string =>
  `${name} ${readFileSync(path).length} bytes, ${gzipped(path)} gzip`;

/** Each script has to be at its host and nowhere else, or nothing is compared. */
async function checkScriptsRan(tabs: ReadonlyMap<Variant, { page: Page }>): Promise<void> {
  for (const [variant, { page }] of tabs) {
    const seen = await page.evaluate(() => {
      const announced: string[] = [];
      addEventListener('eip6963:announceProvider', (event) =>
        announced.push((event as CustomEvent<{ info: { rdns: string } }>).detail.info.rdns),
      );
      dispatchEvent(new Event('eip6963:requestProvider'));
      return [...announced, ...['rabby', 'injectedWeb3'].filter((name) => name in globalThis)].sort().join(' ');
    });
    const expected: Record<Variant, RegExp> = {
      none: /^$/,
      'none again': /^$/,
      ours: /^dev\.countersign$/,
      metamask: /^io\.metamask$/,
      rabby: /rabby/,
      polkadot: /^injectedWeb3$/,
    };
    if (!expected[variant].test(seen)) throw new Error(`at the page of "${variant}" there is "${seen}"`);
  }
}
