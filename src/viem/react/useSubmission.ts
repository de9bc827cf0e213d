'use client';
import { type WatchSubmissionParameters, watchSubmission } from '../actions/watchSubmission.ts';
import type { RelayerClient } from '../ask.ts';
import type { SubmissionStatus } from '../submission.ts';
import { useWatched, type Watched } from './useWatched.ts';

export type UseSubmissionParameters = Pick<WatchSubmissionParameters, 'provider' | 'pollingInterval'>;

/**
 * The status of one of the site's requests, until nothing can follow any more.
 * @param submission - What an action answered, an `OutcomeUnknownError`, or anything else with a
 *   `requestId`.
 * @example
 * const { data: status } = useSubmission(client, order, { provider });
 */
export function useSubmission(
  client: RelayerClient | null | undefined,
  submission: { readonly requestId: string } | null | undefined,
  { provider, pollingInterval }: UseSubmissionParameters = {},
): Watched<SubmissionStatus> {
  const requestId = submission?.requestId;
  return useWatched(
    client && requestId !== undefined
      ? ({ onData, onError }) =>
          watchSubmission(client, { requestId, provider, pollingInterval, onStatus: onData, onError })
      : null,
    [client, requestId, provider, pollingInterval],
  );
}
