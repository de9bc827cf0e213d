import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, resultOf, setUp } from './support.ts';

const relayer = await relayerOfFile();

test('a record keeps an answer of up to 16,384 characters; with a longer one the order is acknowledged all the same', async () => {
  let length = 16_384;
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (!new URL(String(input)).pathname.endsWith('/order') || !answer.ok) return answer;
      const padded = { ...((await answer.json()) as object), pad: '' };
      return Response.json({ ...padded, pad: 'a'.repeat(length - JSON.stringify(padded).length) });
    },
  });
  const { journal } = wallet.background().wallet;
  const lengths: number[] = [];
  for (length of [16_384, 16_385, 200_000]) {
    const { hash } = resultOf(await approveOrder(wallet));
    const record = (await journal.list()).find((one) => one.hash === hash);
    expect(record?.state).toBe('acknowledged');
    lengths.push(JSON.stringify(record?.ack).length);
  }
  expect(lengths).toEqual([16_384, 2, 2]);
});
