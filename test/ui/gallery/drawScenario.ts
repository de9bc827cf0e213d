import { join } from 'node:path';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import type { Severity } from '../../../src/operations/severity.ts';
import { now } from '../support/fixtures.ts';
import { installFakeRuntime } from './fakeRuntime.ts';
import type { Scenario } from './scenarios.ts';
import type { ServedScreens } from './serveScreens.ts';

export const sizes = {
  popup: { width: 360, height: 600 },
  approval: { width: 400, height: 600 },
  onboarding: { width: 1100, height: 820 },
  keyUpdate: { width: 1100, height: 940 },
  receipt: { width: 900, height: 980 },
} as const;
const tabSize = { width: 1100, height: 760 };
/**
 * Half of a small window: what is left at 200 % zoom, and the narrowest that WCAG 1.4.10 asks for.
 */
const zoomed = { width: 320, height: 256 };
/** The approval window opens with a fixed size: half of it is left at 200 % zoom. */
const zoomedApproval = { width: sizes.approval.width / 2, height: sizes.approval.height / 2 };

/** One way a screen is drawn; `shape` is the window. */
interface Look {
  readonly name: string;
  readonly shape: 'own' | 'tab' | 'panel';
  readonly theme: 'light' | 'dark';
  readonly contrast: 'no-preference' | 'more';
  /** Colours of the person's own, as in Windows' contrast themes. */
  readonly forcedColors?: 'active';
  readonly picture: boolean;
  /** Its colours and its layout are each another look's: drawn, not checked again. */
  readonly seen?: true;
}

const looks: readonly Look[] = [
  { name: 'light', shape: 'own', theme: 'light', contrast: 'no-preference', picture: true },
  { name: 'dark', shape: 'own', theme: 'dark', contrast: 'no-preference', picture: true },
  { name: 'light-contrast', shape: 'own', theme: 'light', contrast: 'more', picture: true },
  { name: 'dark-contrast', shape: 'own', theme: 'dark', contrast: 'more', picture: true },
  { name: 'zoomed', shape: 'panel', theme: 'light', contrast: 'no-preference', picture: false },
];
const tabLooks: readonly Look[] = [
  { name: 'tab-light', shape: 'tab', theme: 'light', contrast: 'no-preference', picture: true },
  { name: 'tab-dark', shape: 'tab', theme: 'dark', contrast: 'no-preference', picture: true, seen: true },
];
const forcedLook: Look = {
  name: 'forced',
  shape: 'own',
  theme: 'dark',
  contrast: 'no-preference',
  forcedColors: 'active',
  picture: true,
};
/**
 * The language in which every screen is drawn once more: direction, length and order of values are
 * nowhere taken for granted.
 */
const RIGHT_TO_LEFT = 'ar';
const turnedLooks: readonly Look[] = [
  { name: 'rtl', shape: 'own', theme: 'light', contrast: 'no-preference', picture: true },
  { name: 'rtl-zoomed', shape: 'panel', theme: 'light', contrast: 'no-preference', picture: false },
];

interface AxeNode {
  readonly html: string;
  readonly failureSummary: string;
}

interface Finding {
  readonly scenario: string;
  readonly look: string;
  /** `problem`: ends the run with 1. `minor`: axe calls it moderate or less. */
  readonly weight: 'problem' | 'minor';
  readonly text: string;
}

export interface Drawn {
  readonly scenario: string;
  readonly page: Scenario['page'];
  readonly pictures: readonly { readonly look: string; readonly file: string }[];
  readonly findings: readonly Finding[];
  /** Rules that axe checked and found kept, over all looks. */
  readonly checks: number;
}

/**
 * Pages of one queue of screens. Each is loaded anew for each screen: a new page would start a
 * process and compile everything again.
 */
export interface Studio {
  readonly served: ServedScreens;
  /** Names of the looks to draw; all when empty. */
  readonly looks: readonly string[];
  /** A page that has nothing stored when it is loaded; one screen at a time. */
  pageIn(language: string): Promise<Page>;
}

