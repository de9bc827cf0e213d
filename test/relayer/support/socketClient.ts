import { WebSocket } from 'ws';

interface Notification {
  readonly topic: { readonly topic: string; readonly market?: string } & Record<string, unknown>;
  readonly ts: number;
  readonly startVersion?: number;
  readonly endVersion?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each topic has its own data
  readonly data: any;
}

interface Reply {
  readonly op: string;
  readonly sequence?: number;
  readonly topics: readonly unknown[];
  readonly result: { readonly status: string; readonly error?: { readonly code: number; readonly message: string } };
}

/**
 * A client that speaks to the relayer's socket by hand, so that what it sends may also be wrong.
 */
export class SocketClient {
  readonly notifications: Notification[] = [];
  readonly pings: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly socket: WebSocket;
  readonly #replies: { readonly resolve: (reply: Reply) => void; readonly reject: (reason: Error) => void }[] = [];
  #sequence = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    void this.closed.then(({ code, reason }) => {
      for (const { reject } of this.#replies.splice(0)) reject(new Error(`closed before the reply: ${code} ${reason}`));
    });
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === 'ping') return void this.pings.push(text);
      const message = JSON.parse(text) as Notification | Reply;
      if ('result' in message) this.#replies.shift()?.resolve(message);
      else this.notifications.push(message);
    });
  }

  /** @throws When the relayer refuses the connection; the message has its HTTP status. */
  static async connect(url: string, key?: string): Promise<SocketClient> {
    const socketKey = key ?? (await SocketClient.key(url));
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v3/ws?wsApiKey=${socketKey}`);
    // Listening before it opens: what the relayer sends at once must not be missed.
    const client = new SocketClient(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  static async key(url: string): Promise<string> {
    const answer = await fetch(`${url}/v3/ws/key`);
    if (!answer.ok) throw new Error(`/v3/ws/key answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { key: string }).key;
  }

  send(message: object | string): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => this.#replies.push({ resolve, reject }));
    // Some tests end the connection on purpose and await no reply.
    reply.catch(() => {});
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return reply;
  }

  subscribe(topics: readonly object[], more: object = {}): Promise<Reply> {
    this.#sequence += 1;
    return this.send({ op: 'sub', sequence: this.#sequence, topics, ...more });
  }

  /** Notifications of a topic, once there are so many, or `holds` is true of them. */
  async of(topic: string, enough: number | ((found: readonly Notification[]) => boolean)): Promise<Notification[]> {
    const end = performance.now() + 240_000;
    for (;;) {
      const found = this.notifications.filter((notification) => notification.topic.topic === topic);
      if (typeof enough === 'number' ? found.length >= enough : enough(found)) return found;
      if (performance.now() > end) throw new Error(`${topic}: ${JSON.stringify(found.slice(-3))} is all that came`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  close(): void {
    this.socket.terminate();
  }
}
