import { connect, type Socket } from 'node:net';

/** What a run of requests met. Times in ms. */
export interface LoadResult {
  /** Answers by HTTP status. */
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * Requests whose connection broke off before their answer; the same bytes went again over a new
   * one.
   */
  readonly resent: number;
  /** Of the answers with status 200, ascending. */
  readonly latencies: readonly number[];
  readonly seconds: number;
  /** Processor time of this process meanwhile, ms. */
  readonly cpuMs: number;
  /** First body that is neither an acceptance of all it was asked nor a refusal for overload. */
  readonly unexpected: string | undefined;
}

/** Connections of one lane that may break off in a row. */
const MOST_BROKEN = 20;

export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

/** One POST as the bytes that go over the wire. */
export function requestBytes(target: URL, path: string, apiKey: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: ${target.host}\r\ncontent-type: application/json\r\nx-api-key: ${apiKey}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

interface Due {
  readonly bytes: Buffer;
  /** Time from which its latency counts; absent: from when it is written. */
  readonly at?: number;
}

/** Gives each connection that is free its next request, `undefined` after the last one. */
type Source = (give: (due: Due | undefined) => void) => void;

/** Closed loop: a connection that is free has its next request at once. */
function asAnswersCome(requests: readonly Buffer[]): Source {
  let next = 0;
  return (give) => {
    const bytes = requests[next++];
    give(bytes && { bytes });
  };
}

/**
 * Open loop: requests arrive evenly, `perSecond`, whatever became of those before. One that finds
 * no free connection waits for it, and its latency counts from its arrival all the same; so does
 * the time by which this process is late. The clock starts when every connection is open.
 */
function atRate(requests: readonly Buffer[], perSecond: number, connections: number): Source {
  const free: ((due: Due | undefined) => void)[] = [];
  const waiting: Due[] = [];
  let arrived = 0;
  let started: number | undefined;
  const arrivals = (start: number) => {
    const now = performance.now();
    for (; arrived < requests.length; arrived++) {
      const at = start + (arrived * 1000) / perSecond;
      if (at > now) {
        setTimeout(arrivals, at - now, start);
        return;
      }
      const due = { bytes: requests[arrived] as Buffer, at };
      const give = free.shift();
      if (give) give(due);
      else waiting.push(due);
    }
    for (const give of free.splice(0)) give(undefined);
  };
  return (give) => {
    const due = waiting.shift();
    if (due || arrived === requests.length) return give(due);
    free.push(give);
    if (started !== undefined || free.length < connections) return;
    started = performance.now();
    arrivals(started);
  };
}

/**
 * Sends prepared requests over kept connections, one at a time on each: as fast as answers come, or
 * with `perSecond` at that rate. It speaks just enough HTTP for that (answers have a
 * content-length), because on a shared machine a full client would cost as much as the server that
 * it measures.
 */
export async function sendAll(
  targets: readonly URL[],
  requests: readonly Buffer[],
  connections: number,
  perSecond?: number,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  let unexpected: string | undefined;
  let resent = 0;
  const next = perSecond === undefined ? asAnswersCome(requests) : atRate(requests, perSecond, connections);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const lane = (target: URL) =>
    new Promise<void>((resolve, reject) => {
      let socket: Socket;
      let current: Due | undefined;
      let sent = 0;
      let broken = 0;
      /** Nothing is due, or nothing more will be. */
      let isFree = false;
      const write = (due: Due) => {
        sent = due.at ?? performance.now();
        socket.write(due.bytes);
      };
      const take = () => {
        isFree = true;
        next((due) => {
          current = due;
          if (!due) {
            socket.end();
            return resolve();
          }
          isFree = false;
          // The server may have closed a connection that was free for long.
          if (socket.destroyed) open();
          else write(due);
        });
      };
      const open = () => {
        let pending = '';
        socket = connect(Number(target.port), target.hostname);
        socket.setNoDelay(true);
        socket.once('connect', () => (current ? write(current) : take()));
        // What broke off is told by `close`, which follows.
        socket.on('error', () => {});
        socket.once('close', () => {
          if (isFree) return;
          if (++broken > MOST_BROKEN) return reject(new Error(`${target.host} breaks off every connection`));
          if (current) resent += 1;
          open();
        });
        socket.on('data', (chunk) => {
          pending += chunk.toString('latin1');
          const head = pending.indexOf('\r\n\r\n');
          if (head < 0) return;
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(pending)?.[1] ?? 0);
          if (pending.length < head + 4 + length) return;
          const status = Number(pending.slice(9, 12));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const body = pending.slice(head + 4);
          if (status === 200) latencies.push(performance.now() - sent);
          // A batch is answered 200 whatever became of its orders.
          if ((status !== 200 && status !== 503) || body.includes('"error":')) unexpected ??= body;
          pending = '';
          broken = 0;
          take();
        });
      };
      open();
    });
  await Promise.all(Array.from({ length: connections }, (_, n) => lane(targets[n % targets.length] as URL)));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return { statuses, resent, latencies, seconds, cpuMs: (user + system) / 1000, unexpected };
}
