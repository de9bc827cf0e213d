import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import {
  approveRequest,
  movableClock,
  moveRelayerClock,
  openOther,
  PASSWORD,
  resultOf,
  START_TIMEOUT_MS,
  setUp,
  startRelayer,
} from './support.ts';

const HOUR = 3_600_000;

let relayer: RunningRelayer;
beforeAll(async () => {
  relayer = await startRelayer();
}, START_TIMEOUT_MS);
afterAll(() => relayer.close());

test('a request that the relayer acknowledged and lost expires when both clocks are past its end, and not before', async () => {
  const clock = movableClock();
  const stage = await setUp(
    relayer,
    {
      now: clock.now,
      fetch: async (input, init) => {
        const isList = init?.method !== 'POST' && String(input).includes('/api/v3/user/transfers');
        return isList ? Response.json({ totalNum: 0, transactions: [], transfers: [] }) : fetch(input, init);
      },
    },
    ['transfers'],
  );
  const { wallet } = stage;
  const friend = await openOther(relayer);
  const intent = { token: { tokenId: 1, volume: '1000' }, payeeAddr: friend.owner, feeTokenId: 0 };
  const { status } = resultOf(await approveRequest(wallet, 'relayer_transfer', intent));
  expect(status).toBe('acknowledged');
  const look = async () => {
    await wallet.ui('unlock', { password: PASSWORD });
    const { journal, submissions } = wallet.background().wallet;
    const [record] = await journal.list();
    const looked = await submissions.check(record?.id ?? '');
    return { state: looked.state, note: looked.history.at(-1)?.note };
  };
  expect(await look()).toMatchObject({ state: 'acknowledged' });
  // By the clock of this machine alone, then by both.
  clock.advance(2 * HOUR);
  expect(await look()).toMatchObject({ state: 'acknowledged' });
  await moveRelayerClock(relayer, 2 * HOUR);
  expect(await look()).toEqual({ state: 'expired', note: 'acknowledged, and unknown to the relayer after its expiry' });
});
