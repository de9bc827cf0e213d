import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, serveSite } from './support/site.ts';
import { approveIn, ORDER, rejectIn, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

test('a site that is not connected reads nothing of an account', async () => {
  const page = await stage.page();
  expect(await request(page, 'relayer_getBalances')).toEqual({
    error: {
      code: 4100,
      message: 'This site is not connected. Call eth_requestAccounts first.',
      data: { reason: 'notConnected' },
    },
  });
  await stage.leave(page);
});

test('an unknown method gets 4200', async () => {
  const page = await stage.connectedPage();
  for (const method of ['eth_sendTransaction', 'relayer_signHash', 'getState', 'toString'])
    expect(await request(page, method)).toMatchObject({ error: { code: 4200 } });
  await stage.leave(page);
});

test('malformed parameters get -32602 with the field', async () => {
  const page = await stage.connectedPage();
  const message = async (intent: unknown) =>
    ((await request(page, 'relayer_submitOrder', [intent])) as { error: { code: number; message: string } }).error;
  expect(await message({ ...ORDER, sellToken: { tokenId: 1, volume: 'ten' } })).toEqual({
    code: -32602,
    message: 'sellToken.volume: is not a decimal text without leading zeros',
  });
  expect(await message({ ...ORDER, storageId: 2 })).toEqual({
    code: -32602,
    message: 'storageId: is not a field of this request',
  });
  expect(await message({ ...ORDER, buyToken: { tokenId: 31_000, volume: '1' } })).toMatchObject({
    code: -32602,
    message: 'buyToken.tokenId: the relayer lists no token 31000',
  });
  await stage.leave(page);
});

test('a frame inside the page has no wallet and gets no answer through one', async () => {
  const page = await stage.connectedPage();
  const announced = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = location.href;
    document.body.append(frame);
    await new Promise((done) => frame.addEventListener('load', done));
    return (frame.contentWindow as unknown as { announced: unknown[] }).announced;
  });
  expect(announced).toEqual([]);
  await stage.leave(page);
});

test('connection and order of a site that is not connected are asked in one window, one after the other', async () => {
  const site = await serveSite();
  const page = await stage.extension.context.newPage();
  await page.goto(site.origin);
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'both' }]);
  const windows = stage.extension.context.pages().length;
  await window.getByText('Its request comes next.').waitFor();
  await approveIn(window);
  await window.getByText('The permission is given.').waitFor();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [stage.account.owner] });
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { status: 'acknowledged', clientOrderId: 'both' } });
  expect(stage.extension.context.pages()).toHaveLength(windows);
  await window.close();

  // One more permission, for the account that the site sees; rejected, it sees what it saw before.
  const more = await stage.ask(page, 'relayer_withdraw', [{ token: { tokenId: 1, volume: '1000000000000000000' } }]);
  await more.window.getByText('Allow this site to do more?').waitFor();
  await rejectIn(more.window);
  expect(await more.answer).toMatchObject({ error: { code: 4001 } });
  await stage.leave(page);
  await site.close();
});

test('a relayer that is down is a sentence in the window and a typed error on the page, and nothing is lost', async () => {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'down' }]);
  await window.getByText('down', { exact: true }).first().waitFor({ state: 'attached' });
  await stage.relayer.close();
  await approveIn(window);
  const outcome = (await answer) as { error: { code: number; data: { status: string; hash: string } } };
  expect(outcome.error).toMatchObject({ code: 4900, data: { status: 'unknown' } });
  await window
    .getByRole('main')
    .getByText(/keeps checking and does not sign it again/)
    .waitFor();
  const [kept] = await stage.extension.ui('getActivity', { limit: 1 });
  expect(kept).toMatchObject({ status: 'unknown', hash: outcome.error.data.hash });
  await stage.leave(page);
});
