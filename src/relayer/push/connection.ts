import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { closeCodes, PING, PONG, type PushTopic } from '../../protocol/push.ts';
import { textFrame } from './textFrame.ts';

export interface ConnectionLimits {
  /** Bytes that wait for a client that reads slowly; with more the connection ends. */
  readonly queueBytes: number;
  /** Without a sign of life for this long the connection ends. */
  readonly silenceMs: number;
  readonly messagesPerSecond: number;
}

/** The longest reason that a close frame carries, in bytes. */
const MAX_REASON = 123;

/** One client: what it sends, what is sent to it, and what ends it. */
export class Connection {
  /** Topics of the client, by their key. */
  readonly topics = new Map<string, PushTopic>();
  /** The key of its account topics. */
  apiKey: { readonly accountId: number; readonly text: string } | undefined;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #limits: ConnectionLimits;
  readonly #closed: (reason: string) => void;
  #heard = performance.now();
  #window = { began: 0, messages: 0 };
  #over = false;
  /** A ping was sent, and no pong came since. */
  #isPinged = false;
  /** The request that is carried out, and those that wait for it. */
  #turn: Promise<void> = Promise.resolve();
  #unanswered = 0;

  /**
   * @param stream - Carries the socket's frames; without compression they are written in the order
   *   of the calls.
   * @param received - A message that is no `pong`.
   * @param closed - Told once, with why.
   */
  constructor(
    socket: WebSocket,
    stream: Duplex,
    limits: ConnectionLimits,
    received: (connection: Connection, text: string) => void,
    closed: (connection: Connection, reason: string) => void,
  ) {
    this.#socket = socket;
    this.#stream = stream;
    this.#limits = limits;
    this.#closed = (reason) => closed(this, reason);
    socket.on('message', (data, isBinary) => {
      this.#heard = performance.now();
      if (this.#over) return;
      const text = isBinary ? '' : data.toString();
      // The answer to a ping is no request: it may come beside as many as a client may send.
      const isAnswer = text === PONG && this.#isPinged;
      if (isAnswer) this.#isPinged = false;
      else if (!this.#isFlood() && text !== PONG) received(this, text);
    });
    socket.on('ping', (data) => {
      this.#heard = performance.now();
      // A pong carries the data of its ping behind a header of two bytes.
      if (this.#takes(2 + data.length) && !this.#isFlood()) socket.pong(data);
    });
    socket.on('pong', () => {
      this.#heard = performance.now();
    });
    // A message that is too large, a broken frame: `ws` closes with the code of its own, and
    // `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => this.#end('client'));
  }

  get isOpen(): boolean {
    return !this.#over;
  }

  /** Bytes that wait to be read by the client. */
  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  /** Sends a message, or ends the connection when the client does not read what was sent before. */
  send(text: string): void {
    this.sendFrame(textFrame(text));
  }

  /**
   * The same with a frame that many get: `ws` would frame the message for each, which costs half as
   * much as writing it.
   */
  sendFrame(frame: Buffer): void {
    if (this.#takes(frame.length)) this.#stream.write(frame);
  }

  /**
   * Tells whether so many bytes can be sent, and ends the connection when too many wait already.
   */
  #takes(bytes: number): boolean {
    // After a close frame no data may follow; the client's own is answered before this connection
    // hears of its end.
    if (this.#over || this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.waiting + bytes <= this.#limits.queueBytes) return true;
    this.close('tooSlow', 'messages were read too slowly; read by REST and subscribe again');
    return false;
  }

  /**
   * Carries out requests one after another: two at once could pass the bound on topics together.
   * Where the database is slow they come faster than they are answered, so the connection ends with
   * more than come in two seconds; after its end none is carried out.
   * @param work - Never rejects.
   */
  carryOut(work: () => Promise<void>): void {
    if (this.#unanswered >= 2 * this.#limits.messagesPerSecond) {
      this.close('tooManyRequests', 'more requests than are answered; connect again and wait for the answers');
      return;
    }
    this.#unanswered += 1;
    this.#turn = this.#turn.then(async () => {
      if (!this.#over) await work();
      this.#unanswered -= 1;
    });
  }

  /**
   * Asks for a sign of life, and ends the connection when the last ones are missing.
   * @param paused - For how long the process did not run since the last ping, ms: what came
   *   meanwhile is not read yet, so that this time is no silence.
   */
  ping(paused: number): void {
    if (this.#over) return;
    const now = performance.now();
    this.#heard = Math.min(now, this.#heard + paused);
    if (now - this.#heard > this.#limits.silenceMs) {
      this.close('silent', 'no pong came');
      // Nobody reads the close frame either.
      this.#socket.terminate();
      return;
    }
    this.#isPinged = true;
    this.send(PING);
  }

  close(reason: keyof typeof closeCodes, text: string): void {
    if (this.#over) return;
    this.#end(reason);
    this.#socket.close(closeCodes[reason], text.slice(0, MAX_REASON));
  }

  /**
   * Counts a message or a protocol ping, but no answer to a ping, and ends the connection with too
   * many.
   */
  #isFlood(): boolean {
    const now = performance.now();
    if (now - this.#window.began > 1_000) this.#window = { began: now, messages: 0 };
    this.#window.messages += 1;
    if (this.#window.messages <= this.#limits.messagesPerSecond) return false;
    this.close('tooManyRequests', 'more requests a second than are read');
    return true;
  }

  #end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#closed(reason);
  }
}
