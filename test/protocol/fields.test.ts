import { describe, expect, it } from 'vitest';
import type { z } from 'zod/mini';
import * as fields from '../../src/protocol/fields.ts';
import { apiKeyText, endpoints } from '../../src/protocol/index.ts';
import { deploymentStatus, listedOrderStatus, listedRequestStatus } from '../../src/protocol/statuses.ts';
import { answers, bodies, ecdsa, eddsa, hash, owner, queries } from './samples.ts';

type Json = Record<string, unknown>;

/** Values that a field takes, with what they become, and values that it refuses. */
const cases: readonly [string, z.ZodMiniType, good: readonly unknown[], bad: readonly unknown[]][] = [
  [
    'address',
    fields.address(),
    [owner, owner.toLowerCase(), `0x${'0'.repeat(40)}`],
    [
      '',
      '0x',
      owner.slice(2),
      owner.slice(0, -1),
      `${owner}0`,
      `0X${owner.slice(2)}`,
      ` ${owner}`,
      `${owner}\n`,
      1,
      null,
    ],
  ],
  ['hash32', fields.hash32(), [hash], ['', '0x1', hash.slice(2), `${hash}0`, `${hash}\n`, hash.replace('1', 'g')]],
  ['looseHash', fields.looseHash(), [hash, '0x1'], ['', '0x', '1', `${hash}0`]],
  [
    'amountText',
    fields.amountText(),
    ['0', '1', '79228162514264337593543950335'],
    [
      '79228162514264337593543950336',
      '9'.repeat(29),
      '-1',
      '+1',
      '1.0',
      '1e18',
      '0x1',
      '01',
      '',
      ' 1',
      '1 ',
      '１',
      1,
      1n,
    ],
  ],
  ['decimalText', fields.decimalText(), ['0', '007', '9'.repeat(78)], ['9'.repeat(79), '', '-1', '1.5', 1]],
  ['tokenId', fields.tokenId(), [0, 32768, 65535], [-1, 65536, 0.5, '1', Number.NaN, null]],
  ['erc20TokenId', fields.erc20TokenId(), [0, 32767], [32768, -1]],
  ['nftTokenId', fields.nftTokenId(), [32768, 65535], [32767, 65536]],
  ['accountId', fields.accountId(), [0, 4294967295], [4294967296, -1, 1.5, '1', 2 ** 53]],
  ['orderStorageId', fields.orderStorageId(), [0, 2, 4294967294], [1, 4294967295, 4294967296, -2, '2']],
  ['offchainStorageId', fields.offchainStorageId(), [1, 4294967295], [0, 2, 4294967297, -1, '1']],
  ['nonce', fields.nonce(), [0, 4294967295], [4294967296, -1]],
  ['seconds', fields.seconds(), [0, 1_900_000_000, 4294967295], [1_900_000_000_000, 4294967296, -1, '1']],
  ['milliseconds', fields.milliseconds(), [0, 1_900_000_000_000, 8.64e15], [-1, 0.5, 8.64e15 + 1, 2 ** 53, '1']],
  ['maxFeeBips', fields.maxFeeBips(), [1, 63], [0, 64, 1000, '20', 1.5]],
  ['royalty', fields.royalty(), [0, 10, 255], [256, -1, '1']],
  ['eddsaSignature', fields.eddsaSignature(), [eddsa], [ecdsa, eddsa.slice(2), `${eddsa}00`, '', '0x']],
  [
    'ecdsaSignature',
    fields.ecdsaSignature(),
    [ecdsa, `${ecdsa}02`, `${ecdsa}${'00'.repeat(200)}`],
    [ecdsa.slice(0, -2), `${ecdsa}0`, ecdsa.slice(2), '', `${ecdsa}${'00'.repeat(4097)}`],
  ],
  [
    'apiKeyText',
    apiKeyText(),
    ['!', '~'.repeat(256)],
    ['', 'a b', 'ab\n', 'abc\u0007', 'abc\u007f', 'x'.repeat(257), 'schlüssel'],
  ],
  ['hashApproved', fields.hashApproved(), [hash, ''], ['0x', hash.slice(0, -1), null]],
  ['coordinate', fields.coordinate(), [hash, '0x1'], ['', '0x', `${hash}0`, '1']],
  ['bytesText', fields.bytesText(), ['', '0x', '0xdeadbeef'], ['deadbeef', '0xabc', 'hello', `0x${'00'.repeat(2049)}`]],
  ['nftId', fields.nftId(), [hash, '0x1'], ['1', `${hash}0`, 'Qm']],
  [
    'clientOrderId',
    fields.clientOrderId(),
    ['', 'x'.repeat(120), 'ü'.repeat(60)],
    ['x'.repeat(121), 'ü'.repeat(61), 1],
  ],
  ['memo', fields.memo(), ['', 'naïve ✓', 'x'.repeat(256)], ['x'.repeat(257), 1]],
  ['integerList', fields.integerList(), ['0', '0,1,65535'], ['', '1,', ',1', '1, 2', 'a', '1;2']],
  ['hashList', fields.hashList(), [hash, `${hash},0x1`], ['', hash.slice(2), `${hash},`]],
  ['addressList', fields.addressList(), [owner, `${owner},${owner}`], ['', `${owner} ${owner}`]],
  ['listedRequestStatus', listedRequestStatus(), ['processed', 'halted'], ['toString', 'a b', '']],
  ['listedOrderStatus', listedOrderStatus(), ['waiting', 'halted'], ['constructor', '__proto__']],
  ['deploymentStatus', deploymentStatus(), ['DEPLOYED', 'PAUSED'], ['valueOf', 'hasOwnProperty']],
  ['requestStatusList', fields.requestStatusList(), ['received', 'processed,failed'], ['', 'done', 'processed,']],
];

