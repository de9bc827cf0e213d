import { expect, test } from 'vitest';
import type { AnyOperation } from '../../src/operations/index.ts';
import { operations } from '../../src/operations/index.ts';
import { standingOperations } from '../../src/operations/standing.ts';
import { traitsOf } from './told.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const namesOf = (having: (operation: AnyOperation) => unknown) => all.filter(having).map(({ name }) => name);

test('every operation is known by name, right and kind', () => {
  expect(all.map(traitsOf)).toEqual([
    'submitOrder relayer_submitOrder orders orders, own, placesOrder, its hash is reported',
    'cancelOrder relayer_cancelOrder orders orders, own, drawn as cross',
    'cancelAllOrders relayer_cancelAllOrders orders orders, drawn as cross',
    'replaceOrder relayer_replaceOrder orders orders, own, placesOrder, its hash is reported',
    'submitOneOf relayer_submitOneOf orders orders, placesOrder, its hash is reported',
    'hardCancel relayer_hardCancel orders orders, own, drawn as cross, its hash is reported',
    'transfer relayer_transfer transfers moves, own, ownerApproves, its hash is reported',
    'withdraw relayer_withdraw withdrawals moves, own, ownerApproves, drawn as withdraw, its hash is reported',
    'joinAmmPool relayer_joinAmmPool pools pools, own, signs pool, its hash is reported',
    'exitAmmPool relayer_exitAmmPool pools pools, own, signs pool, its hash is reported',
    'mintNft relayer_mintNft nfts nfts, own, its hash is reported',
    'transferNft relayer_transferNft nfts nfts, own, ownerApproves, its hash is reported',
    'withdrawNft relayer_withdrawNft nfts nfts, own, ownerApproves, its hash is reported',
    'deployNft relayer_deployNft nfts nfts, own, ownerApproves',
    'signNftOrder relayer_signNftOrder nfts nfts, own, handsOver, signs validate',
    'updateAccountKey relayer_updateAccountKey key keys, ownerApproves, permissionFirst, changesKey, confirmed by password, in a wizard, again on NONCE_INVALID',
    'signMessage personal_sign sign texts, ownerApproves',
    'signTypedData eth_signTypedData_v4 sign texts, ownerApproves',
  ]);
});

test('what a standing approval can name is what has limits of its own', () => {
  expect(namesOf(({ standing }) => standing)).toEqual([...standingOperations]);
});

test('a standing approval answers nothing that moves funds elsewhere, changes a key or names an NFT', () => {
  const answered = all.filter(({ standing }) => standing);
  expect(answered.filter(({ recipient, group }) => recipient !== undefined || group !== 'orders')).toEqual([]);
});
