import type { Body } from './messages.ts';
import * as messages from './messages.ts';
import { call, type Person } from './person.ts';

/**
 * Every operation: a body or query that should be accepted, what is signed of it, and how it is
 * sent. Addresses are in lower case, so that a flipped bit is no matter of a checksum.
 */
export interface Operation {
  readonly name: string;
  /** What travels, unsigned. */
  build(): Promise<Body>;
  /**
   * Signs `covered` and sends `sent` with that; the owner's ECDSA signature may cover something
   * else again.
   */
  send(sent: Body, covered: Body, ownerCovered?: Body): Promise<Body>;
  /** Paths of what is signed. */
  readonly signed: readonly string[];
  /** Those that the EdDSA signature and the owner's ECDSA signature cover both. */
  readonly signedTwice?: readonly string[];
  /** Our own figure for the `hash` of the answer, where that is the signed one. */
  readonly hash?: (body: Body) => bigint;
}

export interface World {
  readonly person: Person;
  readonly payee: Person;
  /** Has an account without a key. */
  readonly newcomer: Person;
  /** As the relayer lists it. */
  readonly pool: Body;
  readonly nftFactory: string;
  readonly nftContract: string;
}

const FEE = '1000000000000000';
const NFT_ID = `0x${'5a'.repeat(32)}`;
const [ETH, LRC, USDT] = [0, 1, 2];
const ether = (thousandths: number) => (BigInt(thousandths) * 10n ** 15n).toString();

