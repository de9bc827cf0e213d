import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveIn, ORDER, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** All orders of the account at the relayer with this client id, and the storage ids of all its orders. */
async function ordersNamed(clientOrderId: string) {
  const { client, account } = stage;
  const { orders } = await client.getOrders({
    query: { accountId: account.accountId, limit: 50 },
    apiKey: account.apiKey,
  });
  const ids = orders.map(({ storageInfo }) => storageInfo?.storageId);
  expect(new Set(ids).size).toBe(ids.length);
  return orders.filter((order) => order.clientOrderId === clientOrderId);
}

test('a worker that dies while the question is open: the user decides, the page is answered, one order exists', async () => {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [
    { ...ORDER, clientOrderId: 'open-question' },
  ]);
  await window.getByText('open-question', { exact: true }).first().waitFor();
  await stage.extension.stopWorker();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'open-question', status: 'processing' } });
  expect(await ordersNamed('open-question')).toHaveLength(1);
  await stage.leave(page);
});

test.each([0, 5, 20, 60])(
  'a worker that dies %s ms after the approval: the page is answered, one order exists',
  async (delay) => {
    const name = `after-approve-${delay}`;
    const page = await stage.connectedPage();
    const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: name }]);
    await approveIn(window);
    await new Promise((done) => setTimeout(done, delay));
    await stage.extension.stopWorker();
    // A click that died with the worker left the question open; the user sees that and clicks again.
    await Promise.race([answer, approveIn(window).catch(() => {})]);
    expect(await answer).toMatchObject({ result: { clientOrderId: name, status: 'processing' } });
    expect(await ordersNamed(name)).toHaveLength(1);
    await stage.leave(page);
  },
);

test('a locked wallet asks for the password first, and goes on where it was', async () => {
  const page = await stage.connectedPage();
  await stage.extension.ui('lock', {});
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'locked' }]);
  await window.locator('input[type=password]').fill('correct horse battery staple');
  await window.keyboard.press('Enter');
  await window.getByText('locked', { exact: true }).first().waitFor();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'locked' } });
  await stage.leave(page);
});
