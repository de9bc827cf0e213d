import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
import { ORDER, PASSWORD, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

test('an extension that is reloaded under a request leaves its outcome unknown, and a repeat makes no second order', async () => {
  const { extension, client, account } = stage;
  const tab = await stage.connectedPage();
  const { answer } = await stage.ask(tab, 'relayer_submitOrder', [ORDER]);
  await extension.reload();
  const { error } = (await answer) as { error: { code: number; data: { requestId: string } } };
  expect(error).toMatchObject({ code: 4900, data: { reason: 'walletReplaced', status: 'unknown' } });
  // The old page speaks to nobody any more: what it asks now is never sent.
  expect(await request(tab, 'relayer_submitOrder', [ORDER])).toMatchObject({
    error: { code: 4900, data: { reason: 'walletReplaced', status: 'not-signed' } },
  });

  await extension.ui('unlock', { password: PASSWORD });
  const { requestId } = error.data;
  const again = await stage.page();
  const told = await request(again, 'relayer_getRequest', [{ requestId }]);
  expect(told).toMatchObject({ result: { operation: 'submitOrder', hash: null } });
  // The old page hears no answer, so its pending request ends; a repeat under its id is told how it ended.
  await expect.poll(() => extension.ui('listApprovals', {})).toEqual([]);
  expect(await request(again, 'relayer_submitOrder', [{ ...ORDER, idempotencyKey: requestId }])).toMatchObject({
    error: { code: 4001, data: { reason: 'pageLeft', status: 'withdrawn' } },
  });
  const { orders } = await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey });
  expect(orders).toEqual([]);
});
