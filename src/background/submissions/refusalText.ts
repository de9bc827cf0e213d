import type { SubmissionRecord } from '../../journal/index.ts';
import type { Text } from '../../operations/review.ts';
import { relayerRefusal, textValues } from '../errors/uiFailure.ts';

/** Explains a refusal to the user, and until when the relayer can still carry out the refused request. */
export function refusalText({ state, error, validUntil }: SubmissionRecord): Text {
  const refusal = textValues(relayerRefusal(error && Number(error.code)));
  if (state !== 'refused' || validUntil === undefined) return { key: 'problem_refused', values: refusal };
  return { key: 'problem_refusedUntil', values: { ...refusal, until: { kind: 'time', seconds: validUntil } } };
}
