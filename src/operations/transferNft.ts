import {
  accountId,
  booleanField,
  type EndpointBody,
  feeRequestTypes,
  nftTransferBoundFields,
  nftTransferHash,
  transferTypedData,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { transferExecution } from './execution.ts';
import { contractFee, type FeeQuote, feeFrom, feeRow } from './fees.ts';
import {
  feePreference,
  LONGEST_NFT_VALIDITY,
  memoField,
  nftRequestIntent,
  ownerDeadline,
  receiver,
  withOneFeePreference,
} from './intentFields.ts';
import { nftAmount, ownNft, recheckSlot, type SlotFacts, slotNft, slotOf, slotRows, slotWarnings } from './nftSlot.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import { extraRows, needsActivation, payeeOf, recipientRow, roundedRows } from './recipient.ts';
import type { ReviewRow } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { signByOwner } from './signByOwner.ts';
import type { Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  withOneFeePreference(
    z.strictObject({
      ...nftRequestIntent(),
      token: ownNft(),
      toAddress: receiver(),
      /** 0 or absent: found by the address, which the signature binds either way. */
      toAccountId: z.optional(accountId()),
      memo: memoField(),
      /** Pays the first key registration of the receiver, at another fee. */
      payPayeeUpdateAccount: z.optional(booleanField()),
    }),
  ),
);

export type TransferNftIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'transferNft'>, 'storageId' | 'eddsaSignature' | 'ecdsaSignature'>;

interface Shown {
  readonly slot: SlotFacts;
  readonly fee: FeeQuote;
  readonly recipient: Recipient;
}

const requestTypeOf = (activates: unknown) =>
  activates === true ? feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE : feeRequestTypes.NFT_TRANSFER;

/** Sends NFTs of one slot to another account of the exchange. */
export const transferNft: Operation<TransferNftIntent, Body, Shown> = {
  name: 'transferNft',
  method: 'relayer_transferNft',
  permission: 'nfts',
  group: 'nfts',
  own: true,
  feeQuote: (_, facts) => contractFee(requestTypeOf(false), undefined, facts),
  ownerApproves: true,
  intent,
  settle: requestSettlement(async (query, reads) => (await reads.read('getNftTransfers', { query })).transfers),
  executedAs: ({ fromAccountId, fromAddress, toAccountId, toAddress, token, maxFee }, storageId) =>
    transferExecution(
      { accountId: fromAccountId, owner: fromAddress },
      { accountId: toAccountId, owner: toAddress },
      token,
      maxFee,
      storageId,
    ),
  recipient: ({ toAddress }) => toAddress,
  fee: (body) => ({
    requestType: requestTypeOf(body.payPayeeUpdateAccount),
    tokenId: body.maxFee.tokenId,
    volume: body.maxFee.amount,
  }),

  async prepare(asked, facts) {
    const { accountId: fromAccountId, owner } = facts.account;
    if (asked.toAddress.toLowerCase() === owner.toLowerCase())
      throw new IntentError('toAddress', 'is the account that sends');
    const slot = await slotOf(asked.token, 'token', fromAccountId, facts);
    const { recipient, account: payee } = await payeeOf(asked.toAddress, facts);
    if (asked.toAccountId && asked.toAccountId !== payee?.accountId)
      throw new IntentError('toAccountId', `is not the account of ${asked.toAddress}`);
    const activates = asked.payPayeeUpdateAccount ?? false;
    if (activates && !needsActivation(payee))
      throw new IntentError('payPayeeUpdateAccount', 'the receiver needs no activation');
    const requestType = requestTypeOf(activates);
    const fees = await contractFee(requestType, undefined, facts);
    const fee = await feeFrom(fees, feePreference(asked), { requestType }, facts);
    return {
      body: {
        exchange: facts.exchangeAddress,
        fromAccountId,
        fromAddress: owner,
        toAccountId: asked.toAccountId ?? 0,
        toAddress: asked.toAddress,
        token: { ...asked.token, nftData: slot.nftData },
        maxFee: { tokenId: fee.token.tokenId, amount: fee.volume },
        validUntil: await ownerDeadline(asked.validUntil, facts, LONGEST_NFT_VALIDITY),
        ...(asked.memo === undefined ? {} : { memo: asked.memo }),
        ...(activates ? { payPayeeUpdateAccount: true } : {}),
        ...counterFactual(facts),
      },
      shown: { slot, fee, recipient },
    };
  },

  review({ body, shown: { slot, fee, recipient } }, now) {
    const amount = nftAmount(body.token.amount, slot);
    const rows: ReviewRow[] = [
      { label: { key: 'review_send' }, value: amount, emphasis: 'pay' },
      ...recipientRow(recipient),
      feeRow(fee),
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
      ...slotRows(slot),
      ...roundedRows(amount),
      ...extraRows(body),
    ];
    return {
      sentence: { key: 'review_transfer', values: { amount, recipient: { kind: 'address', address: body.toAddress } } },
      rows,
      nft: slotNft(slot),
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        recipient,
        ...slotWarnings(slot, body.token.amount),
      }),
      // The sender's address stands in the typed data that the L1 key signs.
      ...splitFields(body, [...nftTransferBoundFields, 'fromAddress']),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.token.tokenId, parity: 'offchain' }),
  recheck: ({ body, shown }, reads) => recheckSlot(shown.slot, body.fromAccountId, reads),

  sign: signByOwner<Body>('transferNft', nftTransferHash, transferTypedData),
};
