import { WebSocket } from 'ws';
import { useFastCore } from '../../src/crypto/fast.ts';
import { closeCodes, PING, PONG } from '../../src/protocol/push.ts';
import { callerOf } from '../relayer/support/caller.ts';
import { createDatabase } from '../relayer/support/postgresCluster.ts';
import { SocketClient } from '../relayer/support/socketClient.ts';
import { TestAccount } from '../relayer/support/testAccount.ts';
import { ether, LRC, USDT } from '../relayer/support/tokens.ts';
import { quantile } from './support/relayer/loadClient.ts';
import { residentMb, startRelayerProcess, threadsFromNow } from './support/relayer/processes.ts';
import type { BenchRun } from './support/report.ts';
import { fewer, isShort } from './support/short.ts';

/**
 * One relayer process on PostgreSQL with a thousand subscribers of one book: from the answer that
 * accepts an order to the message in which each of them finds it. One more client does not read at
 * all.
 */
const SUBSCRIBERS = isShort ? 100 : 1_000;
const ORDERS = fewer(100);
const EVERY_MS = 150;
/**
 * Orders in a row before the client that does not read comes: the memory that it is compared with.
 */
const ORDERS_BEFORE = fewer(300);
/** Aims, ms and times. */
const P99_GOAL_MS = 50;
const MEMORY_GOAL = 1.1;
const MARKET = 'LRC-USDT';

export const run: BenchRun = async (say) => {
  useFastCore();
  const database = await createDatabase({ durable: true });
  const settings = ['--max-push-connections-per-client', String(SUBSCRIBERS + 10), '--push-queue-bytes', '300000'];
  const relayer = await startRelayerProcess(database.url, { settings });
  const url = relayer.url.origin;
  const sockets: WebSocket[] = [];
  try {
    const { body: info } = await callerOf(url)('GET', '/api/v3/exchange/info');
    const maker = await (
      await new TestAccount({ url, exchange: info.exchangeAddress, chainId: info.chainId }).faucet([
        { symbol: 'LRC', amount: String(1_000_000n * ether) },
        { symbol: 'ETH', amount: String(ether) },
      ])
    ).activate();
    const before = residentMb(relayer.pid);
    say(`${SUBSCRIBERS} subscribers`);
    /** When each order's price was seen, by subscriber. */
    const seen = new Map<string, number[]>();
    const subscribe = async (): Promise<void> => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v3/ws?wsApiKey=${await SocketClient.key(url)}`);
      sockets.push(socket);
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      const subscribed = new Promise((resolve) => socket.once('message', resolve));
      socket.send(JSON.stringify({ op: 'sub', topics: [{ topic: 'orderbook', market: MARKET, level: 0 }] }));
      await subscribed;
      socket.on('message', (data) => {
        const now = performance.now();
        const text = data.toString();
        if (text === PING) return socket.send(PONG);
        // A slot that left the fifty best has the size 0.
        for (const [price, size] of JSON.parse(text).data.asks) if (size !== '0') seen.get(price)?.push(now);
      });
    };
    for (let n = 0; n < SUBSCRIBERS; n += 20) await Promise.all(Array.from({ length: 20 }, subscribe));
    const connected = residentMb(relayer.pid);

    say(`${ORDERS} orders`);
    const validUntil = await maker.inSeconds(86_400);
    const cpuOf = threadsFromNow(relayer.pid);
    const accepted = new Map<string, number>();
    let peak = 0;
    for (let n = 0; n < ORDERS; n++) {
      // Each the best ask: a book has fifty slots.
      const price = `0.${400_000 - n}`.replace(/0+$/, '');
      const order = await maker.order([LRC, 10n * ether], [USDT, BigInt(400_000 - n) * 10n], {
        storageId: 2 * n,
        validUntil,
      });
      seen.set(price, []);
      const reply = await maker.submit(order);
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      accepted.set(price, performance.now());
      peak = Math.max(peak, residentMb(relayer.pid));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    const end = performance.now() + 60_000;
    while ([...seen.values()].some((times) => times.length < SUBSCRIBERS) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const delays = [...seen].flatMap(([price, times]) => {
      if (times.length < SUBSCRIBERS) throw new Error(`${price} came to ${times.length} of ${SUBSCRIBERS} subscribers`);
      return times.map((at) => at - (accepted.get(price) as number));
    });
    delays.sort((a, b) => a - b);
    const p99 = quantile(delays, 0.99);
    const cpu = cpuOf().main / ORDERS;

    let more = 0;
    /** Orders one after the other, each the best ask. @returns The highest memory meanwhile. */
    const ordersUntil = async (isEnough: () => Promise<boolean>): Promise<number> => {
      let highest = residentMb(relayer.pid);
      for (; !(await isEnough()); more++) {
        if (more > 4_000) throw new Error('the client that does not read was never sent away');
        const order = await maker.order([LRC, 10n * ether], [USDT, BigInt(300_000 - more) * 10n], {
          storageId: 2 * (ORDERS + more),
          validUntil,
        });
        const reply = await maker.submit(order);
        if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
        highest = Math.max(highest, residentMb(relayer.pid));
      }
      return highest;
    };
    say(`${ORDERS_BEFORE} orders in a row`);
    const without = await ordersUntil(async () => more >= ORDERS_BEFORE);

    say('the same with a client that does not read');
    const stalled = await SocketClient.connect(url);
    // As much as a connection can ask for, so that its queue is full soon.
    const counts = Array.from({ length: 20 }, (_, n) => 50 - n);
    await stalled.subscribe(
      counts.map((count) => ({ topic: 'orderbook', market: MARKET, level: 0, snapshot: true, count })),
    );
    stalled.socket.pause();
    // The system's buffers take megabytes before the relayer's own queue fills: the book changes
    // until then.
    const highest = await ordersUntil(async () =>
      /push_closed_total\{reason="tooSlow"\} 1/.test(await (await fetch(`${url}/metrics`)).text()),
    );
    stalled.socket.resume();
    const { code } = await stalled.closed;
    if (code !== closeCodes.tooSlow) throw new Error(`the client that does not read was closed with ${code}`);
    return {
      rows: [
        { what: 'accepted to delivered, median', ours: quantile(delays, 0.5), unit: 'ms' },
        {
          what: 'accepted to delivered, 99th percentile',
          ours: p99,
          unit: 'ms',
          bound: ['≤', P99_GOAL_MS],
        },
        { what: 'processor time of the main thread, an order told to all', ours: cpu, unit: 'ms' },
        { what: 'memory without subscribers', ours: before, unit: 'MB' },
        { what: `memory with ${SUBSCRIBERS}`, ours: connected, unit: 'MB' },
        { what: 'highest memory while they are told', ours: peak, unit: 'MB' },
        {
          what: 'highest memory with a client that does not read, until it is closed',
          ours: highest,
          unit: 'MB',
          beside: 'without it',
          theirs: without,
          ratio: without / highest,
          atMost: MEMORY_GOAL,
        },
      ],
      notes: [
        `${delays.length} deliveries: ${ORDERS} orders, one every ${EVERY_MS} ms, each at a price of its own, found by every subscriber. Relayer, database and the client with all ${SUBSCRIBERS} connections share the machine.`,
      ],
    };
  } finally {
    for (const socket of sockets) socket.terminate();
    await relayer.stop();
    await database.drop();
  }
};
