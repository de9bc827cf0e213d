import type { TestRelayer } from './startRelayer.ts';
import { LRC_ETH_POOL, type NftPlace, TestAccount } from './testAccount.ts';
import { ether } from './tokens.ts';

const [ETH, LRC] = [0, 1];
const CONTRACT = `0x${'c7'.repeat(20)}`;

const nftId = (id: number): `0x${string}` => `0x${id.toString(16).padStart(64, '0')}`;

/**
 * Everything that moves something, once at least: deposits, fills of book and pool, joins, exits,
 * transfers, withdrawals, NFTs of layer 1 and layer 2, trades of NFTs. Amounts have more digits
 * than block floats where a request may have them.
 * @returns The two accounts that did it; the first has an order open that is partly filled.
 */
export async function everyTransaction(test: TestRelayer): Promise<[TestAccount, TestAccount]> {
  const [a, b] = [await test.account(), await test.account()];
  const newcomer = new TestAccount(test.place);
  const done = async (reply: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await reply;
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as { readonly data?: NftPlace[] };
  };
  await done(
    test.call('POST', '/dev/deposit', { body: { owner: a.owner, symbol: 'LRC', amount: '1234567890123456789' } }),
  );
  const nft = { owner: b.owner, tokenAddress: CONTRACT, nftId: nftId(7), amount: '3' };
  await done(test.call('POST', '/dev/nftDeposit', { body: nft }));
  await test.block();

  await done(a.submit(await a.order([LRC, 3_000n * ether + 1n], [ETH, ether / 5n + 3n])));
  await done(b.submit(await b.order([ETH, ether / 10n + 7n], [LRC, 1_000n * ether + 1n], { fillAmountBOrS: true })));
  const pool = { tradeChannel: 'AMM_POOL', poolAddress: LRC_ETH_POOL.address };
  await done(b.submit(await b.order([ETH, ether / 3n], [LRC, 4_000n * ether], pool)));
  await done(
    b.submit(
      await b.order([LRC, 4_000n * ether], [ETH, ether / 5n + 11n], {
        ...pool,
        fillAmountBOrS: true,
      }),
    ),
  );
  await test.block();

  await done(a.post('/api/v3/amm/join', await a.join(LRC_ETH_POOL, [12_345n * ether + 67n, ether + 89n])));
  await done(a.post('/api/v3/transfer', await a.transfer(newcomer.owner, [ETH, ether / 7n])));
  await test.block();
  const { total: shares } = await a.balance(LRC_ETH_POOL.lp);
  await done(a.post('/api/v3/amm/exit', await a.exit(LRC_ETH_POOL, shares / 3n)));
  await done(b.post('/api/v3/user/withdrawals', await b.withdrawal([ETH, ether / 9n])));
  await done(a.post('/api/v3/nft/mint', await a.mint(nftId(1), 123_456_789n)));
  await test.block();

  const { data: [minted] = [] } = await done(a.get('/api/v3/user/nft/balances'));
  const { data: [arrived] = [] } = await done(b.get('/api/v3/user/nft/balances'));
  if (!minted || !arrived) throw new Error('an NFT is missing');
  const { tokenId, nftData } = minted;
  const eth = (amount: bigint) => ({ tokenId: ETH, amount: String(amount) });
  const sold = { tokenId, nftData, amount: '1234567' };
  const trade = {
    ...{ maker: await a.nftOrder(sold, eth(ether / 11n)), makerFeeBips: 60, matchByTaker: false },
    ...{ taker: await b.nftOrder(eth(ether / 10n), sold, { fillAmountBOrS: true }), takerFeeBips: 55 },
  };
  await done(a.signed('POST', '/api/v3/nft/trade', { body: trade }));
  await done(a.post('/api/v3/nft/transfer', await a.nftTransfer(b.owner, minted, 12_345_678n)));
  await done(b.post('/api/v3/nft/transfer', await b.nftTransfer(newcomer.owner, arrived, 3n)));
  await test.block();
  await done(a.signed('POST', '/api/v3/nft/deployTokenAddress', { body: await a.deployment(minted.nftData) }));
  await test.advance(60_000);
  await test.block();
  await done(a.post('/api/v3/nft/withdrawal', await a.nftWithdrawal(minted, 5n)));
  await done(b.post('/api/v3/transfer', await b.transfer(a.owner, [LRC, 1_234_567_891_234_567_891n])));
  await test.block();
  return [a, b];
}
