import { expect, test } from 'vitest';
import { exitAmmPool } from '../../src/operations/exitAmmPool.ts';
import { joinAmmPool } from '../../src/operations/joinAmmPool.ts';
import { type Answers, factsWith, feeAnswer } from './support.ts';

const POOL = '0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036';
const NAME = 'AMM-LRC-ETH';
const lrc = { tokenId: 1, volume: '1000000' };
const eth = { tokenId: 0, volume: '10000' };
const holding = (...pooled: readonly object[]): Answers => ({
  getAmmPools: () => ({
    pools: [
      {
        name: NAME,
        market: 'LRC-ETH',
        address: POOL,
        version: '1.0.0',
        tokens: { pooled: [1, 0], lp: 100 },
        feeBips: 20,
      },
    ],
  }),
  getOffchainFee: () => feeAnswer({ ETH: '3' }),
  getAmmBalance: () => ({
    poolName: NAME,
    poolAddress: POOL,
    pooled,
    lp: { tokenId: 100, volume: '1000' },
    risky: false,
  }),
});
const amounts = [
  { tokenId: 1, volume: '100000' },
  { tokenId: 0, volume: '1000' },
];
const draftOf = {
  joinAmmPool: (answers: Answers) =>
    joinAmmPool.prepare(
      joinAmmPool.intent().parse({
        poolAddress: POOL,
        joinTokens: { pooled: amounts, minimumLp: { tokenId: 100, volume: '100' } },
      }),
      factsWith(answers),
    ),
  exitAmmPool: (answers: Answers) =>
    exitAmmPool.prepare(
      exitAmmPool.intent().parse({ poolAddress: POOL, exitTokens: { unPooled: amounts, burned: '100' } }),
      factsWith(answers),
    ),
};

test.each(['joinAmmPool', 'exitAmmPool'] as const)(
  '%s reads what a pool holds by its token, whatever the order of the answer',
  async (name) => {
    const { worth } = (await draftOf[name](holding(lrc, eth))).shown;
    expect(worth).toEqual(['100000', '1000']);
    expect((await draftOf[name](holding(eth, lrc))).shown.worth).toEqual(worth);
  },
);

test.each(['joinAmmPool', 'exitAmmPool'] as const)('%s refuses a pool without an amount of its token', async (name) => {
  await expect(draftOf[name](holding(lrc))).rejects.toThrow(
    "poolAddress: has no amount of token 0 in the relayer's answer",
  );
});
