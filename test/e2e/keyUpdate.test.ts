import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../scripts/demo/openAccount.ts';
import { formatSignature, type SecretKey, sign } from '../../src/crypto/index.ts';
import { orderHash } from '../../src/protocol/index.ts';
import { patientClient } from '../support/patientClient.ts';
import { keptBy } from './support/kept.ts';
import { request } from './support/site.ts';
import { approveIn, FUNDS, ORDER, PASSWORD, rejectIn, type Stage, setStage } from './support/stage.ts';
import { approveKeyUpdate, walkWizard } from './support/wizard.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const registered = async () =>
  (await stage.client.getAccount({ query: { accountId: stage.account.accountId } })).publicKey.x;

const state = () => stage.extension.ui('getState', {});

const openWizard = async () => {
  const [account] = (await state()).accounts;
  return stage.extension.open(`src/ui/keyUpdate.html?account=${encodeURIComponent(account?.id ?? '')}`);
};

/** An order of the connected site, accepted by the relayer. */
async function orderIsAccepted(clientOrderId: string): Promise<void> {
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId }]);
  await window.getByText(clientOrderId, { exact: true }).first().waitFor({ state: 'attached' });
  await approveIn(window);
  // A test that signed an order of its own has used the storage id that the wallet counts next.
  const again = window.getByText('This was signed before').first();
  const isAsked = again.waitFor().then(
    () => true,
    () => false,
  );
  if (await Promise.race([isAsked, answer.then(() => false)])) {
    await window.mouse.move(1, 1);
    await approveIn(window);
  }
  expect(await answer).toMatchObject({ result: { clientOrderId, status: 'acknowledged' } });
  await stage.leave(page);
}

test('the wizard shows what ends, replaces the key with a random one, and the old key is gone', async () => {
  await orderIsAccepted('before');
  const before = await registered();
  const page = await openWizard();
  await page.getByText('1 open order', { exact: true }).waitFor();
  await walkWizard(page, 'random');
  const sealed = await stage.extension.ui('exportAccountKey', {
    account: (await state()).accounts[0]?.id ?? '',
    pending: null,
    form: 'hex',
    password: PASSWORD,
  });
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByText('Your account has a new key').waitFor();
  await page.close();
  expect(await registered()).not.toBe(before);
  expect((await state()).accounts[0]?.publicKey.x).toBe(await registered());

  const old = sealed.text.slice(2);
  const reversed = (old.match(/../g) ?? []).reverse();
  const bytes = reversed.map((pair) => Number.parseInt(pair, 16));
  const stored = Object.values(await keptBy(stage.extension)).join();
  expect(stored).toContain('countersign-vault');
  for (const form of [old, reversed.join(''), bytes.join(), Buffer.from(bytes).toString('base64')])
    expect(stored).not.toContain(form);
  // The old key's API key is refused, and with it every log-in of the old key.
  const { accountId, apiKey } = stage.account;
  const client = patientClient(stage.relayer.url);
  await expect(client.getOrders({ query: { accountId }, apiKey })).rejects.toMatchObject({ relayerCode: 104002 });
  await orderIsAccepted('after');
});

/** An order of the account at the relayer, signed here by any key of it. */
async function submitSignedBy(secretKey: SecretKey, apiKey: string): Promise<unknown> {
  const { client, account } = stage;
  const { accountId, exchange } = account;
  const { orderId } = await client.getStorageId({ query: { accountId, sellTokenId: 1, maxNext: true }, apiKey });
  const order = {
    ...ORDER,
    exchange,
    accountId,
    storageId: orderId ?? 0,
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    maxFeeBips: 20,
    fillAmountBOrS: false,
    allOrNone: false,
  } as const;
  const eddsaSignature = formatSignature(sign(orderHash(order), secretKey));
  return client.submitOrder({ body: { ...order, eddsaSignature } as never, apiKey });
}

