import { expect, test } from 'vitest';
import { mayAsk } from '../../src/background/sites/mayAsk.ts';
import { isLate } from '../../src/background/submissions/isLate.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { isStale } from '../../src/messaging/reviewAge.ts';
import { operations } from '../../src/operations/index.ts';
import { permissionKinds } from '../../src/operations/permissionKinds.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';

const SITE = 'https://site.example';
const granted = (account: string, kinds: readonly (typeof permissionKinds)[number][]) => ({ account, kinds }) as never;

test('a site may ask for an operation exactly with its permission, for that very account', () => {
  for (const { name, permission } of Object.values(operations)) {
    const asked = { kind: 'operation', origin: SITE, operation: name, account: 'a' } as const;
    const others = permissionKinds.filter((kind) => kind !== permission);
    expect(mayAsk([granted('a', [permission])], asked), name).toBe(true);
    expect(mayAsk([granted('b', permissionKinds as never), granted('a', [permission])], asked), name).toBe(true);
    expect(mayAsk([granted('a', others)], asked), name).toBe(false);
    expect(mayAsk([granted('b', [permission])], asked), name).toBe(false);
    expect(mayAsk([], asked), name).toBe(false);
    expect(mayAsk([], { ...asked, origin: OWN_ORIGIN }), name).toBe(true);
  }
});

test('nothing may be asked that only another version of the wallet has, and standing approvals need orders', () => {
  const all = [granted('a', permissionKinds as never)];
  const asked = { kind: 'operation', origin: SITE, account: 'a' } as const;
  expect(mayAsk(all, { ...asked, operation: 'ofTomorrow' })).toBe(false);
  const standing = { ...asked, kind: 'standing', operation: standingApproval.name } as const;
  expect([mayAsk(all, standing), mayAsk([granted('a', ['transfers'])], standing)]).toEqual([true, false]);
});

test('a connection needs no grant, and waiting for the unlock needs any', () => {
  expect(mayAsk([], { kind: 'connect', origin: SITE })).toBe(true);
  expect(mayAsk([], { kind: 'operation', origin: SITE })).toBe(true);
  expect(mayAsk([], { kind: 'unlock', origin: SITE })).toBe(false);
  expect(mayAsk([granted('a', [])], { kind: 'unlock', origin: SITE })).toBe(true);
});

test('a click counts for two minutes, and not by a clock that was set back since', () => {
  expect([0, 1, 120_000].map((ms) => isLate(1_000, 1_000 + ms))).toEqual([false, false, false]);
  expect([120_001, -1, -3_600_000].map((ms) => isLate(1_000, 1_000 + ms))).toEqual([true, true, true]);
  expect(isLate(undefined, 1_000)).toBe(true);
});

test('a review is good for a minute, and not by a clock that was set back since', () => {
  expect([0, 60_000].map((ms) => isStale(100, 100_000 + ms))).toEqual([false, false]);
  expect([60_001, -1].map((ms) => isStale(100, 100_000 + ms))).toEqual([true, true]);
  expect(isStale(undefined, 100_000)).toBe(false);
});