describe.each(cases)('%s', (_name, field, good, bad) => {
  it.each(good)('takes %o unchanged', (value) => {
    expect(field.parse(value)).toBe(value);
  });

  it.each(bad)('refuses %o', (value) => {
    expect(field.safeParse(value).success).toBe(false);
  });
});

describe('booleans', () => {
  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ])('are read from %j as %j', (value, expected) => {
    expect(fields.booleanField().parse(value)).toBe(expected);
    expect(fields.fillAmountBOrS().parse(value)).toBe(expected);
  });

  it.each(['', 'FALSE', 'yes', '0', 0, 1, null, undefined, {}])('are never read from %j by truthiness', (value) => {
    expect(fields.booleanField().safeParse(value).success).toBe(false);
    expect(fields.fillAmountBOrS().safeParse(value).success).toBe(false);
  });

  it('of allOrNone may only be false, in either form', () => {
    expect(fields.allOrNone().parse(false)).toBe(false);
    expect(fields.allOrNone().parse('false')).toBe(false);
    for (const value of [true, 'true'])
      expect(fields.allOrNone().safeParse(value).error?.issues[0]?.message).toBe('is true; only false is supported');
  });
});

describe('query integers', () => {
  it.each([
    [0, 0],
    ['0', 0],
    ['10005', 10005],
    [4294967295, 4294967295],
  ])('are read from %j', (value, expected) => {
    expect(fields.queryAccountId().parse(value)).toBe(expected);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1e3',
    '0x1',
    ' 1',
    '4294967296',
    4294967296,
    -1,
    0.5,
    Number.NaN,
    true,
    null,
    '9'.repeat(17),
  ])('are not read from %j', (value) => {
    expect(fields.queryAccountId().safeParse(value).success).toBe(false);
  });

  it('of a page end at 50 rows', () => {
    expect(fields.queryLimit().parse('50')).toBe(50);
    expect(fields.queryLimit().safeParse('51').success).toBe(false);
  });
});

describe('splitList', () => {
  it('takes a list apart and an absent one for empty', () => {
    expect(fields.splitList('1,2')).toEqual(['1', '2']);
    expect(fields.splitList('')).toEqual([]);
    expect(fields.splitList(undefined)).toEqual([]);
  });
});

/**
 * The decisions on what the interface document leaves open: what is accepted, and what it becomes.
 */
