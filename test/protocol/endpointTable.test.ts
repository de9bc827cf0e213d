import { describe, expect, it } from 'vitest';
import type { Endpoint, EndpointName, RelayerErrorCode } from '../../src/protocol/index.ts';
import { endpointHeaders, endpoints } from '../../src/protocol/index.ts';
import { ecdsa, eddsa } from './samples.ts';

const table: readonly [EndpointName, Endpoint][] = Object.entries(endpoints) as [EndpointName, Endpoint][];

/** `from` to `to`, as far as the document's code table has them. */
const codes = (...list: RelayerErrorCode[]) => list;

const orderCodes = codes(
  100000,
  100001,
  102001,
  102002,
  102003,
  102004,
  102005,
  102006,
  102007,
  102008,
  102010,
  102011,
  102012,
  102014,
  102020,
  102021,
  102027,
  102120,
  104001,
  104002,
  104003,
  104004,
  104005,
);
const offchainCodes = codes(100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025);
const readCodes = codes(100000, 104001, 104002, 104003);
const historyCodes = codes(100000, 107001, 104001, 104002, 104003);

/** The interface document: path and method, API key header, signature header, rate limit, codes. */
const documented: {
  readonly [N in EndpointName]?: {
    readonly call: string;
    readonly key: boolean;
    readonly signature?: 'eddsa' | 'ecdsa';
    readonly limited?: true;
    readonly codes?: readonly RelayerErrorCode[];
  };
} = {
  computeTokenAddress: { call: 'GET /api/v3/nft/info/computeTokenAddress', key: false },
  getCode: { call: 'POST /api/v3/delegator/getCode', key: false },
  getNftOffchainFee: { call: 'GET /api/v3/user/nft/offchainFee', key: false },
  getAvailableBroker: { call: 'GET /api/v3/getAvailableBroker', key: false },
  deployTokenAddress: { call: 'POST /api/v3/nft/deployTokenAddress', key: false, signature: 'eddsa' },
  mintNft: { call: 'POST /api/v3/nft/mint', key: false },
  transferNft: { call: 'POST /api/v3/nft/transfer', key: false },
  withdrawNft: { call: 'POST /api/v3/nft/withdrawal', key: false },
  getNftData: { call: 'GET /api/v3/nft/info/nftData', key: true, limited: true, codes: readCodes },
  getNftOrderUserRateAmount: { call: 'GET /api/v3/nft/info/orderUserRateAmount', key: true, codes: codes(100000) },
  getNftOrderFee: { call: 'GET /api/v3/user/nft/orderFee', key: true, codes: codes(100000) },
  validateOrder: { call: 'POST /api/v3/nft/validateOrder', key: true, limited: true, codes: offchainCodes },
  getNftDeposits: { call: 'GET /api/v3/user/nft/deposits', key: true, limited: true, codes: readCodes },
  getNftTransfers: { call: 'GET /api/v3/user/nft/transfers', key: true, limited: true, codes: readCodes },
  submitOrder: { call: 'POST /api/v3/order', key: true, limited: true, codes: orderCodes },
  cancelOrder: {
    call: 'DELETE /api/v3/order',
    key: true,
    signature: 'eddsa',
    limited: true,
    codes: codes(100000, 102117, 102118, 104001, 104002, 104003),
  },
  getOrderUserRateAmount: { call: 'GET /api/v3/user/orderUserRateAmount', key: true, codes: codes(100000) },
  getStorageId: { call: 'GET /api/v3/storageId', key: true, limited: true, codes: readCodes },
  getBalances: { call: 'GET /api/v3/user/balances', key: true, limited: true, codes: readCodes },
  getTransfers: { call: 'GET /api/v3/user/transfers', key: true, limited: true, codes: historyCodes },
  submitWithdrawal: {
    call: 'POST /api/v3/user/withdrawals',
    key: true,
    signature: 'ecdsa',
    limited: true,
    codes: offchainCodes,
  },
  updateAccount: { call: 'POST /api/v3/account', key: false, signature: 'ecdsa', limited: true, codes: offchainCodes },
  exitAmmPool: { call: 'POST /api/v3/amm/exit', key: true, limited: true, codes: offchainCodes },
  // The document lists the header here; the protocol's public SDK has no key to send in this call.
  getAmmBalance: { call: 'GET /api/v3/amm/balance', key: false, limited: true, codes: codes(100000) },
  getAmmTransactions: { call: 'GET /api/v3/amm/user/transactions', key: false, limited: true, codes: historyCodes },
  getBlock: { call: 'GET /api/v3/block/getBlock', key: true, codes: codes(100000) },
};

describe('endpoint table', () => {
  it('has the 26 endpoints of the document and 27 for log-in and lookup', () => {
    expect(Object.keys(documented)).toHaveLength(26);
    expect(table).toHaveLength(53);
    for (const name of Object.keys(documented)) expect(endpoints).toHaveProperty(name);
  });

  it('names each endpoint like its key and gives each method and path once', () => {
    for (const [name, definition] of table) expect(definition.name).toBe(name);
    const calls = table.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(calls).size).toBe(calls.length);
    for (const [, { path }] of table) expect(path).toMatch(/^\/api\/v3\/[A-Za-z/]+$/);
  });

  it.each(Object.entries(documented))('%s has the method, headers, limit and codes of the document', (name, row) => {
    const definition: Endpoint = endpoints[name as EndpointName];
    expect(`${definition.method} ${definition.path}`).toBe(row.call);
    if (row.key) expect(definition.apiKey).toBe('required');
    if (row.signature) expect(definition.signature).toBe(row.signature);
    if (row.limited) expect(definition.requestsPerSecond).toBe(5);
    expect(definition.errorCodes).toEqual(expect.arrayContaining([...(row.codes ?? [])]));
  });

  it('demands no API key where a client cannot have one yet', () => {
    for (const name of ['getApiKey', 'getAccount', 'updateAccount', 'getExchangeInfo', 'getTimestamp'] as const)
      expect(endpoints[name].apiKey).toBe('none');
  });

  it.each(table)('%s lists the codes of its headers, each code once', (_name, definition) => {
    const has = (list: readonly number[]) => list.every((code) => definition.errorCodes.includes(code as never));
    if (definition.apiKey === 'required') expect(has([104001, 104002, 104003])).toBe(true);
    if (definition.signature !== 'none') expect(has([104004, 104005])).toBe(true);
    expect(new Set(definition.errorCodes).size).toBe(definition.errorCodes.length);
  });

  it.each(table)('%s may be repeated blindly only when it changes nothing', (name, definition) => {
    const reads = definition.method === 'GET' || name === 'getCode';
    expect(definition.resend === 'repeat').toBe(reads);
  });

  it('says which headers a call needs', () => {
    const headers = endpointHeaders(endpoints.cancelOrder);
    expect(headers.safeParse({ 'x-api-key': 'k', 'x-api-sig': eddsa, accept: '*/*' }).success).toBe(true);
    expect(headers.safeParse({ 'x-api-sig': eddsa }).error?.issues[0]?.path).toEqual(['x-api-key']);
    expect(headers.safeParse({ 'x-api-key': 'k' }).error?.issues[0]?.path).toEqual(['x-api-sig']);
    expect(headers.safeParse({ 'x-api-key': 'k', 'x-api-sig': ecdsa }).error?.issues[0]?.path).toEqual(['x-api-sig']);
    expect(endpointHeaders(endpoints.updateAccount).safeParse({}).success).toBe(true);
  });
});
