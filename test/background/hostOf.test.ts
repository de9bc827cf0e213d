import { expect, test } from 'vitest';
import { hostOf } from '../../src/background/rpc/ui/hostOf.ts';

const network = (id: string) => ({ id, baseUrl: `https://${id}.example:8443/path` });
const named = (params: object, ...ids: string[]) =>
  hostOf({ config: { read: async () => ({ networks: ids.map(network) }) } } as never, params);

test('a failure names the relayer of the request, and the only one where it names none', async () => {
  expect(await named({ account: 'b:7' }, 'a', 'b')).toBe('b.example:8443');
  expect(await named({ account: null }, 'a')).toBe('a.example:8443');
  expect(await named({ account: null }, 'a', 'b')).toBe('');
  expect(await named({ networkId: 'a' }, 'a', 'b')).toBe('a.example:8443');
  expect(await named({ baseUrl: 'https://new.example' }, 'a')).toBe('new.example');
});
