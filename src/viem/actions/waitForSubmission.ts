import type { RelayerClient } from '../ask.ts';
import { isFinalStatus, type SubmissionStatus } from '../submission.ts';
import { type WatchSubmissionParameters, watchSubmission } from './watchSubmission.ts';

export interface WaitForSubmissionParameters
  extends Pick<WatchSubmissionParameters, 'requestId' | 'provider' | 'pollingInterval'> {
  /** Ends the wait, which then rejects with the signal's reason; the submission goes on. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for the final status of one of the site's requests. An order rests until it is filled, cancelled or expired: this can take
 * as long as the order is good for.
 * @returns A final status; `processed` is the good one. After `refused` the wallet looks until what was signed is not valid any more, and tells
 * by an event when the relayer has it after all.
 * @throws {RelayerActionError} A look failed: the site has no such request, is not connected any more, or the wallet is gone.
 * @example
 * const sent = await client.relayer.transfer({ token, payeeAddr });
 * const status = await client.relayer.waitForSubmission(sent);
 */
export function waitForSubmission(
  client: RelayerClient,
  { requestId, provider, pollingInterval, signal }: WaitForSubmissionParameters,
): Promise<SubmissionStatus> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      stop();
      signal?.removeEventListener('abort', aborted);
      settle();
    };
    const aborted = () => end(() => reject(signal?.reason));
    const stop = watchSubmission(client, {
      requestId,
      provider,
      pollingInterval,
      onStatus: (status) => {
        if (isFinalStatus(status)) end(() => resolve(status));
      },
      onError: (error) => end(() => reject(error)),
    });
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  });
}