test('a page asks for a new key: rejected it gets 4001, through the wizard the new public key; the old key signs nothing any more', async () => {
  const before = await registered();
  const page = await stage.connectedPage();
  await stage.approve(page, 'wallet_requestPermissions', [{ relayer_key: {} }]);

  const rejected = await stage.ask(page, 'relayer_updateAccountKey', [{}]);
  const gone = rejected.window.waitForEvent('close');
  await rejected.window.getByText('This site asks you to replace the account key').waitFor();
  await rejectIn(rejected.window);
  expect(await rejected.answer).toEqual({ error: { code: 4001, message: 'The user rejected the request.' } });
  await gone;
  expect(await registered()).toBe(before);

  const totals = async () => {
    const { result } = (await request(page, 'relayer_getBalances', [{ tokens: [0, 1] }])) as {
      result: { total: string }[];
    };
    return result.map(({ total }) => BigInt(total));
  };
  const [ethBefore, lrcBefore = 0n] = await totals();
  const asked = await stage.ask(page, 'relayer_updateAccountKey', [{ feeTokenId: 1 }]);
  await approveKeyUpdate(asked.window);
  const outcome = (await asked.answer) as { result: { requestId: string; publicKey: { x: string } } };
  expect(outcome).toMatchObject({ result: { publicKey: { x: expect.stringMatching(/^0x/) } } });
  await asked.window.getByText('Your account has a new key').waitFor();
  await asked.window.close();
  const after = await registered();
  expect([after === before, BigInt(after)]).toEqual([false, BigInt(outcome.result.publicKey.x)]);
  const status = async () => {
    const { result } = (await request(page, 'relayer_getRequests')) as {
      result: { requestId: string; status: string }[];
    };
    return result.find(({ requestId }) => requestId === outcome.result.requestId)?.status;
  };
  await expect.poll(status).toBe('processed');
  // The fee is paid in the token that the site named.
  const [ethAfter, lrcAfter = 0n] = await totals();
  expect([ethAfter === ethBefore, lrcAfter < lrcBefore]).toEqual([true, true]);
  await stage.leave(page);

  // A derived key can be made again from the L1 key, which gives the test a log-in of its own.
  const { client, relayer, account } = stage;
  const renewed = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: account.privateKey,
    funds: FUNDS,
  });
  await expect(submitSignedBy(account.secretKey, renewed.apiKey)).rejects.toMatchObject({ relayerCode: 104005 });
  expect(await submitSignedBy(renewed.secretKey, renewed.apiKey)).toMatchObject({ status: 'processing' });
});

test.each([
  ['as the key is made', 0],
  ['as the request leaves', 30],
  ['while the exchange registers the key', 250],
] as const)('a worker that dies %s leaves an account that works, and the wizard goes on', async (when, delay) => {
  const before = await registered();
  const page = await openWizard();
  if (delay === 0) {
    await page.getByText('Why replace it?').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await stage.extension.stopWorker();
    await page.reload();
  }
  const ready = page.getByRole('button', { name: 'Replace the key' });
  await page.getByText('Why replace it?').or(ready).first().waitFor();
  if (delay > 0 || !(await ready.isVisible())) await walkWizard(page, 'derived');
  else await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await ready.click();
  if (delay > 0) {
    await new Promise((done) => setTimeout(done, delay));
    await stage.extension.stopWorker();
    await page.reload();
  }
  // A click that died with the worker left the question open: the person sees that and clicks
  // again.
  const insist = async () => {
    if (!(await ready.isVisible())) return;
    await page.locator('input[autocomplete=current-password]').fill(PASSWORD, { timeout: 1_000 });
    await ready.click({ timeout: 1_000 });
  };
  const replaced = async () => {
    if ((await registered()) !== before) return true;
    await insist().catch(() => {});
    return false;
  };
  await expect.poll(replaced, { interval: 500 }).toBe(true);
  await expect.poll(async () => (await state()).accounts[0]?.publicKey.x).toBe(await registered());
  await page.close();
  await orderIsAccepted(`after ${when}`.replaceAll(' ', '-'));
});
