import { describe, expect, it } from 'vitest';
import { PushRefusal, readTopic } from '../../src/protocol/push.ts';

const book = { topic: 'orderbook', market: 'LRC-ETH', level: 0 };

describe('a topic', () => {
  it('takes a number, or its decimal text', () => {
    expect(readTopic({ ...book, level: '2', count: '50' })).toMatchObject({ level: 2, count: 50 });
    expect(readTopic({ topic: 'account', accountId: '10005' })).toMatchObject({ accountId: 10_005 });
  });

  it.each([[null], [''], [[]], [true], [' 1'], ['0x1'], [1.5], [-1]])('does not take %j for a number', (value) => {
    for (const topic of [
      { ...book, level: value },
      { ...book, count: value },
      { topic: 'account', accountId: value },
    ])
      expect(() => readTopic(topic)).toThrow(PushRefusal);
  });

  it.each([
    { ...book, level: 1001 },
    { ...book, count: 0 },
    { ...book, count: 51 },
    { topic: 'account', accountId: 2 ** 32 },
    { topic: 'ammpool', poolAddress: '0x1' },
  ])('is refused out of range: %j', (topic) => {
    expect(() => readTopic(topic)).toThrow(PushRefusal);
  });
});
