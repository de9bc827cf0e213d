import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { joinReads } from '../../src/background/relayers/joinReads.ts';
import { isPublicRead } from '../../src/background/relayers/reads.ts';
import { readableEndpoints, readMethods } from '../../src/background/rpc/page/reads.ts';
import type { Reads } from '../../src/operations/reads.ts';
import { pool as POOL } from '../../src/protocol/examples.ts';
import { type EndpointName, endpoints } from '../../src/protocol/index.ts';
import { VaultError } from '../../src/vault/index.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, openOther, resultOf, SITE, seal, setUp, until } from './support.ts';

const relayer = await relayerOfFile();
const stage = await setUp(relayer, {}, ['nfts']);
const { hash: orderHash } = resultOf(await approveOrder(stage.wallet));
await seal(relayer);

const STRANGER = 'https://nobody-connected.example';
const SOMEBODY = `0x${'5'.repeat(40)}`;
const NFT = { tokenAddress: SOMEBODY, nftId: '0x1' };

/** What each read needs besides the account; the others need nothing. */
const params: Partial<Record<EndpointName, () => object>> = {
  getStorageId: () => ({ sellTokenId: 1 }),
  getOffchainFee: () => ({ requestType: 3 }),
  getNftOffchainFee: () => ({ requestType: 11 }),
  getOrder: () => ({ orderHash }),
  getOrderUserRateAmount: () => ({ market: 'LRC-ETH' }),
  getNftOrderUserRateAmount: () => ({ nftTokenAddress: SOMEBODY }),
  getNftOrderFee: () => ({ nftTokenAddress: SOMEBODY, quoteToken: 0, quoteAmount: '1000' }),
  getAmmBalance: () => ({ poolAddress: POOL }),
  getWithdrawalAgents: () => ({ tokenId: 1 }),
  getPrice: () => ({ legal: 'USD' }),
  getUserFeeRates: () => ({ markets: ['LRC-ETH'] }),
  getUserOrderFee: () => ({ market: 'LRC-ETH', tokenB: 0, amountB: '1000000000000000000' }),
  getDepth: () => ({ market: 'LRC-ETH' }),
  getMixDepth: () => ({ market: 'LRC-ETH' }),
  getTicker: () => ({ market: ['LRC-ETH', 'ETH-USDT'] }),
  getMixTicker: () => ({ market: 'AMM-LRC-ETH' }),
  getCandlestick: () => ({ market: 'LRC-ETH', interval: '1min' }),
  getMixCandlestick: () => ({ market: 'AMM-LRC-ETH', interval: '1w' }),
  getTrades: () => ({ market: 'LRC-ETH' }),
  getAmmTrades: () => ({ ammPoolAddress: POOL }),
  getCode: () => ({ address: SOMEBODY }),
  computeTokenAddress: () => ({ nftFactory: '0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026', nftOwner: SOMEBODY }),
  getNfts: () => ({ nftDatas: ['0x1', '0x2'] }),
  getNftData: () => ({ minter: SOMEBODY, ...NFT }),
  getBlock: () => ({ id: 'confirmed' }),
  getBalanceProof: () => ({ tokenId: 0 }),
};
/** Reads of which a fresh account has nothing to show: the relayer says so by its own code. */
const refused: Partial<Record<EndpointName, object>> = {
  getCounterFactualInfo: { code: -32003, data: { code: expect.any(Number) } },
  getNftData: { code: -32003, data: { code: expect.any(Number) } },
};

test('every endpoint that changes nothing and needs no signature is a method, and no other', () => {
  const others = (Object.keys(endpoints) as EndpointName[]).filter((name) => !readableEndpoints.includes(name)).sort();
  expect(others).toEqual([
    'cancelOrder',
    'cancelOrdersByClientOrderId',
    'cancelOrdersByHash',
    'deployTokenAddress',
    'exitAmmPool',
    'getApiKey',
    'getSocketKey',
    'joinAmmPool',
    'mintNft',
    'resetApiKey',
    'submitOrder',
    'submitOrders',
    'submitTransfer',
    'submitWithdrawal',
    'tradeNft',
    'transferNft',
    'updateAccount',
    'validateOrder',
    'withdrawNft',
  ]);
});

test.each(readableEndpoints)('relayer_%s answers in the form of the schema, without the API key', async (name) => {
  const outcome = await stage.wallet.page(SITE, `relayer_${name}`, [params[name]?.() ?? {}]);
  const refusal = refused[name];
  if (refusal) expect(outcome).toMatchObject({ error: refusal });
  else expect(endpoints[name].answer.safeParse(resultOf<unknown>(outcome)).error).toBeUndefined();
  expect(JSON.stringify(outcome)).not.toContain(stage.account.apiKey);
});

/** A wallet whose requests to the relayer are counted by path. */
async function counting() {
  const paths: string[] = [];
  const counted: typeof fetch = (input, init) => {
    paths.push(new URL(String(input)).pathname);
    return fetch(input, init);
  };
  const { wallet } = await setUp(relayer, { fetch: counted }, [], stage.account);
  paths.length = 0;
  return { wallet, asked: (path: string) => paths.filter((other) => other === path).length };
}

