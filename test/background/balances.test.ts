import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, PASSWORD, setUp } from './support.ts';

const relayer = await relayerOfFile();

test('the approval window reads a balance at most once in half a minute, and none while the wallet is locked', async () => {
  const clock = movableClock();
  let asked = 0;
  const send: typeof fetch = (input, init) => {
    if (new URL(String(input)).pathname === '/api/v3/user/balances') asked++;
    return fetch(input, init);
  };
  const { wallet } = await setUp(relayer, { now: clock.now, fetch: send }, ['transfers']);
  const account = (await wallet.ui('getState', {})).accounts[0]?.id ?? '';
  const before = asked;
  const first = await wallet.ui('getBalances', { account });
  expect(first?.map(({ token, total }) => [token.symbol, total])).toContainEqual([
    'LRC',
    expect.stringMatching(/^\d+$/),
  ]);
  expect(await wallet.ui('getBalances', { account })).toEqual(first);
  expect(asked).toBe(before + 1);
  clock.advance(31_000);
  await wallet.ui('getBalances', { account });
  expect(asked).toBe(before + 2);
  clock.advance(-10_000);
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.ui('getBalances', { account });
  // What was read by a clock that was ahead says nothing of its age.
  expect(asked).toBe(before + 3);
  clock.advance(10_000);
  await wallet.ui('lock', {});
  clock.advance(31_000);
  expect(await wallet.ui('getBalances', { account })).toEqual(first);
  expect(asked).toBe(before + 3);
});
