import { describe, expect, test } from 'vitest';
import { withdraw } from '../../src/operations/withdraw.ts';
import { code } from './nftSupport.ts';
import {
  ACCOUNT_ID,
  type Answers,
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

const asked = { token: { tokenId: 1, volume: '1000000000000000000' } };
const answers: Answers = {
  getOffchainFee: ({ query }) => feeAnswer(query?.requestType === 4 ? { LRC: '40000' } : { ETH: '3000', LRC: '4000' }),
  getCode: () => code('0x'),
};
const own = { address: OWNER, label: 'Main', source: 'own' } as const;
const facts = factsWith(answers, [own]);
const draftOf = (changes: object = {}, given = facts) =>
  withdraw.prepare(withdraw.intent().parse({ ...asked, ...changes }), given);

test.each([
  [{ ...asked, extraData: 'hello' }, 'extraData: is not 0x and whole bytes'],
  [{ ...asked, extraData: '0x123' }, 'extraData: is not 0x and whole bytes'],
  [{ ...asked, to: `0x${'0'.repeat(40)}` }, 'to: is the zero address'],
  [{ ...asked, minGas: -1 }, 'minGas: is less than 0'],
  [{ ...asked, owner: FRIEND }, 'owner: unknown field "owner"'],
])('refuses the intent %j', (intent, message) => {
  expect(issueOf(withdraw, intent)).toBe(message);
});

describe('prepare', () => {
  test('fills owner, receiver, fee and expiry', async () => {
    expect((await draftOf()).body).toEqual({
      ...asked,
      exchange: facts.exchangeAddress,
      accountId: ACCOUNT_ID,
      owner: OWNER,
      to: OWNER,
      minGas: 0,
      maxFee: { tokenId: 1, volume: '4000' },
      validUntil: now + 3_600,
    });
  });

  test('pays in another token when the withdrawn one pays no fees', async () => {
    const given = factsWith({ ...answers, getOffchainFee: () => feeAnswer({ ETH: '3000' }) }, [own]);
    expect((await draftOf({}, given)).body.maxFee).toEqual({ tokenId: 0, volume: '3000' });
  });

  test('asks the fee of a fast withdrawal for the amount and in the token that is withdrawn', async () => {
    const { body } = await draftOf({ fastWithdrawalMode: true });
    expect(body).toMatchObject({ fastWithdrawalMode: true, maxFee: { tokenId: 1, volume: '40000' } });
    expect(await refusalOf(withdraw, { ...asked, fastWithdrawalMode: true, feeTokenId: 0 }, facts)).toBe(
      'maxFee.tokenId: is not the token that is withdrawn, which pays a fast withdrawal',
    );
  });

  test('asks for no fast withdrawal that the relayer does not quote', async () => {
    for (const offers of [feeAnswer({}), feeAnswer({ ETH: '1' })]) {
      const without = { ...facts, read: async () => offers } as unknown as typeof facts;
      expect(await refusalOf(withdraw, { ...asked, fastWithdrawalMode: true }, without)).toBe(
        'fastWithdrawalMode: is not offered for this amount; withdraw less or leave it out',
      );
      const text = { key: 'problem_notFast' };
      await expect(draftOf({ fastWithdrawalMode: true }, without)).rejects.toMatchObject({ text });
    }
  });

  test.each(['', '0x'])('leaves empty extra data (%j) out, so that nobody can hash it as text', async (extraData) => {
    expect((await draftOf({ extraData })).body).not.toHaveProperty('extraData');
  });
});

describe('review', () => {
  test('says amount, receiver, fee, expiry and what happens on L1', async () => {
    const review = withdraw.review(await draftOf({ minGas: 9, extraData: '0x00ff', fastWithdrawalMode: true }), now);
    expect(rowsOf(review)).toEqual({
      review_leaves: { kind: 'amount', volume: (BigInt(asked.token.volume) + 40_000n).toString(), token: tokens[1] },
      review_recipient: { kind: 'address', address: OWNER },
      review_domainChain: { kind: 'text', text: '31337' },
      review_fee: { kind: 'amount', volume: '40000', token: tokens[1] },
      review_expires: { kind: 'time', seconds: now + 3_600 },
      review_minGas: { kind: 'text', text: '9' },
      review_extraData: { kind: 'document', text: '0x00ff' },
      review_speed: { kind: 'message', key: 'review_speedFast' },
    });
    expect(rulesOf(review)).toEqual(['withdraw-other-chain', 'fast-unbound']);
  });

  test.each([
    ['to the owner', {}, answers, []],
    ['to somebody else', { to: FRIEND }, answers, ['recipient-new', 'withdraw-elsewhere']],
    [
      'to a contract',
      { to: FRIEND },
      { ...answers, getCode: () => code('0x60') },
      ['recipient-new', 'withdraw-elsewhere', 'withdraw-to-contract'],
    ],
    [
      'while the L1 node is down',
      { to: FRIEND },
      { ...answers, getCode: () => null },
      ['recipient-new', 'withdraw-elsewhere', 'receiver-unchecked'],
    ],
  ])('warns of a withdrawal %s', async (_what, changes, given, rules) => {
    const draft = await draftOf(changes, factsWith(given, [own]));
    expect(rulesOf(withdraw.review(draft, now))).toEqual([...rules, 'withdraw-other-chain']);
  });

  test('says Ethereum where the exchange is there, and names another chain', async () => {
    const on = async (chainId: number) => {
      const { rows, warnings } = withdraw.review(await draftOf({}, { ...facts, chainId }), now);
      const row = rows.find(({ label }) => label.key === 'review_domainChain')?.value;
      return [row, warnings.map(({ text }) => text)];
    };
    const other = { kind: 'text', text: '8453' };
    expect(await on(1)).toEqual([{ kind: 'text', text: 'Ethereum' }, []]);
    expect(await on(8453)).toEqual([other, [{ key: 'warning_withdrawOtherChain', values: { chain: other } }]]);
    // Drafts of earlier versions name no chain.
    const { body, shown } = await draftOf();
    const { chainId: _, ...earlier } = shown;
    expect(rulesOf(withdraw.review({ body, shown: earlier }, now))).toEqual([]);
  });
});
