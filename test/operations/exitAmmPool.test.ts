import { expect, test } from 'vitest';
import { exitAmmPool } from '../../src/operations/exitAmmPool.ts';
import type { Facts } from '../../src/operations/operation.ts';
import { domainSeparator, poolDomain } from '../../src/protocol/index.ts';
import { amounts, holding, listed, NAME, POOL, poolAnswers } from './ammPool.ts';
import {
  DAY,
  FRIEND,
  factsWith,
  feeAnswer,
  issueOf,
  now,
  OWNER,
  refusalOf,
  rowsOf,
  rulesOf,
  tokens,
} from './support.ts';

const own = domainSeparator(poolDomain(31337, NAME, POOL));
const answers = poolAnswers({ domainSeparator: own });
const facts = factsWith(answers);
/** A tenth of the pool: worth 100,000 LRC and 1,000 ETH. */
const asked = { poolAddress: POOL, exitTokens: { unPooled: amounts('99000', '990'), burned: '100' } };
const draftOf = (changes: object = {}, given = facts) =>
  exitAmmPool.prepare(exitAmmPool.intent().parse({ ...asked, ...changes }), given);

test('names a pool that the address book names', async () => {
  const book = [{ address: POOL.toLowerCase(), label: 'My pool', source: 'book' }] as const;
  const poolRow = async (given = facts) =>
    exitAmmPool.review(await draftOf({}, given), now).rows.find(({ label }) => label.key === 'review_pool');
  expect((await poolRow(factsWith(answers, book)))?.note).toEqual({
    key: 'review_recipientBook',
    values: { name: { kind: 'text', text: 'My pool' } },
  });
  expect(await poolRow()).not.toHaveProperty('note');
});

test.each([
  [{ ...asked, exitTokens: { ...asked.exitTokens, burned: '0' } }, 'exitTokens.burned: is zero'],
  [{ ...asked, domainSeparator: own }, 'domainSeparator: unknown field "domainSeparator"'],
])('refuses the intent %j', (intent, message) => {
  expect(issueOf(exitAmmPool, intent)).toBe(message);
});

test.each([
  ['a pool that is not listed', { poolAddress: FRIEND }, {}, 'poolAddress: is no pool of this exchange'],
  [
    'tokens in another order',
    { exitTokens: { burned: '100', unPooled: amounts('1', '1').reverse() } },
    {},
    "exitTokens.unPooled.0.tokenId: is not the pool's token 1 at this place",
  ],
  [
    'another LP token',
    { exitTokens: { ...asked.exitTokens, burned: { tokenId: 101, volume: '1' } } },
    {},
    "exitTokens.burned.tokenId: is not the pool's LP token 100",
  ],
  [
    'an LP token that is not listed',
    {},
    { getAmmPools: () => ({ pools: [listed({ tokens: { pooled: [1, 0], lp: 101 } })] }) },
    'exitTokens.burned.tokenId: the relayer lists no token 101',
  ],
  [
    'a token that is not listed',
    { exitTokens: { burned: '100', unPooled: [{ tokenId: 9, volume: '1' }, ...amounts('1', '1').slice(1)] } },
    { getAmmPools: () => ({ pools: [listed({ tokens: { pooled: [9, 0], lp: 100 } })] }) },
    'exitTokens.unPooled: the relayer lists no token 9',
  ],
  ['a fee below the quote', { maxFee: '2' }, {}, "maxFee: is below the relayer's quote of 3"],
])('names the field of %s', async (_what, changes, given, message) => {
  expect(await refusalOf(exitAmmPool, { ...asked, ...changes }, factsWith({ ...answers, ...given }))).toBe(message);
});

test('says what is burned, what comes back at least and what it is worth now', async () => {
  const draft = await draftOf();
  expect(draft.body).toMatchObject({
    owner: OWNER,
    maxFee: '3',
    exitTokens: { burned: { tokenId: 100, volume: '100' } },
  });
  const review = exitAmmPool.review(draft, now);
  expect(rowsOf(review)).toMatchObject({
    review_burn: { kind: 'amount', volume: '100', token: tokens[3] },
    review_fee: { kind: 'amount', volume: '3', token: tokens[0] },
  });
  expect(
    review.rows.filter(({ emphasis }) => emphasis === 'receive').map(({ value, note }) => [value, note?.values]),
  ).toEqual([
    [
      { kind: 'amount', volume: '99000', token: tokens[1], least: true },
      { amount: { kind: 'amount', volume: '100000', token: tokens[1], least: true } },
    ],
    [
      // The fee is paid in this token.
      { kind: 'amount', volume: '987', token: tokens[0], least: true },
      {
        amount: { kind: 'amount', volume: '1000', token: tokens[0], least: true },
        gross: { kind: 'amount', volume: '990', token: tokens[0], least: true },
        fee: { kind: 'amount', volume: '3', token: tokens[0] },
      },
    ],
  ]);
  expect(review.rows.flatMap(({ label, leaves }) => (leaves ? label.key : []))).toEqual(['review_burn']);
  expect(rulesOf(review)).toEqual([]);
  expect(exitAmmPool.storageSlot(draft)).toEqual({ tokenId: 100, parity: 'offchain' });
});

