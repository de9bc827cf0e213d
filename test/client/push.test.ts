import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  createPush,
  type FollowedBook,
  followBook,
  type Push,
  type PushNotification,
  type PushOptions,
  type Socket,
} from '../../src/client/index.ts';
import { pushErrors } from '../../src/protocol/index.ts';
import { START_TIMEOUT_MS } from '../relayer/support/databases.ts';
import { startRelayer, type TestRelayer } from '../relayer/support/startRelayer.ts';
import type { TestAccount } from '../relayer/support/testAccount.ts';
import { ether, LRC, USDT } from '../relayer/support/tokens.ts';
import { patientClient } from '../support/patientClient.ts';

const MARKET = 'LRC-USDT';

let relayer: TestRelayer;
let maker: TestAccount;
beforeAll(async () => {
  relayer = await startRelayer({ engine: 'timer', engineIntervalMs: 30 });
  maker = await relayer.account();
}, START_TIMEOUT_MS);
afterAll(() => relayer.close());

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** Sockets of `ws`, of which the test can cut the last one. */
let last: WebSocket | undefined;
class Cuttable extends WebSocket {
  constructor(url: string) {
    super(url);
    last = this;
  }
}

function connect(options: Partial<PushOptions> = {}) {
  const { url: baseUrl } = relayer.relayer;
  const client = patientClient(baseUrl);
  const push = createPush({
    client,
    baseUrl,
    openSocket: (at) => new Cuttable(at) as unknown as Socket,
    backOff: () => 10,
    ...options,
  });
  open.push(push);
  return { client, push };
}

let price = 300_000n;
/** Orders that nobody takes, each at a price of its own. */
const place = async (): Promise<string> => {
  price += 1_000n;
  const reply = await maker.submit(await maker.order([LRC, 10n * ether], [USDT, price * 10n]));
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.hash;
};

const rest = async () => (await relayer.call('GET', '/api/v3/depth', { query: { market: MARKET } })).body;

/** Waits until a followed book is that of the relayer. */
async function untilEqual(book: () => FollowedBook | undefined, isThere: string[]) {
  await expect
    .poll(async () => {
      const now = await rest();
      const told = book();
      const asks = now.asks.map(([at]: string[]) => at);
      if (!isThere.every((at) => asks.includes(at))) return 'not there yet';
      return (
        JSON.stringify({ bids: told?.bids, asks: told?.asks }) === JSON.stringify({ bids: now.bids, asks: now.asks })
      );
    })
    .toBe(true);
}
const priceNow = () => String(Number(price) / 1e6);

