import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatHash } from '../../src/protocol/formatHash.ts';
import { relayerErrors } from '../../src/protocol/index.ts';
import { ZERO_ADDRESS } from '../../src/protocol/limits.ts';
import { nftOrderHash } from '../../src/protocol/payloads/nftOrder.ts';
import { nftTradeHash } from '../../src/protocol/payloads/nftTrade.ts';
import type { RelayerConfigInput } from '../../src/relayer/config.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startFakeL1Node } from './support/fakeL1Node.ts';
import { startOnPostgres, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { type NftPlace, randomSecretKey, type TestAccount } from './support/testAccount.ts';
import { ETH, ether } from './support/tokens.ts';

const TRADE = '/api/v3/nft/trade';
const VALIDATE = '/api/v3/nft/validateOrder';
const ROYALTY_BIPS = 40;

type Order = Awaited<ReturnType<TestAccount['nftOrder']>>;
const hashOf = (order: Order) => formatHash(nftOrderHash(order));

describe('NFT orders', () => {
  let test: TestRelayer;
  let creator: TestAccount;
  let seller: TestAccount;
  let buyer: TestAccount;
  let nft: NftPlace;
  beforeAll(async () => {
    test = await startOnPostgres();
    [creator, seller, buyer] = [await test.account(), await test.account(), await test.account()];
    const nftId = `0x${'e1'.repeat(32)}` as const;
    const mint = await creator.post(
      '/api/v3/nft/mint',
      await creator.mint(nftId, 100n, { creatorFeeBips: ROYALTY_BIPS }),
    );
    await test.block();
    const own = { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData };
    await creator.post('/api/v3/nft/transfer', await creator.nftTransfer(seller.owner, own, 60n));
    // The buyer holds something else in the first slot, so that the two slots of the NFT differ.
    await buyer.post('/api/v3/nft/mint', await buyer.mint(nftId, 1n));
    await test.block();
    const { body } = await seller.get('/api/v3/user/nft/balances');
    nft = { tokenId: body.data[0].tokenId, nftData: own.nftData };
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const price = (amount: bigint) => ({ tokenId: ETH, amount: String(amount) });
  const count = (amount: number) => ({ ...nft, amount: String(amount) });
  const sale = (amount: number, least: bigint, changes: Record<string, unknown> = {}) =>
    seller.nftOrder(count(amount), price(least), changes);
  const purchase = (amount: number, most: bigint, changes: Record<string, unknown> = {}) =>
    buyer.nftOrder(price(most), count(amount), { fillAmountBOrS: true, ...changes });
  const trade = (maker: Order, taker: Order, more: object = {}, by = buyer) =>
    by.signed('POST', TRADE, { body: { maker, makerFeeBips: 60, taker, takerFeeBips: 50, ...more } });
  const nftsOf = async (account: TestAccount) => {
    const { body } = await account.get('/api/v3/user/nft/balances', { nftDatas: nft.nftData });
    const { tokenId = 0, total = '0', locked = '0' } = body.data[0] ?? {};
    return { tokenId, total: BigInt(total), locked: BigInt(locked) };
  };
  const orderOf = async (account: TestAccount, order: Order) => account.orderOf(hashOf(order));
  const balances = async () => ({
    creator: (await creator.balance(ETH)).total,
    seller: (await seller.balance(ETH)).total,
    buyer: (await buyer.balance(ETH)).total,
    operator: await operatorBalance(test),
  });
  const audited = async () => expect(await auditDatabase(test.relayer.db)).toEqual([]);

  it('hold what they sell, are listed, and are cancelled', async () => {
    const free = await nftsOf(seller);
    const order = await sale(50, ether, { clientOrderId: 'my sale' });
    const ack = await seller.post(VALIDATE, order);
    expect(ack.body).toMatchObject({ hash: hashOf(order), status: 'processing', isIdempotent: false });
    expect((await seller.post(VALIDATE, order)).body).toMatchObject({ status: 'processing', isIdempotent: true });
    expect((await nftsOf(seller)).locked).toBe(free.locked + 50n);
    const again = await seller.post(VALIDATE, await sale(11, ether));
    expect(again.body.resultInfo.code).toBe(102011);

    const listed = (await seller.get('/api/v3/orders', { status: 'processing', market: 'NFT-ETH' })).body.orders;
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({
      hash: hashOf(order),
      market: 'NFT-ETH',
      side: 'SELL',
      nftData: nft.nftData,
      status: 'processing',
      price: '0.02',
      volumes: { baseAmount: '50', quoteAmount: String(ether), baseFilled: '0', quoteFilled: '0', fee: '0' },
    });
    expect((await seller.cancel({ clientOrderId: 'my sale' })).body).toMatchObject({ status: 'cancelled' });
    expect(await nftsOf(seller)).toEqual(free);
    expect((await trade(order, await purchase(50, ether))).body.resultInfo.code).toBe(102120);
    expect((await seller.post(VALIDATE, order)).body).toMatchObject({ status: 'failed', isIdempotent: true });
    await audited();
  });

  it('hold the price and the highest fee of a purchase', async () => {
    const before = await buyer.balance(ETH);
    const order = await purchase(1, ether, { maxFeeBips: 60 });
    await buyer.post(VALIDATE, order);
    expect((await buyer.balance(ETH)).locked - before.locked).toBe(ether + (ether * 60n) / 10_000n);
    await buyer.cancel({ orderHash: hashOf(order) });
    expect(await buyer.balance(ETH)).toEqual(before);
    await audited();
  });

  it('end by their deadline', async () => {
    const order = await sale(2, ether, { validUntil: await seller.inSeconds(60) });
    await seller.post(VALIDATE, order);
    await test.advance(61_000);
    await test.block();
    expect(await orderOf(seller, order)).toMatchObject({ status: 'expired' });
    expect((await nftsOf(seller)).locked).toBe(0n);
    expect((await trade(order, await purchase(2, ether))).body.resultInfo.code).toBe(102008);
    await audited();
  });

  it('end by a larger storage id in their slot', async () => {
    const first = await sale(3, ether);
    await seller.post(VALIDATE, first);
    const second = await sale(4, ether, { storageId: first.storageId + 16_384 });
    expect((await seller.post(VALIDATE, second)).body).toMatchObject({ status: 'processing' });
    expect(await orderOf(seller, first)).toMatchObject({ status: 'cancelled' });
    expect((await nftsOf(seller)).locked).toBe(4n);
    expect(
      (await seller.post(VALIDATE, await sale(1, ether, { storageId: first.storageId + 2 * 16_384 }))).status,
    ).toBe(200);
    expect(await orderOf(seller, second)).toMatchObject({ status: 'cancelled' });
    await seller.signed('DELETE', '/api/v3/order', {
      query: { accountId: seller.accountId, orderHash: await onlyOpen() },
    });
    expect((await nftsOf(seller)).locked).toBe(0n);
    await audited();
  });

  const onlyOpen = async () => (await seller.get('/api/v3/orders', { status: 'processing' })).body.orders[0].hash;

  it('end by the update of the key that signed them', async () => {
    const carol = await test.account();
    const order = await carol.nftOrder(price(ether), count(1), { fillAmountBOrS: true });
    await carol.post(VALIDATE, order);
    await carol.activate(randomSecretKey());
    await test.block();
    await carol.login();
    expect(await orderOf(carol, order)).toMatchObject({ status: 'cancelled' });
    await audited();
  });

  it('are traded: NFTs, price, both fees and the royalty change hands once', async () => {
    const before = await balances();
    const held = await nftsOf(seller);
    const [maker, taker] = [await sale(10, ether), await purchase(10, ether)];
    await seller.post(VALIDATE, maker);
    const reply = await trade(maker, taker);
    const buyerSlot = (await nftsOf(buyer)).tokenId;
    expect(buyerSlot).not.toBe(nft.tokenId);
    const sellerFee = (ether * 60n) / 10_000n;
    const buyerFee = (ether * 50n) / 10_000n;
    const royalty = (ether * BigInt(ROYALTY_BIPS)) / 10_000n;
    expect(reply.body).toEqual({
      makerFills: {
        orderHash: hashOf(maker),
        sellFilled: { tokenId: nft.tokenId, nftData: nft.nftData, amount: '10' },
        buyFilled: { tokenId: ETH, amount: String(ether) },
        fee: { tokenId: ETH, amount: String(sellerFee) },
      },
      takerFills: {
        orderHash: hashOf(taker),
        sellFilled: { tokenId: ETH, amount: String(ether) },
        buyFilled: { tokenId: buyerSlot, nftData: nft.nftData, amount: '10' },
        fee: { tokenId: ETH, amount: String(buyerFee) },
      },
      tradeHash: formatHash(nftTradeHash({ maker, taker })),
    });
    expect(await balances()).toEqual({
      creator: before.creator + royalty,
      seller: before.seller + ether - sellerFee,
      buyer: before.buyer - ether - buyerFee,
      operator: before.operator + sellerFee + buyerFee - royalty,
    });
    expect(await nftsOf(seller)).toEqual({ ...held, total: held.total - 10n });
    expect(await nftsOf(buyer)).toEqual({ tokenId: buyerSlot, total: 10n, locked: 0n });
    expect((await trade(maker, taker)).body).toEqual(reply.body);
    expect(await balances()).toMatchObject({ creator: before.creator + royalty });
    expect(await orderOf(seller, maker)).toMatchObject({ status: 'processed' });
    expect(await orderOf(buyer, taker)).toMatchObject({ status: 'processed' });
    await audited();

    await test.block();
    const [row] = (await seller.get('/api/v3/user/nft/trades', { orderHash: hashOf(taker) })).body.trades;
    const blockOf = await seller.get('/api/v3/block/getBlock', { id: Number(row[11]) });
    const written = blockOf.body.transactions[Number(row[12])];
    expect(row.slice(1, 11)).toEqual([
      reply.body.tradeHash,
      hashOf(maker),
      hashOf(taker),
      '0.10000000',
      nft.nftData,
      '10',
      String(nft.tokenId),
      String(ETH),
      String(sellerFee),
      String(buyerFee),
    ]);
    expect(row.slice(13)).toEqual(
      [seller.accountId, buyer.accountId, maker.storageId, taker.storageId, Number(row[17]), buyer.accountId].map(
        String,
      ),
    );
    // The taker's order comes first, as in trades of tokens; the buyer's own slot is what it
    // bought.
    expect(written).toMatchObject({
      txType: 'SpotTrade',
      valid: true,
      orderA: {
        accountID: buyer.accountId,
        storageID: taker.storageId,
        tokenS: ETH,
        tokenB: buyerSlot,
        feeBips: 50,
        nftData: nft.nftData,
        isAmm: false,
      },
      orderB: {
        accountID: seller.accountId,
        storageID: maker.storageId,
        tokenS: nft.tokenId,
        tokenB: ETH,
        feeBips: 60,
        fillS: 10,
      },
    });
    const paid = blockOf.body.transactions[Number(row[12]) + 1];
    expect(paid).toMatchObject({
      txType: 'Transfer',
      toAccountId: creator.accountId,
      token: { amount: String(royalty) },
    });
    const received = await creator.get('/api/v3/user/transfers');
    expect(received.body.transactions[0]).toMatchObject({
      memo: 'NFT royalty',
      amount: String(royalty),
      receiver: creator.accountId,
    });
  });

  it('are refused for a buyer without a free slot, whose side is named', async () => {
    const { db } = test.relayer;
    const full = await test.account();
    await db.query(
      'INSERT INTO nft_slots SELECT $1, 65535, nft_data FROM nfts WHERE nft_data <> $2 ORDER BY nft_data LIMIT 1',
      [full.accountId, nft.nftData],
    );
    const buying = await full.nftOrder(price(ether / 10n), count(1), { fillAmountBOrS: true });
    const { resultInfo } = (await trade(await sale(1, ether / 10n), buying, {}, full)).body;
    expect(resultInfo).toMatchObject({ code: 102028, message: 'taker: the account has no free NFT slot' });
    await db.query('DELETE FROM nft_slots WHERE account_id = $1', [full.accountId]);
  });

  it('are filled in parts, each part a trade, at the price of the maker or on request of the taker', async () => {
    const whole = await sale(9, (9n * ether) / 10n);
    const first = await purchase(2, ether / 2n);
    const part = await trade(whole, first);
    expect(part.body.takerFills.sellFilled.amount).toBe(String(ether / 5n));
    expect(await orderOf(seller, whole)).toMatchObject({
      status: 'processing',
      volumes: { baseFilled: '2', quoteFilled: String(ether / 5n) },
    });
    expect((await nftsOf(seller)).locked).toBe(7n);
    const second = await purchase(7, (14n * ether) / 10n);
    const rest = await trade(whole, second, { matchByTaker: true });
    expect(rest.body.takerFills.sellFilled.amount).toBe(String((14n * ether) / 10n));
    expect(await orderOf(seller, whole)).toMatchObject({ status: 'processed' });
    expect((await nftsOf(seller)).locked).toBe(0n);
    await audited();
  });

  it.each([
    [false, {}],
    [true, {}],
    [false, { fillAmountBOrS: true }],
  ])(
    'are traded at a price with more digits than a block holds, which is rounded down; by the price of the taker: %s, sale %o',
    async (matchByTaker, changes) => {
      const long = (ether * 600_009n) / 10_000_000n;
      const rounded = (ether * 6n) / 100n;
      const [sold, bought] = [await sale(1, long, changes), await purchase(1, long)];
      expect((await seller.post(VALIDATE, sold)).status).toBe(200);
      const before = await balances();
      const { body } = await trade(sold, bought, { matchByTaker });
      expect(body.makerFills).toMatchObject({ buyFilled: price(rounded), sellFilled: { amount: '1' } });
      const after = await balances();
      expect(before.buyer - after.buyer).toBe(rounded + (rounded * 50n) / 10_000n);
      expect(after.seller - before.seller).toBe(rounded - (rounded * 60n) / 10_000n);
      expect(await orderOf(seller, sold)).toMatchObject({ status: 'processed' });
      expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processed' });
      expect((await seller.balance(ETH)).locked + (await buyer.balance(ETH)).locked).toBe(0n);
      await audited();
    },
  );

  it.each([
    [3, (ether * 999_999n) / 10_000_000n],
    [7, (ether * 864_199n) / 10_000_000n],
  ])('go whole at one price for %i of them, where both limits would let a part go', async (count, total) => {
    const [sold, bought] = [await sale(count, total), await purchase(count, total)];
    const { body } = await trade(sold, bought);
    expect(body.makerFills.sellFilled.amount).toBe(String(count));
    expect(await orderOf(seller, sold)).toMatchObject({ status: 'processed' });
    expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processed' });
    await audited();
  });

  it('go as many as both limits allow, where one transaction of a block moves only some of them', async () => {
    const [sold, bought] = [
      await sale(5, (ether * 123_456n) / 1_000_000n),
      await purchase(3, (ether * 740_736n) / 10_000_000n),
    ];
    const before = await balances();
    const { body } = await trade(sold, bought);
    const volume = (ether * 740_736n) / 10_000_000n;
    expect(body.takerFills).toMatchObject({ sellFilled: price(volume), buyFilled: { amount: '3' } });
    const after = await balances();
    expect(before.buyer - after.buyer).toBe(volume + (volume * 50n) / 10_000n);
    expect(after.seller - before.seller).toBe(volume - (volume * 60n) / 10_000n);
    expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processed' });
    expect(await orderOf(seller, sold)).toMatchObject({ status: 'processing', volumes: { baseFilled: '3' } });
    expect((await trade(sold, bought)).body).toEqual(body);
    await seller.cancel({ orderHash: hashOf(sold) });
    await test.block();
    await audited();
  });

  const unit = ether / 100n;
  it.each([false, true])(
    'cost the buyer their price, and not all that was signed; filled by count: %s',
    async (byCount) => {
      const [sold, bought] = [
        await sale(10, 10n * unit),
        await purchase(1, (19n * unit) / 10n, { fillAmountBOrS: byCount }),
      ];
      const before = await balances();
      const { body } = await trade(sold, bought);
      expect(body.takerFills).toMatchObject({ sellFilled: price(unit), buyFilled: { amount: '1' } });
      expect(before.buyer - (await balances()).buyer).toBe(unit + (unit * 50n) / 10_000n);
      expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processed' });
      expect((await buyer.balance(ETH)).locked).toBe(0n);
      await seller.cancel({ orderHash: hashOf(sold) });
      await audited();
    },
  );

  it('are traded only where both fees together cover the cost of a trade', async () => {
    const [cheap, before] = [await sale(10, ether / 1000n), await balances()];
    const part = await trade(cheap, await purchase(1, ether));
    expect(part.body.resultInfo).toMatchObject({ code: 102012, message: expect.stringMatching(/trade cost/) });
    expect(await balances()).toEqual(before);
    await audited();
  });

  it('end with a rest of the price that no NFT can be had for', async () => {
    const sold = await sale(2, 2n * unit, { fillAmountBOrS: true });
    expect((await trade(sold, await purchase(1, (11n * unit) / 10n), { matchByTaker: true })).status).toBe(200);
    expect(await orderOf(seller, sold)).toMatchObject({ status: 'processed', volumes: { baseFilled: '1' } });
    expect((await nftsOf(seller)).locked).toBe(0n);
    await audited();
  });

  it('stay until the last of three is bought, although a third of the price is no whole number', async () => {
    const bought = await purchase(3, unit);
    expect((await trade(await sale(2, unit / 2n), bought)).status).toBe(200);
    expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processing' });
    expect((await trade(await sale(1, unit / 4n), bought)).status).toBe(200);
    expect(await orderOf(buyer, bought)).toMatchObject({ status: 'processed' });
    await audited();
  });

  it('get the seller more than a price with too many digits where the buyer pays more', async () => {
    const [sold, bought] = [await sale(1, (ether * 600_001n) / 10_000_000n), await purchase(1, ether / 10n)];
    const { body } = await trade(sold, bought);
    expect(body.makerFills.buyFilled).toEqual(price((ether * 60_001n) / 1_000_000n));
    await audited();
  });

  it('are traded for somebody else, who gets nothing', async () => {
    const market = await test.account();
    const before = await market.balance(ETH);
    const reply = await trade(await sale(1, ether), await purchase(1, ether), {}, market);
    expect(reply.status).toBe(200);
    expect(await market.balance(ETH)).toEqual(before);
    const [row] = (await seller.get('/api/v3/user/nft/trades', { tradeHash: reply.body.tradeHash })).body.trades;
    expect(row[18]).toBe(String(market.accountId));
    expect((await market.get('/api/v3/user/nft/trades')).body).toEqual({ totalNum: 0, trades: [] });
  });

  it('are not traded for an account that the operator has suspended', async () => {
    const [maker, taker] = [await sale(1, ether), await purchase(1, ether)];
    await seller.post(VALIDATE, maker);
    const suspend = (suspended: boolean) =>
      test.relayer.db.query('UPDATE accounts SET suspended = $1 WHERE account_id = $2', [suspended, seller.accountId]);
    await suspend(true);
    expect((await trade(maker, taker)).body.resultInfo).toEqual({
      code: 102003,
      message: `maker: the operator of the exchange has suspended account ${seller.accountId}`,
    });
    await suspend(false);
    expect((await trade(maker, taker)).status).toBe(200);
  });

  it('are refused with the name of the order that is at fault', async () => {
    const [maker, taker] = [await sale(1, ether), await purchase(1, ether)];
    const free = { ...taker, buyToken: { ...taker.buyToken, amount: '0' } };
    const held = await purchase(1, ether, { clientOrderId: 'once' });
    await buyer.post(VALIDATE, held);
    const again = await purchase(1, ether, { clientOrderId: 'once' });
    const [malformed, named] = [await trade(maker, free), await trade(maker, again)];
    expect(malformed.body.resultInfo).toMatchObject({ message: expect.stringMatching(/^taker\.buyToken\.amount /) });
    expect(named.body.resultInfo.message).toBe('taker: clientOrderId once names another order of this account');
    await buyer.cancel({ orderHash: hashOf(held) });
  });

  it('name a trade by all their fields, not by the storage ids alone', async () => {
    const [maker, taker] = [await sale(1, ether), await purchase(1, ether)];
    expect((await trade(maker, taker)).status).toBe(200);
    const other = await purchase(1, 2n * ether, { storageId: taker.storageId });
    const reply = await trade(maker, other);
    expect(reply.body).toMatchObject({ resultInfo: { code: expect.any(Number) } });
    await audited();
  });

  it('are traded once by many that ask at the same time', async () => {
    const before = await nftsOf(buyer);
    const maker = await sale(1, ether);
    const takers = [
      await purchase(1, ether),
      await purchase(1, ether, { storageId: (await buyer.storageId(ETH)).orderId + 2 }),
    ];
    const replies = await Promise.all([...takers, ...takers].map((taker) => trade(maker, taker)));
    expect(new Set(replies.flatMap(({ body }) => body.tradeHash ?? [])).size).toBe(1);
    // Whoever sent the same bytes is told of the trade, however many waited for it.
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(replies.length / takers.length);
    expect((await nftsOf(buyer)).total).toBe(before.total + 1n);
    await audited();
  });

  it('of an NFT that names the zero address for its royalty pay the royalty to the minter', async () => {
    const { body } = await seller.post(
      '/api/v3/nft/mint',
      await seller.mint(`0x${'e3'.repeat(32)}`, 1n, { creatorFeeBips: ROYALTY_BIPS, royaltyAddress: ZERO_ADDRESS }),
    );
    await test.block();
    const token = { tokenId: body.nftTokenId, nftData: body.nftData, amount: '1' };
    const maker = await seller.nftOrder(token, price(ether));
    const taker = await buyer.nftOrder(price(ether), token, { fillAmountBOrS: true });
    const before = await balances();
    const reply = await trade(maker, taker);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const royalty = (ether * BigInt(ROYALTY_BIPS)) / 10_000n;
    expect((await balances()).seller).toBe(before.seller + ether - (ether * 60n) / 10_000n + royalty);
    await audited();
  });

  it('keep the receiver of the royalty that the first mint named, and another one is refused', async () => {
    const mint = async (royaltyAddress?: string) => {
      const changes = { creatorFeeBips: ROYALTY_BIPS, forceToMint: true, royaltyAddress };
      const { body } = await seller.post('/api/v3/nft/mint', await seller.mint(`0x${'e4'.repeat(32)}`, 1n, changes));
      await test.block();
      return body.resultInfo ?? body.status;
    };
    for (const same of [undefined, ZERO_ADDRESS, seller.owner]) expect(await mint(same)).toBe('received');
    expect(await mint(buyer.owner)).toEqual({
      code: 108003,
      message: `royaltyAddress: the royalties of this NFT go to ${seller.owner.toLowerCase()}`,
    });
    await audited();
  });

  it('ask of the seller at least the royalty', async () => {
    const reply = await creator.post(
      '/api/v3/nft/mint',
      await creator.mint(`0x${'e2'.repeat(32)}`, 1n, { creatorFeeBips: 61 }),
    );
    await test.block();
    const dear = { tokenId: reply.body.nftTokenId, nftData: reply.body.nftData, amount: '1' };
    expect((await creator.post(VALIDATE, await creator.nftOrder(dear, price(ether)))).body.resultInfo).toEqual({
      code: 102006,
      message: 'maxFeeBips: the royalty of this NFT is 61',
    });
    const maker = await creator.nftOrder(dear, price(ether), { maxFeeBips: 62 });
    const taker = await buyer.nftOrder(price(ether), dear, { fillAmountBOrS: true });
    expect((await trade(maker, taker)).body.resultInfo).toEqual({
      code: 102006,
      message: 'makerFeeBips: rate and royalty of this order ask for 61',
    });
    expect((await trade(maker, taker, { makerFeeBips: 61 })).status).toBe(200);
    await audited();
  });

  it('are listed newest first, or oldest first from an id on', async () => {
    const ids = async (query: Record<string, string | number | boolean>): Promise<number[]> => {
      const { body } = await seller.get('/api/v3/user/nft/trades', query);
      return body.trades.map(([id]: string[]) => Number(id));
    };
    for (let n = 0; n < 2; n++) await trade(await sale(1, ether), await purchase(1, ether));
    const newest = await ids({});
    expect(newest.length).toBeGreaterThan(1);
    expect(newest).toEqual(newest.toSorted((a, b) => b - a));
    expect(await ids({ isASC: true })).toEqual(newest.toReversed());
    expect(await ids({ isASC: true, startId: newest[1] as number })).toEqual([newest[1], newest[0]]);
    expect(await ids({ isASC: false, startId: newest[1] as number })).toEqual(newest.slice(1));
  });
});

/** A relayer with one who sells 200,000 of an NFT, and one who buys. */
async function nftExchange(input: RelayerConfigInput) {
  const test = await startRelayer(input);
  onTestFinished(() => test.close());
  const [seller, buyer] = [await test.account(), await test.account()];
  const mint = await seller.post(
    '/api/v3/nft/mint',
    await seller.mint(`0x${'e1'.repeat(32)}`, 200_000n, { creatorFeeBips: 0 }),
  );
  await test.block();
  const validUntil = await seller.inSeconds(86_400);
  const count = (amount: number) => ({
    ...{ tokenId: mint.body.nftTokenId, nftData: mint.body.nftData },
    amount: String(amount),
  });
  const price = (amount: bigint) => ({ tokenId: ETH, amount: String(amount) });
  return {
    test,
    sale: (amount: number, least: bigint) => seller.nftOrder(count(amount), price(least), { validUntil }),
    purchase: (amount: number, most: bigint) =>
      buyer.nftOrder(price(most), count(amount), { fillAmountBOrS: true, validUntil }),
    accept: async (order: Order) => {
      const account = order.accountId === seller.accountId ? seller : buyer;
      expect((await account.post(VALIDATE, order)).body.status).toBe('processing');
      return order;
    },
    trade: async (maker: Order, taker: Order, feeBips: number) => {
      const fees = { makerFeeBips: feeBips, takerFeeBips: feeBips };
      return (await buyer.signed('POST', TRADE, { body: { maker, taker, ...fees } })).body;
    },
  };
}

it(
  'NFT orders of an exchange without a fee for them are traded from the cost of a trade on',
  async () => {
    const { test, sale, purchase, trade } = await nftExchange({ nftBips: 0 });
    const total = ether / 1000n;
    const whole = await trade(await sale(100_000, total), await purchase(100_000, total), 1);
    const fee = { tokenId: ETH, amount: String(total / 10_000n) };
    expect(whole).toMatchObject({ makerFills: { fee }, takerFills: { fee } });
    const part = await trade(await sale(100_000, total), await purchase(1, total), 1);
    expect(part.resultInfo).toMatchObject({ code: 102012, message: expect.stringMatching(/^the price .* trade cost/) });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  },
  START_TIMEOUT_MS,
);

it(
  'NFT orders that were accepted are traded while layer 1 gives no gas price, and new ones are refused',
  async () => {
    const node = await startFakeL1Node();
    onTestFinished(() => node.close());
    const { test, sale, purchase, accept, trade } = await nftExchange({ l1Url: node.url });
    const [maker, taker] = [await accept(await sale(1, ether)), await accept(await purchase(1, ether))];
    const [cheap, part] = [await accept(await sale(100_000, ether / 10n)), await accept(await purchase(1, ether))];
    node.failing.add('eth_gasPrice');
    await test.advance(test.relayer.config.gasPriceMaxAgeMs + 1_800_000);
    const unknown = await trade(maker, await purchase(1, ether), 50);
    expect(unknown.resultInfo.code).toBe(relayerErrors.GAS_PRICE_UNAVAILABLE.code);
    expect((await trade(cheap, part, 50)).resultInfo.code).toBe(relayerErrors.ORDER_TOO_SMALL.code);
    expect(await trade(maker, taker, 50)).toMatchObject({ tradeHash: expect.any(String) });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  },
  START_TIMEOUT_MS,
);

async function operatorBalance({ relayer }: TestRelayer): Promise<bigint> {
  const [row] = await relayer.db.query<{ total: bigint }>(
    'SELECT total FROM balances WHERE account_id = 1 AND token_id = 0',
  );
  return row?.total ?? 0n;
}
