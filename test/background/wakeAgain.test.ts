import { expect, test } from 'vitest';
import type { Ports } from '../../src/background/ports.ts';
import { createWalletHarness, PASSWORD } from '../support/wallet.ts';
import { until } from './support.ts';

/** Longest wait for the next look after one that failed, milliseconds. */
const SOON_MS = 60_000;
const NOW = 1_800_000_000_000;

const fail = () => Promise.reject(new DOMException('Internal error opening backing store', 'UnknownError'));

/** An unlocked wallet of which one store can be broken. */
async function wakened(broken: 'journalStore' | 'requestStore' | 'session') {
  const alarms: number[] = [];
  let isBroken = false;
  const failing = <T extends object>(port: T): T =>
    new Proxy(port, {
      apply: (target, self, given) => (isBroken ? fail() : Reflect.apply(target as never, self, given)),
      get: (target, key) => (isBroken ? fail : Reflect.get(target, key)),
    });
  const wallet = createWalletHarness({ now: () => NOW, wakeAt: (time) => alarms.push(time) });
  Object.assign(wallet.ports, { [broken]: failing<Ports[typeof broken]>(wallet.ports[broken]) });
  wallet.restart();
  await wallet.ui('createVault', { password: 'correct horse battery staple' });
  await wallet.background().onWake();
  return {
    wallet,
    alarms,
    break() {
      isBroken = true;
      alarms.length = 0;
    },
  };
}

function expectSoon(alarms: readonly number[]): void {
  expect(alarms.length).toBeGreaterThan(0);
  expect(Math.min(...alarms)).toBeGreaterThan(NOW);
  expect(alarms.at(-1)).toBeLessThanOrEqual(NOW + SOON_MS);
}

test.each(['journalStore', 'requestStore'] as const)(
  'a wake-up that cannot read %s sets the next one',
  async (broken) => {
    const stage = await wakened(broken);
    stage.break();
    await stage.wallet.background().onWake();
    expectSoon(stage.alarms);
  },
);

test('a worker that cannot see whether it is unlocked is woken again soon, by a message and by each alarm', async () => {
  const stage = await wakened('session');
  stage.break();
  stage.wallet.restart();
  await stage.wallet.uiAnswer('getState', {}).catch(() => {});
  await until(async () => stage.alarms.length > 0);
  expectSoon(stage.alarms);
  stage.alarms.length = 0;
  await stage.wallet.background().onWake();
  expectSoon(stage.alarms);
});

test('a worker that is stopped while it waits for a relayer is woken again, no later than the lock', async () => {
  const alarms: number[] = [];
  let ahead = 0;
  const wallet = createWalletHarness({ now: () => NOW + ahead, wakeAt: (time) => alarms.push(time) });
  await wallet.ui('createVault', { password: PASSWORD });
  let goOn = () => {};
  const waiting = new Promise<void>((done) => {
    goOn = done;
  });
  Object.assign(wallet.background().wallet.submissions, { checkDue: () => waiting });
  alarms.length = 0;
  const woken = wallet.background().onWake();
  await until(async () => alarms.length > 0);
  expect(alarms).toEqual([NOW + 60_000]);
  ahead = 14.5 * 60_000;
  const last = wallet.background().onWake();
  await until(async () => alarms.length > 1);
  expect(alarms).toEqual([NOW + 60_000, NOW + 15 * 60_000]);
  goOn();
  await Promise.all([woken, last]);
  expect(alarms.slice(2)).toEqual([NOW + 15 * 60_000, NOW + 15 * 60_000]);
});

test('a new wallet, and a change of the time until the lock, plan the wake-up at that time', async () => {
  const alarms: number[] = [];
  let ahead = 0;
  const wallet = createWalletHarness({ now: () => NOW + ahead, wakeAt: (time) => alarms.push(time) });
  await wallet.ui('createVault', { password: PASSWORD });
  expect(alarms).toEqual([NOW + 15 * 60_000]);
  await wallet.ui('setSettings', { lockAfterMinutes: 5 });
  expect(alarms.at(-1)).toBe(NOW + 5 * 60_000);
  await wallet.ui('setSettings', { theme: 'dark' });
  expect(alarms).toHaveLength(2);
  ahead = 5 * 60_000;
  expect(await wallet.ui('getState', {})).toMatchObject({ vault: 'locked' });
  // A time that is changed while locked opens nothing.
  await wallet.ui('setSettings', { lockAfterMinutes: 60 });
  expect(await wallet.ui('getState', {})).toMatchObject({ vault: 'locked' });
});
