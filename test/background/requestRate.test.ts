import { expect, test } from 'vitest';
import { createRequestRate } from '../../src/background/approvals/store/requestRate.ts';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

const SITE = 'https://site.example';
const HOUR = 3_600_000;

const OTHER = 'https://other.example';

function open() {
  const clock = { now: 100 * HOUR };
  const faulty = createFaultyArea();
  const rate = createRequestRate({ now: () => clock.now, session: faulty.area }, createMutex());
  const ask = async (origin = SITE) => {
    const counted = await rate.countRequest(origin, clock.now);
    if (!counted.isSpent) await counted.keep();
    return !counted.isSpent;
  };
  /** Requests that are taken one after the other until one is not. */
  const left = async (origin = SITE) => {
    let taken = 0;
    while (taken < 30 && (await ask(origin))) taken++;
    return taken;
  };
  const known = async () => Object.keys(((await faulty.area.get('request-rate')) ?? {}) as object);
  return { clock, rate, ask, left, known };
}

test('a site may ask twenty times in a row, and then once every two seconds, whatever another site does', async () => {
  const { clock, left } = open();
  expect(await left()).toBe(20);
  expect(await left(OTHER)).toBe(20);
  clock.now += 1_999;
  expect(await left()).toBe(0);
  clock.now += 1;
  expect(await left()).toBe(1);
  clock.now += 10_000;
  expect(await left()).toBe(5);
  clock.now += HOUR;
  expect(await left()).toBe(20);
});

test('what the user decides gives one request back, and never more than twenty', async () => {
  const { rate, left } = open();
  await rate.countDecision(SITE);
  expect(await left()).toBe(20);
  await rate.countDecision(SITE);
  await rate.countDecision(SITE);
  expect(await left()).toBe(2);
});

test('the third rejection within half a minute silences the site for a minute, and no other', async () => {
  const { clock, rate, ask } = open();
  for (const wait of [0, 29_999]) {
    clock.now += wait;
    await rate.countRejection(SITE);
  }
  // The first one is too old by now.
  clock.now += 1;
  await rate.countRejection(SITE);
  expect(await ask()).toBe(true);
  await rate.countRejection(SITE);
  await expect(ask()).rejects.toMatchObject({ code: -32005 });
  expect(await ask(OTHER)).toBe(true);
  // A decision does not end the pause.
  await rate.countDecision(SITE);
  clock.now += 59_999;
  await expect(ask()).rejects.toThrow('The user rejected several requests. Wait a minute before asking again.');
  clock.now += 1;
  expect(await ask()).toBe(true);
});

test('a rejection costs no request, and those in the wallet\u2019s own pages count for nothing', async () => {
  const { rate, left, ask, known } = open();
  for (let rejected = 0; rejected < 5; rejected++) await rate.countRejection(OWN_ORIGIN);
  expect(await known()).toEqual([]);
  expect(await ask(OWN_ORIGIN)).toBe(true);
  await rate.countRejection(SITE);
  expect(await left()).toBe(20);
});

test('a site is forgotten when nothing has to be known of it: requests, rejections and pause', async () => {
  const { clock, rate, ask, known } = open();
  await ask();
  await ask();
  clock.now += 3_999;
  await ask(OTHER);
  expect(await known()).toContain(SITE);
  clock.now += 1;
  await ask(OTHER);
  expect(await known()).toEqual([OTHER]);

  await rate.countRejection(SITE);
  clock.now += 29_999;
  await ask(OTHER);
  expect(await known()).toContain(SITE);
  clock.now += 1;
  await ask(OTHER);
  expect(await known()).toEqual([OTHER]);

  for (let rejected = 0; rejected < 3; rejected++) await rate.countRejection(SITE);
  clock.now += 59_999;
  await ask(OTHER);
  expect(await known()).toContain(SITE);
  clock.now += 1;
  await ask(OTHER);
  expect(await known()).toEqual([OTHER]);
});

test('of more than five hundred sites at once, the one that was there longest ago is forgotten', async () => {
  const { clock, ask, known } = open();
  await ask(SITE);
  for (let site = 0; site < 499; site++) {
    clock.now += 1;
    await ask(`https://s${site}.example`);
  }
  expect(await known()).toHaveLength(500);
  expect(await known()).toContain(SITE);
  clock.now += 1;
  await ask(OTHER);
  expect(await known()).toHaveLength(500);
  expect(await known()).not.toContain(SITE);
  expect(await known()).toEqual(expect.arrayContaining([OTHER, 'https://s0.example']));
  // One that is there already takes nobody's place.
  await ask(OTHER);
  expect(await known()).toHaveLength(500);
});

test('a request is asked also when it cannot be counted', async () => {
  const { area } = createFaultyArea();
  const full = { ...area, set: () => Promise.reject(new Error('full')) };
  const rate = createRequestRate({ now: () => HOUR, session: full }, createMutex());
  await (await rate.countRequest(SITE, HOUR)).keep();
});

test('a clock that is set back neither takes requests from a site nor gives it more', async () => {
  let now = 100 * HOUR;
  const rate = createRequestRate({ now: () => now, session: createFaultyArea().area }, createMutex());
  const isSpent = async () => {
    const counted = await rate.countRequest(SITE, now);
    if (!counted.isSpent) await counted.keep();
    return counted.isSpent;
  };
  for (let asked = 0; asked < 10; asked++) expect(await isSpent()).toBe(false);
  now -= HOUR;
  for (let asked = 0; asked < 10; asked++) expect(await isSpent()).toBe(false);
  expect(await isSpent()).toBe(true);
  now -= HOUR;
  expect(await isSpent()).toBe(true);
  now += 2_000;
  expect(await isSpent()).toBe(true);
});
