// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Handlers, installBackground, readCatalog } from './support/fakeBackground.ts';

/** Whether the background hears what is asked now. */
let hears: boolean;
const ifHeard = <T,>(value: T): T | Promise<T> => (hears ? value : new Promise<never>(() => {}));
const sites = [{ origin: 'https://site.example', blocked: false, grants: [] }];

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  hears = true;
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** A page that has just begun, with modules of its own. */
async function begin(handlers: Handlers = {}) {
  const background = installBackground({ stay: () => ifHeard(null), ...handlers });
  const reload = vi.fn();
  Object.assign((globalThis as unknown as { chrome: { runtime: object } }).chrome.runtime, { reload });
  const { useCatalog } = await import('../../src/ui/i18n.ts');
  useCatalog(readCatalog('en'), 'en', 'en');
  const { stay } = await import('../../src/ui/stay.tsx');
  const { call } = await import('../../src/ui/background.ts');
  void stay();
  return { background, reload, call };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const notice = () => document.querySelector('.silence')?.textContent;

it('says every 20 seconds that the page is there, and nothing while it is answered', async () => {
  const { background } = await begin();
  await wait(59_000);
  expect(background.callsOf('stay')).toHaveLength(3);
  expect(notice()).toBeUndefined();
});

it('says after 10 seconds that no answer comes, and offers to restart', async () => {
  hears = false;
  const { reload } = await begin();
  await wait(9_900);
  expect(notice()).toBeUndefined();
  await wait(200);
  expect(notice()).toContain('Countersign does not answer');
  expect(document.querySelector('.silence [role=alert]')).not.toBeNull();
  expect(reload).not.toHaveBeenCalled();
  document.querySelector<HTMLButtonElement>('.silence button')?.click();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('takes the words away with the first answer, also to a call that was sent before it', async () => {
  let answer = (_: null) => {};
  await begin({ stay: () => new Promise<null>((done) => (answer = done)) });
  await wait(11_000);
  expect(notice()).toContain('Countersign does not answer');
  answer(null);
  await wait(0);
  expect(notice()).toBeUndefined();
});

it('asks every two seconds while there is no answer, shows one notice, and every 20 seconds after that', async () => {
  hears = false;
  const { background } = await begin();
  await wait(35_000);
  expect(background.callsOf('stay').length).toBeGreaterThanOrEqual(8);
  expect(document.querySelectorAll('.silence')).toHaveLength(1);
  hears = true;
  await wait(2_000);
  expect(notice()).toBeUndefined();
  const before = background.callsOf('stay').length;
  await wait(30_000);
  expect(background.callsOf('stay').length - before).toBeLessThanOrEqual(2);
  expect(notice()).toBeUndefined();
});

it('repeats the reads that were lost, and calls the outcome of a lost change unknown', async () => {
  hears = false;
  const { call, background } = await begin({ listSites: () => ifHeard(sites), touch: () => ifHeard(null) });
  const read = call('listSites', {});
  const changed = call('touch', {}).catch(({ code }) => code);
  await wait(25_000);
  hears = true;
  await wait(4_000);
  expect(notice()).toBeUndefined();
  expect(await read).toEqual(sites);
  expect(await changed).toBe('no-answer');
  expect(background.callsOf('touch')).toHaveLength(1);
});

it('gives up the calls that were lost before the page had noticed, once a worker hears again', async () => {
  const { call } = await begin({ touch: () => ifHeard(null) });
  await wait(19_000);
  hears = false;
  await wait(2_000);
  const changed = call('touch', {}).catch(({ code }) => code);
  await wait(4_000);
  hears = true;
  await wait(6_000);
  expect(notice()).toBeUndefined();
  expect(await Promise.race([changed, 'waits'])).toBe('no-answer');
});

it('waits on for a change where a slow answer comes a little after a later one', async () => {
  let finish = (_: null) => {};
  const slow: ((_: null) => void)[] = [];
  const { call } = await begin({
    stay: () => (slow.length < 2 ? new Promise<null>((done) => slow.push(done)) : null),
    touch: () => new Promise<null>((done) => (finish = done)),
  });
  const touched = call('touch', {});
  await wait(4_500);
  expect(slow).toHaveLength(2);
  expect(notice()).toBeUndefined();
  for (const done of slow) done(null);
  await wait(60_000);
  finish(null);
  expect(await touched).toBeNull();
});

it('waits on for a slow answer of a background that hears', async () => {
  let finish = (_: null) => {};
  const { call, background } = await begin({ touch: () => new Promise<null>((done) => (finish = done)) });
  const touched = call('touch', {});
  await wait(90_000);
  expect(background.callsOf('stay').length).toBeGreaterThan(3);
  finish(null);
  expect(await touched).toBeNull();
});

it('asks again at the next turn where the worker was stopped under the call', async () => {
  let times = 0;
  await begin({
    stay: () => {
      times += 1;
      throw new Error('The message port closed before a response was received.');
    },
  });
  await wait(45_000);
  expect(times).toBe(3);
  expect(notice()).toBeUndefined();
});
