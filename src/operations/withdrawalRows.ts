import { chainValue, type OnChain } from './chains.ts';
import { type FeeQuote, feeRow } from './fees.ts';
import type { Facts } from './operation.ts';
import { isContract, recipientOf, recipientRow } from './recipient.ts';
import type { ReviewRow } from './review.ts';
import type { Recipient } from './warningFacts.ts';

/** Facts of where a withdrawal pays out. */
export interface PayoutFacts extends OnChain {
  readonly recipient: Recipient;
  readonly isContract: boolean | null;
}

export const payoutFacts = async (to: string, facts: Facts): Promise<PayoutFacts> => ({
  recipient: await recipientOf(to, facts, true),
  isContract: to.toLowerCase() === facts.account.owner.toLowerCase() ? false : await isContract(to, facts),
  chainId: facts.chainId,
});

/** Rows that a withdrawal of a token and one of an NFT share. */
export function withdrawalRows(
  body: { readonly validUntil: number; readonly minGas: number; readonly extraData?: string | undefined },
  shown: PayoutFacts & { readonly fee: FeeQuote },
): ReviewRow[] {
  const rows: ReviewRow[] = [
    ...recipientRow(shown.recipient),
    { label: { key: 'review_domainChain' }, value: chainValue(shown) },
    feeRow(shown.fee),
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
  ];
  if (body.minGas > 0)
    rows.push({ label: { key: 'review_minGas' }, value: { kind: 'text', text: String(body.minGas) } });
  if (body.extraData)
    rows.push({ label: { key: 'review_extraData' }, value: { kind: 'document', text: body.extraData } });
  return rows;
}