test('equal reads of a site at the same time are one request, others are not', async () => {
  const { wallet, asked } = await counting();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => wallet.page(n % 2 === 0 ? SITE : STRANGER, 'relayer_getTokens')),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  // One of each site: what one waits for in its own queue does not hold up the other.
  expect(asked('/api/v3/exchange/tokens')).toBe(2);
  await Promise.all([1, 2].map((tokenId) => wallet.page(SITE, 'relayer_getBalances', [{ tokens: [tokenId] }])));
  expect(asked('/api/v3/user/balances')).toBe(2);
  // Nothing is kept: what comes later is asked anew.
  await wallet.page(SITE, 'relayer_getTokens');
  expect(asked('/api/v3/exchange/tokens')).toBe(3);
});

test('equal reads of two accounts at the same time are two requests, also with one number at two exchanges', async () => {
  const join = joinReads();
  const answering = (answer: string) => ({ read: vi.fn(async () => answer) }) as unknown as Pick<Reads, 'read'>;
  const input = { query: { accountId: 7, tokens: '0' } };
  const read = (account: string, answer: string) => join([SITE, account], answering(answer)).read('getBalances', input);
  expect(await Promise.all([read('one', 'own'), read('two', 'other'), read('one', 'again')])).toEqual([
    'own',
    'other',
    'own',
  ]);
});

test('a read beyond what a site may queue is told when there can be room, and the others are answered', async () => {
  const asked = Array.from({ length: 40 }, (_, n) =>
    stage.wallet.page(SITE, 'relayer_getTrades', [{ market: 'LRC-ETH', limit: n + 1 }]),
  );
  const turnedAway = (await Promise.all(asked)).filter((outcome) => 'error' in outcome);
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(turnedAway.length).toBeLessThan(asked.length);
  for (const { error } of turnedAway) {
    expect(error).toMatchObject({ code: -32005, data: { reason: 'queueFull' } });
    const { retryAfterMs } = error.data as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(1_100);
  }
});

describe('parameters', () => {
  test.each([
    ['relayer_getBalances', { accountId: 1 }, /^accountId: is filled in by the wallet/],
    ['relayer_getStorageId', {}, /^sellTokenId: /],
    ['relayer_getOrders', { surprise: 1 }, /^surprise: is not a field of this request/],
    ['relayer_getNfts', { nftDatas: ['no'] }, /^nftDatas: is not a comma list of hashes/],
    ['relayer_getCode', { address: 'x' }, /^address: is not an address/],
  ])('%s %j names the field', async (method, given, message) => {
    expect(await stage.wallet.page(SITE, method, [given])).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(message) },
    });
  });

  test('lists travel as lists', async () => {
    const balances = resultOf<{ tokenId: number }[]>(
      await stage.wallet.page(SITE, 'relayer_getBalances', [{ tokens: [1] }]),
    );
    expect(balances.map(({ tokenId }) => tokenId)).toEqual([1]);
  });

  test('an account of somebody else can be looked up by address only', async () => {
    const found = resultOf<{ owner: string }>(
      await stage.wallet.page(SITE, 'relayer_getAccount', [{ owner: stage.account.owner }]),
    );
    expect(found.owner.toLowerCase()).toBe(stage.account.owner.toLowerCase());
    expect(await stage.wallet.page(SITE, 'relayer_getAccount', [{ owner: SOMEBODY }])).toMatchObject({
      error: { code: -32003, data: { code: 101002 } },
    });
    expect(await stage.wallet.page(SITE, 'relayer_getBalances', [{ account: SOMEBODY }])).toMatchObject({
      error: { code: 4100 },
    });
  });
});

test('a read during which the wallet locks is answered like one of a locked wallet', async () => {
  const method = readMethods.find(({ name }) => name === 'relayer_getOrders');
  const read = () => Promise.reject(new VaultError('locked'));
  const rooms = { keys: { isUnlocked: async () => true }, reads: { of: () => ({ read }) } };
  const call = { rooms, params: {}, right: { account: { accountId: 1 } } };
  await expect(method?.handle(call as never)).rejects.toMatchObject({ code: 4100, data: { reason: 'locked' } });
});

test('a locked wallet answers what is public and nothing else', async () => {
  const { wallet } = await setUp(relayer, {}, [], stage.account);
  await wallet.ui('lock', {});
  expect(await wallet.page(SITE, 'relayer_getTokens')).toHaveProperty('result');
  expect(await wallet.page(SITE, 'relayer_getOrders')).toEqual({
    error: { code: 4100, message: 'The wallet is locked.', data: { reason: 'locked' } },
  });
});

