import { formatHash } from '../../../../src/protocol/formatHash.ts';
import { nftOrderHash } from '../../../../src/protocol/payloads/nftOrder.ts';
import type { TestRelayer } from '../startRelayer.ts';
import { LRC_ETH_POOL, NFT_FACTORY } from '../testAccount.ts';
import { ether } from '../tokens.ts';
import type { World } from '../validCalls.ts';
import { failNext, type RefusalCase, SMALL_FEE } from './refusalCase.ts';

export const nftRefusals = {
  mintNft: [
    [100001, 'the deadline passed', mint({ validUntil: 1_700_000_000 })],
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
    [108003, 'another owns the contract', async (world) => mintUnder(world.bob.owner)(world)],
    [100001, 'the contract has a base URI', async (world) => mintUnder(world.alice.owner, 'ipfs://')(world)],
    [114002, 'the fee ceiling is too low', mint({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  transferNft: [
    [100001, 'the amount is zero', nftTransfer({}, {}, 0n)],
    [100001, 'the deadline passed', nftTransfer({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', nftTransfer({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the slot holds another NFT', nftTransfer({}, { nftData: `0x${'01'.repeat(32)}` })],
    [102011, 'the account has fewer', nftTransfer({}, {}, 1_000_000n)],
    [102022, 'the sender is another', async (world) => nftTransfer({ fromAddress: world.bob.owner })(world)],
    [102023, 'the receiver’s id and address differ', nftTransfer({ toAccountId: 1 })],
    [114002, 'the fee ceiling is too low', nftTransfer({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  withdrawNft: [
    [100001, 'the amount is zero', nftWithdrawal({}, 0n)],
    [100001, 'the gas is above what the fee covers', nftWithdrawal({ minGas: 10_001 })],
    [100001, 'the deadline passed', nftWithdrawal({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', nftWithdrawal({ exchange: `0x${'12'.repeat(20)}` })],
    [102022, 'the owner is another', async (world) => nftWithdrawal({ owner: world.bob.owner })(world)],
    [102024, 'the fee token pays no fees', nftWithdrawal({ maxFee: { tokenId: 5, amount: '100000' } })],
    [
      100001,
      'the contract is not deployed',
      async ({ test }) => {
        const { carol, held } = await freshMinter(test);
        await test.block();
        return carol.post('/api/v3/nft/withdrawal', await carol.nftWithdrawal(held, 1n));
      },
    ],
  ],
  deployTokenAddress: [
    [
      100001,
      'the deadline passed',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData, { validUntil: 1_700_000_000 });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
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
      102014,
      'the fee cannot be frozen',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData);
        await failNext(test, 'freeze');
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
    [
      102021,
      'the storage id carries another request',
      async ({ test, bob }) => {
        const { carol, nftData } = await freshMinter(test);
        const transfer = await carol.transfer(bob.owner, [0, 1n]);
        await carol.post('/api/v3/transfer', transfer);
        const body = await carol.deployment(nftData, { storageId: transfer.storageId });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
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
    [
      102002,
      'the sold slot holds another NFT than the order names',
      nftOrder({ sellToken: { tokenId: 32_768, amount: '1', nftData: `0x${'01'.repeat(32)}` } }),
    ],
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
    [104004, 'the signature is empty', nftOrder({}, { eddsaSignature: '' })],
    [104005, 'the signature is malformed', nftOrder({}, { eddsaSignature: '0x12' })],
    [104005, 'a signed field changed', nftOrder({}, { maxFeeBips: 61 })],
  ],
  tradeNft: [
    [100001, 'the fees shall be ignored', nftTrade({ ignoreFees: true })],
    [102001, 'the exchange of an order is another', nftTrade({}, { exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the orders name different NFTs', nftTrade({ otherNft: true })],
    [102003, 'the account of an order does not exist', nftTrade({}, { accountId: 4_000_000 })],
    [102004, 'the storage id of an order is odd', nftTrade({}, { storageId: 7 })],
    [102006, 'the fee is above what the order allows', nftTrade({ takerFeeBips: 61 })],
    [102006, 'the fee is below the rate', nftTrade({ makerFeeBips: 49 })],
    [102006, 'the fee is none', nftTrade({ makerFeeBips: 0 })],
    [102008, 'the deadline of an order passed', nftTrade({}, { validUntil: 1_700_000_000 })],
    [102010, 'the signature of an order is missing', nftTrade({ taker: { eddsaSignature: undefined } })],
    [102011, 'the seller has too few', nftTrade({}, { sellToken: { tokenId: 32_768, amount: '1000000' } })],
    [102012, 'the price is below the market’s minimum', nftTrade({}, { buyToken: { tokenId: 0, amount: '5' } })],
    [
      102020,
      'the price is above the market’s maximum',
      nftTrade({}, { buyToken: { tokenId: 0, amount: `1${'0'.repeat(27)}` } }),
    ],
    [
      102021,
      'the storage id of an order carries another',
      async (world) => {
        await nftTrade({}, { storageId: 9_200 })(world);
        return nftTrade({}, { storageId: 9_200, buyToken: { tokenId: 0, amount: '99990000000000000' } })(world);
      },
    ],
    [102022, 'the sold slot holds nothing', nftTrade({}, { sellToken: { tokenId: 40_000, amount: '1' } })],
    [
      102023,
      'another is named as taker',
      async (world) => nftTrade({}, { taker: (await world.test.account()).owner })(world),
    ],
    [102024, 'the price is in a token that pays no fees', nftTrade({}, { buyToken: { tokenId: 5, amount: '20000' } })],
    [
      102025,
      'the prices are in different tokens',
      nftTrade({}, { buyToken: { tokenId: 1, amount: `${100n * ether}` } }),
    ],
    [
      102120,
      'the seller asks for more than the buyer gives',
      nftTrade({}, { buyToken: { tokenId: 0, amount: `${ether}` } }),
    ],
    [102120, 'both orders sell', nftTrade({ bothSell: true })],
    [
      102120,
      'both orders are of one account',
      async (world) => {
        const price = { tokenId: 0, amount: String(ether / 10n) };
        const bought = { ...world.nft, amount: '1' };
        const taker = await world.alice.nftOrder(price, bought, { fillAmountBOrS: true });
        return nftTrade({ taker })(world);
      },
    ],
    [
      102120,
      'an order was cancelled',
      async (world) => {
        const body = await nftPair(world, {});
        await world.alice.post('/api/v3/nft/validateOrder', body.maker);
        await world.alice.cancel({ orderHash: formatHash(nftOrderHash(body.maker)) });
        return sendTrade(world, body);
      },
    ],
    [104005, 'a signed field of an order changed', nftTrade({ taker: { maxFeeBips: 61 } })],
  ],
} satisfies Record<string, readonly RefusalCase[]>;

function mint(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/nft/mint', { ...(await alice.mint(`0x${'33'.repeat(32)}`, 1n, change)), ...after });
}

const mintUnder = (nftOwner: string, nftBaseUri = '') =>
  mint({ counterFactualNftInfo: { nftFactory: NFT_FACTORY, nftOwner, nftBaseUri } });

function nftTransfer(change: Record<string, unknown>, token: object = {}, amount = 1n) {
  return async ({ alice, bob, nft }: World) =>
    alice.post('/api/v3/nft/transfer', await alice.nftTransfer(bob.owner, { ...nft, ...token }, amount, change));
}

function nftWithdrawal(change: Record<string, unknown>, amount = 1n) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/withdrawal', await alice.nftWithdrawal(nft, amount, change));
}

function nftOrder(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/validateOrder', {
      ...(await alice.nftOrder({ tokenId: nft.tokenId, amount: '1' }, { tokenId: 0, amount: String(ether) }, change)),
      ...after,
    });
}

interface TradeChange {
  readonly ignoreFees?: boolean;
  readonly makerFeeBips?: number;
  readonly takerFeeBips?: number;
  /** After it was signed. */
  readonly taker?: object;
  readonly otherNft?: boolean;
  readonly bothSell?: boolean;
}

/** A sale of Alice that Bob takes; `sale` changes what Alice signs. */
async function nftPair(
  world: World,
  sale: Record<string, unknown>,
  { otherNft, bothSell, taker, ...fees }: TradeChange = {},
) {
  const { alice, bob, nft } = world;
  const price = { tokenId: 0, amount: String(ether / 10n) };
  const one = { ...nft, amount: '1' };
  const nftData = otherNft ? (await mintedBy(world)).nftData : nft.nftData;
  const sold = { sellToken: { tokenId: nft.tokenId, amount: '1' }, buyToken: price, ...sale };
  const maker = await alice.nftOrder(sold.sellToken, sold.buyToken, sale);
  const purchase = bothSell
    ? await bob.nftOrder({ tokenId: (await mintedBy(world)).tokenId, amount: '1' }, price)
    : await bob.nftOrder(price, { ...one, nftData }, { fillAmountBOrS: true });
  return { maker, makerFeeBips: 60, taker: { ...purchase, ...taker }, takerFeeBips: 60, ...fees };
}

/** An NFT of Bob's own. */
async function mintedBy({ test, bob }: World) {
  const { body } = await bob.post(
    '/api/v3/nft/mint',
    await bob.mint(`0x${'77'.repeat(32)}`, 5n, { forceToMint: true }),
  );
  await test.block();
  return { tokenId: body.nftTokenId as number, nftData: body.nftData as `0x${string}` };
}

const sendTrade = ({ bob }: World, body: object) => bob.signed('POST', '/api/v3/nft/trade', { body });

function nftTrade(change: TradeChange, sale: Record<string, unknown> = {}) {
  return async (world: World) => sendTrade(world, await nftPair(world, sale, change));
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
  return { carol, held: { tokenId: body.nftTokenId, nftData: body.nftData }, nftData: body.nftData };
}
