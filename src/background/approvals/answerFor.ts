import { isFinal, type SubmissionRecord, statusOf } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import { errorAnswer, RpcError, toProviderError } from '../errors/rpcError.ts';
import { awaitedHash, submittedRequest, validity } from '../submissions/submissionRecord.ts';
import type { Answer } from './store/requests.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/**
 * The answer to the pages of a request that ends without a further signature. When one was signed
 * before and refused, the pages learn that it can still be carried out, and by which id they can
 * follow it; when nobody knows, that its outcome is unknown.
 */
export function closingAnswer(
  { id, signedBefore }: Pick<StoredApproval, 'id' | 'signedBefore'>,
  error: RpcError,
): Answer {
  if (signedBefore === undefined) return errorAnswer(error);
  if (signedBefore.copies === 0) {
    const message = 'The outcome is unknown.';
    return errorAnswer(new RpcError('disconnected', message, { status: 'unknown', requestId: id }));
  }
  const { validUntil } = signedBefore;
  const known = typeof error.data === 'object' ? error.data : {};
  const data = { ...known, status: 'refused', requestId: id, ...(validUntil === null ? {} : { validUntil }) };
  const message = `${error.message} An earlier signature that the relayer refused can still be carried out.`;
  return { error: { ...toProviderError(error), message, data } };
}

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
  if (status === 'abandoned')
    return closingAnswer(approval, new RpcError('disconnected', 'Nothing was sent.', { status: 'not-signed' }));
  if (status === 'expired' && record.ack === undefined)
    return errorAnswer(
      new RpcError('disconnected', 'The request expired before the relayer had it. It cannot happen any more.', {
        status: 'expired',
        hash: hash ?? null,
        requestId: approval.id,
      }),
    );
  const approveHash = awaitedHash(record);
  const { result, answer } = operationNamed(record.operation);
  // A signature that goes to the page and nowhere else is complete once it is on the disk.
  if (answer) return { result: answer(submittedRequest(record)) };
  if (approveHash === null && status === 'unknown' && record.ack === undefined)
    return errorAnswer(
      new RpcError(
        'disconnected',
        isFinal(record.state)
          ? 'Nobody has said how it ended. It may have been carried out: look before you send it anew.'
          : 'The relayer did not answer. The signed request is kept and its outcome will be looked up; do not send it anew.',
        { status: 'unknown', hash: hash ?? null, requestId: approval.id, ...validity(record) },
      ),
    );
  const ack = (record.ack ?? {}) as { status?: string; isIdempotent?: boolean };
  return {
    result: {
      hash,
      status: approveHash === null ? status : 'awaiting-approval',
      ...validity(record),
      ...(ack.status === undefined ? {} : { relayerStatus: ack.status }),
      isIdempotent: ack.isIdempotent ?? false,
      requestId: approval.id,
      ...(slot ? { storageId: slot.storageId } : {}),
      ...(approveHash === null ? result?.(submittedRequest(record)) : { approveHash }),
    },
  };
}