export function operations({ person, payee, newcomer, pool, nftFactory, nftContract }: World): Operation[] {
  const { chainId, url } = person.place;
  const exchange = person.place.exchange.toLowerCase();
  const { owner, accountId } = person;

  const post = (from: Person, path: string, body: Body, header?: string) => {
    const headers = { 'x-api-key': from.apiKey, ...(header !== undefined && { 'x-api-sig': header }) };
    return call(url, { method: 'POST', path, body, headers });
  };
  const byEddsa = (path: string, message: (body: Body) => bigint, from = person) => ({
    send: (sent: Body, covered: Body) => post(from, path, { ...sent, eddsaSignature: from.eddsa(message(covered)) }),
  });
  const byBoth = (path: string, message: (b: Body) => bigint, digest: (chain: number, b: Body) => Buffer) => ({
    send: (sent: Body, covered: Body, ownerCovered = covered) => {
      const ecdsaSignature = person.ecdsa(digest(chainId, ownerCovered));
      const body = { ...sent, eddsaSignature: person.eddsa(message(covered)), ecdsaSignature };
      return post(person, path, body, ecdsaSignature);
    },
    hash: message,
  });
  /** The header signs one request and is sent with another. */
  const byHeader = (method: string, path: string, where: 'query' | 'body') => ({
    send: (sent: Body, covered: Body) => {
      const { headers = {} } = person.signed(method, path, { [where]: covered });
      return call(url, { ...person.signed(method, path, { [where]: sent }), headers });
    },
  });

  const common = async (token: number, kind: 'orderId' | 'offchainId', from = person) => ({
    exchange,
    storageId: (await from.storageId(token))[kind],
    validUntil: await from.validUntil(),
  });
  const order = async () => ({
    ...(await common(USDT, 'orderId')),
    accountId,
    // A flipped bit makes either token another one of the same market side: DAI for USDT, LRC for
    // ETH.
    sellToken: { tokenId: USDT, volume: '1000000000' },
    buyToken: { tokenId: ETH, volume: ether(1_000) },
    allOrNone: false,
    fillAmountBOrS: false,
    maxFeeBips: 60,
    orderType: 'LIMIT_ORDER',
    tradeChannel: 'ORDER_BOOK',
  });
  const nft = async () => {
    const { data } = await person.read('/api/v3/user/nft/balances', { accountId });
    return { tokenId: data[0].tokenId, nftData: data[0].nftData };
  };
  const nftMoved = async (amount: string) => {
    const token = { ...(await nft()), amount };
    return { ...(await common(token.tokenId, 'offchainId')), token, maxFee: { tokenId: ETH, amount: FEE } };
  };
  const nftOrder = async (from: Person, sellToken: Body, buyToken: Body) => ({
    ...(await common(sellToken.tokenId, 'orderId', from)),
    accountId: from.accountId,
    sellToken,
    buyToken,
    allOrNone: false,
    fillAmountBOrS: false,
    maxFeeBips: 60,
  });

  /** An order that is on the book, for its cancellation. */
  const placed = async (clientOrderId: string) => {
    const body = { ...(await order()), clientOrderId };
    const { hash } = await post(person, '/api/v3/order', {
      ...body,
      eddsaSignature: person.eddsa(messages.orderHash(body)),
    });
    return hash as string;
  };
  const signedOrder = (from: Person, sent: Body, covered: Body) => ({
    ...sent,
    eddsaSignature: from.eddsa(messages.orderHash(covered)),
  });

  const everywhere = ['exchange', 'storageId', 'validUntil'];
  const token = (...names: string[]) => names.flatMap((name) => [`${name}.tokenId`, `${name}.volume`]);
  const nftToken = (...names: string[]) => names.flatMap((name) => [`${name}.tokenId`, `${name}.amount`]);
  const orderFields = [...everywhere, 'accountId', 'maxFeeBips', 'fillAmountBOrS'];

  return [
    {
      name: 'account key update',
      build: async () => ({ ...(await newcomer.keyUpdate()), exchange }),
      send: (sent, covered) => {
        const ecdsaSignature = newcomer.ecdsa(messages.updateDigest(chainId, covered));
        return post(newcomer, '/api/v3/account', { ...sent, ecdsaSignature }, ecdsaSignature);
      },
      signed: ['exchange', 'owner', 'accountId', ...token('maxFee'), 'publicKey.x', 'validUntil', 'nonce'],
    },
    {
      name: 'API key',
      build: async () => ({ accountId }),
      ...byHeader('GET', '/api/v3/apiKey', 'query'),
      signed: ['accountId'],
    },
    {
      name: 'order',
      build: order,
      ...byEddsa('/api/v3/order', messages.orderHash),
      signed: [...orderFields, ...token('sellToken', 'buyToken')],
      hash: messages.orderHash,
    },
    {
      name: 'cancel',
      build: async () => ({ accountId, orderHash: await placed('one') }),
      ...byHeader('DELETE', '/api/v3/order', 'query'),
      signed: ['accountId', 'orderHash'],
    },
    {
      name: 'cancel of a list by hash',
      build: async () => ({ accountId, orderHash: await placed('two') }),
      ...byHeader('DELETE', '/api/v3/orders/byHash', 'query'),
      signed: ['accountId', 'orderHash'],
    },
    {
      name: 'cancel of a list by client order id',
      // A number, so that a flipped bit is another client order id.
      build: async () => {
        await placed('3');
        return { accountId, clientOrderId: '3' };
      },
      ...byHeader('DELETE', '/api/v3/orders/byClientOrderId', 'query'),
      signed: ['accountId', 'clientOrderId'],
    },
    {
      name: 'several orders in one request',
      build: async () => ({ accountId, orders: [await order()] }),
      // Each order has an outcome of its own, and signs for itself.
      send: async (sent, covered) => {
        const orders = [signedOrder(person, sent.orders[0], covered.orders[0])];
        const { orders: [outcome] = [], ...rest } = await post(person, '/api/v3/batchOrders', { ...sent, orders });
        const { error, ...ack } = outcome ?? {};
        return error ? { resultInfo: error } : { ...ack, ...rest };
      },
      signed: [...orderFields, ...token('sellToken', 'buyToken')].map((field) => `orders.0.${field}`),
      hash: ({ orders }) => messages.orderHash(orders[0]),
    },
    {
      name: 'transfer',
      build: async () => ({
        ...(await common(LRC, 'offchainId')),
        payerId: accountId,
        payerAddr: owner,
        payeeId: 0,
        payeeAddr: payee.owner,
        token: { tokenId: LRC, volume: ether(1_000) },
        maxFee: { tokenId: ETH, volume: FEE },
      }),
      ...byBoth('/api/v3/transfer', messages.transferHash, messages.transferDigest),
      signed: [...everywhere, 'payerId', 'payeeId', 'payerAddr', 'payeeAddr', ...token('token', 'maxFee')],
      signedTwice: [...everywhere, 'payeeAddr', ...token('token', 'maxFee')],
    },
    {
      name: 'withdrawal',
      build: async () => ({
        ...(await common(LRC, 'offchainId')),
        accountId,
        owner,
        token: { tokenId: LRC, volume: ether(1_000) },
        maxFee: { tokenId: ETH, volume: FEE },
        minGas: 0,
        to: payee.owner,
        extraData: '',
      }),
      ...byBoth('/api/v3/user/withdrawals', messages.withdrawalHash, messages.withdrawalDigest),
      signed: [...everywhere, 'accountId', 'owner', 'to', 'minGas', ...token('token', 'maxFee')],
      signedTwice: [...everywhere, 'to', 'minGas', ...token('token', 'maxFee')],
    },
    {
      name: 'pool join',
      build: async () => ({
        owner,
        poolAddress: pool.address.toLowerCase(),
        joinTokens: {
          pooled: [
            { tokenId: LRC, volume: ether(1_500_000) },
            { tokenId: ETH, volume: ether(100) },
          ],
          minimumLp: { tokenId: pool.tokens.lp, volume: '0' },
        },
        storageIds: [(await person.storageId(LRC)).offchainId, (await person.storageId(ETH)).offchainId],
        fee: FEE,
        validUntil: await person.validUntil(),
      }),
      ...byEddsa('/api/v3/amm/join', (b) => messages.poolScalar(messages.joinDigest(chainId, pool.name, b))),
      signed: ['owner', 'poolAddress', 'storageIds.0', 'storageIds.1', 'fee', 'validUntil'].concat(
        ...['joinTokens.pooled.0.volume', 'joinTokens.pooled.1.volume', 'joinTokens.minimumLp.volume'],
      ),
    },
    {
      name: 'pool exit',
      build: async () => ({
        owner,
        poolAddress: pool.address.toLowerCase(),
        exitTokens: {
          unPooled: [
            { tokenId: LRC, volume: '0' },
            { tokenId: ETH, volume: '0' },
          ],
          burned: { tokenId: pool.tokens.lp, volume: ether(1_000) },
        },
        storageId: (await person.storageId(pool.tokens.lp)).offchainId,
        maxFee: FEE,
        validUntil: await person.validUntil(),
      }),
      ...byEddsa('/api/v3/amm/exit', (b) => messages.poolScalar(messages.exitDigest(chainId, pool.name, b))),
      signed: ['owner', 'poolAddress', 'storageId', 'maxFee', 'validUntil', 'exitTokens.burned.volume'].concat(
        ...['exitTokens.unPooled.0.volume', 'exitTokens.unPooled.1.volume'],
      ),
    },
    {
      name: 'NFT mint',
      build: async () => ({
        ...(await common(ETH, 'offchainId')),
        minterId: accountId,
        minterAddress: owner,
        toAccountId: accountId,
        toAddress: owner,
        nftType: 0,
        tokenAddress: nftContract,
        nftId: NFT_ID,
        amount: '50',
        creatorFeeBips: 4,
        maxFee: { tokenId: ETH, amount: FEE },
        forceToMint: false,
        counterFactualNftInfo: { nftFactory, nftOwner: owner, nftBaseUri: '' },
      }),
      ...byEddsa('/api/v3/nft/mint', messages.mintHash),
      signed: [...everywhere, 'minterId', 'minterAddress', 'toAccountId', 'tokenAddress', 'nftId'].concat(
        ...['amount', 'creatorFeeBips', ...nftToken('maxFee')],
      ),
      hash: messages.mintHash,
    },
    {
      name: 'NFT transfer',
      build: async () => ({
        ...(await nftMoved('4')),
        fromAccountId: accountId,
        fromAddress: owner,
        toAccountId: 0,
        toAddress: payee.owner,
      }),
      ...byBoth('/api/v3/nft/transfer', messages.transferHash, messages.transferDigest),
      signed: [...everywhere, 'fromAccountId', 'toAccountId', 'fromAddress', 'toAddress'].concat(
        nftToken('token', 'maxFee'),
      ),
      signedTwice: [...everywhere, 'toAddress', 'token.amount', ...nftToken('maxFee')],
    },
    {
      name: 'NFT order validation of a sale',
      build: async () => nftOrder(person, { ...(await nft()), amount: '2' }, { tokenId: ETH, amount: ether(1_000) }),
      ...byEddsa('/api/v3/nft/validateOrder', messages.orderHash),
      signed: [...orderFields, ...nftToken('sellToken', 'buyToken')],
    },
    {
      name: 'NFT order validation of a purchase',
      build: async () => nftOrder(payee, { tokenId: ETH, amount: ether(1_000) }, { ...(await nft()), amount: '2' }),
      ...byEddsa('/api/v3/nft/validateOrder', messages.orderHash, payee),
      signed: [...orderFields, ...nftToken('sellToken'), 'buyToken.nftData', 'buyToken.amount'],
    },
    {
      name: 'NFT trade',
      build: async () => ({
        maker: await nftOrder(person, { ...(await nft()), amount: '2' }, { tokenId: ETH, amount: ether(1_000) }),
        makerFeeBips: 60,
        taker: await nftOrder(payee, { tokenId: ETH, amount: ether(1_000) }, { ...(await nft()), amount: '2' }),
        takerFeeBips: 60,
      }),
      // The header covers what is sent, and is another account's: the signatures inside decide.
      send: (sent, covered) => {
        const maker = signedOrder(person, sent.maker, covered.maker);
        const taker = signedOrder(payee, sent.taker, covered.taker);
        return call(url, payee.signed('POST', '/api/v3/nft/trade', { body: { ...sent, maker, taker } }));
      },
      signed: [
        ...[...orderFields, ...nftToken('sellToken', 'buyToken')].map((field) => `maker.${field}`),
        ...[...orderFields, ...nftToken('sellToken'), 'buyToken.nftData', 'buyToken.amount'].map((f) => `taker.${f}`),
      ],
    },
    {
      name: 'NFT contract deployment',
      build: async () => ({
        nftData: (await nft()).nftData,
        tokenAddress: nftContract,
        transfer: {
          ...(await common(ETH, 'offchainId')),
          payerId: accountId,
          payerAddr: owner,
          payeeId: 0,
          payeeAddr: (await person.read('/api/v3/getAvailableBroker', { type: 0 })).broker,
          token: { tokenId: ETH, volume: '20000000000000000' },
          maxFee: { tokenId: ETH, volume: '0' },
          memo: `NFT-DEPLOY-CONTRACT->${nftContract}`,
        },
      }),
      // The header covers what is sent: the signatures inside decide.
      send: (sent, covered, ownerCovered = covered) => {
        const eddsaSignature = person.eddsa(messages.transferHash(covered.transfer));
        const ecdsaSignature = person.ecdsa(messages.transferDigest(chainId, ownerCovered.transfer));
        const body = { ...sent, transfer: { ...sent.transfer, eddsaSignature, ecdsaSignature } };
        return call(url, person.signed('POST', '/api/v3/nft/deployTokenAddress', { body }));
      },
      signed: [...everywhere, 'payerId', 'payerAddr', 'payeeAddr', 'token.volume', 'maxFee.volume'].map(
        (field) => `transfer.${field}`,
      ),
      signedTwice: [...everywhere, 'payeeAddr', 'token.volume', 'maxFee.volume'].map((field) => `transfer.${field}`),
    },
    {
      name: 'NFT withdrawal',
      build: async () => ({
        ...(await nftMoved('2')),
        accountId,
        owner,
        to: payee.owner,
        minGas: 0,
        extraData: '',
      }),
      ...byBoth('/api/v3/nft/withdrawal', messages.withdrawalHash, messages.withdrawalDigest),
      signed: [...everywhere, 'accountId', 'owner', 'to', 'minGas', ...nftToken('token', 'maxFee')],
      signedTwice: [...everywhere, 'to', 'minGas', 'token.amount', ...nftToken('maxFee')],
    },
    {
      name: 'new API key',
      build: async () => ({ accountId }),
      ...byHeader('POST', '/api/v3/apiKey', 'body'),
      signed: ['accountId'],
    },
  ];
}
