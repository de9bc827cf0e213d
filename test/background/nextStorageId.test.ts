import { expect, test } from 'vitest';
import { nextStorageId } from '../../src/background/relayers/storageIds.ts';

test.each([
  ['order', { orderId: 4 }, 4],
  ['order', { offchainId: 3 }, { kind: 'off-schema', endpoint: 'getStorageId', field: 'orderId' }],
  ['offchain', { orderId: 4 }, { kind: 'off-schema', endpoint: 'getStorageId', field: 'offchainId' }],
] as const)('the next storage id for %s of a relayer that names %j', async (parity, answer, expected) => {
  const rooms = {
    relayers: { client: () => ({ getStorageId: async () => answer }) },
    accountKeys: {
      withApiKey: async (_account: unknown, _network: unknown, read: (key: string) => unknown) => read(''),
    },
  };
  const slot = { tokenId: 1, parity };
  const asked = nextStorageId(rooms as never, slot, { accountId: 1 } as never, {} as never);
  expect(await asked.catch((error: unknown) => error)).toEqual(
    typeof expected === 'number' ? expected : expect.objectContaining(expected),
  );
});
