import { Refusal } from '../errors.ts';
import { type Account, findAccount, findAccountByOwner, isFirstUpdatePaid } from './accounts.ts';
import { quoteFee } from './fees.ts';
import type { Relayer } from './relayer.ts';

/**
 * The receiving account of a transfer; `undefined` when the transfer will open it.
 * @param payeeId - 0: found by address.
 * @throws {Refusal} RECEIVER_INVALID when id and address do not fit or the sender pays itself,
 *   RECIPIENT_INVALID for a pool's address.
 */
export async function findPayee(
  relayer: Relayer,
  payer: Account,
  payeeId: number,
  payeeAddress: string,
): Promise<Account | undefined> {
  if (payeeAddress.toLowerCase() === payer.owner) throw new Refusal('RECEIVER_INVALID', 'the receiver is the sender');
  if (relayer.catalog.pool(payeeAddress))
    throw new Refusal('RECIPIENT_INVALID', 'the receiver is a pool; join it instead');
  const payee =
    payeeId === 0 ? await findAccountByOwner(relayer.db, payeeAddress) : await findAccount(relayer.db, payeeId);
  if (payeeId !== 0 && payee?.owner !== payeeAddress.toLowerCase())
    throw new Refusal('RECEIVER_INVALID', `account ${payeeId} does not belong to ${payeeAddress}`);
  return payee;
}

/**
 * Whether the sender may pay the receiver's first key update: it has no key and nobody paid yet.
 */
export function checkPaysActivation(payee: Account | undefined): void {
  if (payee && (payee.nonce > 0 || isFirstUpdatePaid(payee)))
    throw new Refusal('INVALID_ARGUMENT', "payPayeeUpdateAccount: the receiver's activation needs no payment");
}

/**
 * State of a transfer that may pay the receiver's activation, kept until it is settled.
 * @param usual - The kind of fee of the same transfer without the activation.
 */
export async function activationPaid(
  relayer: Relayer,
  payer: Account,
  body: { readonly payPayeeUpdateAccount?: boolean | undefined; readonly maxFee: { readonly tokenId: number } },
  usual: number,
): Promise<{ readonly paysActivation: boolean; readonly feeWithoutActivation?: string }> {
  const token = relayer.catalog.token(body.maxFee.tokenId);
  if (!body.payPayeeUpdateAccount || !token) return { paysActivation: false };
  return { paysActivation: true, feeWithoutActivation: String(await quoteFee(relayer, usual, token, payer.owner)) };
}