export function openStudio(browser: Browser, served: ServedScreens, looks: readonly string[] = []): Studio {
  const pages = new Map<string, Promise<Page>>();
  async function openPage(locale: string): Promise<Page> {
    const context = await browser.newContext({
      colorScheme: 'light',
      locale,
      timezoneId: 'Europe/Berlin',
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.clock.setFixedTime(now);
    await page.addInitScript(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    return page;
  }
  return {
    served,
    looks,
    async pageIn(language) {
      const known = await pages.get(language);
      if (known && !known.isClosed()) return known;
      const opened = openPage(language);
      pages.set(language, opened);
      return opened;
    },
  };
}

async function takeSteps(page: Page, scenario: Scenario): Promise<void> {
  for (const step of scenario.steps ?? []) {
    if ('click' in step) await page.click(step.click);
    else if ('fill' in step) await page.fill(step.fill, step.text);
    else if ('wait' in step) await page.waitForTimeout(step.wait);
    else if ('file' in step)
      await page.setInputFiles(step.file, {
        name: step.name,
        mimeType: 'application/json',
        buffer: Buffer.from('{}'),
      });
    else if ('offline' in step)
      // The browser's own word, for this page alone: pictures are drawn in one context.
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { get: () => false });
        dispatchEvent(new Event('offline'));
      });
    else if ('scroll' in step) await page.locator(step.scroll).first().scrollIntoViewIfNeeded();
    else
      await page.evaluate(
        (next) => (globalThis as never as { fakeRuntime: { replace(a: unknown): void } }).fakeRuntime.replace(next),
        step.answers,
      );
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(120);
}

/** What has to be in view before anybody scrolls: names of `data-fold`, by the gravest severity. */
const aboveFold: Readonly<Record<Severity, readonly string[]>> = {
  note: ['account', 'nft', 'pay', 'receive', 'recipient', 'review_fee', 'review_expires'],
  notice: ['account', 'nft', 'pay', 'receive', 'recipient', 'review_fee'],
  danger: ['account', 'warning', 'pay', 'receive', 'recipient'],
  stop: ['account', 'warning', 'pay', 'receive', 'recipient'],
};

/** Parts of the decision that lie, whole or in part, under the buttons or above the window. */
async function belowFold(page: Page, severity: Severity): Promise<string[]> {
  const parts = (await page.evaluate(`(() => {
    const floor = document.querySelector('.decision').getBoundingClientRect().top;
    return [...document.querySelectorAll('[data-fold]')].filter((part) => !part.closest('details:not([open])')).map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return { name: part.dataset.fold, isIn: top >= 0 && bottom <= floor + 1, by: Math.round(bottom - floor) };
    });
  })()`)) as { name: string; isIn: boolean; by: number }[];
  // Of several orders in one question, the first one stands above the fold.
  return [...new Map(parts.toReversed().map((part) => [part.name, part])).values()]
    .filter(({ name, isIn }) => aboveFold[severity].includes(name) && !isIn)
    .map(({ name, by }) => `${name} by ${by} px`);
}

/**
 * Waits until the look is drawn, and ends what fades into it, which would be read half-way. What
 * turns without end goes on.
 */
async function endFades(page: Page, forcedColors: 'active' | 'none'): Promise<void> {
  await page.waitForFunction(`matchMedia('(forced-colors: ${forcedColors})').matches`);
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
    for (const one of document.getAnimations()) if (one.effect.getComputedTiming().endTime < Infinity) one.finish();
  })`);
}

/**
 * Share of the window times distance that may move at once; `good` by the browsers' measure of a
 * whole visit.
 */
const MOST_SHIFT = 0.1;

/** What moved on the page by itself while its answers came in, by the browser's own measure. */
async function shiftsUntilRead(page: Page): Promise<readonly { value: number; sources: string }[]> {
  await page.waitForFunction(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => !fakeRuntime.isBusy())`);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return page.evaluate(`new Promise((read) => {
    const of = (node) => node?.className || node?.nodeName || 'gone';
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    read(observer.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput).map(({ value, sources }) => ({
      value: Number(value.toFixed(4)),
      sources: sources.map(({ node, previousRect, currentRect }) => of(node) + ' ' + previousRect.y + ' to ' + currentRect.y).join(', '),
    })));
    observer.disconnect();
  })`);
}

/**
 * Draws one scenario in every look, with pictures in `folder` unless that is null, axe's findings
 * and what is wider than its window.
 */
