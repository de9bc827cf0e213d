import { describe, expect, test } from 'vitest';
import { exitAmmPool } from '../../src/operations/exitAmmPool.ts';
import { joinAmmPool } from '../../src/operations/joinAmmPool.ts';
import { checkPoolTokens, poolAt, poolSettlement } from '../../src/operations/pool.ts';
import { domainSeparator, poolDomain } from '../../src/protocol/index.ts';
import { amounts, listed, NAME, POOL, poolAnswers } from './ammPool.ts';
import { ACCOUNT_ID, type Answers, FRIEND, factsWith } from './support.ts';
import { noting, submittedWith } from './told.ts';

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

describe('a pool', () => {
  const at = (changes: object = {}, address: string = POOL) =>
    poolAt(address, factsWith({ getAmmPools: () => ({ pools: [listed({ address: FRIEND }), listed(changes)] }) }));
  const own = domainSeparator(poolDomain(factsWith().chainId, NAME, POOL));

  test('is found by its address, however that is written', async () => {
    expect(await at({}, POOL.toLowerCase())).toMatchObject({ address: POOL });
    expect(await at({ address: POOL.toLowerCase() })).toMatchObject({ address: POOL.toLowerCase() });
    expect(await at({ domainSeparator: own })).toMatchObject({ domainSeparator: own });
  });

  test.each([
    ['is not listed', {}, `0x${'2'.repeat(40)}`, 'poolAddress: is no pool of this exchange'],
    [
      'is of another version',
      { version: '1.0' },
      POOL,
      'poolAddress: has domain version 1.0; only 1.0.0 can be signed',
    ],
    [
      'is given another domain',
      { domainSeparator: `0x${'5'.repeat(64)}` },
      POOL,
      `poolAddress: the relayer gives it the domain separator 0x${'5'.repeat(64)}, not ${own}`,
    ],
  ])('that %s is refused', async (_what, changes, address, message) => {
    await expect(at(changes, address)).rejects.toMatchObject({ name: 'IntentError', message });
  });

  test('is asked for its tokens in its own order', async () => {
    const pool = await at();
    expect(() => checkPoolTokens(pool, amounts('1', '1') as never, 'pooled')).not.toThrow();
    expect(() => checkPoolTokens(pool, [{ tokenId: 1 }, { tokenId: 2 }], 'pooled')).toThrow(
      "pooled.1.tokenId: is not the pool's token 0 at this place",
    );
  });
});

describe('the end of a join or an exit', () => {
  const body = { poolAddress: POOL };
  const row = (hash: string, changes: object = {}) => ({
    ...{ hash, txType: 'join', txStatus: 'processed', ammPoolAddress: POOL, ammLayerType: 'layer_2' },
    ...{ poolTokens: [], lpToken: { tokenId: 100, amount: '1', actualAmount: '1', feeAmount: '0' } },
    ...{ createdAt: 1, updatedAt: 1, blockId: 9, indexInBlock: 0, ...changes },
  });
  const of = async (rows: readonly object[]) => {
    const { facts, asked } = noting(
      factsWith({ getAmmTransactions: () => ({ totalNum: rows.length, transactions: rows }) }),
    );
    const { find, blocks, reportsHash, outcomeOf } = poolSettlement('join');
    expect([reportsHash, outcomeOf({ status: 'failed' }).state]).toEqual([true, 'failed']);
    const submitted = submittedWith({ body });
    return { ended: await find?.(submitted, facts), block: await blocks?.(submitted, facts), asked };
  };

  test('is in the history of the pool, found by its hash', async () => {
    const { ended, block, asked } = await of([row('0x6', { txStatus: 'failed' }), row('0x7')]);
    expect(ended).toMatchObject({ state: 'processed', ack: { hash: '0x7', status: 'processed' } });
    expect(block).toEqual({ blockIds: [9], more: false });
    const query = { accountId: ACCOUNT_ID, ammPoolAddress: POOL, txTypes: 'join', limit: 50, offset: 0 };
    expect(asked).toEqual(Array(2).fill(`read getAmmTransactions ${JSON.stringify(query)}`));
  });

  test.each([
    [60, 2, { state: 'processed' }],
    [600, 11, null],
  ])('is looked for behind %i others, in %i pages', async (others, pages, ended) => {
    const all = [...Array.from({ length: others }, (_, index) => row(`0x${(index + 16).toString(16)}`)), row('0x7')];
    const offsets: number[] = [];
    const facts = factsWith({
      getAmmTransactions: ({ query }) => {
        const offset = Number(query?.offset);
        offsets.push(offset);
        return { totalNum: all.length, transactions: all.slice(offset, offset + 50) };
      },
    });
    const found = await poolSettlement('join').find?.(submittedWith({ body }), facts);
    expect(ended === null ? found : found && { state: found.state }).toEqual(ended);
    expect(offsets).toHaveLength(pages);
  });

  test('is unknown while the history does not have it', async () => {
    const { ended, block } = await of([row('0x6')]);
    expect([ended, block]).toEqual([null, { blockIds: [], more: false }]);
  });
});
