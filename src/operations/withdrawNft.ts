import {
  type EndpointBody,
  feeRequestTypes,
  nftWithdrawalBoundFields,
  nftWithdrawalHash,
  withdrawalTypedData,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { withdrawalExecution } from './execution.ts';
import { contractFee, type FeeQuote, feeFrom } from './fees.ts';
import {
  feePreference,
  LONGEST_NFT_VALIDITY,
  nftRequestIntent,
  ownerDeadline,
  withdrawalIntent,
  withOneFeePreference,
} from './intentFields.ts';
import { nftAmount, ownNft, recheckSlot, type SlotFacts, slotNft, slotOf, slotRows, slotWarnings } from './nftSlot.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import type { ReviewRow } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { signByOwner } from './signByOwner.ts';
import { warningsOf } from './warnings.ts';
import { type PayoutFacts, payoutFacts, withdrawalRows } from './withdrawalRows.ts';

const intent = once(() =>
  withOneFeePreference(z.strictObject({ ...nftRequestIntent(), ...withdrawalIntent(), token: ownNft() })),
);

export type WithdrawNftIntent = z.output<ReturnType<typeof intent>>;
/** The body of running relayers; the interface document shows the transfer's. */
type Body = Omit<
  Extract<EndpointBody<'withdrawNft'>, { owner: string }>,
  'storageId' | 'eddsaSignature' | 'ecdsaSignature'
>;

interface Shown extends PayoutFacts {
  readonly slot: SlotFacts;
  readonly fee: FeeQuote;
}

/** Withdraws NFTs of one slot to L1, where their contract has to exist. */
export const withdrawNft: Operation<WithdrawNftIntent, Body, Shown> = {
  name: 'withdrawNft',
  method: 'relayer_withdrawNft',
  permission: 'nfts',
  group: 'nfts',
  leavesExchange: true,
  own: true,
  feeQuote: ({ tokenAddress }, facts) => contractFee(feeRequestTypes.NFT_WITHDRAWAL, tokenAddress, facts),
  ownerApproves: true,
  intent,
  settle: requestSettlement(async (query, reads) => (await reads.read('getNftWithdrawals', { query })).withdrawals),
  executedAs: (body, storageId) => withdrawalExecution(body, body.token, storageId),
  recipient: ({ to }) => to,
  fee: ({ maxFee: { tokenId, amount } }) => ({ requestType: feeRequestTypes.NFT_WITHDRAWAL, tokenId, volume: amount }),

  async prepare(asked, facts) {
    const { accountId, owner } = facts.account;
    const slot = await slotOf(asked.token, 'token', accountId, facts);
    const { tokenAddress } = slot;
    const { result: code } = await facts.read('getCode', { body: { address: tokenAddress } });
    if (code === '0x')
      throw new IntentError(
        'token.nftData',
        `its contract ${tokenAddress} is not deployed on layer 1; ask for relayer_deployNft first`,
        { key: 'nftDeployMeaning' },
      );
    const requestType = feeRequestTypes.NFT_WITHDRAWAL;
    const fees = await contractFee(requestType, tokenAddress, facts);
    const fee = await feeFrom(fees, feePreference(asked), { requestType }, facts);
    const to = asked.to ?? owner;
    return {
      body: {
        exchange: facts.exchangeAddress,
        accountId,
        owner,
        to,
        token: { ...asked.token, nftData: slot.nftData },
        maxFee: { tokenId: fee.token.tokenId, amount: fee.volume },
        validUntil: await ownerDeadline(asked.validUntil, facts, LONGEST_NFT_VALIDITY),
        minGas: asked.minGas ?? 0,
        ...(asked.extraData && asked.extraData !== '0x' ? { extraData: asked.extraData } : {}),
        ...counterFactual(facts),
      },
      shown: {
        slot,
        fee,
        ...(await payoutFacts(to, facts)),
      },
    };
  },

  review({ body, shown }, now) {
    const { slot, fee, recipient } = shown;
    const amount = nftAmount(body.token.amount, slot);
    const rows: ReviewRow[] = [
      { label: { key: 'review_withdrawn' }, value: amount, emphasis: 'pay' },
      ...withdrawalRows(body, shown),
      ...slotRows(slot),
    ];
    return {
      sentence: { key: 'review_withdraw', values: { amount, recipient: { kind: 'address', address: body.to } } },
      rows,
      nft: slotNft(slot),
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        recipient,
        withdrawal: { ...shown, to: body.to, owner: body.owner, fast: false },
        ...slotWarnings(slot, body.token.amount),
      }),
      // The owner stands in the typed data that the L1 key signs.
      ...splitFields(body, [...nftWithdrawalBoundFields, 'owner']),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.token.tokenId, parity: 'offchain' }),
  recheck: ({ body, shown }, reads) => recheckSlot(shown.slot, body.accountId, reads),

  sign: signByOwner<Body>('withdrawNft', nftWithdrawalHash, withdrawalTypedData),
};
