import type { TestRelayer } from '../startRelayer.ts';
import { LRC_ETH_POOL } from '../testAccount.ts';
import { ether, type World } from '../validCalls.ts';
import { type RefusalCase, SMALL_FEE } from './refusalCase.ts';

export const nftRefusals = {
  mintNft: [
    [102001, 'the exchange is another', mint({ exchange: `0x${'12'.repeat(20)}` })],
    [102022, 'the minter is another', async (world) => mint({ minterAddress: world.bob.owner })(world)],
    [102023, 'the receiver is not the minter', async (world) => mint({ toAddress: world.bob.owner })(world)],
    [102024, 'the fee token pays no fees', mint({ maxFee: { tokenId: 5, amount: '100000' } })],
    [102040, 'the NFT exists', mint({ nftId: `0x${'11'.repeat(32)}` })],
    [104004, 'the signature is missing', mint({}, { eddsaSignature: undefined })],
    [104005, 'the royalty changed', mint({}, { creatorFeeBips: 6 })],
    [108003, 'the contract is another', mint({ tokenAddress: `0x${'34'.repeat(20)}` })],
    [
      108003,
      'the factory is a third party’s',
      async (world) =>
        mint({
          counterFactualNftInfo: { nftFactory: `0x${'34'.repeat(20)}`, nftOwner: world.alice.owner, nftBaseUri: '' },
        })(world),
    ],
    [114002, 'the fee ceiling is too low', mint({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  transferNft: [
    [102001, 'the exchange is another', nftTransfer({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the slot holds another NFT', nftTransfer({}, { nftData: `0x${'01'.repeat(32)}` })],
    [102011, 'the account has fewer', nftTransfer({}, {}, 1_000_000n)],
    [102022, 'the sender is another', async (world) => nftTransfer({ fromAddress: world.bob.owner })(world)],
    [102023, 'the receiver’s id and address differ', nftTransfer({ toAccountId: 1 })],
    [114002, 'the fee ceiling is too low', nftTransfer({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  withdrawNft: [
    [102001, 'the exchange is another', nftWithdrawal({ exchange: `0x${'12'.repeat(20)}` })],
    [102022, 'the owner is another', async (world) => nftWithdrawal({ owner: world.bob.owner })(world)],
    [102024, 'the fee token pays no fees', nftWithdrawal({ maxFee: { tokenId: 5, amount: '100000' } })],
    [
      100001,
      'the contract is not deployed',
      async ({ test }) => {
        const carol = await test.account();
        const { body } = await carol.post('/api/v3/nft/mint', await carol.mint(`0x${'44'.repeat(32)}`, 1n));
        await test.block();
        const held = { tokenId: body.nftTokenId, nftData: body.nftData };
        return carol.post('/api/v3/nft/withdrawal', await carol.nftWithdrawal(held, 1n));
      },
    ],
  ],
  deployTokenAddress: [
    [
      100001,
      'the contract is deployed already',
      async (world) => deploy(world, await world.alice.deployment(world.nft.nftData)),
    ],
    [
      100001,
      'the NFT is of another contract',
      async (world) =>
        deploy(world, { ...(await world.alice.deployment(world.nft.nftData)), tokenAddress: LRC_ETH_POOL.address }),
    ],
    [
      102025,
      'the fee’s token is another',
      async (world) => {
        const body = await world.alice.deployment(world.nft.nftData, { maxFee: { tokenId: 1, volume: '0' } });
        return deploy(world, body);
      },
    ],
    [
      102023,
      'the receiver is not the broker',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData, { payeeAddr: carol.place.exchange });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
    [
      114002,
      'the fee is too low',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData, { token: { tokenId: 0, volume: '5' } });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
  ],
  validateOrder: [
    [102001, 'the exchange is another', nftOrder({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the bought NFT does not exist', nftPurchase({ nftData: `0x${'01'.repeat(32)}` })],
    [102004, 'the storage id is odd', nftOrder({ storageId: 7 })],
    [102006, 'the allowed fee is below the rate', nftOrder({ maxFeeBips: 49 })],
    [102008, 'the deadline passed', nftOrder({ validUntil: 1_700_000_000 })],
    [102010, 'the signature is missing', nftOrder({}, { eddsaSignature: undefined })],
    [102011, 'fewer are held than sold', nftOrder({ sellToken: { tokenId: 32_768, amount: '1000000' } })],
    [102012, 'the quote amount is below the market’s minimum', nftOrder({ buyToken: { tokenId: 0, amount: '5' } })],
    [
      102020,
      'the quote amount is above the market’s maximum',
      nftOrder({ buyToken: { tokenId: 0, amount: String(10n ** 27n) } }),
    ],
    [
      102021,
      'the storage id carries another order',
      async (world) => {
        await nftOrder({ storageId: 9_000 })(world);
        return nftOrder({ storageId: 9_000, buyToken: { tokenId: 0, amount: String(2n * ether) } })(world);
      },
    ],
    [102022, 'the sold slot holds nothing', nftOrder({ sellToken: { tokenId: 40_000, amount: '1' } })],
    [102023, 'the taker has no account', nftOrder({ taker: `0x${'56'.repeat(20)}` })],
    [102024, 'the quote token pays no fees', nftOrder({ buyToken: { tokenId: 5, amount: '20000' } })],
    [
      102025,
      'neither side is an NFT',
      nftOrder({}, { buyToken: { tokenId: 0, amount: '1' }, sellToken: { tokenId: 1, amount: '1' } }),
    ],
    [102120, 'the taker is the owner', async (world) => nftOrder({ taker: world.alice.owner })(world)],
    [104005, 'a signed field changed', nftOrder({}, { maxFeeBips: 61 })],
  ],
} satisfies Record<string, readonly RefusalCase[]>;

function mint(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/nft/mint', { ...(await alice.mint(`0x${'33'.repeat(32)}`, 1n, change)), ...after });
}

function nftTransfer(change: Record<string, unknown>, token: object = {}, amount = 1n) {
  return async ({ alice, bob, nft }: World) =>
    alice.post('/api/v3/nft/transfer', await alice.nftTransfer(bob.owner, { ...nft, ...token }, amount, change));
}

function nftWithdrawal(change: Record<string, unknown>) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/withdrawal', await alice.nftWithdrawal(nft, 1n, change));
}

function nftOrder(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/validateOrder', {
      ...(await alice.nftOrder({ tokenId: nft.tokenId, amount: '1' }, { tokenId: 0, amount: String(ether) }, change)),
      ...after,
    });
}

function nftPurchase(change: Record<string, unknown>) {
  return async ({ alice }: World) => {
    const bought = { tokenId: 32_768, amount: '1', ...change } as { tokenId: number; amount: string };
    return alice.post('/api/v3/nft/validateOrder', await alice.nftOrder({ tokenId: 0, amount: String(ether) }, bought));
  };
}

function deploy({ alice }: World, body: object) {
  return alice.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
}

async function freshMinter(test: TestRelayer) {
  const carol = await test.account();
  const { body } = await carol.post('/api/v3/nft/mint', await carol.mint(`0x${'44'.repeat(32)}`, 1n));
  return { carol, nftData: body.nftData };
}