test('says how much is burned of an amount with more digits than a block holds, and what that is worth', async () => {
  // A whole pool of 1,234,567 shares, of which a block holds 1,234,560.
  const whole = factsWith({ ...answers, getAmmBalance: () => holding(amounts('1234567', '1234567'), '1234567') });
  const draft = await draftOf({ exitTokens: { burned: '1234567', unPooled: amounts('0', '0') } }, whole);
  expect(draft.shown.worth).toEqual(['1234560', '1234560']);
  expect(draft.body.exitTokens.burned).toEqual({ tokenId: 100, volume: '1234567' });
  const { rows } = exitAmmPool.review(draft, now);
  expect(rows.find(({ label }) => label.key === 'review_burn')?.value).toMatchObject({ volume: '1234567' });
  expect(rows.find(({ label }) => label.key === 'review_burned')).toEqual({
    label: { key: 'review_burned' },
    value: { kind: 'amount', volume: '1234560', token: tokens[3], least: true },
    note: { key: 'review_rounded' },
  });
  expect(exitAmmPool.review(await draftOf(), now).rows.map(({ label }) => label.key)).not.toContain('review_burned');
});

test('takes what is burned with the number of its token as well', async () => {
  const burned = { tokenId: 100, volume: '100' };
  const named = await draftOf({ exitTokens: { ...asked.exitTokens, burned } });
  expect(named).toEqual(await draftOf());
});

test.each<[string, object, string[], Facts?]>([
  ['no least amounts', { exitTokens: { burned: '100', unPooled: amounts('0', '0') } }, ['pool-no-minimum']],
  [
    'one least amount far below the share',
    { exitTokens: { burned: '100', unPooled: amounts('99000', '949') } },
    ['share-far'],
  ],
  [
    'no least amount of one token alone',
    { exitTokens: { burned: '100', unPooled: amounts('99000', '0') } },
    ['share-far'],
  ],
  ['a request that can be used for a month', { validUntil: now + 31 * DAY }, ['validity-long']],
  [
    'a fee that is a large part of the least amount',
    { exitTokens: { burned: '1', unPooled: amounts('990', '9') } },
    ['share-far', 'fee-of-moved'],
  ],
  [
    'a pool that the relayer calls risky',
    {},
    ['pool-risky'],
    factsWith({ ...answers, getAmmBalance: () => ({ ...holding(amounts('1000000', '10000')), risky: true }) }),
  ],
])('warns of %s', async (_what, changes, rules, given) => {
  expect(rulesOf(exitAmmPool.review(await draftOf(changes, given), now))).toEqual(rules);
});

test('brings nothing where the fee takes all of the least amount', async () => {
  for (const [least, received] of [
    ['2', '0'],
    ['3', '0'],
    ['4', '1'],
  ] as const) {
    const draft = await draftOf({ exitTokens: { burned: '100', unPooled: amounts('99000', least) } });
    const rows = exitAmmPool.review(draft, now).rows.filter(({ emphasis }) => emphasis === 'receive');
    expect(rows.map(({ value }) => value)).toMatchObject([{ volume: '99000' }, { volume: received }]);
  }
});

test('without a fee says what the whole least amount is worth', async () => {
  const free = factsWith({ ...answers, getOffchainFee: () => feeAnswer({ ETH: '0' }) });
  const { rows } = exitAmmPool.review(await draftOf({}, free), now);
  expect(rows.filter(({ emphasis }) => emphasis === 'receive').map(({ note }) => note?.key)).toEqual([
    'review_worthNow',
    'review_worthNow',
  ]);
});

test('of a pool that is empty now is worth nothing, and no share of that is far', async () => {
  const empty = factsWith({ ...answers, getAmmBalance: () => holding(amounts('0', '0'), '0') });
  const draft = await draftOf({}, empty);
  expect(draft.shown.worth).toEqual(['0', '0']);
  expect(rulesOf(exitAmmPool.review(draft, now))).toEqual([]);
});

test('of a pool in the other order pays its fee in the last token', async () => {
  const turned = {
    ...answers,
    getAmmPools: () => ({ pools: [listed({ domainSeparator: own, tokens: { pooled: [0, 1], lp: 100 } })] }),
  };
  const exitTokens = { burned: '100', unPooled: amounts('99000', '990').reverse() };
  const draft = await draftOf({ exitTokens }, factsWith(turned));
  expect(exitAmmPool.fee?.(draft.body)).toEqual({ requestType: 6, tokenId: 1, volume: '4' });
});
