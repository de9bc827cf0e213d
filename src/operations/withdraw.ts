import {
  booleanField,
  type EndpointBody,
  feeRequestTypes,
  withdrawalBoundFields,
  withdrawalHash,
  withdrawalTypedData,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { withdrawalExecution } from './execution.ts';
import { type FeeQuote, feeFrom, moveRows, tokenFee, totalWith } from './fees.ts';
import {
  feePreference,
  ownerDeadline,
  positiveVolume,
  requestIntent,
  withdrawalIntent,
  withOneFeePreference,
} from './intentFields.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { signByOwner } from './signByOwner.ts';
import { listedSymbol } from './tokenSymbol.ts';
import { warningsOf } from './warnings.ts';
import { type PayoutFacts, payoutFacts, withdrawalRows } from './withdrawalRows.ts';

const intent = once(() =>
  withOneFeePreference(
    z.strictObject({
      ...requestIntent(),
      ...withdrawalIntent(),
      token: positiveVolume(),
      /**
       * A faster payout for a higher fee, paid in the token that is withdrawn. No signature fixes
       * it.
       */
      fastWithdrawalMode: z.optional(booleanField()),
    }),
  ),
);

export type WithdrawIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'submitWithdrawal'>, 'storageId' | 'eddsaSignature' | 'ecdsaSignature'>;

interface Shown extends PayoutFacts {
  readonly token: TokenFacts;
  readonly fee: FeeQuote;
}

const requestTypeOf = (fast: unknown) => (fast === true ? feeRequestTypes.FAST_WITHDRAWAL : feeRequestTypes.WITHDRAWAL);

/** Withdraws a token to L1. */
export const withdraw: Operation<WithdrawIntent, Body, Shown> = {
  name: 'withdraw',
  method: 'relayer_withdraw',
  permission: 'withdrawals',
  group: 'moves',
  picture: 'withdraw',
  leavesExchange: true,
  own: true,
  async feeQuote({ tokenId = 0, fast = false }, facts) {
    const tokenSymbol = listedSymbol(await facts.token(tokenId, 'tokenId'));
    return tokenFee(requestTypeOf(fast), facts, { tokenSymbol });
  },
  ownerApproves: true,
  intent,
  settle: requestSettlement(async (query, reads) => (await reads.read('getWithdrawals', { query })).transactions),
  executedAs: (body, storageId) =>
    withdrawalExecution(body, { tokenId: body.token.tokenId, amount: body.token.volume }, storageId),
  recipient: ({ to }) => to,
  fee: (body) => ({ requestType: requestTypeOf(body.fastWithdrawalMode), ...body.maxFee }),

  async prepare(asked, facts) {
    const { accountId, owner } = facts.account;
    const token = await facts.token(asked.token.tokenId, 'token.tokenId');
    const to = asked.to ?? owner;
    const fast = asked.fastWithdrawalMode ?? false;
    const preference = feePreference(asked);
    if (fast && preference.feeTokenId !== undefined && preference.feeTokenId !== token.tokenId)
      throw new IntentError('maxFee.tokenId', 'is not the token that is withdrawn, which pays a fast withdrawal');
    const requestType = requestTypeOf(fast);
    const fees = await tokenFee(requestType, facts, {
      tokenSymbol: listedSymbol(token),
      ...(fast ? { amount: asked.token.volume } : {}),
    });
    if (fast && !fees.fees.some((offer) => offer.token === listedSymbol(token)))
      throw new IntentError('fastWithdrawalMode', 'is not offered for this amount; withdraw less or leave it out', {
        key: 'problem_notFast',
      });
    const fee = await feeFrom(
      fees,
      fast ? { ...preference, feeTokenId: token.tokenId } : preference,
      { requestType, moved: asked.token },
      facts,
    );
    return {
      body: {
        exchange: facts.exchangeAddress,
        accountId,
        owner,
        token: asked.token,
        maxFee: { tokenId: fee.token.tokenId, volume: fee.volume },
        validUntil: await ownerDeadline(asked.validUntil, facts),
        minGas: asked.minGas ?? 0,
        to,
        // Empty bytes are left out: some clients hash the text `0x` as two characters.
        ...(asked.extraData && asked.extraData !== '0x' ? { extraData: asked.extraData } : {}),
        ...(fast ? { fastWithdrawalMode: true } : {}),
        ...counterFactual(facts),
      },
      shown: {
        token,
        fee,
        ...(await payoutFacts(to, facts)),
      },
    };
  },

  review({ body, shown }, now) {
    const { token, fee, recipient } = shown;
    const pay = { kind: 'amount', volume: body.token.volume, token } as const;
    const total = totalWith(fee, body.token);
    const rows: ReviewRow[] = [...moveRows('review_withdrawn', pay, fee, total), ...withdrawalRows(body, shown)];
    const fast = body.fastWithdrawalMode === true;
    if (fast)
      rows.push({
        label: { key: 'review_speed' },
        value: { kind: 'message', key: 'review_speedFast' },
        unsigned: true,
      });
    return {
      sentence: {
        key: total ? 'review_withdrawTotal' : 'review_withdraw',
        values: { amount: pay, recipient: { kind: 'address', address: body.to }, ...(total ? { total } : {}) },
      },
      rows,
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        recipient,
        withdrawal: { ...shown, to: body.to, owner: body.owner, fast },
      }),
      // The owner stands in the typed data that the L1 key signs.
      ...splitFields(body, [...withdrawalBoundFields, 'owner']),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.token.tokenId, parity: 'offchain' }),

  sign: signByOwner<Body>('submitWithdrawal', withdrawalHash, withdrawalTypedData),
};
