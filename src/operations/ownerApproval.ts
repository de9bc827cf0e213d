import type { CounterFactualInfo, Hex } from '../protocol/index.ts';

/**
 * The layer-1 owner's approval of a request, as its body and header carry it: an ECDSA signature in
 * both, or, of a wallet contract, the EIP-712 digest that the contract has to approve at the
 * exchange (`approveTransaction(owner, digest)`).
 */
export interface OwnerApproval {
  readonly fields: { readonly ecdsaSignature: Hex } | { readonly hashApproved: Hex };
  /** `X-API-SIG`; none for an approved hash. */
  readonly header: { readonly signature?: Hex };
}

/**
 * Body member of accounts whose owner is a smart wallet that is not deployed yet. No signature
 * covers it.
 */
export const counterFactual = ({
  account,
}: {
  readonly account: { readonly counterFactualInfo?: CounterFactualInfo };
}): { counterFactualInfo?: CounterFactualInfo } =>
  account.counterFactualInfo ? { counterFactualInfo: account.counterFactualInfo } : {};

/**
 * The digest that a body waits for on layer 1, also inside an embedded transfer; `null` when it
 * carries signatures.
 */
export function hashToApprove(signedBody: Readonly<Record<string, unknown>>): string | null {
  const { hashApproved, transfer } = signedBody as { hashApproved?: string; transfer?: { hashApproved?: string } };
  return hashApproved ?? transfer?.hashApproved ?? null;
}
