import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, openOther, PASSWORD, question, resultOf, SITE, setUp } from './support.ts';

const HOUR = 3_600_000;

const relayer = await relayerOfFile();

test('with a clock an hour behind the relayer’s a request is not signed in vain: the user is told, and it goes on once the clock is set', async () => {
  const clock = movableClock();
  clock.advance(-HOUR);
  const { wallet } = await setUp(relayer, { now: clock.now }, ['transfers']);
  const friend = await openOther(relayer);
  const intent = { token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr: friend.owner, feeTokenId: 0 };
  const answer = wallet.page(SITE, 'relayer_transfer', [intent]);
  const unavailable = await question(wallet, 'unavailable');
  expect(unavailable).toMatchObject({
    digest: null,
    problem: {
      key: 'error_clockBehind',
      values: { minutes: { kind: 'text', text: '60' }, host: { kind: 'text', text: new URL(relayer.url).host } },
    },
  });
  await wallet.ui('retryApproval', { id: unavailable.id });
  expect((await question(wallet, 'unavailable')).problem?.key).toBe('error_clockBehind');
  const { journal } = wallet.background().wallet;
  expect(await journal.list()).toEqual([]);

  // Longer than the wallet stays unlocked.
  clock.advance(HOUR);
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.ui('retryApproval', { id: unavailable.id });
  const { id, digest, account } = await question(wallet);
  await wallet.ui('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  expect(resultOf(await answer)).toMatchObject({ requestId: id });
  expect(await journal.list()).toHaveLength(1);
});
