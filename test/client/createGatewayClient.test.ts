import { expect, test } from 'vitest';
import { createGatewayClient, type GatewayError } from '../../src/client/createGatewayClient.ts';

test('a file is fetched without cookies, without a referrer and from no other host', async () => {
  const sent: (RequestInit | undefined)[] = [];
  const gateway = createGatewayClient({
    fetch: async (_url, init) => {
      sent.push(init);
      return new Response('a file');
    },
  });
  expect(new TextDecoder().decode(await gateway.read('https://gateway.example', ['x'], 100))).toBe('a file');
  expect(sent).toMatchObject([{ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' }]);
});

test('an answer that is none of a whole file counts as refused', async () => {
  const gateway = createGatewayClient({ fetch: async () => new Response('a part', { status: 206 }) });
  await expect(gateway.read('https://gateway.example', ['x'], 100)).rejects.toMatchObject({ code: 'refused' });
});

test('four files are fetched at once, and the next one whenever one has ended in any way', async () => {
  const open: ((response: Response | Error) => void)[] = [];
  const gateway = createGatewayClient({
    fetch: async () => {
      const answer = await new Promise<Response | Error>((resolve) => open.push(resolve));
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const read = () => gateway.read('https://gateway.example', ['x'], 3).catch((error: GatewayError) => error.code);
  const first = Array.from({ length: 6 }, read);
  await settled();
  expect(open).toHaveLength(4);
  open[0]?.(new Response('abcd'));
  await settled();
  expect(open).toHaveLength(5);
  open[1]?.(new Error('no network'));
  await settled();
  expect(open).toHaveLength(6);
  for (const answer of open.slice(2)) answer(new Response('abc'));
  expect(await Promise.all(first)).toEqual([
    'too-large',
    'unreachable',
    ...Array(4).fill(new Uint8Array([97, 98, 99])),
  ]);
  // All places are free again, and no more.
  const second = Array.from({ length: 5 }, read);
  await settled();
  expect(open).toHaveLength(10);
  for (const answer of open.slice(6)) answer(new Response('abc'));
  await settled();
  open[10]?.(new Response('abc'));
  await Promise.all(second);
});
