import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
import { approveIn, ORDER, PASSWORD, type Stage, setStage } from './support/stage.ts';

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
  const [open] = await extension.ui('listApprovals', {});
  if (open) {
    const window = await extension.open(`src/ui/approval.html?id=${open.id}`);
    const repeats = [1, 2].map(() => request(again, 'relayer_submitOrder', [{ ...ORDER, idempotencyKey: requestId }]));
    await approveIn(window);
    const [first, second] = await Promise.all(repeats);
    expect(first).toMatchObject({ result: { status: 'acknowledged' } });
    expect(second).toEqual(first);
  }
  const { orders } = await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey });
  expect(orders).toHaveLength(open ? 1 : 0);
});
