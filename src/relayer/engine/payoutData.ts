import { Refusal } from '../errors.ts';

/** Gas for a payout that the quoted fee covers: four times what a plain transfer hands on. */
const MAX_MIN_GAS = 10_000;

/**
 * The signed members of a withdrawal that its payout on layer 1 needs.
 * @throws {Refusal} INVALID_ARGUMENT when the payout would cost more than the fee covers.
 */
export function payoutData(body: { readonly minGas: number; readonly extraData?: string | undefined }) {
  if (body.minGas > MAX_MIN_GAS)
    throw new Refusal('INVALID_ARGUMENT', `minGas: at most ${MAX_MIN_GAS} is covered by the fee of a withdrawal`);
  return { minGas: body.minGas, extraData: body.extraData || '0x' };
}