describe('open points of the document', () => {
  const withField = (body: object, field: string, value: unknown): Json => ({ ...body, [field]: value });

  it('accepts allOrNone and fillAmountBOrS as text and hands on booleans', () => {
    const body = { ...bodies.submitOrder, allOrNone: 'false', fillAmountBOrS: 'false' };
    expect(endpoints.submitOrder.body.parse(body)).toMatchObject({ allOrNone: false, fillAmountBOrS: false });
    const refused = endpoints.submitOrder.body.safeParse({ ...body, allOrNone: 'true' });
    expect(refused.error?.issues[0]).toMatchObject({
      path: ['allOrNone'],
      message: 'is true; only false is supported',
    });
  });

  it('reads a single balance as a list of one and emits lists', () => {
    const balance = { tokenId: 0, total: '1', locked: '0', pending: { withdraw: '0', deposit: '0' } };
    expect(endpoints.getBalances.answer.parse(balance)).toEqual([balance]);
    expect(endpoints.getBalances.answer.parse([balance])).toEqual([balance]);
    expect(endpoints.getBalances.answer.parse([])).toEqual([]);
    expect(endpoints.getBalances.answer.safeParse({}).success).toBe(false);
  });

  it('reads the rates of one market as a list of one, and wrapped numbers of pools as their list', () => {
    const rates = { symbol: 'LRC-ETH', makerRate: 2, takerRate: 20 };
    expect(endpoints.getUserFeeRates.answer.parse(rates)).toEqual([rates]);
    expect(endpoints.getUserFeeRates.answer.parse([rates])).toEqual([rates]);
    expect(endpoints.getUserFeeRates.answer.safeParse({}).success).toBe(false);
    const stats = answers.getAmmPoolsStats;
    expect(endpoints.getAmmPoolsStats.answer.parse({ resultInfo: { code: 0 }, data: stats })).toEqual(stats);
    expect(endpoints.getAmmPoolsStats.answer.parse(stats)).toEqual(stats);
    expect(endpoints.getAmmPoolsStats.answer.safeParse({ resultInfo: { code: 0 } }).success).toBe(false);
  });

  it('cancels 50 orders at once at most', () => {
    const named = (count: number, name: string) => Array.from({ length: count }, () => name).join(',');
    for (const count of [50, 51]) {
      const isFew = count === 50;
      const byHash = { accountId: 1, orderHash: named(count, hash) };
      expect(endpoints.cancelOrdersByHash.query.safeParse(byHash).success).toBe(isFew);
      const byClientOrderId = { accountId: 1, clientOrderId: named(count, 'a') };
      expect(endpoints.cancelOrdersByClientOrderId.query.safeParse(byClientOrderId).success).toBe(isFew);
    }
  });

  it('reads the fills of an NFT trade also as JSON text', () => {
    const trade = answers.tradeNft as Json;
    const asText = {
      ...trade,
      makerFills: JSON.stringify(trade.makerFills),
      takerFills: JSON.stringify(trade.takerFills),
    };
    expect(endpoints.tradeNft.answer.parse(asText)).toEqual(trade);
    expect(endpoints.tradeNft.answer.safeParse({ ...trade, makerFills: '{' }).success).toBe(false);
  });

  it('accepts the royalty under either name and refuses two different numbers', () => {
    const { creatorFeeBips: _bips, royaltyPercentage: _percentage, ...plain } = bodies.mintNft;
    const { body } = endpoints.mintNft;
    expect(body.safeParse({ ...plain, creatorFeeBips: 5 }).success).toBe(true);
    expect(body.safeParse({ ...plain, royaltyPercentage: 5 }).success).toBe(true);
    expect(body.safeParse(plain).success).toBe(true);
    const refused = body.safeParse({ ...plain, creatorFeeBips: 5, royaltyPercentage: 6 });
    expect(refused.error?.issues[0]).toMatchObject({
      path: ['royaltyPercentage'],
      message: 'differs from creatorFeeBips',
    });
  });

  it('accepts burned as text and as object', () => {
    const { body } = endpoints.exitAmmPool;
    const exit = (burned: unknown) =>
      withField(bodies.exitAmmPool, 'exitTokens', { ...bodies.exitAmmPool.exitTokens, burned });
    expect(body.safeParse(exit('50')).success).toBe(true);
    expect(body.safeParse(exit({ tokenId: 4, volume: '50' })).success).toBe(true);
    expect(body.safeParse(exit(50)).success).toBe(false);
    expect(body.safeParse(exit({ volume: '50' })).success).toBe(false);
  });

  it('reads mint, NFT transfer and NFT withdrawal answers flat, with raw_data, and with both', () => {
    const flat = { hash, status: 'processing', isIdempotent: false, nftTokenId: 33000, nftData: hash };
    const wrapped = { hash, raw_data: flat };
    for (const name of ['mintNft', 'transferNft', 'withdrawNft'] as const) {
      const { answer } = endpoints[name];
      expect(answer.parse(flat)).toEqual(flat);
      expect(answer.parse(wrapped)).toEqual({ ...flat, raw_data: flat });
      expect(answer.parse({ ...flat, raw_data: flat })).toEqual({ ...flat, raw_data: flat });
      expect(answer.safeParse({ hash }).success).toBe(false);
      expect(answer.safeParse({ hash, raw_data: { hash } }).success).toBe(false);
    }
  });

  it('translates the NFT withdrawal body of the document into that of the field', () => {
    const { accountId, owner: holder, to, minGas: _minGas, extraData: _extraData, ...rest } = bodies.withdrawNft;
    const likeTransfer = { ...rest, fromAccountId: accountId, fromAddress: holder, toAccountId: 0, toAddress: to };
    expect(endpoints.withdrawNft.body.parse(likeTransfer)).toEqual({
      ...rest,
      accountId,
      owner: holder,
      to,
      minGas: 0,
    });
    expect(endpoints.withdrawNft.body.safeParse({ ...likeTransfer, toAddress: 'x' }).error?.issues[0]?.path).toEqual([
      'to',
    ]);
  });

  it('reads an empty validateOrder status as one of its statuses', () => {
    const ack = { hash, status: '', isIdempotent: false };
    expect(endpoints.validateOrder.answer.safeParse(ack).success).toBe(true);
    expect(endpoints.submitWithdrawal.answer.safeParse(ack).success).toBe(false);
  });

  it('mints only to the minter and only ERC-1155', () => {
    const mint = (field: string, value: unknown) =>
      endpoints.mintNft.body.safeParse(withField(bodies.mintNft, field, value)).error?.issues[0]?.path;
    expect(mint('toAccountId', 4)).toEqual(['toAccountId']);
    expect(mint('nftType', 1)).toEqual(['nftType']);
  });

  it('pays a deployment in one token and to an account found by address', () => {
    const deploy = (change: object) =>
      endpoints.deployTokenAddress.body.safeParse({
        ...bodies.deployTokenAddress,
        transfer: { ...bodies.deployTokenAddress.transfer, ...change },
      }).error?.issues[0]?.path;
    expect(deploy({ maxFee: { tokenId: 2, volume: '0' } })).toEqual(['transfer', 'maxFee', 'tokenId']);
    expect(deploy({ payeeId: 7 })).toEqual(['transfer', 'payeeId']);
  });

  it('needs one of two names for accounts, wallets and cancels', () => {
    const problem = (name: 'getAccount' | 'getCounterFactualInfo' | 'cancelOrder', query: object) =>
      endpoints[name].query.safeParse(query).error?.issues[0]?.message;
    expect(problem('getAccount', {})).toBe('owner or accountId is needed');
    expect(problem('getCounterFactualInfo', {})).toBe('accountId or address is needed');
    expect(problem('cancelOrder', { accountId: 1 })).toBe('orderHash or clientOrderId is needed');
    expect(endpoints.cancelOrder.query.safeParse({ accountId: 1, clientOrderId: 'x' }).success).toBe(true);
  });

  it('asks for blocks by word or number', () => {
    const { query } = endpoints.getBlock;
    expect(query.parse({})).toEqual({});
    expect(query.parse({ id: '7' })).toEqual({ id: 7 });
    expect(query.parse({ id: 7 })).toEqual({ id: 7 });
    for (const id of ['confirmed', 'finalized']) expect(query.parse({ id })).toEqual({ id });
    for (const id of ['pending', '-1', '', '1.5']) expect(query.safeParse({ id }).success).toBe(false);
  });

  it('asks NFT fees for NFT requests only, and takes an absent base URI for empty', () => {
    const { query } = endpoints.getNftOffchainFee;
    for (const requestType of ['9', '10', '11', '13', '19'])
      expect(query.safeParse({ accountId: '1', requestType }).success).toBe(true);
    for (const requestType of ['0', '8', '12', '25'])
      expect(query.safeParse({ accountId: '1', requestType }).error?.issues[0]?.path).toEqual(['requestType']);
    const { nftBaseUri: _uri, ...noUri } = queries.computeTokenAddress;
    expect(endpoints.computeTokenAddress.query.parse(noUri)).toEqual(queries.computeTokenAddress);
  });
});
