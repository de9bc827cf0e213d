import { isFinal, type SubmissionRecord, statusOf } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import { errorAnswer, RpcError } from '../errors/rpcError.ts';
import { awaitedHash, submittedRequest, validity } from '../submissions/submissionRecord.ts';
import type { Answer } from './store/requests.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/** Builds the answer to an approval's pages from its latest submission. */
export function answerFor(approval: StoredApproval, record: SubmissionRecord): Answer {
  const { hash, slot, error } = record;
  const status = statusOf(record);
  if (record.state === 'refused')
    return errorAnswer(
      new RpcError('refused', `The relayer refused: ${error?.name ?? error?.message ?? 'no reason given'}.`, {
        code: error?.code,
        name: error?.name,
        requestId: approval.id,
        hash: hash ?? null,
        ...validity(record),
      }),
    );
  if (status === 'expired' && record.ack === undefined)
    return errorAnswer(
      new RpcError('disconnected', 'The request expired before the relayer had it. It cannot happen any more.', {
        status: 'expired',
        hash: hash ?? null,
        requestId: approval.id,
      }),
    );
  const approveHash = awaitedHash(record);
  if (approveHash !== null)
    return {
      result: {
        hash,
        status: 'awaiting-approval',
        isIdempotent: false,
        requestId: approval.id,
        ...(slot ? { storageId: slot.storageId } : {}),
        approveHash,
        ...validity(record),
      },
    };
  const { result, answer } = operationNamed(record.operation);
  // A signature that goes to the page and nowhere else is complete once it is on the disk.
  if (answer) return { result: answer(submittedRequest(record)) };
  if (status === 'unknown' && record.ack === undefined)
    return errorAnswer(
      new RpcError(
        'disconnected',
        isFinal(record.state)
          ? 'Its account was removed before the relayer answered. It may have been carried out: look before you send it anew.'
          : 'The relayer did not answer. The signed request is kept and its outcome will be looked up; do not send it anew.',
        { status: 'unknown', hash: hash ?? null, requestId: approval.id, ...validity(record) },
      ),
    );
  const ack = (record.ack ?? {}) as { status?: string; isIdempotent?: boolean };
  return {
    result: {
      hash,
      status,
      ...validity(record),
      ...(ack.status === undefined ? {} : { relayerStatus: ack.status }),
      isIdempotent: ack.isIdempotent ?? false,
      requestId: approval.id,
      ...(slot ? { storageId: slot.storageId } : {}),
      ...result?.(submittedRequest(record)),
    },
  };
}
