import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RelayerClient } from '../../src/client/index.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { developmentRelayer } from '../relayer/support/startRelayer.ts';
import { patientClient } from '../support/patientClient.ts';

let relayer: RunningRelayer;
let client: RelayerClient;
beforeAll(async () => {
  relayer = await developmentRelayer();
  client = patientClient(relayer.url);
});
afterAll(() => relayer.close());

const owner = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

it('reads the public facts of a relayer', async () => {
  expect((await client.getExchangeInfo({})).chainId).toBe(31337);
  expect((await client.getTokens({})).map(({ symbol }) => symbol)).toContain('LRC');
  expect((await client.getTimestamp({})).timestamp).toBeGreaterThan(1_600_000_000_000);
});

it('hears its refusals', async () => {
  await expect(client.getAccount({ query: { owner } })).rejects.toMatchObject({
    kind: 'refused',
    relayerCode: 101002,
    relayerName: 'ACCOUNT_NOT_FOUND',
    outcome: 'refused',
    httpStatus: 400,
  });
  const query = { accountId: 10001, sellTokenId: 1 };
  await expect(client.getStorageId({ query, apiKey: 'nobody' })).rejects.toMatchObject({ relayerCode: 104002 });
});
