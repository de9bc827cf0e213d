import {
  accountId,
  booleanField,
  type EndpointBody,
  feeRequestTypes,
  transferBoundFields,
  transferHash,
  transferTypedData,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { type Execution, transferExecution } from './execution.ts';
import { type FeeQuote, feeFrom, feeRow, moveRows, tokenFee, totalWith } from './fees.ts';
import {
  feePreference,
  memoField,
  ownerDeadline,
  positiveVolume,
  receiver,
  requestIntent,
  withOneFeePreference,
} from './intentFields.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import { extraRows, needsActivation, payeeOf, recipientRow, roundedRows } from './recipient.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { signByOwner } from './signByOwner.ts';
import type { Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  withOneFeePreference(
    z.strictObject({
      ...requestIntent(),
      token: positiveVolume(),
      payeeAddr: receiver(),
      /** 0 or absent: found by the address, which the signature binds either way. */
      payeeId: z.optional(accountId()),
      /** Public, and not covered by any signature. */
      memo: memoField(),
      clientId: z.optional(z.string().check(z.maxLength(120))),
      /** Pays the first key registration of the receiver, at another fee. */
      payPayeeUpdateAccount: z.optional(booleanField()),
    }),
  ),
);

export type TransferIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'submitTransfer'>, 'storageId' | 'eddsaSignature' | 'ecdsaSignature'>;

interface Shown {
  readonly token: TokenFacts;
  readonly fee: FeeQuote;
  readonly recipient: Recipient;
}

const requestTypeOf = (activates: unknown) =>
  activates === true ? feeRequestTypes.TRANSFER_AND_ACTIVATE : feeRequestTypes.TRANSFER;

/** How a block carries out the transfer of a body. */
export function executedTransfer(
  body: Pick<Body, 'payerId' | 'payerAddr' | 'payeeId' | 'payeeAddr' | 'token' | 'maxFee'>,
  storageId: number | null,
): Execution {
  const { payerId, payerAddr, payeeId, payeeAddr, token, maxFee } = body;
  return transferExecution(
    { accountId: payerId, owner: payerAddr },
    { accountId: payeeId, owner: payeeAddr },
    { tokenId: token.tokenId, amount: token.volume },
    maxFee,
    storageId,
  );
}

/** Sends a token to another account of the exchange. */
export const transfer: Operation<TransferIntent, Body, Shown> = {
  name: 'transfer',
  method: 'relayer_transfer',
  permission: 'transfers',
  group: 'moves',
  own: true,
  feeQuote: (_, facts) => tokenFee(requestTypeOf(false), facts),
  ownerApproves: true,
  intent,
  settle: requestSettlement(async (query, reads) => (await reads.read('getTransfers', { query })).transactions),
  recipient: ({ payeeAddr }) => payeeAddr,
  executedAs: executedTransfer,
  fee: (body) => ({ requestType: requestTypeOf(body.payPayeeUpdateAccount), ...body.maxFee }),

  async prepare(asked, facts) {
    const { accountId: payerId, owner } = facts.account;
    const token = await facts.token(asked.token.tokenId, 'token.tokenId');
    if (asked.payeeAddr.toLowerCase() === owner.toLowerCase())
      throw new IntentError('payeeAddr', 'is the account that pays');
    const { recipient, account: payee } = await payeeOf(asked.payeeAddr, facts);
    if (asked.payeeId && asked.payeeId !== payee?.accountId)
      throw new IntentError('payeeId', `is not the account of ${asked.payeeAddr}`);
    const activates = asked.payPayeeUpdateAccount ?? false;
    const requestType = requestTypeOf(activates);
    if (activates && !needsActivation(payee))
      throw new IntentError('payPayeeUpdateAccount', 'the receiver needs no activation');
    const fees = await tokenFee(requestType, facts);
    const fee = await feeFrom(fees, feePreference(asked), { requestType, moved: asked.token }, facts);
    return {
      body: {
        exchange: facts.exchangeAddress,
        payerId,
        payerAddr: owner,
        payeeId: asked.payeeId ?? 0,
        payeeAddr: asked.payeeAddr,
        token: asked.token,
        maxFee: { tokenId: fee.token.tokenId, volume: fee.volume },
        validUntil: await ownerDeadline(asked.validUntil, facts),
        ...(asked.memo === undefined ? {} : { memo: asked.memo }),
        ...(asked.clientId === undefined ? {} : { clientId: asked.clientId }),
        ...(activates ? { payPayeeUpdateAccount: true } : {}),
        ...counterFactual(facts),
      },
      shown: { token, fee, recipient },
    };
  },

  review({ body, shown: { token, fee, recipient } }, now) {
    const pay = { kind: 'amount', volume: body.token.volume, token } as const;
    const total = totalWith(fee, body.token);
    const rows: ReviewRow[] = [
      ...moveRows('review_send', pay, fee, total),
      ...recipientRow(recipient),
      feeRow(fee),
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
      ...roundedRows(pay),
      ...extraRows(body),
    ];
    return {
      sentence: {
        key: total ? 'review_transferTotal' : 'review_transfer',
        values: {
          amount: pay,
          recipient: { kind: 'address', address: body.payeeAddr },
          ...(total ? { total } : {}),
        },
      },
      rows,
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        recipient,
      }),
      // The payer's address stands in the typed data that the L1 key signs.
      ...splitFields(body, [...transferBoundFields, 'payerAddr']),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.token.tokenId, parity: 'offchain' }),

  sign: signByOwner<Body>('submitTransfer', transferHash, transferTypedData),
};
