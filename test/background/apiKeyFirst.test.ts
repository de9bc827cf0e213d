import { expect, test } from 'vitest';
import { apiKeyRecord } from '../../src/background/keys/keyRecords.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, movableClock, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

test('an order whose API key cannot be had has not left: its first real send can be refused for good', async () => {
  const clock = movableClock();
  let isDown = false;
  const sent: string[] = [];
  const stage = await setUp(relayer, {
    now: clock.now,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      if (isDown && pathname === '/api/v3/apiKey') return new Response('', { status: 503 });
      if (init?.method !== 'POST' || pathname !== '/api/v3/order') return fetch(input, init);
      sent.push(String(init.body));
      return Response.json({ resultInfo: { code: 102011, message: 'no' } }, { status: 400 });
    },
  });
  const { vault, journal, accountKeys } = stage.wallet.background().wallet;
  const markSigned = journal.markSigned.bind(journal);
  Object.assign(journal, {
    markSigned: async (...given: Parameters<typeof markSigned>) => {
      isDown = true;
      accountKeys.forgetAhead();
      await vault.apply({ remove: [apiKeyRecord(stage.accountView)] });
      return markSigned(...given);
    },
  });
  expect(await approveOrder(stage.wallet)).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
  const record = async () => (await journal.list())[0];
  expect(await record()).toMatchObject({ state: 'signed', error: { outcome: 'not-sent' } });
  expect((await record())?.sends).toBeUndefined();
  expect(sent).toEqual([]);
  isDown = false;
  await until(async () => {
    clock.advance(20_000);
    await stage.wallet.ui('touch', {});
    await stage.wallet.background().onWake();
    return (await record())?.state === 'refused';
  });
  expect(sent).toHaveLength(1);
  expect(await record()).toMatchObject({ sends: 1, error: { code: 102011 } });
});
