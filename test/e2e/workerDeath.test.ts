import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../scripts/demo/openAccount.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/**
 * All orders of the account at the relayer with this client id, and the storage ids of all its
 * orders.
 */
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

test('a worker that dies while the approval request is open: the user decides, the page is answered, one order exists', async () => {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [
    { ...ORDER, clientOrderId: 'open-question' },
  ]);
  await window.getByText('open-question', { exact: true }).first().waitFor({ state: 'attached' });
  await stage.extension.stopWorker();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'open-question', status: 'acknowledged' } });
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
    // A click that died with the worker left the question open; the user sees that and clicks
    // again.
    await Promise.race([answer, approveIn(window).catch(() => {})]);
    expect(await answer).toMatchObject({ result: { clientOrderId: name, status: 'acknowledged' } });
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
  await window.getByText('locked', { exact: true }).first().waitFor({ state: 'attached' });
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { clientOrderId: 'locked' } });
  await stage.leave(page);
});

test('events stay true over stopped workers: nothing is told twice, what happens later is told, other accounts stay unseen', async () => {
  const { extension, site, account, client, relayer } = stage;
  const page = await stage.connectedPage();
  const events = () =>
    page.evaluate(() =>
      (window as unknown as { events: [string, unknown][] }).events.filter(([name]) => name !== 'message'),
    );
  const told: unknown[] = [];
  await extension.stopWorker();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [account.owner] });
  expect(await events()).toEqual(told);

  await extension.stopWorker();
  await extension.ui('revokeSite', { origin: site.origin });
  told.push(['accountsChanged', []], ['disconnect', { code: 4900, message: 'This site sees no account any more.' }]);
  await expect.poll(events).toEqual(told);
  await extension.stopWorker();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] });

  const { window, answer } = await stage.ask(page, 'eth_requestAccounts');
  await window.getByText(new URL(site.origin).host).first().waitFor();
  await extension.stopWorker();
  await approveIn(window);
  expect(await answer).toEqual({ result: [account.owner] });
  told.push(['connect', { chainId: '0x7a69' }], ['accountsChanged', [account.owner]]);
  await expect.poll(events).toEqual(told);
  await window.close();

  // Another account in the wallet, and its being shown there, is nothing that a site hears of.
  const other = await openAccount({
    client,
    baseUrl: relayer.url,
    funds: { ETH: '1' },
  });
  const [network] = (await extension.ui('getState', {})).networks;
  const { signer } = await extension.ui('importSigner', { privateKey: other.privateKey });
  const { id } = await extension.ui('addAccount', { networkId: network?.id ?? '', signer, label: 'Other' });
  await extension.ui('selectAccount', { account: id });
  await extension.stopWorker();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [account.owner] });
  expect(await request(page, 'relayer_getBalances', [{ account: other.owner }])).toEqual({
    error: {
      code: 4100,
      message: `account: this site does not see ${other.owner}`,
      data: { reason: 'otherAccount' },
    },
  });
  expect(await events()).toEqual(told);
  await stage.leave(page);
});
