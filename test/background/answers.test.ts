import { expect, test } from 'vitest';
import { apiKeyRecord } from '../../src/background/keys/keyRecords.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, ORDER, question, resultOf, SITE, setUp } from './support.ts';

/** A relayer whose answers cannot be used, or answer something else than what was asked. */
const relayer = await relayerOfFile();

type Lie = (url: URL, honest: () => Promise<Response>) => Promise<Response> | undefined;
const lying =
  (lie: Lie): typeof fetch =>
  (input, init) =>
    lie(new URL(String(input)), () => fetch(input, init)) ?? fetch(input, init);

test('an API key that no header can carry is never stored, and the wallet works when the relayer is honest again', async () => {
  let bad = true;
  const fetching = lying((url) =>
    bad && url.pathname === '/api/v3/apiKey' ? Promise.resolve(Response.json({ apiKey: 'a b\n' })) : undefined,
  );
  const { wallet, accountView } = await setUp(relayer, { fetch: fetching });
  expect(await wallet.page(SITE, 'relayer_getBalances')).toMatchObject({ error: { code: 4900 } });
  expect(await wallet.background().wallet.vault.hasSecret(apiKeyRecord(accountView))).toBe(false);
  bad = false;
  expect(await wallet.page(SITE, 'relayer_getBalances')).toMatchObject({ result: expect.anything() });
  resultOf(await approveOrder(wallet));
});

test.each([
  ['be it all of them', () => true],
  ['be it one', (index: number) => index === 0],
])('balances of another account are not shown as the account’s own, %s', async (_what, isOther) => {
  const other = lying((url, honest) =>
    url.pathname === '/api/v3/user/balances'
      ? honest().then(async (answer) =>
          Response.json(
            ((await answer.json()) as object[]).map((row, index) => (isOther(index) ? { ...row, accountId: 1 } : row)),
          ),
        )
      : undefined,
  );
  const { wallet } = await setUp(relayer, { fetch: other });
  const { problem, balances } = await wallet.ui('getHome', { refresh: true });
  expect([problem?.key, balances]).toEqual(['error_relayerAnswerUnreadable', []]);
});

test('another order than the one that was asked for is neither cancelled nor replaced', async () => {
  let lie = false;
  const swapped = lying((url, honest) =>
    lie && url.pathname === '/api/v3/order' && url.searchParams.has('orderHash')
      ? honest().then(async (answer) =>
          Response.json({ ...((await answer.json()) as object), hash: `0x${'5'.repeat(64)}` }),
        )
      : undefined,
  );
  const { wallet } = await setUp(relayer, { fetch: swapped });
  const { hash } = resultOf(await approveOrder(wallet));
  lie = true;
  for (const [method, intent] of [
    ['relayer_cancelOrder', { orderHash: hash }],
    ['relayer_replaceOrder', { ...ORDER, replaces: hash }],
  ] as const) {
    wallet.page(SITE, method, [intent]);
    const { id, operation, problem } = await question(wallet, 'unavailable');
    expect([`relayer_${operation}`, problem?.key]).toEqual([method, 'error_relayerAnswerUnreadable']);
    await wallet.ui('reject', { id, block: false });
  }
});
