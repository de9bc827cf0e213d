import { expect, it, vi } from 'vitest';
import { createPush, type FollowedBook, followBook, type PushListener, type Socket } from '../../src/client/index.ts';

const MARKET = 'LRC-ETH';
const settled = () => new Promise((done) => setTimeout(done, 0));

/** A followed book over a socket that the test speaks for. */
async function follow(read = async () => {}) {
  const sent: { sequence: number; op: string; topics: unknown[] }[] = [];
  const socket = {
    readyState: 1,
    send: (text: string) => sent.push(JSON.parse(text)),
    close: () => {},
  } as unknown as Socket;
  const hear = (message: unknown) => socket.onmessage?.({ data: JSON.stringify(message) });
  const push = createPush({
    client: { getSocketKey: async () => ({ key: 'k' }) },
    baseUrl: 'http://localhost',
    openSocket: () => socket,
  });
  const getDepth = vi.fn(async () => {
    await read();
    return {
      version: '996',
      timestamp: 1,
      market: MARKET,
      bids: [['1', '5', '5', '1']],
      asks: [['2', '5', '10', '1']],
    };
  });
  const books: FollowedBook[] = [];
  const errors: unknown[] = [];
  const stop = followBook({
    push,
    client: { getDepth },
    market: MARKET,
    onBook: (book) => books.push(book),
    onError: (error) => errors.push(error),
    retryMs: 1,
  });
  await settled();
  socket.onopen?.({});
  await settled();
  hear({ op: 'sub', sequence: sent[0]?.sequence, result: { status: 'OK' } });
  await settled();
  const tell = (endVersion: unknown, bids: unknown, asks: unknown = []) =>
    hear({ topic: sent[0]?.topics[0], ts: 1, startVersion: 997, endVersion, data: bids && { bids, asks } });
  return { books, errors, getDepth, tell, stop: () => [stop(), push.close()] };
}

it('has no slot of a version between two messages', async () => {
  const { books, tell, stop } = await follow();
  // REST had a bid at 1 that came after the first message and is gone before the second.
  tell(998, [['0.99', '5', '5', '1']], [['2', '5', '10', '1']]);
  expect(books.at(-1)).toEqual({ version: 998, bids: [['0.99', '5', '5', '1']], asks: [['2', '5', '10', '1']] });
  stop();
});

it('does not show what REST read once a message has the book: it may have come and gone since', async () => {
  let answer = () => {};
  const { books, tell, stop } = await follow(
    () =>
      new Promise((done) => {
        answer = done;
      }),
  );
  tell(995, [['0.98', '5', '5', '1']]);
  answer();
  await settled();
  expect(books.map(({ version }) => version)).toEqual([995]);
  stop();
});

it('reads versions that come as text as numbers, also where they get a digit more', async () => {
  const { books, getDepth, tell, stop } = await follow();
  for (const version of [997, 998, 1000, 999, 1001]) tell(String(version), [['1', String(version), '5', '1']]);
  expect(getDepth).toHaveBeenCalledTimes(1);
  expect(books.map(({ version }) => version)).toEqual([996, 997, 998, 1000, 1001]);
  stop();
});

it.each([
  ['0', '0'],
  ['0', '1'],
  ['5', '0'],
  ['5', '-1'],
])('leaves out a slot of size %s and count %s', async (size, count) => {
  const { books, tell, stop } = await follow();
  tell(997, [['1', size, size, count]]);
  expect(books.at(-1)?.bids).toEqual([]);
  stop();
});

it('sorts prices in scientific notation among plain ones, and shows all of them plain', async () => {
  const { books, tell, stop } = await follow();
  const slots = ['0.0003', '3.5669E-4', '1e-4', '0.00040', '1.2E1'].map((price) => [price, '5', '5', '1']);
  tell(997, slots, slots);
  const prices = ['0.0001', '0.0003', '0.00035669', '0.0004', '12'];
  expect(books.at(-1)?.asks.map(([price]) => price)).toEqual(prices);
  expect(books.at(-1)?.bids.map(([price]) => price)).toEqual(prices.toReversed());
  stop();
});

it.each([
  ['no data', 997, null],
  ['no version', undefined, []],
  ['a side that is no list', 997, 'many'],
  ['a price that is none', 997, [['much', '5', '5', '1']]],
  ['a price too fine to be one', 997, [['1e-99999', '5', '5', '1']]],
])('reads the book again after a message with %s', async (_, version, bids) => {
  const { books, errors, getDepth, tell, stop } = await follow();
  tell(version, bids);
  expect(errors).toHaveLength(1);
  await expect.poll(() => getDepth.mock.calls.length).toBe(2);
  tell(998, []);
  expect(books.map(({ version: shown }) => shown)).toEqual([996, 998]);
  stop();
});

it.each(['is running', 'would be tried again'])(
  'shows nothing that a read finds once refused, when one %s',
  async (how) => {
    let listener: PushListener | undefined;
    const answers: (() => void)[] = [];
    const onBook = vi.fn();
    const depth = { version: '996', timestamp: 1, market: MARKET, bids: [], asks: [] };
    const stop = followBook({
      push: {
        subscribe(_topic, given) {
          listener = given;
          return () => {};
        },
      },
      client: { getDepth: () => new Promise((resolve) => answers.push(() => resolve(depth))) },
      market: MARKET,
      onBook,
      retryMs: 0,
    });
    if (how === 'is running') listener?.began?.();
    else listener?.told({ topic: {}, ts: 1, data: null });
    listener?.refused?.({ code: 1, message: 'no' });
    await settled();
    for (const answer of answers) answer();
    await settled();
    expect(onBook).not.toHaveBeenCalled();
    stop();
  },
);
