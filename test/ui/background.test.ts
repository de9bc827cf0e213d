// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { call } from '../../src/ui/background.ts';
import { askEarly } from '../../src/ui/early.ts';
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

test('a question that was asked early is answered once from there, and asked anew after that', async () => {
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

test('an early question with other parameters is not taken for it', async () => {
  askEarly('getActivity', { limit: 1 });
  expect(await call('getActivity', { limit: 2 }).catch(({ code }) => code)).toBe('unknown');
  expect(background.callsOf('getActivity')).toEqual([{ limit: 1 }, { limit: 2 }]);
});
