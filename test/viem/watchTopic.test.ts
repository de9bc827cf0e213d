import { expect, test } from 'vitest';
import { LimitExceededError, ParameterError, UnauthorizedError } from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { approve, stageOf } from './support.ts';

const relayer = await relayerOfFile();

const MARKET = 'LRC-ETH';

type Stage = Awaited<ReturnType<typeof stageOf>>;
type Watched = Parameters<Stage['client']['relayer']['watchTopic']>[0]['topic'];

function watch({ client, provider }: Stage, topic: Watched) {
  const updates: unknown[] = [];
  const ended: Error[] = [];
  let began = 0;
  const unwatch = client.relayer.watchTopic({
    topic,
    provider,
    onUpdate: ({ data }) => updates.push(data),
    onBegan: () => {
      began += 1;
    },
    onEnded: (error) => ended.push(error),
  });
  return { updates, ended, unwatch, began: () => began };
}

test('an own order is told as it comes and as it ends; unwatching ends the watch and the subscription', async () => {
  const stage = await stageOf(relayer);
  const orders = watch(stage, { topic: 'order', market: MARKET });
  await expect.poll(orders.began).toBe(1);
  const asked = stage.client.relayer.limitOrder({ market: MARKET, side: 'SELL', price: '0.0005', size: '100' });
  await approve(stage.wallet);
  const { hash } = await asked;
  await expect.poll(() => orders.updates).toContainEqual(expect.objectContaining({ hash, status: 'processing' }));
  const cancelling = stage.client.relayer.cancelOrder({ orderHash: hash });
  await approve(stage.wallet);
  await cancelling;
  await expect.poll(() => orders.updates).toContainEqual(expect.objectContaining({ hash, status: 'cancelled' }));
  orders.unwatch();
  expect(orders.ended).toEqual([]);
  expect(stage.listenersOf('message')).toBe(0);
});

test('a watch of an account ends with the lock, one of a market does not; a refused one ends with its reason', async () => {
  const stage = await stageOf(relayer);
  const orders = watch(stage, { topic: 'account' });
  const ticker = watch(stage, { topic: 'ticker', market: MARKET });
  await expect.poll(() => ticker.updates.length + orders.began()).toBeGreaterThan(1);
  await stage.wallet.ui('lock', {});
  await expect.poll(() => orders.ended).toMatchObject([{ name: 'UnauthorizedError', reason: 'locked' }]);
  expect(orders.ended[0]).toBeInstanceOf(UnauthorizedError);
  expect(ticker.ended).toEqual([]);
  const wrong = watch(stage, { topic: 'orderbook', market: MARKET, level: -1 });
  await expect.poll(() => wrong.ended).toMatchObject([{ name: 'ParameterError', field: 'level' }]);
  const unknown = watch(stage, { topic: 'ticker', market: 'LRC-NONE' });
  await expect.poll(() => unknown.ended).toMatchObject([{ name: 'RelayerRefusedError' }]);
  ticker.unwatch();
  expect(stage.listenersOf('message')).toBe(0);
});

test('a watch that is ended before the wallet has answered leaves no subscription', async () => {
  const stage = await stageOf(relayer);
  for (let at = 0; at < 25; at++) {
    const { unwatch, ended } = watch(stage, { topic: 'orderbook', market: MARKET, level: 0 });
    unwatch();
    expect(ended).toEqual([]);
  }
  // All of them are gone again: as many as a site may have are free.
  await expect
    .poll(async () => {
      const names: string[] = [];
      try {
        for (let at = 0; at < 20; at++)
          names.push(await stage.client.relayer.subscribe({ topic: 'trade', market: MARKET }));
        return true;
      } catch (error) {
        if (!(error instanceof LimitExceededError)) throw error;
        return false;
      } finally {
        for (const subscription of names) await stage.client.relayer.unsubscribe({ subscription });
      }
    })
    .toBe(true);
});

test('without a provider nothing would be heard, so there is none without', async () => {
  const { client } = await stageOf(relayer);
  expect(() => client.relayer.watchTopic({ topic: { topic: 'trade', market: MARKET }, onUpdate: () => {} })).toThrow(
    ParameterError,
  );
});
