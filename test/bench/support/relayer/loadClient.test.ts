import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { requestBytes, sendAll } from './loadClient.ts';

let server: Server;
let received = 0;
/** A server that takes so long for each request, and its URL. */
async function serve(ms: number, answer = '{}', isRefused: () => boolean = () => false): Promise<URL> {
  received = 0;
  server = createServer(async (request, response) => {
    received += 1;
    request.resume();
    await sleep(ms);
    if (isRefused()) request.socket.destroy();
    else response.setHeader('content-length', answer.length).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
afterEach(() => new Promise((resolve) => server.close(resolve)));
const requests = (target: URL, count: number) =>
  Array.from({ length: count }, () => requestBytes(target, '/', '', '{}'));

test('as answers come, a latency is that of its request alone', async () => {
  const target = await serve(50);
  const { latencies, seconds } = await sendAll([target], requests(target, 8), 1);
  expect(latencies).toHaveLength(8);
  expect(seconds).toBeGreaterThan(0.39);
  expect(latencies[0]).toBeGreaterThan(45);
  expect(latencies.reduce((sum, latency) => sum + latency, 0)).toBeLessThan(seconds * 1000);
});

test('at a rate, a latency counts from the arrival, also while no connection is free', async () => {
  const target = await serve(50);
  const { latencies } = await sendAll([target], requests(target, 8), 1, 100);
  expect(received).toBe(8);
  // The n-th of them, counted from 0, arrives after 10 n ms and is answered after 50 (n + 1) ms.
  for (const [n, latency] of latencies.entries()) expect(latency).toBeGreaterThan(45 + 40 * n);
});

test('at a rate, requests come no sooner than it says', async () => {
  const target = await serve(0);
  const { latencies, seconds } = await sendAll([target], requests(target, 50), 8, 100);
  expect(latencies).toHaveLength(50);
  expect(seconds).toBeGreaterThan(0.48);
});

test('bytes whose connection broke off go again, and their latency includes the first attempt', async () => {
  let refused = 0;
  const target = await serve(20, '{}', () => refused++ === 0);
  const { latencies, resent, statuses } = await sendAll([target], requests(target, 3), 1, 1_000);
  expect(resent).toBe(1);
  expect(statuses).toEqual(new Map([[200, 3]]));
  expect(latencies[0]).toBeGreaterThan(38);
});

test('an answer that refuses an order of a batch is told', async () => {
  const target = await serve(0, '{"orders":[{"hash":"0x1"},{"error":{"code":102007}}]}');
  const { unexpected } = await sendAll([target], requests(target, 1), 1);
  expect(unexpected).toMatch(/102007/);
});
