import { expect, test } from 'vitest';
import { tidyUp } from '../../src/background/lifecycle/resume.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  buyLrc,
  movableClock,
  ORDER,
  openOther,
  PASSWORD,
  question,
  resultOf,
  SITE,
  seal,
  setUp,
  until,
} from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

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

test.each([
  ['two days behind as it was asked', -2 * DAY, 2 * DAY, 0],
  ['a day and an hour ahead at a start', 0, DAY + HOUR, -DAY - HOUR],
])(
  'a filled order is not signed again under its key after the clock was %s',
  async (_when, asAsked, atStart, afterwards) => {
    const clock = movableClock();
    clock.advance(asAsked);
    const { wallet } = await setUp(relayer, { now: clock.now });
    const first = await approveOrder(wallet, { idempotencyKey: 'sale' });
    const { requestId } = resultOf(first);
    await buyLrc(relayer, await openOther(relayer), 50_000_000_000_000_000n, 100_000_000_000_000_000_000n);
    const { journal, submissions } = wallet.background().wallet;
    const [record] = await journal.list();
    await until(async () => {
      await seal(relayer);
      return (await submissions.check(record?.id ?? '')).state === 'processed';
    });
    clock.advance(atStart);
    wallet.restart();
    await tidyUp(wallet.background().wallet);
    clock.advance(afterwards);
    await wallet.ui('unlock', { password: PASSWORD });
    const repeat = await wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, idempotencyKey: 'sale' }]);
    expect(resultOf(repeat).requestId).toBe(requestId);
    expect(await wallet.background().wallet.journal.list()).toHaveLength(1);
  },
);

test('with a clock ten minutes behind, an order that ends in five is not signed, and uses no standing approval up', async () => {
  const clock = movableClock();
  clock.advance(-HOUR / 6);
  const { wallet } = await setUp(relayer, { now: clock.now });
  const soon = (ms: number) => Math.floor((clock.now() + ms) / 1000);
  await approveRequest(wallet, 'relayer_requestStandingApproval', {
    ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.0004', rate: { requests: 100, seconds: 60 } },
    ...{ orderVolume: ORDER.sellToken.volume, totalVolume: ORDER.sellToken.volume, validUntil: soon(DAY) },
  });
  const place = (ms: number) => wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, validUntil: soon(ms) }]);
  const answer = place(HOUR / 12);
  const { id, problem } = await question(wallet, 'unavailable');
  expect(problem?.key).toBe('error_clockBehind');
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
  const { journal } = wallet.background().wallet;
  expect(await journal.list()).toEqual([]);
  const { requestId } = resultOf(await place(HOUR));
  expect((await journal.list()).map((record) => record.requestId)).toEqual([requestId]);
});
