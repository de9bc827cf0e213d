import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, movableClock, moveRelayerClock, openOther, PASSWORD, resultOf, setUp } from './support.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const relayer = await relayerOfFile();
/** Of all wallets, and as far ahead as the relayer's, except where a test sets it back. */
const clock = movableClock();

test.each([
  ['takes', 'unknown'],
  ['has and does not show', 'acknowledged'],
])(
  'what the relayer %s at the last look before the machine sleeps past its end is found and not expired',
  async (_what, before) => {
    let isSleepy = false;
    let late: () => Promise<unknown> = async () => {};
    const stage = await setUp(
      relayer,
      {
        now: clock.now,
        fetch: async (input, init) => {
          const url = String(input);
          if (init?.method === 'POST' && url.endsWith('/api/v3/transfer') && before === 'unknown') {
            late = () => fetch(input, init);
            throw new TypeError('fetch failed');
          }
          const answer = await fetch(input, init);
          if (isSleepy && url.includes('/api/v3/user/transfers')) {
            isSleepy = false;
            await late();
            await relayer.engine.run();
            clock.advance(6 * MINUTE);
            await moveRelayerClock(relayer, 6 * MINUTE);
            return Response.json({ totalNum: 0, transactions: [], transfers: [] });
          }
          return answer;
        },
      },
      ['transfers'],
    );
    const { wallet } = stage;
    const friend = await openOther(relayer);
    const validUntil = Math.floor(clock.now() / 1000) + 180;
    const intent = { token: { tokenId: 1, volume: '1000' }, payeeAddr: friend.owner, feeTokenId: 0, validUntil };
    const outcome = await approveRequest(wallet, 'relayer_transfer', intent);
    expect('error' in outcome ? outcome.error.data : outcome.result).toMatchObject({ status: before });
    isSleepy = true;
    const { journal, submissions } = wallet.background().wallet;
    const [record] = await journal.list();
    const looked = await submissions.check(record?.id ?? '');
    expect(isSleepy).toBe(false);
    expect(['acknowledged', 'processed']).toContain(looked.state);
  },
);

test('a request that the relayer acknowledged and lost expires when both clocks are past its end, and not before', async () => {
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
  // By the clock of this machine alone, by the relayer's alone, then by both.
  clock.advance(2 * HOUR);
  expect(await look()).toMatchObject({ state: 'acknowledged' });
  clock.advance(-2 * HOUR);
  await moveRelayerClock(relayer, 2 * HOUR);
  expect(await look()).toMatchObject({ state: 'acknowledged' });
  clock.advance(2 * HOUR);
  expect(await look()).toEqual({ state: 'expired', note: 'acknowledged, and unknown to the relayer after its expiry' });
});