export async function drawScenario(studio: Studio, scenario: Scenario, folder: string | null): Promise<Drawn> {
  const { origin } = studio.served;
  const isAsked = ({ name }: Look) => studio.looks.length === 0 || studio.looks.includes(name);
  const findings: Finding[] = [];
  const pictures: { look: string; file: string }[] = [];
  let checks = 0;
  const ownSize = scenario.size ?? sizes[scenario.page];
  const sizeOf = {
    own: ownSize,
    tab: tabSize,
    panel: scenario.page === 'approval' ? zoomedApproval : zoomed,
  };

  async function drawLooks(page: Page, wanted: readonly Look[]): Promise<void> {
    for (const look of wanted) {
      const problem = (text: string, weight: Finding['weight'] = 'problem') =>
        findings.push({ scenario: scenario.name, look: look.name, weight, text });
      await page.setViewportSize(sizeOf[look.shape]);
      if (look.seen && folder === null) continue;
      const { theme: colorScheme, contrast, forcedColors = 'none' } = look;
      await page.emulateMedia({ colorScheme, contrast, forcedColors });
      // The toolbar's popup has one size; where a person zooms, the side panel or a tab, the same
      // page takes what it gets.
      if (look.shape !== 'own') await page.evaluate(`document.documentElement.dataset.view = '${look.shape}'`);
      // The approval window's own still time, after which its button looks as it does to a reader.
      await page.waitForSelector('.approve-arming', { state: 'detached' });
      await endFades(page, forcedColors);
      if (look.picture) {
        if (folder !== null) {
          const file = `${scenario.name}.${look.name}.png`;
          await page.screenshot({ path: join(folder, file), animations: 'disabled' });
          pictures.push({ look: look.name, file });
        }
        if (look.seen) continue;
        // The structure is the same in every theme; what differs is the contrast.
        const runOnly =
          folder === null && look.name !== 'light' && look.name !== 'rtl' ? "runOnly: ['color-contrast']," : '';
        // Of what is kept, a number: describing every element of it takes axe longer than the rules
        // themselves.
        const result = (await page.evaluate(
          `axe.run({ ${runOnly} resultTypes: ['violations'] })
            .then(({ passes, violations }) => ({ kept: passes.length, violations }))`,
        )) as {
          kept: number;
          violations: readonly { id: string; impact: string; nodes: readonly AxeNode[] }[];
        };
        checks += result.kept;
        for (const { id, impact, nodes } of result.violations)
          for (const node of nodes)
            problem(
              `axe ${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary.replaceAll('\n', ' ')}`,
              impact === 'serious' || impact === 'critical' ? 'problem' : 'minor',
            );
      }
      const wide = (await page.evaluate(
        `[...document.querySelectorAll('html, .popup-scroll, .approval-content, .sheet, main')]
          .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`,
      )) as string[];
      const turned = (await page.evaluate(
        `[...document.querySelectorAll('.mono')]
          .filter((one) => getComputedStyle(one).direction !== 'ltr').map((one) => one.textContent.slice(0, 40))`,
      )) as string[];
      if (turned.length > 0) problem(`digits that read from right to left: ${turned.join(', ')}`);
      if (scenario.fold !== undefined && look.shape === 'own' && !look.seen)
        for (const missing of await belowFold(page, scenario.fold)) problem(`below the fold: ${missing}`);
      if (wide.length > 0) problem(`wider than the window: ${wide.join(', ')}`);
      // What is centred and does not fit may begin above the place to which one can scroll.
      const lost = (await page.evaluate(
        `[...document.querySelectorAll('main > *, .unlock > *')].filter((part) => {
          const box = part.closest('.popup-scroll, .approval-content');
          const top = box ? box.getBoundingClientRect().top - box.scrollTop : -scrollY;
          return part.getBoundingClientRect().top < top - 1;
        }).map((part) => part.getAttribute('class') || part.tagName)`,
      )) as string[];
      if (lost.length > 0) problem(`begins where nobody can scroll to: ${lost.join(', ')}`);
    }
  }

  const plainLooks = [
    // Where only positions are new, one look has them.
    ...(scenario.fold === undefined ? looks : looks.slice(0, 1)),
    ...(scenario.page === 'popup' && scenario.view !== 'tab' ? tabLooks : []),
    ...(scenario.forced ? [forcedLook] : []),
  ];
  for (const [language, own] of [
    [scenario.language ?? 'en-US', plainLooks],
    [RIGHT_TO_LEFT, turnedLooks],
  ] as const) {
    const wanted = own.filter(isAsked);
    if (wanted.length === 0) continue;
    // What is drawn in a language of its own, or for its positions alone, is drawn once.
    if (own === turnedLooks && (scenario.language !== undefined || scenario.fold !== undefined)) continue;
    const page = await studio.pageIn(language);
    await page.setViewportSize(ownSize);
    // Where the last screen was clicked, this one would be drawn as pointed at.
    await page.mouse.move(0, 0);
    const broken = (text: string) =>
      findings.push({ scenario: scenario.name, look: own === turnedLooks ? 'rtl' : 'all', weight: 'problem', text });
    const onError = (error: Error) => broken(`page error: ${error.message}`);
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === 'error') broken(`console: ${message.text()}`);
    };
    // The loader that runs this file wraps inner functions in a helper of its own, which the page
    // does not have.
    const runtime = await page.addInitScript(
      `globalThis.__name = (value) => value; (${installFakeRuntime.toString()})(${JSON.stringify(scenario.answers)})`,
    );
    page.on('pageerror', onError);
    page.on('console', onConsole);
    try {
      const view = scenario.view === undefined ? '' : `&view=${scenario.view}`;
      // Loaded anew also when only what stands behind the # is another.
      const address = `${origin}/src/ui/${scenario.page}.html?id=a1${view}&screen=${scenario.name}`;
      await page.goto(`${address}#${scenario.at ?? ''}`);
      await page.waitForSelector('h1, h2, .skeleton');
      for (const { value, sources } of (await shiftsUntilRead(page)).filter((shift) => shift.value > MOST_SHIFT))
        broken(`moves by ${value} while it is read: ${sources}`);
      await takeSteps(page, scenario);
      // From the same origin, so that it is compiled once and not for every page.
      await page.addScriptTag({ url: '/axe.js' });
      await drawLooks(page, wanted);
    } catch (error) {
      broken(`not drawn: ${(error as Error).message}`);
      await page.context().close();
    } finally {
      page.off('pageerror', onError);
      page.off('console', onConsole);
      await runtime.dispose().catch(() => {});
    }
  }
  return { scenario: scenario.name, page: scenario.page, pictures, findings, checks };
}
