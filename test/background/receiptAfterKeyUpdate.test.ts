import { expect, test } from 'vitest';
import { verifyReceipt } from '../../src/receipts/verifyReceipt.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, ORDER, PASSWORD, question, resultOf, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

test('the receipt of the first order after a key update that ended unseen names the key that signed', async () => {
  const { wallet, accountView, client, account } = await setUp(relayer, { now: movableClock().now });
  await wallet.ui('startKeyUpdate', { account: accountView, approval: null, kind: 'derived', feeTokenId: null });
  const { approval, newKey } = await wallet.ui('getKeyUpdate', { account: accountView, approval: null });
  await wallet.ui('approve', {
    id: approval?.id ?? '',
    digest: approval?.digest ?? '',
    account: accountView,
    password: PASSWORD,
  });
  const { journal } = wallet.background().wallet;
  await until(async () => (await journal.list({ operations: ['updateAccountKey'] }))[0]?.state === 'acknowledged');
  const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const view = await question(wallet);
  await until(async () => {
    await relayer.engine.run();
    const { publicKey } = await client.getAccount({ query: { accountId: account.accountId } });
    return BigInt(publicKey.x) === BigInt(newKey?.publicKey.x ?? 0);
  });
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  const { requestId } = resultOf(await answer);
  const receipt = resultOf<object>(await wallet.page(SITE, 'relayer_getReceipt', [{ requestId }]));
  expect(receipt).toMatchObject({ account: { publicKey: newKey?.publicKey } });
  expect(await verifyReceipt(receipt)).toMatchObject({ valid: true, signed: true });
});
