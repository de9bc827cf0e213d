import { mayStillHappen, type SubmissionRecord } from '../../journal/index.ts';
import type { Text } from '../../operations/review.ts';
import { relayerRefusal, textValues } from '../errors/uiFailure.ts';

/**
 * Explains to the user why nothing came of a request, and until when the relayer can still carry it
 * out.
 */
export function refusalText(record: SubmissionRecord): Text {
  const { state, error, validUntil = 0 } = record;
  const refusal = textValues(relayerRefusal(error && Number(error.code)));
  if (!mayStillHappen(record)) return { key: 'problem_refused', values: refusal };
  const until = { kind: 'time', seconds: validUntil } as const;
  return state === 'refused'
    ? { key: 'problem_refusedUntil', values: { ...refusal, until } }
    : { key: 'problem_endedUntil', values: { until } };
}
