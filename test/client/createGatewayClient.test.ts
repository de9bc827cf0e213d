import { expect, test } from 'vitest';
import { createGatewayClient } from '../../src/client/createGatewayClient.ts';

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
