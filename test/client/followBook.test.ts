import { expect, it, vi } from 'vitest';
import { createPush, type FollowedBook, followBook, type Socket } from '../../src/client/index.ts';

const MARKET = 'LRC-ETH';
const settled = () => new Promise((done) => setTimeout(done, 0));

/** A followed book over a socket that the test speaks for. */
async function follow() {
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
  const getDepth = vi.fn(async () => ({
    version: '996',
    timestamp: 1,
    market: MARKET,
    bids: [['1', '5', '5', '1']],
    asks: [['2', '5', '10', '1']],
  }));
  const books: FollowedBook[] = [];
  const stop = followBook({
    push,
    client: { getDepth, getMixDepth: getDepth },
    market: MARKET,
    onBook: (book) => books.push(book),
  });
  await settled();
  socket.onopen?.({});
  await settled();
  hear({ op: 'sub', sequence: sent[0]?.sequence, result: { status: 'OK' } });
  await settled();
  const tell = (startVersion: unknown, endVersion: unknown, bids: unknown[]) =>
    hear({ topic: sent[0]?.topics[0], ts: 1, startVersion, endVersion, data: { bids, asks: [] } });
  return { books, getDepth, tell, stop: () => [stop(), push.close()] };
}

it('reads versions that come as text as numbers, also where they get a digit more', async () => {
  const { books, getDepth, tell, stop } = await follow();
  for (const version of [997, 998, 999, 1000, 1001])
    tell(String(version), String(version), [['1', String(version), '5', '1']]);
  await settled();
  expect(getDepth).toHaveBeenCalledTimes(1);
  expect(books.map(({ version }) => version)).toEqual([996, 997, 998, 999, 1000, 1001]);
  tell('1003', '1003', []);
  await settled();
  expect(getDepth).toHaveBeenCalledTimes(2);
  stop();
});

it.each([
  ['0', '0'],
  ['0', '1'],
  ['5', '0'],
  ['5', '-1'],
])('takes a slot of size %s and count %s out', async (size, count) => {
  const { books, tell, stop } = await follow();
  tell(997, 997, [['1', size, size, count]]);
  expect(books.at(-1)?.bids).toEqual([]);
  stop();
});
