import { clear } from 'idb-keyval';
import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, resultOf, SITE, setUp } from './support.ts';

/** What a site is told of a request that it names again. */
const relayer = await relayerOfFile();

test('a request whose record is gone has an unknown outcome, and the hash that its page was told', async () => {
  const { wallet } = await setUp(relayer);
  const { requestId, hash } = resultOf(await approveOrder(wallet));
  await clear(wallet.ports.journalStore);
  const unknown = { requestId, hash, status: 'unknown' };
  expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId }])).toMatchObject({ result: unknown });
  expect(await wallet.page(SITE, 'relayer_getRequests', [{}])).toMatchObject({ result: [unknown] });
});
