import { expect, test } from 'vitest';
import type { AnyOperation } from '../../src/operations/index.ts';
import { operations } from '../../src/operations/index.ts';
import { standingOperations } from '../../src/operations/standing.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const namesOf = (having: (operation: AnyOperation) => unknown) => all.filter(having).map(({ name }) => name);

test('what a standing approval can name is what has limits of its own', () => {
  expect(namesOf(({ standing }) => standing)).toEqual([...standingOperations]);
});

test('a standing approval answers nothing that moves funds elsewhere, changes a key or names an NFT', () => {
  const answered = all.filter(({ standing }) => standing);
  expect(answered.filter(({ recipient, group }) => recipient !== undefined || group !== 'orders')).toEqual([]);
});

test('whatever the wallet asks by itself is decided by the user like a request of a site', () => {
  expect(namesOf(({ own }) => own)).toEqual([
    'submitOrder',
    'cancelOrder',
    'replaceOrder',
    'hardCancel',
    'transfer',
    'withdraw',
    'joinAmmPool',
    'exitAmmPool',
    'mintNft',
    'transferNft',
    'withdrawNft',
    'deployNft',
    'signNftOrder',
  ]);
  expect(namesOf(({ shownBy }) => shownBy === 'wizard')).toEqual(['updateAccountKey']);
});

test('every operation that places an order is filed under orders', () => {
  expect(all.filter(({ placesOrder, group }) => placesOrder && group !== 'orders')).toEqual([]);
  expect(namesOf(({ placesOrder }) => placesOrder)).toContain('submitOneOf');
});
