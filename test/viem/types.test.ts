import { createWalletClient, custom, type EIP1193Provider, rpcSchema } from 'viem';
import { expectTypeOf, test } from 'vitest';
import type { SignNftOrderIntent } from '../../src/operations/signNftOrder.ts';
import type { SubmitOrderIntent } from '../../src/operations/submitOrder.ts';
import type { TransferIntent } from '../../src/operations/transfer.ts';
import type { EndpointAnswer } from '../../src/protocol/index.ts';
import type * as methods from '../../src/viem/index.ts';
import type { RelayerActions, RelayerRpcSchema } from '../../src/viem/index.ts';

/** What a schema gives is what the printed type says, fields that relayers add aside. */
test('answers of reads have the types of their schemas', () => {
  expectTypeOf<EndpointAnswer<'getBalances'>>().toExtend<methods.GetBalancesReturnType>();
  expectTypeOf<EndpointAnswer<'getOrders'>>().toExtend<methods.GetOrdersReturnType>();
  expectTypeOf<EndpointAnswer<'getAmmPools'>>().toExtend<methods.GetAmmPoolsReturnType>();
  expectTypeOf<EndpointAnswer<'getNftBalances'>>().toExtend<methods.GetNftBalancesReturnType>();
  expectTypeOf<EndpointAnswer<'getBlock'>>().toExtend<methods.GetBlockReturnType>();
});

test('what an intent holds can be passed to its action', () => {
  expectTypeOf<SubmitOrderIntent>().toExtend<methods.SubmitOrderParameters>();
  expectTypeOf<TransferIntent>().toExtend<methods.TransferParameters>();
  expectTypeOf<SignNftOrderIntent>().toExtend<methods.SignNftOrderParameters>();
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
