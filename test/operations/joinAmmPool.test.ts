import { expect, test } from 'vitest';
import { joinAmmPool } from '../../src/operations/joinAmmPool.ts';
import type { Facts } from '../../src/operations/operation.ts';
import { amounts, holding, listed, NAME, POOL, poolAnswers } from './ammPool.ts';
import { type Answers, DAY, FRIEND, factsWith, issueOf, now, OWNER, refusalOf, rulesOf, tokens } from './support.ts';

const EMPTY = 'poolAddress: is an empty pool, which has no price yet';
const answers = poolAnswers();
const facts = factsWith(answers);
/** A tenth of what the pool holds, for 100 LP. */
const asked = {
  poolAddress: POOL,
  joinTokens: { pooled: amounts('100000', '1000'), minimumLp: { tokenId: 100, volume: '99' } },
};
const joining = (lrc: string, eth: string, minimumLp: string, lp = 100) => ({
  joinTokens: { pooled: amounts(lrc, eth), minimumLp: { tokenId: lp, volume: minimumLp } },
});
const listing = (tokens: object) => ({ getAmmPools: () => ({ pools: [listed({ tokens })] }) });
const draftOf = (changes: object = {}, given = facts) =>
  joinAmmPool.prepare(joinAmmPool.intent().parse({ ...asked, ...changes }), given);

test.each([
  [{ ...asked, ...joining('0', '5', '1') }, 'joinTokens.pooled: has an amount of zero'],
  [{ ...asked, storageIds: [1, 3] }, 'storageIds: unknown field "storageIds"'],
])('refuses the intent %j', (intent, message) => {
  expect(issueOf(joinAmmPool, intent)).toBe(message);
});

test.each<[string, object, Answers, string]>([
  ['a pool that is not listed', { poolAddress: FRIEND }, {}, 'poolAddress: is no pool of this exchange'],
  [
    'tokens in another order',
    { joinTokens: { ...asked.joinTokens, pooled: amounts('1', '1').reverse() } },
    {},
    "joinTokens.pooled.0.tokenId: is not the pool's token 1 at this place",
  ],
  ['another LP token', joining('1', '1', '1', 101), {}, "joinTokens.minimumLp.tokenId: is not the pool's LP token 100"],
  ['a fee below the quote', { fee: '2' }, {}, "maxFee: is below the relayer's quote of 3"],
  ['a pool without LP tokens', {}, { getAmmBalance: () => holding(amounts('1', '1'), '0') }, EMPTY],
  ['a pool without a token', {}, { getAmmBalance: () => holding(amounts('1', '0')) }, EMPTY],
  [
    'an LP token that is not listed',
    joining('1', '1', '1', 101),
    listing({ pooled: [1, 0], lp: 101 }),
    'joinTokens.minimumLp.tokenId: the relayer lists no token 101',
  ],
  [
    'a token that is not listed',
    { joinTokens: { ...asked.joinTokens, pooled: [{ tokenId: 9, volume: '1' }, ...amounts('1', '1').slice(1)] } },
    listing({ pooled: [9, 0], lp: 100 }),
    'joinTokens.pooled: the relayer lists no token 9',
  ],
])('names the field of %s', async (_what, changes, given, message) => {
  expect(await refusalOf(joinAmmPool, { ...asked, ...changes }, factsWith({ ...answers, ...given }))).toBe(message);
});

test('says the most that leaves of both tokens, the fee with the second, and what comes back at least', async () => {
  const draft = await draftOf();
  expect(draft.body).toMatchObject({ owner: OWNER, fee: '3', ...asked });
  const { rows, ...review } = joinAmmPool.review(draft, now);
  const amount = (volume: string, token: number) => ({ kind: 'amount', volume, token: tokens[token] });
  expect(rows.filter(({ emphasis }) => emphasis).map(({ label, value, leaves }) => [label.key, value, leaves])).toEqual(
    [
      ['review_pay', amount('100000', 1), true],
      ['review_pay', amount('1003', 0), true],
      ['review_receive', { ...amount('99', 3), least: true }, undefined],
    ],
  );
  expect(rows.find(({ emphasis }) => emphasis === 'receive')?.note?.values).toEqual({
    amount: { ...amount('99000', 1), least: true },
    other: { ...amount('990', 0), least: true },
  });
  expect(review.sentence.values).toEqual({ pool: { kind: 'text', text: NAME } });
  expect(rulesOf({ rows, ...review })).toEqual([]);
  expect(joinAmmPool.storageSlot(draft)).toEqual({ tokenId: 1, parity: 'offchain', alsoOf: 0 });
});

test.each<[string, object, string[], Facts?]>([
  ['no least amount', joining('100000', '1000', '0'), ['pool-no-minimum']],
  ['a least amount far below what the pool gives', joining('100000', '1000', '50'), ['share-far']],
  ['a pool that counts the scarcer token alone', joining('900000', '1000', '99'), []],
  ['the first token as the scarcer one', joining('100000', '9000', '99'), []],
  ['a request that can be used for a month', { validUntil: now + 31 * DAY }, ['validity-long']],
  [
    'a pool that the relayer calls risky',
    {},
    ['pool-risky'],
    factsWith({ ...answers, getAmmBalance: () => ({ ...holding(amounts('1000000', '10000')), risky: true }) }),
  ],
])('warns of %s', async (_what, changes, rules, given) => {
  expect(rulesOf(joinAmmPool.review(await draftOf(changes, given), now))).toEqual(rules);
});

test('of a pool in the other order pays its fee in the last token, and draws on the counters of both', async () => {
  const pooled = amounts('100000', '1000').reverse();
  const turned = { ...answers, ...listing({ pooled: [0, 1], lp: 100 }) };
  const draft = await draftOf({ joinTokens: { ...asked.joinTokens, pooled } }, factsWith(turned));
  expect(joinAmmPool.fee?.(draft.body)).toEqual({ requestType: 8, tokenId: 1, volume: '4' });
  expect(joinAmmPool.storageSlot(draft)).toEqual({ tokenId: 0, parity: 'offchain', alsoOf: 1 });
});

test('is quoted no fee in a token that is not listed', async () => {
  await expect(joinAmmPool.feeQuote?.({ tokenId: 9 }, facts)).rejects.toThrow(
    'joinTokens.pooled: the relayer lists no token 9',
  );
});
