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
  /** First body that is neither an acceptance nor a refusal for overload. */
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

/**
 * Sends prepared requests over kept connections, one at a time on each, as fast as answers come. It
 * speaks just enough HTTP for that (answers have a content-length), because on a shared machine a
 * full client would cost as much as the server that it measures.
 */
export async function sendAll(
  targets: readonly URL[],
  requests: readonly Buffer[],
  connections: number,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  let unexpected: string | undefined;
  let next = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  let resent = 0;
  const lane = (target: URL) =>
    new Promise<void>((resolve, reject) => {
      let sent = 0;
      let broken = 0;
      let current = requests[next++];
      const open = () => {
        let pending = '';
        const socket: Socket = connect(Number(target.port), target.hostname);
        socket.setNoDelay(true);
        const send = () => {
          if (!current) {
            socket.end();
            resolve();
            return;
          }
          sent = performance.now();
          socket.write(current);
        };
        socket.once('connect', send);
        // What broke off is told by `close`, which follows.
        socket.on('error', () => {});
        socket.once('close', () => {
          if (!current) return resolve();
          if (++broken > MOST_BROKEN) return reject(new Error(`${target.host} breaks off every connection`));
          resent += 1;
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
          if (status === 200) latencies.push(performance.now() - sent);
          else if (status !== 503) unexpected ??= pending.slice(head + 4);
          pending = '';
          broken = 0;
          current = requests[next++];
          send();
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
