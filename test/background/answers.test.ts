import { expect, test } from 'vitest';
import { apiKeyRecord } from '../../src/background/keys/keyRecords.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, PASSWORD, question, resultOf, SITE, setUp } from './support.ts';

/** A relayer whose answers cannot be used, or answer something else than what was asked. */
const relayer = await relayerOfFile();

type Lie = (url: URL, honest: () => Promise<Response>) => Promise<Response> | undefined;
const lying =
  (lie: Lie): typeof fetch =>
  (input, init) =>
    lie(new URL(String(input)), () => fetch(input, init)) ?? fetch(input, init);

test.each([
  ['a space and a line end', 'a b\n'],
  ['a control character', 'abc\u0007'],
  ['absurd length', 'x'.repeat(257)],
  ['a letter beyond ASCII', 'schlüssel'],
])(
  'an API key with %s is never stored, and the wallet works when the relayer is honest again',
  async (_what, apiKey) => {
    let bad = true;
    const fetching = lying((url) =>
      bad && url.pathname === '/api/v3/apiKey' ? Promise.resolve(Response.json({ apiKey })) : undefined,
    );
    const { wallet, accountView } = await setUp(relayer, { fetch: fetching });
    expect(await wallet.page(SITE, 'relayer_getBalances')).toMatchObject({ error: { code: 4900 } });
    expect(await wallet.background().wallet.vault.hasSecret(apiKeyRecord(accountView))).toBe(false);
    bad = false;
    expect(await wallet.page(SITE, 'relayer_getBalances')).toMatchObject({ result: expect.anything() });
    resultOf(await approveOrder(wallet));
  },
);

test('a stored API key that no header can carry is renewed', async () => {
  const { wallet, accountView } = await setUp(relayer);
  const { vault } = wallet.background().wallet;
  const id = apiKeyRecord(accountView);
  await vault.putSecret({ id, account: accountView, kind: 'api-key' }, new TextEncoder().encode('a b\n'));
  resultOf(await approveOrder(wallet));
  const stored = await vault.withSecret(id, (bytes) => new TextDecoder().decode(bytes));
  expect(stored).toMatch(/^[\x21-\x7e]+$/);
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  resultOf(await approveOrder(wallet, { clientOrderId: 'later' }));
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
  wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: hash }]);
  const view = await question(wallet, 'unavailable');
  expect(view.problem?.key).toBe('error_relayerAnswerUnreadable');
});
