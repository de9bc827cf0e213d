import type { RelayerTypedData } from '../../protocol/typedData.ts';
import { Refusal } from '../errors.ts';
import type { Account } from './accounts.ts';
import type { Relayer } from './relayer.ts';
import { checkExchange } from './requestChecks.ts';
import { checkEddsa, checkOwnerApproval, type OwnerApproval } from './signatures.ts';

/** Fields that bodies of transfers and withdrawals share. */
interface SignedBody extends OwnerApproval {
  readonly exchange: string;
  readonly eddsaSignature?: string | undefined;
}

/** Subject of both approvals of a body, and the one that came beside it. */
interface Approved {
  /** The owner that the body names, and the field that names it. */
  readonly owner: string;
  readonly ownerField: string;
  /** Hash that the account key signs. */
  readonly message: bigint;
  /** What the owner signs. */
  readonly typedData: RelayerTypedData;
  readonly headerSignature: string | undefined;
}

/**
 * Checks who sends a request which moves funds, and for which exchange: its two approvals are the
 * EdDSA signature of the account key and the approval of the L1 owner.
 * @throws {Refusal} SENDER_INVALID when the body names another owner, SIGNATURE_MISSING or
 *   SIGNATURE_WRONG for the signatures, EXCHANGE_ID_INCORRECT for another exchange.
 */
export async function checkBothSignatures(
  relayer: Relayer,
  account: Account,
  body: SignedBody,
  { owner, ownerField, message, typedData, headerSignature }: Approved,
): Promise<void> {
  if (owner.toLowerCase() !== account.owner)
    throw new Refusal('SENDER_INVALID', `${ownerField}: account ${account.accountId} belongs to another address`);
  await checkEddsa(relayer, message, body.eddsaSignature, account.publicKey, 'eddsaSignature');
  await checkOwnerApproval(relayer, account.owner, typedData, body, headerSignature);
  checkExchange(relayer, body.exchange);
}
