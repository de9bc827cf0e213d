import { cancelAllOrders } from './cancelAllOrders.ts';
import { cancelOrder } from './cancelOrder.ts';
import { deployNft } from './deployNft.ts';
import { exitAmmPool } from './exitAmmPool.ts';
import type { SignedFee } from './feeBounds.ts';
import { hardCancel } from './hardCancel.ts';
import { joinAmmPool } from './joinAmmPool.ts';
import { mintNft } from './mintNft.ts';
import type { Approvable, Operation } from './operation.ts';
import { replaceOrder } from './replaceOrder.ts';
import type { ReviewRow } from './review.ts';
import { signMessage } from './signMessage.ts';
import { signNftOrder } from './signNftOrder.ts';
import { signTypedData } from './signTypedData.ts';
import { standingApproval } from './standingApproval.ts';
import { submitOneOf } from './submitOneOf.ts';
import { submitOrder } from './submitOrder.ts';
import { transfer } from './transfer.ts';
import { transferNft } from './transferNft.ts';
import { updateAccountKey } from './updateAccountKey.ts';
import { withdraw } from './withdraw.ts';
import { withdrawNft } from './withdrawNft.ts';

/** Everything that a page can ask to have signed. What is not here cannot be signed. */
export const operations = {
  submitOrder,
  cancelOrder,
  cancelAllOrders,
  replaceOrder,
  submitOneOf,
  hardCancel,
  transfer,
  withdraw,
  joinAmmPool,
  exitAmmPool,
  mintNft,
  transferNft,
  withdrawNft,
  deployNft,
  signNftOrder,
  updateAccountKey,
  signMessage,
  signTypedData,
} as const;

export type OperationName = keyof typeof operations;

/** An operation whose draft was read back from storage; its types are settled inside. */
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own intent and draft types
export type AnyOperation = Operation<any, any, any>;

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);

export function operationNamed(name: string): AnyOperation {
  if (!isOperation(name)) throw new Error(`no operation is named ${name}`);
  return operations[name];
}

/**
 * An operation by the name in a record, which may be one that only another version of this wallet
 * has.
 */
export const findOperation = (name: string): AnyOperation | undefined =>
  isOperation(name) ? operations[name] : undefined;

/** Unix seconds at which a draft ends; `undefined` for one that has no end. */
export const deadlineOf = (operation: AnyOperation, body: { readonly validUntil?: number }): number | undefined =>
  operation.validUntil ? operation.validUntil(body) : body.validUntil;

interface Recorded {
  readonly operation: string;
  readonly draft: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function readDraft({ operation, draft }: Recorded, read: (operation: AnyOperation, draft: any) => any) {
  const found = findOperation(operation);
  try {
    return found && read(found, draft);
  } catch {
    return undefined;
  }
}

/**
 * Receiver of a recorded request; none of a record that this version cannot read, so that it holds
 * up no other request.
 */
export function recordedRecipient(record: Recorded): string | undefined {
  const recipient = readDraft(record, (operation, draft) => operation.recipient?.(draft));
  return typeof recipient === 'string' ? recipient : undefined;
}

/** Fee of a recorded request, like its receiver. */
export function recordedFee(record: Recorded): SignedFee | undefined {
  const fee = readDraft(record, (operation, draft) => operation.fee?.(draft));
  return /^\d+$/.test(fee?.volume) ? fee : undefined;
}

/** Rows of the review of a recorded request, as they were shown. */
export function recordedRows({
  operation,
  draft,
  shown,
  reviewedAt,
}: Recorded & { readonly shown?: unknown; readonly reviewedAt?: number | undefined }):
  | readonly ReviewRow[]
  | undefined {
  if (shown === undefined || reviewedAt === undefined) return undefined;
  return readDraft(
    { operation, draft: { body: draft, shown } },
    (found, whole) => found.review(whole, reviewedAt).rows,
  );
}

/** Names of the operations whose records have a receiver or a fee, or name what they cancelled. */
export const operationsWith = (what: 'cancelled' | 'recipient' | 'fee'): readonly string[] =>
  Object.values<AnyOperation>(operations)
    .filter((operation) => operation[what])
    .map(({ name }) => name);

export const placesOrder = (name: string): boolean => findOperation(name)?.placesOrder === true;

export const paysBroker = (name: string): boolean => findOperation(name)?.paysBroker === true;

export const leavesExchange = (name: string): boolean => findOperation(name)?.leavesExchange === true;

/** It places an order, or signs one that the site brings to the relayer. */
export const signsOrder = (name: string): boolean => placesOrder(name) || findOperation(name)?.handsOver === true;

export const changesKey = (name: string): boolean => findOperation(name)?.changesKey === true;

// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyApprovable = Approvable<any, any, any>;

/**
 * Everything that can be put to the user with a draft and a review: what is signed, and the
 * standing approval, which is not.
 */
export const approvableNamed = (name: string): AnyApprovable =>
  name === standingApproval.name ? standingApproval : operationNamed(name);

export const findApprovable = (name: string): AnyApprovable | undefined =>
  name === standingApproval.name ? standingApproval : findOperation(name);
