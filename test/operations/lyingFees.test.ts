import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeeQuote } from '../../src/operations/fees.ts';
import { type AnyOperation, type OperationName, operations } from '../../src/operations/index.ts';
import type { Draft, Facts } from '../../src/operations/operation.ts';
import { asksPassword } from '../../src/operations/warnings.ts';
import { cases } from './everyCase.ts';
import { feeAnswer, now, tokens } from './facts.ts';
import { rulesOf } from './support.ts';

/**
 * A relayer whose quote, list and token prices agree with each other, and take nearly all that the
 * account has.
 */
const ETHER = 10n ** 18n;
const FEE = String(9n * ETHER);
const quote = feeAnswer({ ETH: FEE, LRC: FEE });
const list = Object.fromEntries(Array.from({ length: 30 }, (_, kind) => [kind, { 0: FEE, 1: FEE }]));
const balances = tokens.map(({ tokenId }) => ({
  tokenId,
  total: String(10n * ETHER),
  locked: '0',
  pending: { withdraw: '0', deposit: '0' },
}));

const lying = (facts: Facts, more: Partial<Facts> = {}, hidesBalances = false): Facts => ({
  ...facts,
  listedFees: async () => list,
  find: async (name, input, refusals) =>
    name === 'getOffchainFee' ? (quote as never) : facts.find(name, input, refusals),
  read: async (name, input) =>
    /OffchainFee$/.test(name)
      ? (quote as never)
      : name === 'getBalances'
        ? (balances as never)
        : facts.read(name, input),
  recent: async (name, input, maxAge) =>
    name === 'getBalances' ? (hidesBalances ? null : (balances as never)) : facts.recent(name, input, maxAge),
  ...more,
});

/** Names no ceiling, and brings no fee token of its own. */
const asked = (name: OperationName): object => {
  const [sample] = fc.sample(cases[name].intent, { numRuns: 1, seed: 7 });
  const { maxFee: _, fee: __, ...intent } = sample as Record<string, unknown>;
  // Too little for a fee to look small beside it.
  if (name === 'transfer' || name === 'withdraw') return { ...intent, token: { tokenId: 1, volume: '1000' } };
  if (name !== 'exitAmmPool') return intent;
  const unPooled = [1, 0].map((tokenId) => ({ tokenId, volume: '1000' }));
  return { ...intent, exitTokens: { burned: '1000', unPooled } };
};

const paying = (Object.keys(operations) as OperationName[]).filter((name) => operations[name].fee !== undefined);

async function drafted(name: OperationName, facts: Facts) {
  const operation: AnyOperation = operations[name];
  const draft = (await operation.prepare(operation.intent().parse(asked(name)), facts)) as Draft<object, object>;
  return { draft, review: operation.review(draft, now), fee: operation.fee?.(draft.body) };
}

test('these operations pay a fee that the relayer names', () => {
  expect(paying.toSorted()).toEqual([
    'deployNft',
    'exitAmmPool',
    'joinAmmPool',
    'mintNft',
    'transfer',
    'transferNft',
    'updateAccountKey',
    'withdraw',
    'withdrawNft',
  ]);
});

describe.each(paying)('%s with an absurd fee', (name) => {
  test('needs the password, however well quote and list agree', async () => {
    const { review, fee } = await drafted(name, lying(cases[name].facts));
    expect(fee?.volume).toBe(FEE);
    expect(rulesOf(review)).toContain('fee-of-balance');
    expect(asksPassword(review)).toBe(true);
  });

  test('needs the password when the relayer hides the balances as well', async () => {
    const { review, draft } = await drafted(name, lying(cases[name].facts, {}, true));
    const { balance, moved } = (draft.shown as { fee: FeeQuote }).fee.bounds ?? {};
    expect(balance).toBeUndefined();
    expect(asksPassword(review) || operations[name].confirm === 'password').toBe(true);
    expect(rulesOf(review).includes('fee-unmeasured')).toBe(moved === undefined && name !== 'updateAccountKey');
  });

  test('needs the password when the account has paid a third of it before', async () => {
    const { fee } = await drafted(name, cases[name].facts);
    const before = [{ requestType: fee?.requestType ?? -1, tokenId: 0, volume: String(3n * ETHER - 1n) }];
    const { review } = await drafted(name, lying(cases[name].facts, { signedFees: async () => before }));
    expect(rulesOf(review)).toContain('fee-unusual-paid');
    expect(asksPassword(review)).toBe(true);
  });
});
