import { beforeEach, expect, test } from 'vitest';
import { createGrants } from '../../src/background/sites/grants.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

type Kinds = [PermissionKind[], PermissionKind[]];

const SITE = 'https://site.example';
const OTHER = 'https://other.example';

let stored: ReturnType<typeof createFaultyArea>;
let grants: ReturnType<typeof createGrants>;
beforeEach(() => {
  stored = createFaultyArea();
  grants = createGrants(stored.area, createPromiseLock());
});
const of = async (origin = SITE) => (await grants.of(origin))?.grants;

test('a site sees the accounts that were granted last, in their order; the kinds of one account add up', async () => {
  await grants.grant(SITE, ['a', 'b'], ['read', 'orders']);
  await grants.grant(OTHER, ['c'], ['read']);
  expect(await of()).toEqual([
    { account: 'a', kinds: ['read', 'orders'] },
    { account: 'b', kinds: ['read', 'orders'] },
  ]);
  await grants.grant(SITE, ['d', 'b'], ['orders', 'nfts']);
  expect(await of()).toEqual([
    { account: 'd', kinds: ['orders', 'nfts'] },
    { account: 'b', kinds: ['read', 'orders', 'nfts'] },
  ]);
  expect(await of(OTHER)).toEqual([{ account: 'c', kinds: ['read'] }]);
  expect((await grants.list()).map(({ origin }) => origin).sort()).toEqual([OTHER, SITE]);
  expect(await of('https://never.example')).toBeUndefined();
});

test('accounts that are preferred come first, and the others stay behind them', async () => {
  await grants.grant(SITE, ['a', 'b'], ['read']);
  await grants.prefer(SITE, ['b', 'c'], ['orders']);
  expect(await of()).toEqual([
    { account: 'b', kinds: ['read', 'orders'] },
    { account: 'c', kinds: ['orders'] },
    { account: 'a', kinds: ['read'] },
  ]);
});

test.each(['grant', 'prefer', 'extend'] as const)('%s takes kinds that were asked for and not chosen', async (how) => {
  await grants.grant(SITE, ['a', 'b'], ['read', 'orders', 'nfts']);
  const change = {
    ...grants,
    extend: (site: string, [account = '']: string[], ...kinds: Kinds) => grants.extend(site, account, ...kinds),
  };
  await change[how](SITE, ['a'], ['read', 'sign'], ['read', 'orders', 'sign']);
  expect((await of())?.[0]).toEqual({ account: 'a', kinds: ['read', 'nfts', 'sign'] });
});

test('more kinds leave an account at its place; a new account comes last', async () => {
  await grants.grant(SITE, ['a', 'b'], ['read']);
  await grants.extend(SITE, 'a', ['orders']);
  await grants.extend(SITE, 'c', ['read']);
  expect(await of()).toEqual([
    { account: 'a', kinds: ['read', 'orders'] },
    { account: 'b', kinds: ['read'] },
    { account: 'c', kinds: ['read'] },
  ]);
});

test('an account, a kind and everything can be taken back, each from this site and account alone', async () => {
  for (const origin of [SITE, OTHER]) await grants.grant(origin, ['a', 'b'], ['read', 'orders']);
  await grants.revokeKind(SITE, 'a', 'orders');
  expect(await of()).toEqual([
    { account: 'a', kinds: ['read'] },
    { account: 'b', kinds: ['read', 'orders'] },
  ]);
  await grants.revokeKind(SITE, 'a', 'read');
  expect(await of()).toEqual([{ account: 'b', kinds: ['read', 'orders'] }]);
  await grants.revokeAccount(SITE, 'c');
  expect(await of()).toHaveLength(1);
  await grants.revokeAccount(SITE, 'b');
  expect(await grants.list()).toHaveLength(1);
  expect(await of(OTHER)).toHaveLength(2);
  await grants.revoke(OTHER);
  expect(await grants.list()).toEqual([]);
});

test('a kind that is taken from one account leaves another one that has none', async () => {
  await grants.grant(SITE, ['a', 'b'], []);
  await grants.extend(SITE, 'a', ['orders']);
  for (const account of ['b', 'a']) await grants.revokeKind(SITE, account, 'orders');
  expect(await of()).toEqual([{ account: 'b', kinds: [] }]);
});

test('a blocked site sees nothing, stays known while it has nothing, and sees again what it had', async () => {
  await grants.grant(SITE, ['a'], ['read']);
  await grants.setBlocked(SITE, true);
  expect(await grants.of(SITE)).toEqual({ origin: SITE, grants: [], blocked: true });
  expect(await grants.list()).toEqual([{ origin: SITE, grants: [{ account: 'a', kinds: ['read'] }], blocked: true }]);
  await grants.setBlocked(SITE, false);
  expect(await of()).toEqual([{ account: 'a', kinds: ['read'] }]);
  await grants.setBlocked(OTHER, true);
  expect(await grants.of(OTHER)).toMatchObject({ blocked: true });
  await grants.setBlocked(OTHER, false);
  expect(await grants.of(OTHER)).toBeUndefined();
  expect(await grants.list()).toHaveLength(1);
});

test('changes at the same time all count', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((account) => grants.extend(SITE, account, ['read'])));
  expect((await of())?.map(({ account }) => account).sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('what cannot be read of one site is no grant, and costs no other its own', async () => {
  await grants.grant(SITE, ['a'], ['read']);
  const [good] = await grants.list();
  const bad = [
    { ...good, origin: 7 },
    { ...good, grants: 'all' },
    { ...good, grants: [{ account: 'a', kinds: ['everything'] }] },
    { ...good, grants: [{ account: 7, kinds: ['read'] }] },
    { ...good, grants: [{ kinds: ['read'] }] },
    { ...good, blocked: 'no' },
    null,
  ];
  await stored.area.set({ sites: [...bad, good] });
  expect(await grants.list()).toEqual([good]);
});

test('a damaged grant of a site costs neither its block nor its other grants', async () => {
  const grant = { account: 'a', kinds: ['read'] };
  const bad = [{ account: 'b', kinds: ['read', 'everything'] }, { account: 7, kinds: ['read'] }, 'all'];
  await stored.area.set({
    sites: [
      { origin: SITE, grants: [...bad, grant], blocked: true },
      { origin: OTHER, grants: [...bad, grant], blocked: false },
    ],
  });
  expect(await grants.of(SITE)).toEqual({ origin: SITE, grants: [], blocked: true });
  expect(await of(OTHER)).toEqual([grant]);
  await grants.revoke(OTHER);
  expect(await grants.list()).toEqual([{ origin: SITE, grants: [grant], blocked: true }]);
});

test('a look at one site reads nothing of the others', async () => {
  let others = 0;
  const other = (index: number) => ({
    origin: `https://${index}.example`,
    get grants() {
      others += 1;
      return [];
    },
    blocked: false,
  });
  const own = { origin: SITE, grants: [{ account: 'a', kinds: ['read'] }], blocked: false };
  const area = { ...stored.area, get: async () => [other(1), own, other(2)] };
  expect(await createGrants(area, createPromiseLock()).of(SITE)).toEqual(own);
  expect(others).toBe(0);
});
