import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLyingRelayer, type LyingRelayer } from './support/lyingRelayer.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, PASSWORD, type Stage, setStage } from './support/stage.ts';

/** Holds an answer back. */
let held: LyingRelayer;
let stage: Stage;
beforeAll(async () => {
  held = await createLyingRelayer();
  stage = await setStage({ relayer: held.relayer, url: held.url });
});
afterAll(async () => {
  await stage?.close();
  await held?.close();
});

test('a wallet whose background does not answer says so, and the user restarts it', async () => {
  const { extension } = stage;
  const [worker] = extension.context.serviceWorkers();
  worker
    ?.evaluate(() => {
      for (;;);
    })
    .catch(() => {});
  const page = await extension.open('src/ui/popup.html');
  await page.getByText('Countersign does not answer').waitFor();
  await extension.reload(() => page.getByRole('button', { name: 'Restart Countersign' }).click());
  expect(await extension.ui('getState', {})).toMatchObject({ vault: 'locked' });
  await extension.ui('unlock', { password: PASSWORD });
});

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
  // The old page hears no answer, so its pending request ends; a repeat under its id is told how it
  // ended.
  await expect.poll(() => extension.ui('listApprovals', {})).toEqual([]);
  expect(await request(again, 'relayer_submitOrder', [{ ...ORDER, idempotencyKey: requestId }])).toMatchObject({
    error: { code: 4001, data: { reason: 'pageLeft', status: 'withdrawn' } },
  });
  const { orders } = await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey });
  expect(orders).toEqual([]);
});

test('an extension that is reloaded while an approved order is in progress: the page learns its outcome under the same id, and one order exists', async () => {
  const { extension, client, account } = stage;
  const tab = await stage.connectedPage();
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  // Also what a wallet asks that waited in vain for the answer.
  held.tell({ path: '/api/v3/order', tell: (answer) => released.then(() => answer) });
  const order = { ...ORDER, clientOrderId: 'under-way' };
  const { window, answer } = await stage.ask(tab, 'relayer_submitOrder', [order]);
  await approveIn(window);
  const orders = async () =>
    (await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey })).orders;
  await expect.poll(orders).toHaveLength(1);
  await extension.reload();
  const { error } = (await answer) as { error: { code: number; data: { requestId: string } } };
  expect(error).toMatchObject({ code: 4900, data: { reason: 'walletReplaced', status: 'unknown' } });
  release();
  held.tell(null);

  await extension.ui('unlock', { password: PASSWORD });
  const again = await stage.page();
  const repeated = { ...order, idempotencyKey: error.data.requestId };
  const [placed] = await orders();
  expect(await request(again, 'relayer_submitOrder', [repeated])).toMatchObject({
    result: { clientOrderId: 'under-way', hash: placed?.hash },
  });
  expect(await orders()).toHaveLength(1);
});
