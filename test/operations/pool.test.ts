import { expect, test } from 'vitest';
import { exitAmmPool } from '../../src/operations/exitAmmPool.ts';
import { joinAmmPool } from '../../src/operations/joinAmmPool.ts';
import { amounts, POOL, poolAnswers } from './ammPool.ts';
import { type Answers, factsWith } from './support.ts';

const [lrc, eth] = amounts('1000000', '10000') as [object, object];
const holdings = (...pooled: readonly object[]) => poolAnswers({}, pooled);
const asked = amounts('100000', '1000');
const draftOf = {
  joinAmmPool: (answers: Answers) =>
    joinAmmPool.prepare(
      joinAmmPool.intent().parse({
        poolAddress: POOL,
        joinTokens: { pooled: asked, minimumLp: { tokenId: 100, volume: '100' } },
      }),
      factsWith(answers),
    ),
  exitAmmPool: (answers: Answers) =>
    exitAmmPool.prepare(
      exitAmmPool.intent().parse({ poolAddress: POOL, exitTokens: { unPooled: asked, burned: '100' } }),
      factsWith(answers),
    ),
};

test.each(['joinAmmPool', 'exitAmmPool'] as const)(
  '%s reads what a pool holds by its token, whatever the order of the answer',
  async (name) => {
    const { worth } = (await draftOf[name](holdings(lrc, eth))).shown;
    expect(worth).toEqual(['100000', '1000']);
    expect((await draftOf[name](holdings(eth, lrc))).shown.worth).toEqual(worth);
  },
);

test.each(['joinAmmPool', 'exitAmmPool'] as const)('%s refuses a pool without an amount of its token', async (name) => {
  await expect(draftOf[name](holdings(lrc))).rejects.toThrow(
    "poolAddress: has no amount of token 0 in the relayer's answer",
  );
});
