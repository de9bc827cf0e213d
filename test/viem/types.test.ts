import { createWalletClient, custom, type EIP1193Provider, rpcSchema } from 'viem';
import { expect, expectTypeOf, test } from 'vitest';
import type { StandingEnd } from '../../src/background/sites/standingStore.ts';
import type { SignNftOrderIntent } from '../../src/operations/signNftOrder.ts';
import type { SubmitOrderIntent } from '../../src/operations/submitOrder.ts';
import type { TransferIntent } from '../../src/operations/transfer.ts';
import type { EndpointAnswer } from '../../src/protocol/index.ts';
import * as states from '../../src/protocol/states.ts';
import { openOrderStatuses } from '../../src/viem/actions/watchOrders.ts';
import type { SubmitOrderFields } from '../../src/viem/generated/methods.ts';
import type * as methods from '../../src/viem/index.ts';
import { feeRequestTypes, isFinalStatus, type RelayerActions, type RelayerRpcSchema } from '../../src/viem/index.ts';
import type { RelayerMessage } from '../../src/viem/messages.ts';

/** What a schema gives is what the printed type says, fields that relayers add aside. */
test('answers of reads have the types of their schemas', () => {
  expectTypeOf<EndpointAnswer<'getBalances'>>().toExtend<methods.GetBalancesReturnType>();
  expectTypeOf<EndpointAnswer<'getOrders'>>().toExtend<methods.GetOrdersReturnType>();
  expectTypeOf<EndpointAnswer<'getAmmPools'>>().toExtend<methods.GetAmmPoolsReturnType>();
  expectTypeOf<EndpointAnswer<'getNftBalances'>>().toExtend<methods.GetNftBalancesReturnType>();
  expectTypeOf<EndpointAnswer<'getBlock'>>().toExtend<methods.GetBlockReturnType>();
});

/** The package takes nothing from the wallet, so these words stand in it once more. */
test('statuses of open orders and ends of standing approvals are those of the wallet', () => {
  expect(openOrderStatuses).toEqual(states.openOrderStatuses);
  type Ended = Extract<RelayerMessage, { type: 'relayer_standingApproval' }>;
  expectTypeOf<Ended['data']['reason']>().toEqualTypeOf<StandingEnd>();
});

test('what an intent holds can be passed to its action', () => {
  // What holds between fields is said by the action's type only.
  expectTypeOf<SubmitOrderIntent>().toExtend<SubmitOrderFields>();
  expectTypeOf<TransferIntent>().toExtend<methods.TransferParameters>();
  expectTypeOf<SignNftOrderIntent>().toExtend<methods.SignNftOrderParameters>();
});

test('a result can wait for a wallet contract, and then names the hash and nothing of its own', () => {
  const check = async (relayer: RelayerActions) => {
    const deployed = await relayer.deployNft({ nftData: '0x01', tokenAddress: '0x01' });
    expectTypeOf(deployed.approveHash).toEqualTypeOf<`0x${string}` | undefined>();
    expectTypeOf(deployed.txHash).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(deployed.tokenAddress).toEqualTypeOf<`0x${string}` | undefined>();
    expectTypeOf((await relayer.updateAccountKey()).publicKey)
      .extract<undefined>()
      .toEqualTypeOf<undefined>();
    expectTypeOf(isFinalStatus(deployed.status)).toBeBoolean();
  };
  expectTypeOf(check).toBeFunction();
});

test('the client has each action with its parameters and result', () => {
  expectTypeOf<RelayerActions['submitOrder']>().toEqualTypeOf<
    (parameters: methods.SubmitOrderParameters) => Promise<methods.SubmitOrderReturnType>
  >();
  expectTypeOf<RelayerActions['getTokens']>().toEqualTypeOf<
    (parameters?: methods.GetTokensParameters) => Promise<methods.GetTokensReturnType>
  >();
  // @ts-expect-error: a field that does not exist
  (client: RelayerActions) => client.submitOrder({ sellToken: { tokenId: 1, volume: 1n }, buytoken: 1 });
});

const typed = (provider: EIP1193Provider) =>
  createWalletClient({ transport: custom(provider), rpcSchema: rpcSchema<RelayerRpcSchema>() });