describe('a followed book', () => {
  const follow = (push: Pick<Push, 'subscribe'>, client: ReturnType<typeof connect>['client']) => {
    const books: FollowedBook[] = [];
    const reads: number[] = [];
    const counted = {
      ...client,
      getDepth: (request: Parameters<typeof client.getDepth>[0]) => {
        reads.push(1);
        return client.getDepth(request);
      },
    };
    open.push({ close: followBook({ push, client: counted, market: MARKET, onBook: (book) => books.push(book) }) });
    return { book: () => books.at(-1), books, reads };
  };

  test('is that of the relayer, read once and told on', async () => {
    const { push, client } = connect();
    const { book, reads, books } = follow(push, client);
    await place();
    await untilEqual(book, [priceNow()]);
    const hash = await place();
    await untilEqual(book, [priceNow()]);
    const gone = priceNow();
    await maker.cancel({ orderHash: hash });
    await expect.poll(() => book()?.asks.some(([at]) => at === gone)).toBe(false);
    expect(reads).toHaveLength(1);
    const versions = books.map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  test('is whole after the message that follows a lost one', async () => {
    const { push, client } = connect();
    let lose = '';
    const lossy: Pick<Push, 'subscribe'> = {
      subscribe: (topic, listener) =>
        push.subscribe(topic, {
          ...listener,
          told: (message) => {
            const { asks } = message.data as { readonly asks: readonly (readonly string[])[] };
            if (lose !== '' && asks.some(([at]) => at === lose)) lose = '';
            else listener.told(message);
          },
        }),
    };
    const { book, reads } = follow(lossy, client);
    await place();
    await untilEqual(book, [priceNow()]);
    const lost = String(Number(price + 1_000n) / 1e6);
    lose = lost;
    await place();
    await expect.poll(() => lose).toBe('');
    expect(book()?.asks.some(([at]) => at === lost)).toBe(false);
    await place();
    await untilEqual(book, [lost, priceNow()]);
    expect(reads).toHaveLength(1);
  });

  test('is read again after the connection was lost, and again when the relayer was away', async () => {
    const states: boolean[] = [];
    const { push, client } = connect({ connected: (is) => states.push(is) });
    const { book, reads } = follow(push, client);
    await place();
    await untilEqual(book, [priceNow()]);
    last?.terminate();
    await place();
    await untilEqual(book, [priceNow()]);
    expect(reads.length).toBeGreaterThan(1);
    expect(states.slice(0, 3)).toEqual([true, false, true]);
  });

  test('is read again when the connection was lost while it was read', async () => {
    let began = () => {};
    const push: Pick<Push, 'subscribe'> = {
      subscribe: (_, listener) => {
        began = () => listener.began?.();
        return () => {};
      },
    };
    const { client } = connect();
    const answers: ((depth: unknown) => void)[] = [];
    const getDepth = () => new Promise<unknown>((resolve) => answers.push(resolve));
    const slow = { ...client, getDepth } as typeof client;
    const { book, books } = follow(push, slow);
    const depth = (version: string, at: string) => ({ version, bids: [], asks: [[at, '1', '1', '1']] });
    began();
    began();
    answers[1]?.(depth('10', '2'));
    answers[0]?.(depth('11', '1'));
    await expect.poll(() => book()?.asks[0]?.[0]).toBe('2');
    expect(books).toHaveLength(1);
  });
});

describe('a connection', () => {
  test('tells the orders and balances of the account whose key it has', async () => {
    const { push } = connect({ apiKey: async () => maker.apiKey });
    const told: PushNotification[] = [];
    let begun = 0;
    for (const topic of ['order', 'account'] as const)
      push.subscribe(
        { topic },
        {
          told: (message) => told.push(message),
          began: () => {
            begun += 1;
          },
        },
      );
    await expect.poll(() => begun).toBe(2);
    const hash = await place();
    await expect.poll(() => told.map(({ topic }) => topic.topic).sort()).toEqual(['account', 'order']);
    expect(told.find(({ topic }) => topic.topic === 'order')?.data).toMatchObject({ hash, status: 'processing' });
  });

  test('is refused topics of an account without its key, and goes on with the others', async () => {
    const { push } = connect({ apiKey: async () => undefined });
    const refused = new Promise((resolve) => push.subscribe({ topic: 'order' }, { told: () => {}, refused: resolve }));
    const ticker = new Promise((resolve) => push.subscribe({ topic: 'ticker', market: MARKET }, { told: resolve }));
    expect(await refused).toMatchObject({ code: 104104 });
    expect(await ticker).toMatchObject({ topic: { topic: 'ticker', market: MARKET } });
  });

  test('asks once more with another key where the relayer does not know the key', async () => {
    const refused: (string | undefined)[] = [];
    const { push } = connect({
      apiKey: async (before) => {
        refused.push(before);
        return before === undefined ? 'renewed meanwhile' : maker.apiKey;
      },
    });
    await new Promise<void>((began) => push.subscribe({ topic: 'order' }, { told: () => {}, began }));
    expect(refused).toEqual([undefined, 'renewed meanwhile']);
  });

  test('takes no second no for another key', async () => {
    let keys = 0;
    const { push } = connect({
      apiKey: async () => {
        keys += 1;
        return 'of nobody';
      },
    });
    const error = await new Promise((refused) => push.subscribe({ topic: 'order' }, { told: () => {}, refused }));
    expect(error).toMatchObject({ code: pushErrors.API_KEY_INVALID });
    expect(keys).toBe(2);
  });

  test('is opened by the first subscription and closed with the last', async () => {
    const states: boolean[] = [];
    const { push } = connect({ connected: (is) => states.push(is) });
    expect(states).toEqual([]);
    const topic = { topic: 'ticker', market: MARKET } as const;
    const both = [1, 2].map(() => {
      let stop = () => {};
      const begun = new Promise((resolve) => {
        stop = push.subscribe(topic, { told: resolve });
      });
      return { begun, stop };
    });
    // Who comes second is told from the beginning too.
    await Promise.all(both.map(({ begun }) => begun));
    both[0]?.stop();
    expect(states).toEqual([true]);
    both[1]?.stop();
    expect(states).toEqual([true, false]);
    expect(() => push.subscribe({ topic: 'nothing' } as never, { told: () => {} })).toThrow(/nothing is unknown/);
  });

  test('is given up when the relayer talks nonsense, and tried again', async () => {
    class Nonsense extends Cuttable {
      constructor(url: string) {
        super(url);
        const send = this.send.bind(this);
        Object.assign(this, {
          send: (text: string) => {
            send(text);
            this.emit('message', Buffer.from('{"topic":{"topic":"x"}}'), false);
          },
        });
      }
    }
    const states: boolean[] = [];
    const { push } = connect({
      openSocket: (at) => new Nonsense(at) as unknown as Socket,
      connected: (is) => states.push(is),
    });
    push.subscribe({ topic: 'ticker', market: MARKET }, { told: () => {} });
    await expect.poll(() => states.filter((is) => !is).length).toBeGreaterThan(1);
  });

  test('is given up at a message of more than a million characters', async () => {
    const states: boolean[] = [];
    const heard: unknown[] = [];
    const { push } = connect({ connected: (is) => states.push(is) });
    const topic = { topic: 'ticker', market: MARKET } as const;
    push.subscribe(topic, { told: ({ data }) => heard.push(data) });
    await expect.poll(() => states).toEqual([true]);
    const message = (length: number) =>
      last?.emit('message', Buffer.from(JSON.stringify({ topic, data: length }).padEnd(length)), false);
    message(1_000_000);
    expect(states).toEqual([true]);
    message(1_000_001);
    expect(states).toEqual([true, false]);
    expect(heard).toContain(1_000_000);
    expect(heard).not.toContain(1_000_001);
  });
});
