import { expectTypeOf, test } from 'vitest';
import type { SignNftOrderIntent } from '../../src/operations/signNftOrder.ts';
import type { SubmitOrderIntent } from '../../src/operations/submitOrder.ts';
import type { TransferIntent } from '../../src/operations/transfer.ts';
import type { EndpointAnswer } from '../../src/protocol/index.ts';
import type * as methods from '../../src/viem/index.ts';
import type { RelayerActions } from '../../src/viem/index.ts';

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
