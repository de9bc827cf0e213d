import { expect, test } from 'vitest';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { catalogue, type Known, methodOf } from '../../src/demo/page/catalogue.ts';
import { operations } from '../../src/operations/index.ts';

const entries = catalogue.flatMap((group) => group.entries);
const known: Known = {
  owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  orderHash: `0x${'1'.repeat(64)}`,
  requestId: 'r1',
  nft: { tokenId: 32768, nftData: '0x1', tokenAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  lpAmount: '5',
  standingId: 's1',
};

test('the demo page shows every method of the wallet, each once', () => {
  expect(entries.map(methodOf).sort()).toEqual([...pageMethods.keys()].sort());
});

test.each(entries.filter(({ example }) => example))('the example of $name is one that the wallet reads', (entry) => {
  const method = methodOf(entry);
  const operation = Object.values(operations).find((candidate) => candidate.method === method);
  const schema = operation && method.startsWith('relayer_') ? operation.intent : pageMethods.get(method)?.params;
  const given = entry.example?.(known);
  // Of a list with one member the wallet reads the member.
  const read = Array.isArray(given) && given.length === 1 ? given[0] : given;
  expect(schema?.().safeParse(read).error).toBeUndefined();
});
