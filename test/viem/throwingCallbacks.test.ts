import { createClient, custom } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ParameterError, relayerActions } from '../../src/viem/index.ts';
import { until } from '../background/support.ts';

/** What the page sees as its own uncaught errors. */
let reported: unknown[];
const listen = (error: unknown) => reported.push(error);
let others: NodeJS.UnhandledRejectionListener[];
beforeEach(() => {
  reported = [];
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
});
afterEach(() => {
  process.off('unhandledRejection', listen);
  for (const other of others) process.on('unhandledRejection', other);
});

/** A page's own mistake; the watch takes an error of this kind for an answer of the wallet. */
const mistake = new ParameterError('page: its own mistake');
const throwing = (told: unknown[]) => (given: unknown) => {
  told.push(given);
  throw mistake;
};

test.each([true, false])('an open order is watched on when callbacks throw (with onError: %s)', async (hasOnError) => {
  let reads = 0;
  const request = async ({ method }: { method: string }) => {
    if (method === 'relayer_getOrder') return { hash: '0x1', status: 'cancelled' };
    if (++reads === 2) throw Object.assign(new Error('Locked.'), { code: 4100 });
    const orders = reads < 4 ? [{ hash: `0x${reads}`, status: 'processing' }] : [];
    return { totalNum: orders.length, orders };
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const [lists, ended, errors]: [unknown[], unknown[], unknown[]] = [[], [], []];
  const unwatch = relayer.watchOrders({
    pollingInterval: 5,
    onOrders: throwing(lists),
    onEnded: throwing(ended),
    ...(hasOnError && { onError: throwing(errors) }),
  });
  await until(async () => reads > 5);
  unwatch();
  expect([lists.length, ended.length]).toEqual([3, 2]);
  expect(errors).toMatchObject(hasOnError ? [{ name: 'UnauthorizedError' }] : []);
  expect(reported).toEqual(Array(hasOnError ? 6 : 5).fill(mistake));
});

test('a submission is watched to its end when callbacks throw', async () => {
  let reads = 0;
  const request = async () => {
    if (++reads === 2) throw Object.assign(new Error('Locked.'), { code: 4100 });
    return { requestId: 'r', status: reads < 4 ? 'acknowledged' : 'processed' };
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const [statuses, errors]: [unknown[], unknown[]] = [[], []];
  relayer.watchSubmission({
    ...{ requestId: 'r', pollingInterval: 5 },
    onStatus: throwing(statuses),
    onError: throwing(errors),
  });
  await until(async () => statuses.length > 1);
  await until(async () => reported.length > 2);
  expect(statuses).toEqual(['acknowledged', 'processed']);
  expect(errors).toMatchObject([{ name: 'UnauthorizedError' }]);
  expect(reported).toEqual([mistake, mistake, mistake]);
});

test('a topic is watched on when callbacks throw', async () => {
  let listener: ((message: object) => void) | undefined;
  const provider = {
    on: (_event: string, listen: (message: never) => void) => {
      listener = listen as typeof listener;
    },
    removeListener: () => {
      listener = undefined;
    },
  };
  const message = (told: object) => listener?.({ type: 'relayer_subscription', data: { subscription: 's', ...told } });
  // What comes before the name of the subscription is told with it.
  const request = async () => {
    message({ began: true });
    for (const data of [1, 2]) message({ result: { data } });
    return 's';
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions({ provider }));
  const [began, updates, ended]: [unknown[], unknown[], unknown[]] = [[], [], []];
  relayer.watchTopic({
    topic: { topic: 'ticker', market: 'LRC-ETH' },
    onBegan: () => throwing(began)(true),
    onUpdate: throwing(updates),
    onEnded: throwing(ended),
  });
  await until(async () => updates.length > 1);
  message({ error: { code: 4100, message: 'Locked.' } });
  await until(async () => reported.length > 3);
  expect([began.length, updates, ended.length]).toEqual([1, [{ data: 1 }, { data: 2 }], 1]);
  expect(reported).toEqual([mistake, mistake, mistake, mistake]);
});
