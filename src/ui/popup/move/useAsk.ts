import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import type { QueuedApproval } from '../../../messaging/views.ts';
import type { Text } from '../../../operations/review.ts';
import { followPointer } from '../../approval/pointer.ts';
import { call, UiCallError } from '../../background.ts';
import { valueText } from '../../shared/format.ts';
import { type Action, useAction } from '../../shared/useAction.ts';
import type { OperationRequest } from './usePreview.ts';

/** An approval request of the wallet itself, shown over the screen that asked it. */
export interface Asked {
  readonly id: string;
  /**
   * The user saw what became of the approved request. After a no the screen is there as it was
   * left.
   */
  readonly onApproved: () => void;
}

/** Shows an approval request over the present screen. */
export const ShowApproval = createContext<(asked: Asked) => void>(() => undefined);

/**
 * Opens a request of the queue where it is decided: what a site asks in the window, what the user
 * asked over this screen.
 */
export function useOpenQueued(): Action<[QueuedApproval]> {
  const show = useContext(ShowApproval);
  return useAction(async ({ id, origin }: QueuedApproval) => {
    if (origin !== OWN_ORIGIN) await call('showApproval', { id });
    else show({ id, onApproved: () => undefined });
  });
}

/** The values of a sentence that came as typed ones, as plain texts. */
const plainValues = ({ values = {} }: Text): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueText(value)]));

/**
 * Asks an approval request of a screen in its place; what cannot be asked at all becomes the
 * screen's error.
 */
export function useAsk(onApproved: () => void): Action<[OperationRequest]> {
  const show = useContext(ShowApproval);
  // Known before the approve button is drawn: a pointer that rests where it appears has to leave it
  // first.
  useEffect(followPointer, []);
  return useAction(async (request: OperationRequest) => {
    const from = location.hash;
    const { id, problem } = await call('startOperation', request);
    if (problem !== null) throw new UiCallError('refused', problem.key, plainValues(problem));
    // After a change of screen it waits on the first one.
    if (location.hash === from) show({ id, onApproved });
  });
}