test('viem’s own request knows methods, parameters and answers', () => {
  const check = async (client: ReturnType<typeof typed>) => {
    const tokens = await client.request({ method: 'relayer_getTokens' });
    expectTypeOf(tokens).toEqualTypeOf<methods.GetTokensReturnType>();
    const balances = await client.request({ method: 'relayer_getBalances', params: [{ tokens: [0] }] });
    expectTypeOf(balances).toEqualTypeOf<methods.GetBalancesReturnType>();
    const order = await client.request({
      method: 'relayer_submitOrder',
      params: [{ sellToken: { tokenId: 1, volume: '1' }, buyToken: { tokenId: 0, volume: '1' } }],
    });
    expectTypeOf(order).toEqualTypeOf<methods.SubmitOrderReturnType>();
    expectTypeOf(await client.request({ method: 'eth_chainId' })).toEqualTypeOf<`0x${string}`>();
    // @ts-expect-error: no such method
    await client.request({ method: 'relayer_getNothing' });
    // @ts-expect-error: parameters are needed
    await client.request({ method: 'relayer_getOrder' });
    // @ts-expect-error: no such parameter
    await client.request({ method: 'relayer_getOrder', params: [{ hash: '0x' }] });
    const volume = 1n;
    // @ts-expect-error: a bigint does not travel
    await client.request({ method: 'relayer_withdraw', params: [{ token: { tokenId: 1, volume } }] });
  };
  expectTypeOf(check).toBeFunction();
});

test('what the wallet would refuse for its fields does not compile', () => {
  const sellToken = { tokenId: 1, volume: 1n };
  const buyToken = { tokenId: 0, volume: 1n };
  const hash = '0x01';
  const standing = {
    sellTokenId: 1,
    buyTokenId: 0,
    orderVolume: 1n,
    totalVolume: 1n,
    validUntil: 1,
    rate: { requests: 1, seconds: 1 },
  };
  const check = async (relayer: RelayerActions) => {
    await relayer.cancelOrder({ orderHash: hash });
    await relayer.cancelOrder({ clientOrderId: 'mine' });
    // @ts-expect-error: neither
    await relayer.cancelOrder({});
    // @ts-expect-error: both
    await relayer.cancelOrder({ orderHash: hash, clientOrderId: 'mine' });
    // @ts-expect-error: without a value
    await relayer.cancelOrder({ orderHash: undefined });

    await relayer.submitOrder({ sellToken, buyToken, orderType: 'AMM', poolAddress: hash });
    await relayer.submitOrder({ sellToken, buyToken, orderType: 'MAKER_ONLY', fillAmountBOrS: true });
    // @ts-expect-error: an AMM order without its pool
    await relayer.submitOrder({ sellToken, buyToken, orderType: 'AMM' });
    // @ts-expect-error: a pool without an AMM order
    await relayer.submitOrder({ sellToken, buyToken, poolAddress: hash });
    // @ts-expect-error: an AMM order that ends by what it buys
    await relayer.submitOrder({ sellToken, buyToken, orderType: 'AMM', poolAddress: hash, fillAmountBOrS: true });

    await relayer.mintNft({ amount: 1n, nftId: hash });
    // @ts-expect-error: no NFT
    await relayer.mintNft({ amount: 1n });
    await relayer.requestStandingApproval({ ...standing, minPrice: '1' });
    // @ts-expect-error: no price
    await relayer.requestStandingApproval(standing);

    await relayer.getOrders({ status: 'processing' });
    await relayer.getOrders({ status: ['processing', 'waiting'] });
    // @ts-expect-error: no such status
    await relayer.getOrders({ status: 'opne' });
    await relayer.getOffchainFee({ requestType: feeRequestTypes.TRANSFER });
    // @ts-expect-error: no such kind
    await relayer.getOffchainFee({ requestType: 99 });
  };
  expectTypeOf(check).toBeFunction();
});

test('rows of texts have named columns, and refusals their names', () => {
  expectTypeOf<methods.GetUserTradesReturnType['trades'][number]['12']>().toEqualTypeOf<string>();
  expectTypeOf<methods.GetDepthReturnType['bids'][number]['length']>().toEqualTypeOf<4>();
  expectTypeOf<methods.GetTickerReturnType['tickers'][number]['length']>().toEqualTypeOf<13>();
  // @ts-expect-error: a row of a book has four columns
  expectTypeOf<methods.GetDepthReturnType['bids'][number][4]>().toEqualTypeOf<string>();
  expectTypeOf<'BALANCE_INSUFFICIENT'>().toExtend<methods.RelayerErrorName>();
  // @ts-expect-error: no such name
  expectTypeOf<'BALANCE_INSUFICIENT'>().toExtend<methods.RelayerErrorName>();
});
