import type { UiParams } from '../messaging/uiMethods.ts';
import { send } from './messages.ts';

/**
 * Leaves a trace of an error that this page did not expect, for the list under *Advanced*: class
 * and place in the code, no value. An error that has a text of its own is none of them.
 */
export function leaveTrace(where: UiParams<'addFailure'>['where'], error: unknown): void {
  if (error instanceof Error && 'key' in error) return;
  const { name, message, stack = '' } = error instanceof Error ? error : new TypeError(typeof error);
  void send('addFailure', { where, name, message, stack });
}

/**
 * Notices of the browser come this way too, without an error: a `ResizeObserver` whose page is laid
 * out anew while it is told of a size.
 */
const onError = ({ error }: ErrorEvent) => error && leaveTrace('not caught', error);
const onRejection = ({ reason }: PromiseRejectionEvent) => leaveTrace('not caught', reason);

/** Does so for whatever nothing in this page catches. */
export function traceUncaught(): void {
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
}
