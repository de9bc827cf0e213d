// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { type UiMethod, uiMethods } from '../../src/messaging/uiMethods.ts';
import { call } from '../../src/ui/background.ts';
import { askEarly, seeEarly } from '../../src/ui/early.ts';
import { type FakeBackground, installBackground } from './support/fakeBackground.ts';

let background: FakeBackground;
let asked: number;
beforeEach(() => {
  asked = 0;
  background = installBackground({
    listSites: () => [{ origin: `https://site${++asked}.example`, blocked: false, grants: [] }],
  });
});
const origins = async () => (await call('listSites', {})).map(({ origin }) => origin);

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a read that was asked early is answered once from there, and asked anew after that', async () => {
  askEarly('listSites', {});
  expect(await origins()).toEqual(['https://site1.example']);
  expect(background.callsOf('listSites')).toHaveLength(1);
  expect(await origins()).toEqual(['https://site2.example']);
});

test('an early answer that something may have changed since is asked anew', async () => {
  askEarly('listSites', {});
  background.changed();
  expect(await origins()).toEqual(['https://site2.example']);
  expect(background.callsOf('listSites')).toHaveLength(2);
});

test('an early read with other parameters is not taken for it', async () => {
  askEarly('getActivity', { limit: 1 });
  expect(await call('getActivity', { limit: 2 }).catch(({ code }) => code)).toBe('unknown');
  expect(background.callsOf('getActivity')).toEqual([{ limit: 1 }, { limit: 2 }]);
});

test('what an early read has brought can be seen until it is taken, and not while it is asked again', async () => {
  askEarly('listSites', {});
  expect(seeEarly('listSites', {})).toBeUndefined();
  await settled();
  expect(seeEarly('listSites', {})).toMatchObject([{ origin: 'https://site1.example' }]);
  background.changed();
  expect(seeEarly('listSites', {})).toBeUndefined();
  await settled();
  expect(seeEarly('listSites', {})).toMatchObject([{ origin: 'https://site2.example' }]);
  await origins();
  expect(seeEarly('listSites', {})).toBeUndefined();
});

test('once it is taken, an early read is not asked again when something changes', async () => {
  askEarly('listSites', {});
  await origins();
  background.changed();
  await settled();
  expect(background.callsOf('listSites')).toHaveLength(1);
});

test('a refusal of an early read is no answer to be seen, and is told to who asks', async () => {
  askEarly('getActivity', { limit: 1 });
  await settled();
  expect(seeEarly('getActivity', { limit: 1 })).toBeUndefined();
  await expect(call('getActivity', { limit: 1 })).rejects.toMatchObject({ code: 'unknown' });
});

test.each(Object.keys(uiMethods) as UiMethod[])(
  '%s: without an answer only what changes nothing is asked again',
  async (method) => {
    let sent = 0;
    Object.assign(chrome.runtime, {
      async sendMessage() {
        sent++;
        // As Chromium carries an answer that is undefined.
        return null;
      },
    });
    await expect(call(method, {} as never)).rejects.toMatchObject({ code: 'no-answer' });
    expect(sent).toBe(uiMethods[method].isRead ? 2 : 1);
  },
);
