import { TestAccount } from '../testAccount.ts';
import type { RefusalCase } from './refusalCase.ts';

export const readRefusals = {
  getTransfers: [
    [
      107001,
      'no account is named',
      ({ test, alice }) => test.call('GET', '/api/v3/user/transfers', { headers: alice.keyHeader }),
    ],
  ],
  getAmmTransactions: [
    [
      107001,
      'no account is named',
      ({ test, alice }) => test.call('GET', '/api/v3/amm/user/transactions', { headers: alice.keyHeader }),
    ],
  ],
  getNftOffchainFee: [
    [
      100001,
      'a withdrawal should deploy its contract',
      ({ bob }) =>
        bob.get('/api/v3/user/nft/offchainFee', {
          requestType: 10,
          tokenAddress: `0x${'34'.repeat(20)}`,
          deployInWithdraw: true,
        }),
    ],
  ],
  getBlock: [
    [100001, 'the block is named by another word', ({ bob }) => bob.get('/api/v3/block/getBlock', { id: 'newest' })],
  ],
  getOrder: [
    [107002, 'no hash is named', ({ alice }) => alice.get('/api/v3/order')],
    [
      107003,
      'there is no such order',
      ({ alice }) => alice.get('/api/v3/order', { orderHash: `0x${'77'.repeat(32)}` }),
    ],
  ],
  getAccount: [
    [
      101002,
      'there is no such account',
      ({ test }) => test.call('GET', '/api/v3/account', { query: { owner: `0x${'99'.repeat(20)}` } }),
    ],
  ],
  getCounterFactualInfo: [
    [
      101001,
      'the owner is no counterfactual wallet',
      ({ test, alice }) => test.call('GET', '/api/v3/counterFactualInfo', { query: { accountId: alice.accountId } }),
    ],
    [
      101002,
      'there is no such account',
      ({ test }) => test.call('GET', '/api/v3/counterFactualInfo', { query: { accountId: 999_999 } }),
    ],
  ],
  getStorageId: [
    [102002, 'the token is not listed', ({ alice }) => alice.get('/api/v3/storageId', { sellTokenId: 77 })],
  ],
  getOrderUserRateAmount: [
    [
      102005,
      'the market is not traded',
      ({ alice }) => alice.get('/api/v3/user/orderUserRateAmount', { market: 'ETH-LRC' }),
    ],
  ],
  getOffchainFee: [
    [100001, 'the kind has no fee', ({ alice }) => alice.get('/api/v3/user/offchainFee', { requestType: 12 })],
    [
      114001,
      'the token is not listed',
      ({ alice }) => alice.get('/api/v3/user/offchainFee', { requestType: 1, tokenSymbol: 'NONE' }),
    ],
  ],
  getApiKey: [
    [
      101002,
      'there is no such account',
      ({ alice }) => alice.signed('GET', '/api/v3/apiKey', { query: { accountId: 999_999 } }),
    ],
    [
      104005,
      'the account has no key yet',
      async ({ test }) => {
        const carol = await new TestAccount(test.place).faucet();
        return carol.signed('GET', '/api/v3/apiKey', { query: { accountId: carol.accountId } });
      },
    ],
  ],
} satisfies Record<string, readonly RefusalCase[]>;
