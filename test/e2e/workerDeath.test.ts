import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
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
  const opening = stage.extension.nextApproval();
  const answer = request(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'open-question' }]);
  const window = await opening;
  await window.getByText('open-question', { exact: true }).waitFor();
  await stage.extension.stopWorker();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'open-question', status: 'processing' } });
  expect(await ordersNamed('open-question')).toHaveLength(1);
  await page.close();
});

test.each([0, 5, 20, 60])(
  'a worker that dies %s ms after the approval: the page is answered, one order exists',
  async (delay) => {
    const name = `after-approve-${delay}`;
    const page = await stage.connectedPage();
    const opening = stage.extension.nextApproval();
    const answer = request(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: name }]);
    const window = await opening;
    await approveIn(window);
    await new Promise((done) => setTimeout(done, delay));
    await stage.extension.stopWorker();
    expect(await answer).toMatchObject({ result: { clientOrderId: name, status: 'processing' } });
    expect(await ordersNamed(name)).toHaveLength(1);
    await page.close();
  },
);

test('a locked wallet asks for the password first, and goes on where it was', async () => {
  const page = await stage.connectedPage();
  await stage.extension.ui('lock', {});
  const opening = stage.extension.nextApproval();
  const answer = request(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'locked' }]);
  const window = await opening;
  await window.locator('input[type=password]').fill('correct horse battery staple');
  await window.keyboard.press('Enter');
  await window.getByText('locked', { exact: true }).waitFor();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'locked' } });
  await page.close();
});
