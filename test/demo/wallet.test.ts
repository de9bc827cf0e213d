import type { EIP1193Provider } from 'viem';
import { expect, it } from 'vitest';
import { connectTo, walletError } from '../../src/demo/page/wallet.ts';

/** A provider that refuses everything, and counts. */
function refusing(error: unknown) {
  let asked = 0;
  const provider = {
    on: () => {},
    removeListener: () => {},
    request: () => {
      asked += 1;
      return Promise.reject(error);
    },
  } as unknown as EIP1193Provider;
  return { provider, asked: () => asked };
}

async function refusalOf(error: unknown) {
  return connectTo(refusing(error).provider)
    .request({ method: 'relayer_submitOrder', params: [{}] })
    .then(
      () => null,
      (thrown: unknown) => walletError(thrown),
    );
}

it.each([
  [{ code: 4001, message: 'The request was rejected' }],
  [{ code: 4100, message: 'Connect first' }],
  [{ code: 4200, message: 'No such method' }],
  [{ code: -32602, message: 'sellToken.volume: is zero', data: { field: 'sellToken.volume' } }],
  [{ code: -32003, message: 'The relayer refused', data: { code: 102010, name: 'ERR_ORDER' } }],
])('finds the error of the wallet inside the error of viem: %o', async (error) => {
  expect(await refusalOf(error)).toEqual(error);
});

it('keeps the message of an error that has no code', async () => {
  expect(walletError(new Error('gone'))).toEqual({ code: null, message: 'gone' });
});

it('asks once when the wallet fails inside: a repeated order would be a second approval request', async () => {
  const { provider, asked } = refusing({ code: -32603, message: 'Internal error' });
  await expect(connectTo(provider).request({ method: 'relayer_submitOrder', params: [{}] })).rejects.toThrow();
  expect(asked()).toBe(1);
});
