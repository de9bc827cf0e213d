import type { RelayerClient } from '../ask.ts';
import { delayOf } from '../delayOf.ts';
import { OutcomeUnknownError, ParameterError, RelayerActionError, WaitTimeoutError } from '../errors.ts';
import { isAhead, isFinalStatus, type SubmissionStatus } from '../submission.ts';
import { type WatchSubmissionParameters, watchSubmission } from './watchSubmission.ts';

export interface WaitForSubmissionParameters
  extends Pick<WatchSubmissionParameters, 'requestId' | 'provider' | 'pollingInterval'> {
  /**
   * Milliseconds after which the wait ends; 180,000 when absent. With 0 it lasts until the request
   * is final or `signal` is aborted.
   */
  readonly timeout?: number | undefined;
  /** Ends the wait, which then rejects with the signal's reason; the submission goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** A poll that failed says nothing of the request, which was signed and goes on. */
function ofRequest(error: Error, requestId: string): Error {
  if (!(error instanceof RelayerActionError) || error instanceof ParameterError) return error;
  const reason = 'reason' in error ? error.reason : null;
  return new OutcomeUnknownError(error.message, { code: error.code, data: { requestId, reason }, cause: error });
}

/** The relayer's word alone ends nothing while what was signed is valid. */
const ofWord = (status: SubmissionStatus, requestId: string, validUntil: number | undefined) =>
  new OutcomeUnknownError(`The relayer says ${status}, and can still carry it out until ${validUntil}.`, {
    code: 4900,
    data: { requestId, validUntil },
  });

/**
 * Waits for the final status of one of the site's requests. An order rests until it is filled,
 * cancelled or expired: follow one with `watchSubmission`, or wait with a longer `timeout`.
 * @returns A final status; see `isFinalStatus` for what can follow. `processed` is the good one.
 * @throws {WaitTimeoutError} The request is not final after `timeout`; it goes on, and the error
 *   has its last status.
 * @throws {ParameterError} The site has no such request.
 * @throws {OutcomeUnknownError} The relayer says `failed`, `expired` or `refused`, and can still
 *   carry out what was signed until `validUntil`: do not ask for the same anew. Or a poll failed,
 *   because the site is not connected any more or the wallet is gone; the request goes on.
 * @example
 * const sent = await client.relayer.transfer({ token, payeeAddr });
 * const status = await client.relayer.waitForSubmission(sent);
 */
export function waitForSubmission(
  client: RelayerClient,
  { requestId, provider, pollingInterval, timeout = 180_000, signal }: WaitForSubmissionParameters,
): Promise<SubmissionStatus> {
  return new Promise((resolve, reject) => {
    let last: SubmissionStatus | null = null;
    const end = (settle: () => void) => {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      settle();
    };
    const aborted = () => end(() => reject(signal?.reason));
    const late = () => end(() => reject(new WaitTimeoutError({ requestId, status: last, timeout })));
    const timer = timeout > 0 ? setTimeout(late, delayOf(timeout)) : undefined;
    const stop = watchSubmission(client, {
      requestId,
      provider,
      pollingInterval,
      onStatus: (status, validUntil) => {
        last = status;
        if (!isFinalStatus(status)) return;
        end(() => (isAhead(validUntil) ? reject(ofWord(status, requestId, validUntil)) : resolve(status)));
      },
      onError: (error) => end(() => reject(ofRequest(error, requestId))),
    });
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted);
  });
}