describe('public data is read', () => {
  const isPublic = (name: EndpointName) => readableEndpoints.includes(name) && isPublicRead(name);

  test('without an account: these endpoints and no others', () => {
    expect(readableEndpoints.filter(isPublicRead)).toEqual([
      'getTimestamp',
      'getExchangeInfo',
      'getTokens',
      'getMarkets',
      'getMixMarkets',
      'getAmmPools',
      'getAmmBalances',
      'getDepth',
      'getMixDepth',
      'getTicker',
      'getMixTicker',
      'getCandlestick',
      'getMixCandlestick',
      'getTrades',
      'getAmmTrades',
      'getPrice',
      'getLatestTokenPrices',
      'getAmmPoolsStats',
      'getFeeInfo',
      'getWithdrawalAgents',
      'computeTokenAddress',
      'getCode',
      'getAvailableBroker',
      'getBlockBytes',
    ]);
    for (const name of readableEndpoints.filter(isPublicRead))
      expect(
        JSON.stringify(z.toJSONSchema(endpoints[name].query, { io: 'input', unrepresentable: 'any' })),
      ).not.toMatch(/"(accountId|owner)"/);
  });

  test.each(readableEndpoints)('by a page that nobody connected: relayer_%s', async (name) => {
    const outcome = await stage.wallet.page(STRANGER, `relayer_${name}`, [params[name]?.() ?? {}]);
    if (isPublic(name)) expect(endpoints[name].answer.safeParse(resultOf(outcome)).error).toBeUndefined();
    else expect(outcome).toMatchObject({ error: { code: 4100, data: { reason: 'notConnected' } } });
  });

  test('by a site without the read permission, which reads nothing else', async () => {
    const { wallet, accountView } = await setUp(relayer, {}, [], stage.account);
    await wallet.background().wallet.grants.revoke(SITE);
    await wallet.background().wallet.grants.grant(SITE, [accountView], ['orders']);
    for (const name of readableEndpoints)
      expect(await wallet.page(SITE, `relayer_${name}`, [params[name]?.() ?? {}])).toMatchObject(
        isPublic(name) ? { result: expect.anything() } : { error: { code: 4100 } },
      );
  });

  test('by no site that the user blocked, and of no account that the site does not see', async () => {
    const { wallet } = await setUp(relayer, {}, [], stage.account);
    await wallet.background().wallet.grants.setBlocked(STRANGER, true);
    expect(await wallet.page(STRANGER, 'relayer_getTokens')).toMatchObject({ error: { code: 4100 } });
    expect(await wallet.page(SITE, 'relayer_getTokens', [{ account: SOMEBODY }])).toMatchObject({
      error: { code: 4100, data: { reason: 'otherAccount' } },
    });
  });
});

describe('a read that waits', () => {
  const change = {
    lock: (wallet: WalletHarness) => wallet.ui('lock', {}),
    block: (wallet: WalletHarness) => wallet.ui('blockSite', { origin: SITE }),
    disconnect: (wallet: WalletHarness) => wallet.ui('revokeSite', { origin: SITE }),
    takeBack: async (wallet: WalletHarness) => {
      const [account] = (await wallet.ui('getState', {})).accounts;
      await wallet.ui('revokeGrant', { origin: SITE, account: account?.id ?? '', kind: 'read' });
    },
  };

  test.each([
    ['getBalances', 'lock', 'locked'],
    ['getBalances', 'block', 'blocked'],
    ['getBalances', 'disconnect', 'notConnected'],
    ['getBalances', 'takeBack', 'noPermission'],
    ['getAccount', 'block', 'blocked'],
    ['getAccount', 'lock', null],
    ['getTokens', 'block', 'blocked'],
    ['getTokens', 'disconnect', null],
  ] as const)('%s is answered as what came meanwhile says: %s', async (name, how, reason) => {
    let release = () => {};
    let isAsked = false;
    let released: Promise<void> | undefined;
    const send: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (released) isAsked = true;
      await released;
      return answer;
    };
    const { wallet } = await setUp(relayer, { fetch: send }, [], stage.account);
    await wallet.page(SITE, 'relayer_getBalances');
    released = new Promise((resolve) => {
      release = resolve;
    });
    const answer = wallet.page(SITE, `relayer_${name}`);
    await until(async () => isAsked);
    await change[how](wallet);
    release();
    expect(await answer).toMatchObject(
      reason === null ? { result: expect.anything() } : { error: { code: 4100, data: { reason } } },
    );
  });

  test('is of the account that was named: what another account keeps does not answer for it', async () => {
    let release = () => {};
    let isAsked = false;
    let released: Promise<void> | undefined;
    const send: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (released) isAsked = true;
      await released;
      return answer;
    };
    const { wallet, network } = await setUp(relayer, { fetch: send }, [], stage.account);
    const other = await openOther(relayer);
    const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
    const { id } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Second' });
    await wallet.background().wallet.grants.extend(SITE, id, ['read']);
    const read = () => wallet.page(SITE, 'relayer_getBalances', [{ account: other.owner }]);
    resultOf(await read());
    released = new Promise((resolve) => {
      release = resolve;
    });
    const answer = read();
    await until(async () => isAsked);
    await wallet.ui('revokeGrant', { origin: SITE, account: id, kind: 'read' });
    release();
    expect(await answer).toMatchObject({ error: { code: 4100, data: { reason: 'otherAccount' } } });
  });
});
