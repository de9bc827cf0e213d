import { expect, test } from 'vitest';
import { relayerMethodNames } from '../../packaging/viem/methodTypes.ts';
import { pageMethods } from '../../src/background/pageMethods/index.ts';
import { catalogue, type Known } from '../../src/demo/page/catalogue.ts';
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

test('the demo page shows every relayer method of the wallet, each once', () => {
  expect(entries.map(({ name }) => name).sort()).toEqual([...relayerMethodNames].sort());
});

test.each(entries.filter(({ example }) => example))(
  'the example of $name is one that the wallet reads',
  ({ name, example }) => {
    const operation = Object.values(operations).find(({ method }) => method === `relayer_${name}`);
    const schema = operation?.intent ?? pageMethods.get(`relayer_${name}`)?.params;
    expect(schema?.safeParse(example?.(known)).error).toBeUndefined();
  },
);
