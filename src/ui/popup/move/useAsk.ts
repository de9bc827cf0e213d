import type { Text } from '../../../operations/review.ts';
import { call, UiCallError } from '../../background.ts';
import { type Action, useAction } from '../../shared/useAction.ts';
import type { Question } from './usePreview.ts';

/** The values of a sentence that came as typed ones, as plain texts. */
const plainValues = ({ values = {} }: Text): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, 'text' in value ? value.text : JSON.stringify(value)]),
  );

/** Puts a question of a screen to the approval window; what cannot be asked at all becomes the screen's error. */
export function useAsk(onAsked: (id: string) => void): Action<[Question]> {
  return useAction(async (question: Question) => {
    const { id, problem } = await call('startOperation', question);
    if (problem !== null) throw new UiCallError('refused', problem.key, plainValues(problem));
    onAsked(id);
  });
}
