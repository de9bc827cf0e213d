import type { Connection } from './connection.ts';
import { textFrame } from './textFrame.ts';

/** Pushes one topic to everybody who subscribed to it. */
export class Channel {
  readonly connections = new Set<Connection>();
  readonly #topic: object;

  /** @param topic - As every notification repeats it. */
  constructor(topic: object) {
    this.#topic = topic;
  }

  /** One message for all, framed once. */
  send(content: object, now: number, to: Iterable<Connection> = this.connections): number {
    const frame = textFrame(JSON.stringify({ topic: this.#topic, ts: now, ...content }));
    let sent = 0;
    for (const connection of to) {
      connection.sendFrame(frame);
      sent += 1;
    }
    return sent;
  }
}
