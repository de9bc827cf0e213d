import { connect, type Socket } from 'node:net';

/** Firefox refused a command; `name` is WebDriver's error code, such as `no such element`. */
class MarionetteError extends Error {
  constructor(command: string, fault: { error: string; message: string }) {
    super(`${command}: ${fault.error}: ${fault.message}`);
    this.name = fault.error;
  }
}

/**
 * Firefox's remote control over plain TCP. A packet is `<length in bytes>:<JSON>`; a command is
 * `[0, id, name, parameters]`, its answer `[1, id, error, result]`. One session at a time, one
 * command after another.
 * @see https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
export interface Marionette {
  /**
   * @throws {Error} Firefox refused the command, says nothing to it for two minutes, or is gone.
   */
  send<T = unknown>(command: string, parameters?: object): Promise<T>;
  close(): void;
}

/** Longer than a command takes on a busy machine, and well below what a test may take. */
const PATIENCE_MS = 120_000;

type Answer = [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];
type Waiting = {
  command: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  hangs: ReturnType<typeof setTimeout>;
};

export async function connectMarionette(port: number): Promise<Marionette> {
  const socket: Socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, Waiting>();
  let received: Buffer = Buffer.alloc(0);
  let count = 0;
  let greeted: () => void = () => {};
  const greeting = new Promise<void>((resolve, reject) => {
    greeted = resolve;
    socket.once('error', reject);
  });

  function take(text: string): void {
    const packet = JSON.parse(text) as Answer | object;
    if (!Array.isArray(packet)) {
      greeted();
      return;
    }
    const [, id, fault, result] = packet as Answer;
    const settle = waiting.get(id);
    waiting.delete(id);
    clearTimeout(settle?.hangs);
    if (fault) settle?.reject(new MarionetteError(settle.command, fault));
    else settle?.resolve(result);
  }

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const colon = received.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(received.subarray(0, colon).toString());
      if (received.length < end) return;
      const text = received.subarray(colon + 1, end).toString();
      received = received.subarray(end);
      take(text);
    }
  });
  const lost = (command: string) => new Error(`${command}: Firefox closed the connection`);
  socket.on('close', () => {
    for (const { command, reject, hangs } of waiting.values()) {
      clearTimeout(hangs);
      reject(lost(command));
    }
    waiting.clear();
  });
  await greeting;

  return {
    send: <T>(command: string, parameters: object = {}) =>
      new Promise<T>((resolve, reject) => {
        if (socket.destroyed) {
          reject(lost(command));
          return;
        }
        const id = ++count;
        // A Firefox that hangs answers none of the later commands either.
        const hangs = setTimeout(() => {
          reject(new Error(`${command}: no answer of Firefox within ${PATIENCE_MS} ms`));
          socket.destroy();
        }, PATIENCE_MS);
        waiting.set(id, { command, resolve: resolve as (result: unknown) => void, reject, hangs });
        const text = JSON.stringify([0, id, command, parameters]);
        socket.write(`${Buffer.byteLength(text)}:${text}`);
      }),
    close: () => socket.destroy(),
  };
}
