import { randomSecretKey } from '../testAccount.ts';
import { ETH, ether, LRC } from '../tokens.ts';
import type { World } from '../validCalls.ts';
import { failNext, type RefusalCase } from './refusalCase.ts';

const order =
  (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
  async ({ alice }: World) =>
    alice.submit({ ...(await alice.order([LRC, 10n * ether], [ETH, ether], change)), ...after });

export const orderRefusals = {
  submitOrder: [
    [102001, 'the exchange is another', order({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the sold token is not listed', order({ sellToken: { tokenId: 77, volume: String(ether) } })],
    [102002, 'the bought token is a pool share', order({ buyToken: { tokenId: 100, volume: String(ether) } })],
    [102002, 'the token id is no ERC-20 id', order({}, { sellToken: { tokenId: 40_000, volume: '1' } })],
    [102003, 'the account does not exist', order({ accountId: 999_999 })],
    [102004, 'the storage id is odd', order({ storageId: 7 })],
    [102005, 'the market is switched off', order({ sellToken: { tokenId: 5, volume: '20000' } })],
    [102005, 'no market trades the pair', order({ buyToken: { tokenId: 3, volume: String(ether) } })],
    [102006, 'the allowed fee is above 63', order({}, { maxFeeBips: 64 })],
    [102006, 'the allowed fee is below the rate', order({ maxFeeBips: 19 })],
    [
      102007,
      'the storage id carries another order',
      async ({ alice }) => {
        const first = await alice.order([LRC, 10n * ether], [ETH, ether]);
        await alice.submit(first);
        return alice.submit(await alice.order([LRC, 11n * ether], [ETH, ether], { storageId: first.storageId }));
      },
    ],
    [
      102007,
      'an unsigned field of a held order changed',
      async ({ alice }) => {
        const first = await alice.order([LRC, 10n * ether], [ETH, ether]);
        await alice.submit(first);
        return alice.submit({ ...first, tradeChannel: 'MIXED' });
      },
    ],
    [
      102007,
      'the client order id names another order',
      async ({ alice }) => {
        await alice.submit(await alice.order([LRC, 10n * ether], [ETH, ether], { clientOrderId: 'twice' }));
        return alice.submit(await alice.order([LRC, 10n * ether], [ETH, ether], { clientOrderId: 'twice' }));
      },
    ],
    [102008, 'the deadline passed', order({ validUntil: 1_700_000_000 })],
    [102010, 'the signature is missing', order({}, { eddsaSignature: undefined })],
    [102011, 'the balance is too small', order({ sellToken: { tokenId: LRC, volume: String(1_000_000n * ether) } })],
    [102012, 'the sold amount is below the minimum', order({ sellToken: { tokenId: LRC, volume: '1000' } })],
    [102012, 'no rate covers the trade cost', order({ buyToken: { tokenId: ETH, volume: '1000' } })],
    [
      102014,
      'the amount cannot be frozen',
      async (world) => {
        await failNext(world.test, 'freeze');
        return order({})(world);
      },
    ],
    [
      102014,
      'a key update is in progress',
      async ({ test }) => {
        const carol = await test.account();
        await carol.sendKey(randomSecretKey());
        return carol.submit(await carol.order([LRC, 10n * ether], [ETH, ether]));
      },
    ],
    [
      102020,
      'the sold amount is above the maximum',
      order({ sellToken: { tokenId: LRC, volume: String(10n ** 27n) } }),
    ],
    [
      102021,
      'a larger storage id holds the slot',
      async (world) => {
        await order({ storageId: 16_384 + 8_000 })(world);
        return order({ storageId: 8_000 })(world);
      },
    ],
    [
      102027,
      'the record cannot be written',
      async (world) => {
        await failNext(world.test, 'record');
        return order({})(world);
      },
    ],
    [
      102120,
      'an AMM order fills by its buy amount',
      order({ orderType: 'AMM', tradeChannel: 'AMM_POOL', fillAmountBOrS: true }),
    ],
    [102120, 'a maker-only order is for the pool alone', order({ orderType: 'MAKER_ONLY', tradeChannel: 'AMM_POOL' })],
    [102120, 'all-or-none is asked for', order({}, { allOrNone: true })],
    [102120, 'the pool is not the market’s', order({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102120, 'the taker is the owner', async (world) => order({ taker: world.alice.owner })(world)],
    [102020, 'more is bought than the market allows', order({ buyToken: { tokenId: 0, volume: String(10n ** 27n) } })],
    [104004, 'the signature is empty', order({}, { eddsaSignature: '' })],
    [104005, 'the signature is malformed', order({}, { eddsaSignature: '0x12' })],
    [104005, 'the signature is another', async (world) => order({}, { eddsaSignature: world.bob.eddsa(5n) })(world)],
    [104005, 'a signed field changed', order({}, { maxFeeBips: 61 })],
  ],
  cancelOrder: [
    [102117, 'there is no such order', ({ alice }) => alice.cancel({ orderHash: `0x${'77'.repeat(32)}` })],
    [
      102117,
      'the order is another account’s',
      async ({ alice, bob }) => {
        const reply = await bob.submit(await bob.order([LRC, 10n * ether], [ETH, ether]));
        return alice.cancel({ orderHash: reply.body.hash });
      },
    ],
    [
      102118,
      'the database is in trouble',
      async (world) => {
        const reply = await order({})(world);
        await failNext(world.test, 'cancel');
        return world.alice.cancel({ orderHash: reply.body.hash });
      },
    ],
  ],
  cancelOrdersByHash: [
    [
      102117,
      'none is open',
      ({ alice }) =>
        alice.signed('DELETE', '/api/v3/orders/byHash', {
          query: { accountId: alice.accountId, orderHash: `0x${'77'.repeat(32)}` },
        }),
    ],
  ],
} satisfies Record<string, readonly RefusalCase[]>;
