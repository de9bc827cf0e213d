import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderHash } from '../../src/protocol/index.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, rejectIn, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const lrc = async () => {
  const { client, account } = stage;
  const rows = await client.getBalances({
    query: { accountId: account.accountId, tokens: '1' },
    apiKey: account.apiKey,
  });
  return rows[0];
};

test('is found by EIP-6963 and sets no global', async () => {
  const page = await stage.page();
  const found = await page.evaluate(() => {
    const { announced } = window as unknown as {
      announced: { rdns: string; name: string; icon: string; uuid: string }[];
    };
    return { announced, globals: ['ethereum', 'countersign', 'web3'].filter((name) => name in window) };
  });
  expect(found.announced).toMatchObject([{ rdns: 'dev.countersign', name: 'Countersign' }]);
  expect(found.announced[0]?.icon).toMatch(/^data:image\/svg\+xml,/);
  expect(found.globals).toEqual([]);
  await stage.leave(page);
});

test('connects a site after the user approved, and tells it its accounts', async () => {
  const page = await stage.page();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] });
  const { window, answer } = await stage.ask(page, 'eth_requestAccounts');
  await window.getByText(new URL(stage.site.origin).host).first().waitFor();
  await approveIn(window);
  expect(await answer).toEqual({ result: [stage.account.owner] });
  expect(await request(page, 'eth_accounts')).toEqual({ result: [stage.account.owner] });
  expect(await request(page, 'eth_chainId')).toEqual({ result: '0x7a69' });
  const events = () => page.evaluate(() => (window as unknown as { events: unknown[] }).events);
  await expect.poll(events).toContainEqual(['accountsChanged', [stage.account.owner]]);
  await stage.leave(page);
});

test('an approved order is signed, accepted by the relayer, and its hash is the locally computed one', async () => {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [
    { ...ORDER, clientOrderId: 'e2e-1', maxFeeBips: 20 },
  ]);
  await window.getByText('LRC').first().waitFor();
  const before = await lrc();
  await approveIn(window);
  const outcome = (await answer) as { result: { hash: string; storageId: number; status: string } };
  expect(outcome.result).toMatchObject({ status: 'acknowledged', clientOrderId: 'e2e-1', isIdempotent: false });
  const { hash, storageId } = outcome.result;

  const { client, account } = stage;
  const order = await client.getOrder({
    query: { accountId: account.accountId, orderHash: hash as `0x${string}` },
    apiKey: account.apiKey,
  });
  const signed = {
    ...ORDER,
    exchange: account.exchange,
    accountId: account.accountId,
    storageId,
    validUntil: order.validity.end,
    maxFeeBips: 20,
    fillAmountBOrS: false,
  };
  expect(BigInt(hash)).toBe(orderHash(signed));
  expect(order).toMatchObject({ status: 'processing', market: 'LRC-ETH', side: 'SELL', clientOrderId: 'e2e-1' });
  expect(BigInt((await lrc())?.locked ?? 0) - BigInt(before?.locked ?? 0)).toBe(BigInt(ORDER.sellToken.volume));
  await stage.leave(page);
});

test('cancels the order after approval and the relayer releases the balance', async () => {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_cancelOrder', [{ clientOrderId: 'e2e-1' }]);
  await approveIn(window);
  expect(await answer).toMatchObject({
    result: { clientOrderId: 'e2e-1', relayerStatus: expect.stringMatching(/^cancel/) },
  });
  expect(await lrc()).toMatchObject({ locked: '0' });
  await stage.leave(page);
});

test('reads balances and storage ids without showing the API key', async () => {
  const page = await stage.connectedPage();
  const balances = await request(page, 'relayer_getBalances', [{ tokens: [0, 1] }]);
  expect(balances).toMatchObject({
    result: [
      { tokenId: 0, total: expect.stringMatching(/^9999/) },
      { tokenId: 1, total: '100000000000000000000000' },
    ],
  });
  const ids = (await request(page, 'relayer_getStorageId', [{ sellTokenId: 1, maxNext: true }])) as {
    result: { orderId: number; offchainId: number };
  };
  expect(ids.result.orderId % 2).toBe(0);
  expect(ids.result.offchainId % 2).toBe(1);
  expect(JSON.stringify([balances, ids])).not.toContain(stage.account.apiKey);
  await stage.leave(page);
});

test('an order goes to the result screen and the next one in the queue waits its turn', async () => {
  const page = await stage.connectedPage();
  const { window, answer: first } = await stage.ask(page, 'relayer_submitOrder', [
    { ...ORDER, clientOrderId: 'first' },
  ]);
  await window.getByText('first', { exact: true }).first().waitFor({ state: 'attached' });
  const second = request(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'second' }]);
  await expect.poll(async () => (await stage.extension.ui('listApprovals', {})).length).toBe(2);
  expect(await window.getByText('second', { exact: true }).count()).toBe(0);
  await rejectIn(window);
  expect(await first).toMatchObject({ error: { code: 4001 } });
  await window.getByText('second', { exact: true }).first().waitFor({ state: 'attached' });
  await approveIn(window);
  expect(await second).toMatchObject({ result: { clientOrderId: 'second' } });
  await stage.leave(page);
});
